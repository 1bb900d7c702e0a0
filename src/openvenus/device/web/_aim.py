"""Where to press: a decided point or element, checked against the page as it is now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from openvenus.action import Point
from openvenus.errors import ActionFailed, StaleFrame

if TYPE_CHECKING:
    from openvenus.device.web._device import WebDevice
    from openvenus.episode import Observation

Place = tuple[float, float]


class Aim:
    """Finds places to press in CSS pixels; knows where the pointer is."""

    def __init__(self, device: WebDevice) -> None:
        self._device = device
        self.pointer: Place | None = None

    async def at(self, point: Point | None, observation: Observation, target: str | None) -> Place:
        """Where to press now.

        Raises:
            StaleFrame: the viewport or the element under the point is no longer the one.
            ActionFailed: no point was given and the pointer was nowhere yet.
        """
        if point is None and target is None:
            if self.pointer is None:
                raise ActionFailed("no point was given and the pointer has not been used yet")
            return self.pointer
        frame = observation.frame
        size = self._device.page.viewport_size
        if size is not None:
            frame.require_geometry(
                replace(
                    frame, device_width=float(size["width"]), device_height=float(size["height"])
                )
            )
        x, y = frame.to_device(point if point is not None else Point(500, 500))
        if target is None:
            self.pointer = (x, y)
        elif ":" in target:
            self.pointer = await self._inside(target, x, y)
        else:
            said = await self._device.call("aim", {"id": target, "x": x, "y": y})
            self.pointer = _place(said)
        return self.pointer

    async def _inside(self, target: str, x: float, y: float) -> Place:
        frames = self._device.frames
        frame, inner = await frames.locate(target)
        dx, dy = await frames.corner(frame, reveal=True)
        said = await self._device.call("aim", {"id": inner, "x": x - dx, "y": y - dy}, frame)
        within = _place(said)
        if said["scrolled"]:
            # Scrolling inside may have scrolled what is around it.
            dx, dy = await frames.corner(frame)
        at = (within[0] + dx, within[1] + dy)
        # Where a frame of another process has moved to is known to the browser once it is painted.
        await self._device.evaluate(_PAINTED)
        instead = await frames.covered(frame, *at)
        if instead:
            raise StaleFrame(f"the element is covered by {instead}")
        return at


_PAINTED = """() => Promise.race([
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  new Promise((done) => setTimeout(done, 250)),
]).then(() => null)"""


def _place(said: dict[str, Any]) -> Place:
    if said["status"] == "gone":
        raise StaleFrame(f"the element that was decided on is gone; {said['there']} is there now")
    if said["status"] == "covered":
        raise StaleFrame(f"the element is covered by {said['there']}")
    if said["status"] == "hidden":
        raise StaleFrame("the element can't be seen any more")
    x, y = said["point"]
    return float(x), float(y)
