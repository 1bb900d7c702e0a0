"""What differs between two screens, in words."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from openvenus.action import Box
from openvenus.screen import Change, Element, ElementTree, Frame, describe_change


def frame(
    color: str = "white",
    spot: tuple[int, int, int, int] | None = None,
    *,
    size: tuple[int, int] = (200, 100),
    image: bool = True,
) -> Frame:
    picture = Image.new("RGB", size, color)
    if spot is not None:
        picture.paste("red", spot)
    data = BytesIO()
    picture.save(data, "png")
    width, height = size
    return Frame(
        "f", width, height, float(width), float(height), image=data.getvalue() if image else None
    )


def element(id_: str, **more: Any) -> Element:
    return Element(**({"id": id_, "role": "button", "box": Box(0, 0, 100, 50)} | more))


def compare(before: list[Element], after: list[Element]) -> Change:
    bare = frame(image=False)
    return describe_change(bare, ElementTree(before), bare, ElementTree(after))


words = st.text(max_size=12)
numbers = st.floats(0, 1000)
boxes = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), numbers, numbers, numbers, numbers)
elements = st.builds(
    Element,
    id=st.text("abcdef", min_size=1, max_size=4),
    role=st.sampled_from(["button", "textbox", "text"]),
    box=boxes,
    name=words,
    text=words,
    value=words,
    visible=st.booleans(),
    enabled=st.booleans(),
    focused=st.booleans(),
    checked=st.none() | st.booleans(),
    selected=st.none() | st.booleans(),
    expanded=st.none() | st.booleans(),
    native=st.booleans(),
    length=st.integers(0, 20),
)
trees = st.lists(elements, max_size=8, unique_by=lambda e: e.id).map(ElementTree)


@given(trees)
def test_the_same_tree_has_not_changed(tree: ElementTree) -> None:
    same = ElementTree([replace(e) for e in tree])
    for image in (True, False):
        one = frame(image=image)
        change = describe_change(one, tree, one, same)
        assert change.sentences == ()
        assert change.region is None
        assert change.changed is (False if image or len(tree) else None)


@given(trees, trees)
def test_changed_is_told_with_words_and_only_then(before: ElementTree, after: ElementTree) -> None:
    bare = frame(image=False)
    change = describe_change(bare, before, bare, after)
    assert bool(change.changed) == bool(change.sentences)
    if before == after:
        assert not change.changed
    assert all(s.strip() == s and s for s in change.sentences)


@given(trees, trees)
def test_whoever_comes_and_goes_is_counted(before: ElementTree, after: ElementTree) -> None:
    bare = frame(image=False)
    said = describe_change(bare, before, bare, after).sentences
    old, new = {e.id for e in before}, {e.id for e in after}
    came = any(e.id not in old and not e.native for e in after)
    went = any(e.id not in new and not e.native for e in before)
    assert any(s.endswith(" appeared") for s in said) == came
    assert any(s.endswith(" disappeared") for s in said) == went


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"role": "textbox", "name": "City"}, {"value": "Graz"},
         "textbox 'City' now has 'Graz'"),
        ({"role": "textbox", "name": "City", "value": "Graz"}, {"value": ""},
         "textbox 'City' is now empty"),
        ({"role": "textbox", "name": "Password", "length": 0}, {"length": 6},
         "textbox 'Password' now has 6 characters"),
        ({"name": "Save"}, {"name": "Saved"}, "button 'Save' now reads 'Saved'"),
        ({"name": "A", "checked": False}, {"checked": True}, "button 'A' is now checked"),
        ({"name": "A", "checked": True}, {"checked": False}, "button 'A' is now not checked"),
        ({"name": "A", "selected": False}, {"selected": True}, "button 'A' is now selected"),
        ({"name": "A", "expanded": False}, {"expanded": True}, "button 'A' is now open"),
        ({"name": "A", "expanded": True}, {"expanded": False}, "button 'A' is now closed"),
        ({"name": "A"}, {"enabled": False}, "button 'A' is now disabled"),
        ({"name": "A"}, {"focused": True}, "button 'A' is now in focus"),
        ({"name": "A", "color": "#000000"}, {"color": "#ff0000"},
         "button 'A' has another colour"),
        ({"role": "scrollarea", "scrolls": "d"}, {"scrolls": "ud"}, "scrollarea was scrolled"),
        ({"name": "A"}, {"box": Box(5, 5, 10, 10)}, "1 elements moved"),
        ({"name": "A"}, {"visible": False}, "1 elements moved"),
    ],
)  # fmt: skip
def test_one_difference_in_words(before: dict[str, Any], after: dict[str, Any], said: str) -> None:
    old = element("e1", **before)
    change = compare([old], [replace(old, **after)])
    assert (change.changed, change.sentences) == (True, (said,))


def test_a_password_is_told_by_its_length_only() -> None:
    old = element("e1", role="textbox", kind="password")
    change = compare([old], [replace(old, length=8)])
    assert change.sentences == ("textbox now has 8 characters",)


def test_what_appears_and_disappears_is_named_then_counted() -> None:
    many = [element(f"e{i}", name=f"B{i}") for i in range(5)]
    assert compare([], many).sentences == (
        "button 'B0', button 'B1', button 'B2' and 2 more appeared",
    )
    assert compare(many, many[1:]).sentences == ("button 'B0' disappeared",)


def test_options_that_are_not_drawn_come_and_go_silently() -> None:
    option = element("e1", role="option", native=True)
    shown = element("e2")
    assert compare([shown], [shown, option]).changed is False


def test_many_changes_are_cut_short() -> None:
    old = [element(f"e{i}", name=f"B{i}", checked=False) for i in range(20)]
    said = compare(old, [replace(e, checked=True) for e in old]).sentences
    assert len(said) == 9
    assert said[-1] == "12 more elements changed"


def test_pixels_alone_are_told_by_where_they_are() -> None:
    tree = ElementTree([element("e1")])
    change = describe_change(frame(), tree, frame(spot=(20, 10, 60, 50)), tree)
    assert change.changed is True
    assert change.region == Box(100, 100, 300, 500)
    assert change.sentences == ("pixels changed between (100, 100) and (300, 500)",)


def test_the_region_is_known_beside_words_of_elements() -> None:
    old, new = element("e1", name="A"), element("e1", name="B")
    change = describe_change(
        frame(), ElementTree([old]), frame(spot=(0, 0, 20, 10)), ElementTree([new])
    )
    assert change.sentences == ("button 'A' now reads 'B'",)
    assert change.region == Box(0, 0, 100, 100)


def test_other_bytes_with_the_same_pixels_are_no_change() -> None:
    one = frame(spot=(0, 0, 5, 5))
    data = BytesIO()
    with Image.open(BytesIO(one.image or b"")) as picture:
        picture.save(data, "png", compress_level=0)
    other = replace(one, image=data.getvalue())
    assert other.image != one.image
    change = describe_change(one, ElementTree(), other, ElementTree())
    assert (change.changed, change.region) == (False, None)


def test_another_size_is_told() -> None:
    change = describe_change(frame(), ElementTree(), frame(size=(100, 200)), ElementTree())
    assert change.changed is True
    assert change.sentences[0] == "the screen has another size or rotation"
    assert change.region == Box(0, 0, 1000, 1000)


def test_without_elements_and_images_nothing_is_known() -> None:
    bare = frame(image=False)
    assert describe_change(bare, ElementTree(), bare, ElementTree()) == Change(changed=None)
    assert describe_change(bare, ElementTree(), frame(), ElementTree()).changed is None
