"""From what walk.js reads to elements in [0, 1000]."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from openvenus.action import Box, Point, clamp_point
from openvenus.screen import Element


def read_elements(
    rows: list[list[Any]],
    width: float,
    height: float,
    *,
    prefix: str = "",
    offset: tuple[float, float] = (0.0, 0.0),
    group_offset: int = 0,
    clip: tuple[float, float, float, float] | None = None,
) -> list[Element]:
    """Elements of one document.

    Args:
        rows: as walk.js gives them, boxes in CSS pixels of the document's own viewport.
        width, height: size of the whole viewport in CSS pixels.
        prefix: put before ids, for documents of other origins.
        offset: where the document's viewport lies in the whole one.
        clip: part of the whole viewport that the document can be seen in.
    """
    sx, sy = 1000.0 / width, 1000.0 / height
    dx, dy = offset
    made = [_element(row, sx, sy, dx, dy) for row in rows]
    if not prefix:
        return made
    return [_moved(e, prefix, group_offset, clip, sx, sy) for e in made]


def _element(row: list[Any], sx: float, sy: float, dx: float, dy: float) -> Element:
    (
        id_, role, box, name, text, value, tag, kind, hint, point, visible, clickable, editable,
        enabled, focused, checked, selected, expanded, native, covered, color, background, length,
        parent, group, depth, scrolls, path,
    ) = row  # fmt: skip
    return Element(
        id=id_,
        role=role,
        box=Box((box[0] + dx) * sx, (box[1] + dy) * sy, (box[2] + dx) * sx, (box[3] + dy) * sy),
        name=name,
        text=text,
        value=value,
        tag=tag,
        kind=kind,
        hint=hint,
        point=clamp_point((point[0] + dx) * sx, (point[1] + dy) * sy) if point else None,
        visible=visible,
        clickable=clickable,
        editable=editable,
        enabled=enabled,
        focused=focused,
        checked=checked,
        selected=selected,
        expanded=expanded,
        native=native,
        covered_by=covered,
        color=color,
        background=background,
        length=length,
        parent=parent,
        group=group,
        depth=depth,
        scrolls=scrolls,
        frame_path=path,
    )


def _moved(
    e: Element,
    prefix: str,
    group_offset: int,
    clip: tuple[float, float, float, float] | None,
    sx: float,
    sy: float,
) -> Element:
    point, visible = e.point, e.visible
    if clip is not None:
        left, top, right, bottom = clip[0] * sx, clip[1] * sy, clip[2] * sx, clip[3] * sy
        b = e.box
        visible = (
            visible and b.right > left and b.left < right and b.bottom > top and b.top < bottom
        )
        if point is not None and not _within(point, left, top, right, bottom):
            point = None
    return replace(
        e,
        id=prefix + e.id,
        parent=prefix + e.parent if e.parent else None,
        covered_by=prefix + e.covered_by if e.covered_by else None,
        group=e.group + group_offset,
        frame_path=prefix.rstrip(":") + e.frame_path,
        point=point,
        visible=visible,
    )


def _within(p: Point, left: float, top: float, right: float, bottom: float) -> bool:
    return left <= p.x <= right and top <= p.y <= bottom
