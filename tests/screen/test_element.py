from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import Box, Point
from openvenus.screen import Element, ElementTree

coordinates = st.floats(0, 1000)
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    st.floats(-100, 1000),
    st.floats(-100, 1000),
    st.floats(0, 500),
    st.floats(0, 500),
)
trees = st.lists(st.tuples(boxes, st.booleans(), st.booleans()), max_size=20).map(
    lambda rows: ElementTree(
        Element(f"e{i}", "button", box, visible=visible, native=native)
        for i, (box, visible, native) in enumerate(rows)
    )
)
PAGE = Element("page", "document", Box(0, 0, 1000, 1000))
FORM = Element("form", "form", Box(100, 100, 500, 500), parent="page")
FIELD = Element("field", "textbox", Box(120, 120, 300, 160), parent="form")
TREE = ElementTree([PAGE, FORM, FIELD])


@pytest.mark.parametrize(
    ("point", "found"),
    [
        (Point(0, 0), "page"),
        (Point(100, 100), "form"),
        (Point(120, 120), "field"),
        (Point(300, 160), "field"),
        (Point(301, 160), "form"),
        (Point(1000, 1000), "page"),
    ],
)
def test_the_innermost_element_is_found(point: Point, found: str) -> None:
    element = TREE.at(point)
    assert element is not None
    assert element.id == found


@given(trees, coordinates, coordinates)
def test_what_is_found_is_visible_there_and_the_smallest(
    tree: ElementTree, x: float, y: float
) -> None:
    there = [e for e in tree if e.box.contains(x, y) and e.visible and not e.native]
    found = tree.at(Point(x, y))
    if found is None:
        assert not there
    else:
        assert found in there
        assert found.box.width * found.box.height == min(e.box.width * e.box.height for e in there)


def test_of_two_that_cover_each_other_the_later_is_found() -> None:
    below = Element("below", "button", Box(0, 0, 10, 10))
    above = Element("above", "button", Box(0, 0, 10, 10))
    assert ElementTree([below, above]).at(Point(5, 5)) == above
    assert ElementTree([above, below]).at(Point(5, 5)) == below


def test_what_is_not_drawn_is_not_found() -> None:
    hidden = Element("h", "button", Box(0, 0, 10, 10), visible=False)
    option = Element("o", "option", Box(0, 0, 10, 10), native=True)
    assert ElementTree([hidden, option]).at(Point(5, 5)) is None


@given(trees)
def test_a_tree_keeps_the_order_of_the_document(tree: ElementTree) -> None:
    assert [e.id for e in tree] == [f"e{i}" for i in range(len(tree))]
    assert all(tree[i] is tree.get(f"e{i}") for i in range(len(tree)))
    assert tree.get("nowhere") is None


def test_trees_are_values() -> None:
    same = ElementTree(iter([PAGE, FORM, FIELD]), truncated=3)
    assert same == TREE
    assert hash(same) == hash(TREE)
    assert (same.truncated, TREE.truncated) == (3, 0)
    assert ElementTree([PAGE, FIELD, FORM]) != TREE
    assert TREE != [PAGE, FORM, FIELD]
    assert repr(TREE) == "ElementTree(3 elements)"
