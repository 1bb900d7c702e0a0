"""What differs between two captures of a screen, in words."""

from __future__ import annotations

from dataclasses import dataclass

from openvenus.action import Box
from openvenus.screen._element import Element, ElementTree
from openvenus.screen._frame import Frame

_NAMED = 3
"""Elements that a sentence names before it only counts."""


@dataclass(frozen=True, slots=True)
class Change:
    """Whether and how the screen changed."""

    changed: bool | None
    """None when there is nothing to tell by: no elements and no images."""
    sentences: tuple[str, ...] = ()
    region: Box | None = None
    """Where pixels differ, in [0, 1000]; None when they don't, or without images."""


def describe_change(
    before_frame: Frame,
    before_elements: ElementTree,
    after_frame: Frame,
    after_elements: ElementTree,
) -> Change:
    """Compare two captures: elements by their ids, images by their pixels."""
    sentences: list[str] = []
    if not before_frame.same_geometry(after_frame):
        sentences.append("the screen has another size or rotation")
    if before_elements != after_elements:
        sentences += _element_changes(before_elements, after_elements)
    region, pixels_known = None, False
    if before_frame.image is not None and after_frame.image is not None:
        pixels_known = True
        if before_frame.image != after_frame.image:
            region = _pixel_region(before_frame, after_frame)
            if region is not None and not sentences:
                sentences.append(
                    f"pixels changed between ({region.left:.0f}, {region.top:.0f}) "
                    f"and ({region.right:.0f}, {region.bottom:.0f})"
                )
    known = pixels_known or len(before_elements) > 0 or len(after_elements) > 0
    return Change(
        changed=bool(sentences) if known else None, sentences=tuple(sentences), region=region
    )


def _element_changes(before: ElementTree, after: ElementTree) -> list[str]:
    old = {e.id: e for e in before}
    new = {e.id: e for e in after}
    appeared = [e for e in after if e.id not in old and not e.native]
    gone = [e for e in before if e.id not in new and not e.native]
    sentences = []
    if appeared:
        sentences.append(_counted(appeared, "appeared"))
    if gone:
        sentences.append(_counted(gone, "disappeared"))
    shifted = 0
    told: list[str] = []
    for id_, a in old.items():
        b = new.get(id_)
        if b is None or a == b:
            continue
        said = _difference(a, b)
        if said:
            told.append(said)
        elif a.box != b.box or a.visible != b.visible:
            shifted += 1
    sentences += told[:8]
    if len(told) > 8:
        sentences.append(f"{len(told) - 8} more elements changed")
    if shifted and not (appeared and gone and not told):
        sentences.append(f"{shifted} elements moved")
    return sentences


def _difference(a: Element, b: Element) -> str:
    who = label(b)
    if a.value != b.value:
        return f"{who} now has {b.value[:60]!r}" if b.value else f"{who} is now empty"
    if a.length != b.length:
        return f"{who} now has {b.length} characters"
    if a.name != b.name or a.text != b.text:
        return f"{label(a)} now reads {(b.name or b.text)[:60]!r}"
    for attribute, yes, no in (
        ("checked", "checked", "not checked"),
        ("selected", "selected", "not selected"),
        ("expanded", "open", "closed"),
        ("enabled", "enabled", "disabled"),
        ("focused", "in focus", "out of focus"),
    ):
        if getattr(a, attribute) != getattr(b, attribute):
            return f"{who} is now {yes if getattr(b, attribute) else no}"
    if a.color != b.color or a.background != b.background:
        return f"{who} has another colour"
    if a.scrolls != b.scrolls:
        return f"{who} was scrolled"
    return ""


def label(e: Element) -> str:
    """What a person would call an element: its role and what it says."""
    said = (e.name or e.text or e.hint)[:40]
    return f"{e.role} {said!r}" if said else e.role


def _counted(elements: list[Element], what: str) -> str:
    names = ", ".join(label(e) for e in elements[:_NAMED])
    more = f" and {len(elements) - _NAMED} more" if len(elements) > _NAMED else ""
    return f"{names}{more} {what}"


def _pixel_region(before: Frame, after: Frame) -> Box | None:
    """Bounding box of the pixels that differ; the whole frame when sizes differ."""
    from io import BytesIO

    from PIL import Image, ImageChops

    if before.image is None or after.image is None:
        return None
    if (before.width, before.height) != (after.width, after.height):
        return Box(0, 0, 1000, 1000)
    with Image.open(BytesIO(before.image)) as a, Image.open(BytesIO(after.image)) as b:
        box = ImageChops.difference(a.convert("RGB"), b.convert("RGB")).getbbox()
    if box is None:
        return None
    sx, sy = 1000 / after.width, 1000 / after.height
    return Box(box[0] * sx, box[1] * sy, box[2] * sx, box[3] * sy)
