"""Fingers: several paths played at once as touch events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

Place = tuple[float, float]
_STEP_SECONDS = 1 / 60


async def play_paths(
    session: CDPSession, fingers: Sequence[Sequence[Place]], seconds: float
) -> None:
    """Put all fingers down, move each along its path in the same time, lift them together.

    Args:
        fingers: paths in CSS pixels, each with one place or more.
    """
    steps = max(2, round(seconds / _STEP_SECONDS))
    await _send(session, "touchStart", [path[0] for path in fingers])
    for step in range(1, steps + 1):
        await asyncio.sleep(seconds / steps)
        await _send(session, "touchMove", [along(path, step / steps) for path in fingers])
    await _send(session, "touchEnd", [])


def along(path: Sequence[Place], share: float) -> Place:
    """The place at a share in [0, 1] of a path, equally long in each of its legs."""
    if len(path) == 1:
        return path[0]
    position = share * (len(path) - 1)
    leg = min(int(position), len(path) - 2)
    part = position - leg
    (x0, y0), (x1, y1) = path[leg], path[leg + 1]
    return x0 + (x1 - x0) * part, y0 + (y1 - y0) * part


async def _send(session: CDPSession, kind: str, places: Sequence[Place]) -> None:
    points: list[dict[str, Any]] = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
    await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
