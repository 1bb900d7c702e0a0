"""Screenshots at the speed of the raw protocol."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openvenus.device.web._call import ask
from openvenus.device.web._options import WebOptions
from openvenus.errors import DeviceFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded PNG and its size in pixels."""

    data: bytes
    width: int
    height: int


class Camera:
    """Takes pictures of the visible part of a page, in its own pixels."""

    def __init__(self, context: BrowserContext, options: WebOptions) -> None:
        self._context = context
        self._options = options
        self._sessions: dict[Page, CDPSession] = {}

    async def session(self, page: Page) -> CDPSession:
        """The raw protocol session of a page, made once."""
        known = self._sessions.get(page)
        if known is None:
            known = await ask(
                self._context.new_cdp_session(page), self._options.deadline, "attaching"
            )
            self._sessions[page] = known
            page.once("close", self._forget)
        return known

    def _forget(self, page: Page) -> None:
        self._sessions.pop(page, None)

    async def take(
        self, page: Page, corner: tuple[float, float], size: tuple[float, float]
    ) -> Picture:
        """A picture of the viewport: CSS size times pixel ratio.

        Args:
            corner: top left of the viewport in the document, in CSS pixels.
            size: width and height of the viewport in CSS pixels.

        Raises:
            DeviceFault: the page gives none, or something that is no image.
        """
        session = await self.session(page)
        order: dict[str, Any] = {
            "format": "png",
            "captureBeyondViewport": False,
            "optimizeForSpeed": True,
        }
        ratio = self._options.pixel_ratio
        if ratio != 1:
            # Without a clip an emulated pixel ratio is left out of the picture.
            order["clip"] = {
                "x": corner[0], "y": corner[1], "width": size[0], "height": size[1],
                "scale": ratio,
            }  # fmt: skip
        answer = await ask(
            session.send("Page.captureScreenshot", order),
            self._options.deadline,
            "taking a screenshot",
        )
        data = base64.b64decode(answer["data"])
        if len(data) < 24 or data[:8] != b"\x89PNG\r\n\x1a\n":
            raise DeviceFault("the browser gave a screenshot that is no image")
        width, height = struct.unpack(">II", data[16:24])
        return Picture(data, width, height)
