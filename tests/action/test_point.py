from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import SCALE, Box, Point, clamp_point
from tests.action.actions import points

numbers = st.floats(-5000, 5000)
boxes = st.builds(Box, numbers, numbers, numbers, numbers)


@given(points, points, points)
def test_distance_is_a_metric(a: Point, b: Point, c: Point) -> None:
    assert a.distance(a) == 0
    assert a.distance(b) == b.distance(a) <= 1415
    assert a.distance(c) <= a.distance(b) + b.distance(c) + 1e-6


@given(numbers, numbers)
def test_clamping_stays_on_the_frame_and_moves_no_point_of_it(x: float, y: float) -> None:
    point = clamp_point(x, y)
    assert 0 <= point.x <= SCALE
    assert 0 <= point.y <= SCALE
    assert clamp_point(*point) == point
    if 0 <= x <= SCALE and 0 <= y <= SCALE:
        assert point == (x, y)


@given(boxes)
def test_the_clipped_box_lies_on_the_frame_and_in_the_box(box: Box) -> None:
    part = box.clipped()
    if part is not None:
        assert part.width > 0
        assert part.height > 0
        assert box.contains(*part.center)
        assert part.clipped() == part
    else:
        outside = box.right <= 0 or box.bottom <= 0 or box.left >= SCALE or box.top >= SCALE
        assert outside or not box.width or not box.height


@pytest.mark.parametrize(
    ("place", "inside"),
    [((10, 20), True), ((30, 40), True), ((20, 30), True), ((9.9, 30), False), ((20, 40.1), False)],
)
def test_a_box_holds_its_edges(place: tuple[float, float], inside: bool) -> None:
    box = Box(10, 20, 30, 40)
    assert box.contains(*place) is inside
    assert (box.width, box.height, box.center) == (20, 20, (20, 30))


def test_a_box_turned_inside_out_has_no_size() -> None:
    box = Box(30, 40, 10, 20)
    assert (box.width, box.height, box.clipped()) == (0, 0, None)


def test_points_that_differ_have_a_distance_however_near_they_are() -> None:
    assert Point(0.0, 0.0).distance(Point(0.0, 2.9e-272)) > 0.0
