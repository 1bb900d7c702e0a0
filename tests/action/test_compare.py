from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import (
    Action,
    Click,
    DoubleClick,
    Drag,
    Point,
    Scroll,
    Sequence,
    TypeText,
    same_action,
)
from tests.action.actions import actions, points


@given(actions)
def test_an_action_is_the_same_as_itself(action: Action) -> None:
    assert same_action(action, action)
    assert same_action(action, action.model_copy(deep=True))


@given(actions, actions)
def test_without_tolerance_same_means_equal(a: Any, b: Any) -> None:
    assert same_action(a, b) == same_action(b, a) == (a == b)


@given(points, points, st.floats(0, 1500))
def test_points_count_by_distance(a: Point, b: Point, tolerance: float) -> None:
    same = same_action(Click(point=a), Click(point=b), tolerance=tolerance)
    assert same == (a.distance(b) <= tolerance)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Click(point=Point(0, 0)), DoubleClick(point=Point(0, 0))),
        (Click(point=Point(0, 0)), Click()),
        (TypeText(text="a"), TypeText(text="A")),
        (TypeText(text="a"), TypeText(text="a", submit=True)),
        (Scroll(direction="up"), Scroll(direction="down")),
        (
            Drag(start=Point(0, 0), end=Point(9, 9)),
            Drag(start=Point(0, 0), end=Point(9, 9), via=(Point(5, 5),)),
        ),
    ],
)
def test_tolerance_is_only_for_places(a: Action, b: Action) -> None:
    assert not same_action(a, b, tolerance=2000)


def test_tolerance_reaches_into_sequences_and_paths() -> None:
    def both(shift: float) -> Sequence:
        first = Click(point=Point(10 + shift, 10))
        second = Drag(start=Point(0, 0), end=Point(9, 9 + shift), via=(Point(5, 5 + shift),))
        return Sequence(actions=(first, second))

    assert same_action(both(0), both(3), tolerance=3)
    assert not same_action(both(0), both(3.1), tolerance=3)
