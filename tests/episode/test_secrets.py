from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import (
    Action,
    Answer,
    Box,
    Click,
    Finish,
    Hotkey,
    Note,
    Point,
    Press,
    Sequence,
    TypeText,
)
from openvenus.episode import (
    Decision,
    Effect,
    EpisodeWriter,
    Observation,
    ParseFailure,
    Step,
    Task,
    read_episode,
)
from openvenus.episode._secrets import Mask
from openvenus.screen import Element, ElementTree
from tests.episode.records import FORM, FRAME, NAME, SECRET, SEND

HIDDEN = "correct horse"
BULLETS = "•" * len(HIDDEN)
IN_SECRET, IN_NAME, ON_SEND = Point(200, 225), Point(200, 125), Point(150, 325)
LABEL = Element("label", "label", Box(100, 180, 500, 200), "Password")


def focus(element: Element | None) -> ElementTree:
    return ElementTree(replace(e, focused=e is element) for e in (NAME, SECRET, SEND, LABEL))


def masked(
    action: Action,
    target: str | None = None,
    tree: ElementTree = FORM,
    thought: str = "",
    raw: str = "",
) -> Decision:
    step = Step(0, Observation(FRAME, tree), Decision(action, thought, target, raw=raw))
    decision = Mask().apply(step).decision
    assert decision is not None
    return decision


@pytest.mark.parametrize(
    ("target", "point", "tree"),
    [
        ("secret", None, FORM),
        (None, IN_SECRET, FORM),
        (None, None, focus(SECRET)),
        # Not known to be another field: a label leads to one, and so may anything else.
        (None, None, FORM),
        ("label", None, focus(None)),
        (None, Point(200, 190), focus(None)),
        (None, Point(900, 900), FORM),
        ("gone", None, FORM),
    ],
)
def test_what_goes_into_a_password_field_is_hidden(
    target: str | None, point: Point | None, tree: ElementTree
) -> None:
    decision = masked(TypeText(text=HIDDEN, point=point, submit=True), target, tree)
    assert decision.action == TypeText(text=BULLETS, point=point, submit=True)
    assert decision.masked


@pytest.mark.parametrize(
    ("target", "point", "tree"),
    [
        ("name", None, FORM),
        (None, IN_NAME, FORM),
        (None, None, focus(NAME)),
        ("name", None, focus(SECRET)),
        (None, None, ElementTree([NAME, SEND])),
        (None, None, ElementTree()),
    ],
)
def test_what_goes_elsewhere_is_kept(
    target: str | None, point: Point | None, tree: ElementTree
) -> None:
    action = TypeText(text="Ann", point=point)
    decision = masked(action, target, tree, raw="Ann")
    assert (decision.action, decision.raw, decision.masked) == (action, "Ann", False)


def test_a_step_without_secrets_is_the_same_step() -> None:
    step = Step(0, Observation(FRAME, FORM), Decision(Click(point=ON_SEND), target="send"))
    assert Mask().apply(step) is step


@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_texts_of_the_step_do_not_tell(ascii_only: bool) -> None:
    secret = 'pass"wörd'
    raw = json.dumps({"type": "type", "text": secret}, ensure_ascii=ascii_only)
    step = Step(
        0,
        Observation(FRAME, FORM),
        Decision(TypeText(text=secret), f"I type {secret}.", "secret", f"typed {secret}", raw),
        effect=Effect("done", f"sent {secret}", changes=(f"now has '{secret}'",)),
        feedback=f"no effect: type {secret}",
    )
    told = repr(Mask().apply(step))
    assert secret not in told
    assert "w\\u00f6rd" not in told
    assert "wörd" not in told
    assert told.count("•" * len(secret)) == 7


def test_a_sequence_is_followed_from_field_to_field() -> None:
    actions = (
        Click(point=IN_NAME),
        TypeText(text="Ann"),
        Click(point=IN_SECRET),
        TypeText(text=HIDDEN),
        TypeText(text="Bob", point=IN_NAME),
    )
    action = masked(Sequence(actions=actions)).action
    assert isinstance(action, Sequence)
    texts = [a.text for a in action.actions if isinstance(a, TypeText)]
    assert texts == ["Ann", BULLETS, "Bob"]


