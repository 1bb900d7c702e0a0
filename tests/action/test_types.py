from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from openvenus.action import (
    TERMINAL,
    AskUser,
    Click,
    Drag,
    Finish,
    LongPress,
    Note,
    Point,
    Refuse,
    Select,
    Sequence,
    TypeText,
    Wait,
)

CLICK = Click(point=Point(1, 2))


@pytest.mark.parametrize("last", [Finish(), Refuse(reason="no"), CLICK, AskUser(question="?")])
def test_a_sequence_may_end_with_anything(last: Any) -> None:
    assert Sequence(actions=(CLICK, last)).actions[-1] == last


@pytest.mark.parametrize("terminal", [Finish(), Refuse(reason="no")])
def test_a_terminal_action_comes_only_last(terminal: Any) -> None:
    assert terminal.type in TERMINAL
    with pytest.raises(ValidationError, match="action 1 of the sequence"):
        Sequence(actions=(terminal, CLICK))
    with pytest.raises(ValidationError, match="action 2 of the sequence"):
        Sequence(actions=(CLICK, terminal, CLICK))


def test_a_sequence_holds_two_to_32_actions_and_no_sequence() -> None:
    assert len(Sequence(actions=(CLICK,) * 32).actions) == 32
    inner: Any = Sequence(actions=(CLICK, CLICK))
    for wrong in ((), (CLICK,), (CLICK,) * 33, (inner, CLICK)):
        with pytest.raises(ValidationError):
            Sequence(actions=wrong)


def test_zero_is_a_place() -> None:
    assert Click(point=Point(0, 0)).point == Point(0.0, 0.0)
    assert Drag(start=Point(0, 0), end=Point(1000, 1000)).end == Point(1000, 1000)


def test_actions_are_values() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        CLICK.point = None
    assert hash(CLICK) == hash(Click(point=Point(1.0, 2.0)))
    assert len({CLICK, Click(point=Point(1, 2)), Click()}) == 2


def test_select_takes_one_or_several() -> None:
    assert Select(index=0).index == (0,)  # type: ignore[arg-type]
    assert Select(label="a").label == ("a",)  # type: ignore[arg-type]
    assert Select(label=("a", "b")).index is None


@pytest.mark.parametrize("seconds", [-0.1, 60.1, float("inf"), float("nan"), True])
def test_durations_are_bounded(seconds: float) -> None:
    for kind in (Wait, LongPress):
        with pytest.raises(ValidationError):
            kind(seconds=seconds)


def test_texts_are_bounded() -> None:
    assert len(TypeText(text="x" * 100_000).text) == 100_000
    with pytest.raises(ValidationError):
        TypeText(text="x" * 100_001)
    with pytest.raises(ValidationError):
        Note(text="")
