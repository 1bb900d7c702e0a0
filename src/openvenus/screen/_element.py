"""Elements: what can be seen or used on a screen, in one form for every kind of device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from openvenus.action import Box, Point

ElementSource = Literal["dom", "uiautomator", "atspi", "pixels"]


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the screen.

    Boxes and points are in [0, 1000] over the frame; a box may lie outside the frame when the
    element is scrolled away, `point` never does.
    """

    id: str
    """Names the element on its device as long as it exists; the same across observations."""
    role: str
    """ARIA-like role: button, link, textbox, checkbox, option, text, image, circle, ..."""
    box: Box
    name: str = ""
    """Accessible name or label: what a person would call it."""
    text: str = ""
    """Text the element itself shows (not its descendants' when those are listed apart)."""
    value: str = ""
    """Current value of a field; always empty for password fields, whose length is `length`."""
    tag: str = ""
    """Native type: an HTML tag, an Android or AT-SPI class."""
    kind: str = ""
    """Subtype, as an HTML input type: text, password, date, ..."""
    hint: str = ""
    """What the developer called it: placeholder, title, icon, class and id words."""
    point: Point | None = None
    """A point where a click reaches the element by hit test; None when there is none."""
    visible: bool = True
    """Whether any of it is inside the frame and not hidden."""
    clickable: bool = False
    editable: bool = False
    enabled: bool = True
    focused: bool = False
    checked: bool | None = None
    selected: bool | None = None
    expanded: bool | None = None
    native: bool = False
    """Exists for the device but is not drawn, as the options of a closed `<select>`."""
    covered_by: str | None = None
    """Id of the element that the hit test finds instead, when it is covered."""
    color: str = ""
    """Foreground or fill colour as #rrggbb, empty when unknown."""
    background: str = ""
    """Effective background colour as #rrggbb, empty when unknown."""
    length: int = 0
    """Number of characters of the value."""
    parent: str | None = None
    """Id of the nearest listed ancestor."""
    group: int = 0
    """Elements with the same number share their nearest structural container (row, form...)."""
    depth: int = 0
    scrolls: str = ""
    """Sides that still have hidden content when this is a scroll area, of 'udlr'."""
    frame_path: str = ""
    """Which (nested) document it lives in; empty for the top one."""
    source: ElementSource = "dom"
    confidence: float = 1.0
    """1 for trees; a probability in [0, 1] for elements read from pixels."""


class ElementTree:
    """The elements of one observation in document order, with look-ups.

    Immutable; iterating gives the elements in order.
    """

    __slots__ = ("_by_id", "_elements", "truncated")

    def __init__(self, elements: Iterable[Element] = (), *, truncated: int = 0) -> None:
        self._elements: tuple[Element, ...] = tuple(elements)
        self._by_id: dict[str, Element] | None = None
        self.truncated = truncated
        """How many elements the device left out because of its limit."""

    def __iter__(self) -> Iterator[Element]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)

    def __getitem__(self, index: int) -> Element:
        return self._elements[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ElementTree) and self._elements == other._elements

    def __hash__(self) -> int:
        return hash(self._elements)

    def __repr__(self) -> str:
        return f"ElementTree({len(self)} elements)"

    def get(self, element_id: str) -> Element | None:
        """The element with this id, or None."""
        if self._by_id is None:
            self._by_id = {e.id: e for e in self._elements}
        return self._by_id.get(element_id)

    def at(self, point: Point) -> Element | None:
        """The innermost visible element whose box holds the point, or None."""
        best: Element | None = None
        for e in self._elements:
            if (
                e.visible
                and not e.native
                and e.box.contains(*point)
                and (best is None or e.box.width * e.box.height <= best.box.width * best.box.height)
            ):
                best = e
        return best
