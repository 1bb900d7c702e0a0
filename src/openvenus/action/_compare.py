"""When two actions are the same, exactly and within a tolerance."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from openvenus.action._point import Point
from openvenus.action._types import Action


def same_action(a: Action, b: Action, *, tolerance: float = 0.0) -> bool:
    """Whether two actions would do the same.

    Args:
        tolerance: greatest distance, in [0, 1000] units, between points that count as one.

    Everything but points must be equal; points are compared by distance.
    """
    return _same(a, b, tolerance)


def _same(a: Any, b: Any, tolerance: float) -> bool:
    if isinstance(a, Point) and isinstance(b, Point):
        return a.distance(b) <= tolerance
    if isinstance(a, BaseModel):
        return type(a) is type(b) and all(
            _same(getattr(a, name), getattr(b, name), tolerance) for name in type(a).model_fields
        )
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same(x, y, tolerance) for x, y in zip(a, b, strict=True))
    return bool(a == b)
