"""The decisions that the embedded policy can take, and what each may point at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from openvenus.screen import Element

KINDS: tuple[str, ...] = (
    "click", "type", "copy", "drag", "press", "scroll", "hover", "wait",
)  # fmt: skip
"""`copy` types the text of another element; `click` on a native option selects it."""

KEYS: tuple[str, ...] = (
    "Enter", "Tab", "Escape", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Backspace",
)  # fmt: skip
SIDES: tuple[str, ...] = ("center", "left", "right", "top", "bottom")
"""Which part of the second element a drag ends on; of the same element, which way it goes."""
DIRECTIONS: tuple[str, ...] = ("down", "up")
CASES: tuple[str, ...] = ("as_is", "upper", "lower")
"""What is done to a text before it is typed."""

_NEEDS = {
    "click": "click", "type": "type", "copy": "type", "drag": "drag", "press": "press",
    "scroll": "scroll", "hover": "hover", "wait": "wait",
}  # fmt: skip
POINTED: frozenset[str] = frozenset({"click", "type", "copy", "drag", "scroll", "hover"})


REPEATED_IN_VAIN: frozenset[str] = frozenset({"click", "hover"})
"""Kinds without arguments: what had no effect has none the next time, on the same screen."""


def kinds_for(
    elements: Sequence[Element],
    device_actions: frozenset[str],
    *,
    has_spans: bool,
    in_vain: frozenset[tuple[str, str]] = frozenset(),
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which kinds of decision are possible here, and on which elements.

    Args:
        device_actions: what the device can do; empty means that it did not say.
        has_spans: whether the instruction has any text that could be typed.
        in_vain: (kind, element id) of what was tried without effect on this very screen.

    Returns:
        [kinds, N] allowed targets, [kinds] possible kinds.
    """
    n = len(elements)
    drawn = np.array([e.visible and not e.native for e in elements], bool).reshape(n)
    native = np.array([e.native and e.role == "option" for e in elements], bool).reshape(n)
    enabled = np.array([e.enabled for e in elements], bool).reshape(n)
    usable = np.array([e.clickable or e.editable for e in elements], bool).reshape(n)
    editable = np.array([e.editable for e in elements], bool).reshape(n) & enabled
    texts = np.array([bool(e.name or e.text or e.value) for e in elements], bool).reshape(n)
    scrolls = np.array([any(s in e.scrolls for s in "ud") for e in elements], bool).reshape(n)
    has_select = not device_actions or "select" in device_actions
    reachable = drawn | (~native & usable)
    allowed = np.zeros((len(KINDS), n), bool)
    allowed[KINDS.index("click")] = (reachable | (native & has_select)) & enabled
    allowed[KINDS.index("type")] = editable & has_spans
    allowed[KINDS.index("copy")] = editable & (texts.sum() > 1)
    allowed[KINDS.index("drag")] = drawn
    allowed[KINDS.index("scroll")] = scrolls & drawn
    allowed[KINDS.index("hover")] = drawn
    places = {e.id: i for i, e in enumerate(elements)}
    for kind, target in in_vain:
        if kind in REPEATED_IN_VAIN and target in places:
            allowed[KINDS.index(kind), places[target]] = False
    kinds = np.array(
        [
            (not device_actions or _NEEDS[k] in device_actions)
            and (k not in POINTED or bool(allowed[i].any()))
            for i, k in enumerate(KINDS)
        ],
        bool,
    )
    return allowed, kinds


def can_copy(element: Element) -> bool:
    """Whether an element has a text that can be typed elsewhere."""
    return bool(element.text or element.value or element.name)


def copied_text(element: Element) -> str:
    """The text of an element that `copy` types."""
    return element.value or element.text or element.name
