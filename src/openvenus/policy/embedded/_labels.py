"""Names for fields that have none: the text that stands right beside them."""

from __future__ import annotations

from collections.abc import Sequence

from openvenus.screen import Element

_SIDEWAYS = 60.0
"""Greatest gap to a text on the same line, in [0, 1000] units."""
_UPRIGHT = 60.0
"""Greatest gap to a text above or below."""
_LONGEST = 40
"""Longest text, in characters, that is taken for a name."""


def nearby_labels(elements: Sequence[Element]) -> tuple[str, ...]:
    """For each element the text to call it by: of a nameless field the nearest short text.

    A text names one field only, the one nearest to it; all other elements get an empty string.
    """
    texts = [
        e
        for e in elements
        if e.text and not e.clickable and e.visible and not e.native and len(e.text) <= _LONGEST
    ]
    pairs = []
    for i, e in enumerate(elements):
        if not e.editable or e.name or not e.visible:
            continue
        for j, t in enumerate(texts):
            gap = _gap(e, t)
            if gap is not None:
                pairs.append((gap, i, j))
    found = [""] * len(elements)
    taken: set[int] = set()
    for _, i, j in sorted(pairs):
        if not found[i] and j not in taken:
            found[i] = texts[j].text
            taken.add(j)
    return tuple(found)


def _gap(field: Element, text: Element) -> float | None:
    """Distance between a field and a text beside, above or below it, or None when too far."""
    f, t = field.box, text.box
    across = max(t.left - f.right, f.left - t.right, 0.0)
    along = max(t.top - f.bottom, f.top - t.bottom, 0.0)
    if along == 0 and across <= _SIDEWAYS:
        return across
    if across == 0 and along <= _UPRIGHT:
        return along
    return None
