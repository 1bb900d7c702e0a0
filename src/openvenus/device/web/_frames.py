"""Frames of other origins, which no script of the page around them can look into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from openvenus.device.web._call import ask
from openvenus.device.web._elements import read_elements
from openvenus.device.web._scripts import holder_script
from openvenus.errors import DeviceFault, StaleFrame
from openvenus.screen import Element

if TYPE_CHECKING:
    from playwright.async_api import Frame

    from openvenus.device.web._device import WebDevice

_GROUPS = 10_000
"""Apart from each other, so that groups of different documents have different numbers."""
_PATIENCE = 2.0
"""Seconds that a frame has beyond its settling; a frame that hangs is left out."""

Clip = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Holder:
    """The element that a frame lives in."""

    island: Frame
    """The outermost document that may look into the element's own."""
    id: str


class ForeignFrames:
    """Reads and reaches what is inside frames of other origins.

    Ids of their elements are "f<number>:<id inside>"; a number is never used again.
    """

    def __init__(self, device: WebDevice) -> None:
        self._device = device
        self._numbers: WeakKeyDictionary[Frame, int] = WeakKeyDictionary()
        self._holders: WeakKeyDictionary[Frame, _Holder] = WeakKeyDictionary()
        self._count = 0

    async def read(self, blind: list[list[Any]], width: float, height: float) -> list[Element]:
        """Elements of all frames that the top document is blind for, and of those inside them.

        Args:
            blind: id, left, top and clip (4 numbers) of each frame, in CSS pixels.
            width, height: size of the viewport in CSS pixels.
        """
        found: list[Element] = []
        top, size = self._device.page.main_frame, (width, height)
        await self._inside(top, blind, (0.0, 0.0), (0.0, 0.0, width, height), size, found)
        return found

    async def locate(self, target: str) -> tuple[Frame, str]:
        """The frame and the inner id of an element.

        Raises:
            StaleFrame: the frame is gone.
        """
        number, _, inner = target.removeprefix("f").partition(":")
        for frame, known in list(self._numbers.items()):
            if str(known) == number and frame in self._device.page.frames:
                return frame, inner
        raise StaleFrame("the frame that the element was in is gone")

    async def corner(self, frame: Frame, *, reveal: bool = False) -> tuple[float, float]:
        """Where the inside of a frame begins in the viewport, in CSS pixels.

        Raises:
            StaleFrame: the frame is gone.
        """
        if frame is self._device.page.main_frame:
            return 0.0, 0.0
        holder = await self._holder(frame)
        if holder is None:
            raise StaleFrame("the frame that the element was in is gone")
        x, y = await self.corner(holder.island, reveal=reveal)
        order = {"id": holder.id, "reveal": reveal}
        at = await self._device.call("inside", order, holder.island)
        if at is None:
            raise StaleFrame("the frame that the element was in is gone")
        return x + float(at[0]), y + float(at[1])

    async def covered(self, frame: Frame, x: float, y: float) -> str:
        """What would be hit at a point of the viewport instead of the frame, or nothing."""
        while frame is not self._device.page.main_frame:
            holder = await self._holder(frame)
            if holder is None:
                return "nothing"
            dx, dy = await self.corner(holder.island)
            order = {"id": holder.id, "x": x - dx, "y": y - dy}
            instead = await self._device.call("instead", order, holder.island)
            if instead:
                return str(instead)
            frame = holder.island
        return ""

    async def at(self, x: float, y: float) -> tuple[Frame, float, float] | None:
        """The innermost foreign frame at a point, and the point inside it; None without one."""
        frame: Frame = self._device.page.main_frame
        found = False
        while True:
            id_ = await self._device.call("closedAt", {"x": x, "y": y}, frame if found else None)
            inner = await self._held_by(frame, id_) if id_ else None
            if inner is None:
                return (frame, x, y) if found else None
            dx, dy = await self._device.call("inside", {"id": id_, "reveal": False}, frame)
            frame, x, y, found = inner, x - dx, y - dy, True

    async def focused(self, id_: str) -> tuple[Frame, dict[str, Any]] | None:
        """What has the focus inside the frame whose element the top document names `id_`."""
        frame: Frame | None = await self._held_by(self._device.page.main_frame, id_)
        while frame is not None:
            focus: dict[str, Any] = await self._device.call("focus", None, frame)
            if not focus.get("frame"):
                return frame, focus
            frame = await self._held_by(frame, focus["frame"])
        return None

    async def _inside(
        self,
        island: Frame,
        blind: list[list[Any]],
        corner: tuple[float, float],
        clip: Clip,
        size: tuple[float, float],
        found: list[Element],
    ) -> None:
        for id_, x, y, left, top, right, bottom in blind:
            frame = await self._held_by(island, id_)
            if frame is None:
                continue
            try:
                inner = await self._device.read_frame(
                    frame, self._device.options.settle_bound + _PATIENCE
                )
            except DeviceFault:
                if self._device.watch.crashed or not self._device.watch.pages:
                    raise
                continue
            place = (corner[0] + x, corner[1] + y)
            seen = (
                max(clip[0], corner[0] + left), max(clip[1], corner[1] + top),
                min(clip[2], corner[0] + right), min(clip[3], corner[1] + bottom),
            )  # fmt: skip
            number = self._number(frame)
            found += read_elements(
                inner["elements"],
                *size,
                prefix=f"f{number}:",
                offset=place,
                group_offset=_GROUPS * number,
                clip=seen,
            )
            await self._inside(frame, inner["blind"], place, seen, size, found)

    async def _held_by(self, island: Frame, id_: str) -> Frame | None:
        for frame in self._device.page.frames[1:]:
            holder = await self._holder(frame)
            if holder is not None and holder.island is island and holder.id == id_:
                return frame
        return None

    async def _holder(self, frame: Frame) -> _Holder | None:
        known = self._holders.get(frame)
        if known is not None or frame.parent_frame is None:
            return known
        seconds = self._device.options.deadline
        try:
            element = await ask(frame.frame_element(), seconds, "frame")
            said = await ask(element.evaluate(holder_script()), seconds, "frame")
        except DeviceFault:  # it went away meanwhile, or is in a document that is being replaced
            return None
        island: Frame | None = frame.parent_frame
        for _ in range(said["hops"] if said else 0):
            island = island.parent_frame if island is not None else None
        if not said or island is None:
            return None
        holder = self._holders[frame] = _Holder(island, said["id"])
        return holder

    def _number(self, frame: Frame) -> int:
        known = self._numbers.get(frame)
        if known is None:
            self._count += 1
            known = self._numbers[frame] = self._count
        return known
