"""Points and boxes in the one coordinate space that the system uses: [0, 1000]²."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

SCALE = 1000.0
"""Upper end of both axes; (0, 0) is the frame's top left, (1000, 1000) its bottom right."""


def not_bool(value: Any) -> Any:
    """The value, unless it is a bool, which would pass for the number 0 or 1."""
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    return value


Coordinate = Annotated[
    float, Field(ge=0.0, le=SCALE, allow_inf_nan=False), BeforeValidator(not_bool)
]
"""One coordinate in [0, 1000]."""


class Point(NamedTuple):
    """A place on a frame, both coordinates in [0, 1000]; 0 is a valid coordinate."""

    x: Coordinate
    y: Coordinate

    def distance(self, other: Point) -> float:
        """Euclidean distance in [0, 1000] units, in [0, 1415]."""
        return math.hypot(self.x - other.x, self.y - other.y)


class Box(NamedTuple):
    """An axis-aligned rectangle in [0, 1000] units.

    Unlike a `Point`, a box may lie partly or wholly outside the frame (an element that is
    scrolled away), so its edges are not clamped.
    """

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width in [0, 1000] units, at least 0."""
        return max(0.0, self.right - self.left)

    @property
    def height(self) -> float:
        """Height in [0, 1000] units, at least 0."""
        return max(0.0, self.bottom - self.top)

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box; may lie outside the frame."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether (x, y) lies in the box, edges included."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def clipped(self) -> Box | None:
        """The part inside the frame, or None when there is none."""
        left, top = max(0.0, self.left), max(0.0, self.top)
        right, bottom = min(SCALE, self.right), min(SCALE, self.bottom)
        return Box(left, top, right, bottom) if left < right and top < bottom else None


def clamp_point(x: float, y: float) -> Point:
    """The nearest point on the frame to (x, y)."""
    return Point(min(max(x, 0.0), SCALE), min(max(y, 0.0), SCALE))