def test_after_a_tab_it_may_be_the_password_field() -> None:
    actions = (TypeText(text="Ann", point=IN_NAME), Press(key="Tab"), TypeText(text=HIDDEN))
    action = masked(Sequence(actions=actions), tree=focus(NAME)).action
    assert isinstance(action, Sequence)
    assert action.actions == (actions[0], actions[1], TypeText(text=BULLETS))


@pytest.mark.parametrize(
    ("action", "hidden"),
    [
        (Press(key="x"), Press(key="•")),
        (Hotkey(keys=("x",)), Hotkey(keys=("•",))),
        (Press(key="Enter"), Press(key="Enter")),
        (Hotkey(keys=("Control", "a")), Hotkey(keys=("Control", "a"))),
        (TypeText(text=""), TypeText(text="")),
    ],
)
def test_single_keys_are_hidden_and_commands_are_not(action: Any, hidden: Any) -> None:
    assert masked(action, tree=focus(SECRET)).action == hidden


def test_a_secret_stays_one_in_later_steps() -> None:
    mask = Mask()
    mask.apply(Step(0, Observation(FRAME, FORM), Decision(TypeText(text=HIDDEN), target="secret")))
    shown = replace(SECRET, kind="text", value=HIDDEN)
    later = Step(
        1,
        Observation(FRAME, ElementTree([NAME, shown])),
        Decision(Note(text=f"it was {HIDDEN}"), raw=HIDDEN),
    )
    step = mask.apply(later)
    assert HIDDEN not in repr(step)
    assert step.decision is not None
    assert step.decision.action == Note(text=f"it was {BULLETS}")
    assert step.observation.elements[1].value == BULLETS
    for action in (TypeText(text=HIDDEN), Answer(text=HIDDEN), Finish(answer=f"{HIDDEN}!")):
        assert HIDDEN not in repr(mask.apply(replace(later, decision=Decision(action))))
    failed = replace(later, decision=None, failure=ParseFailure(f"odd: {HIDDEN}", HIDDEN))
    assert HIDDEN not in repr(mask.apply(failed))


def test_a_short_secret_blots_out_nothing_later() -> None:
    mask = Mask()
    mask.apply(Step(0, Observation(FRAME, FORM), Decision(TypeText(text="a"), target="secret")))
    later = Step(1, Observation(FRAME, FORM), Decision(Click(point=ON_SEND), "a plan", "send"))
    assert mask.apply(later) is later


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=3, max_size=12))
def test_no_secret_reaches_the_steps(secret: str) -> None:
    raw = json.dumps({"text": secret})
    decision = masked(TypeText(text=secret), "secret", thought=secret, raw=raw)
    assert decision.action == TypeText(text="•" * len(secret))
    if "•" not in secret:
        assert secret not in decision.thought


def test_nothing_of_it_is_on_disk(tmp_path: Path) -> None:
    secret = "correct horse battery"
    typed = Decision(TypeText(text=secret), f"It is {secret}", "secret", raw=f"type {secret}")
    shown = replace(SECRET, kind="text", value=secret)
    with EpisodeWriter.create(tmp_path, Task("Log in"), "p", "d") as writer:
        writer.write_step(Step(0, Observation(FRAME, FORM), typed))
        writer.write_step(Step(1, Observation(FRAME, FORM), Decision(Click(), raw=secret)))
        writer.finish(
            outcome="claimed_done",
            reason=f"typed {secret}",
            answer=f"the password is {secret}",
            final=Observation(FRAME, ElementTree([shown])),
            verdict=None,
            notes=(secret,),
            ended=1.0,
        )
    assert secret.encode() not in (writer.path / "episode.jsonl").read_bytes()
    episode = read_episode(writer.path)
    assert episode.steps[0].decision is not None
    assert episode.steps[0].decision.masked
    assert episode.answer == f"the password is {'•' * len(secret)}"
