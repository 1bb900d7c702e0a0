from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import Box, Click, Point, Scroll, TypeText
from openvenus.agent import fingerprint
from openvenus.agent._progress import Progress, action_key
from openvenus.episode import Dialog, Observation
from openvenus.screen import Element, ElementTree, Frame
from tests.agent.memory import picture

FIELD = Element("e1", "textbox", Box(0, 0, 10, 10), "Name", value="Ann")
SEEN = Observation(Frame("f", 64, 48, 64, 48, image=picture(1)), ElementTree([FIELD]), "u")


def with_element(**changes: object) -> Observation:
    return replace(SEEN, elements=ElementTree([replace(FIELD, **changes)]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        replace(SEEN, url="v"),
        replace(SEEN, dialogs=(Dialog("alert", "x"),)),
        with_element(value="Bob"),
        with_element(name="Family name"),
        with_element(length=4),
        with_element(checked=True),
        with_element(enabled=False),
        with_element(visible=False),
        with_element(scrolls="d"),
        replace(SEEN, elements=ElementTree([FIELD, FIELD])),
    ],
)
def test_another_state_has_another_fingerprint(other: Observation) -> None:
    assert fingerprint(other) != fingerprint(SEEN)


@pytest.mark.parametrize(
    "same",
    [
        replace(SEEN, frame=Frame("g", 64, 48, 64, 48, image=picture(2))),
        with_element(box=Box(5, 5, 15, 15)),
        with_element(id="e77"),
        replace(SEEN, title="(1) inbox"),
    ],
)
def test_the_same_state_has_the_same_fingerprint(same: Observation) -> None:
    assert fingerprint(same) == fingerprint(SEEN)


def test_without_elements_the_image_counts() -> None:
    bare = replace(SEEN, elements=ElementTree())
    other = replace(bare, frame=replace(bare.frame, image=picture(2)))
    assert fingerprint(bare) != fingerprint(other)
    assert fingerprint(replace(bare, frame=bare.frame.without_image()))


def test_tries_at_the_same_thing_are_one_action() -> None:
    def key(x: float, y: float, target: str | None = None) -> str:
        return action_key(Click(point=Point(x, y)), target)

    assert key(500, 500) == key(503, 498)
    assert key(500, 500) != key(560, 500)
    assert key(500, 500, "e1") == key(700, 1, "e1")
    assert key(500, 500, "e1") != key(500, 500, "e2")
    assert key(1000, 1000) == key(999, 999)
    assert action_key(TypeText(text="a"), "e1") != action_key(TypeText(text="b"), "e1")
    assert action_key(Scroll(direction="up"), None) != action_key(Scroll(direction="down"), None)


def signs(*steps: str, **limits: int) -> list[str | None]:
    """Each step as "state action state"."""
    progress = Progress(**limits)
    return [progress.step(*step.split()) for step in steps]


def test_the_same_in_the_same_state() -> None:
    assert signs("a x a", "a x a") == [None, None]
    assert "3 times" in (signs("a x a", "a x a", "a x a")[2] or "")
    # In between other things, and within the window.
    spread = ["a x b", "b y a", "a x c", "c z a", "a x d"]
    assert [s is not None for s in signs(*spread)] == [False, False, False, False, True]


@pytest.mark.parametrize("period", [2, 3, 4])
def test_cycles_are_seen_after_two_rounds(period: int) -> None:
    states = "abcd"[:period]
    steps = [f"{s} go {states[(i + 1) % period]}" for i, s in enumerate(states)] * 2
    found = signs(*steps, repeat_limit=9)
    assert found[:-1] == [None] * (2 * period - 1)
    assert f"last {period} actions" in (found[-1] or "")


def test_a_long_cycle_is_no_progress() -> None:
    states = "abcdefg"
    steps = [f"{s} go {states[(i + 1) % 7]}" for i, s in enumerate(states)] * 2
    found = signs(*steps, repeat_limit=9, no_progress_steps=7)
    assert [f is not None for f in found].index(True) == 12
    assert "no screen that is new" in (found[12] or "")


@given(st.lists(st.integers(0, 9), max_size=60))
def test_new_states_are_always_progress(actions: list[int]) -> None:
    progress = Progress()
    for i, action in enumerate(actions):
        assert progress.step(f"s{i}", str(action), f"s{i + 1}") is None


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=20, max_size=60))
def test_three_states_for_ever_are_noticed(steps: list[tuple[int, int]]) -> None:
    progress = Progress()
    before, found = 0, []
    for after, action in steps:
        found.append(progress.step(str(before), str(action), str(after)))
        before = after
    assert any(found)
