"""Pages for many workers, from a browser that is started again when it has died."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openvenus.device.web import Browser, WebDevice, WebOptions


class Browsers:
    """Makes pages in one browser; used as `async with`.

    Args:
        options: of every page.
    """

    def __init__(self, options: WebOptions) -> None:
        self._options = options
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Browsers:
        await self._ready()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._browser is not None:
            await self._browser.close()

    async def new_device(self) -> WebDevice:
        """One more page.

        Raises:
            DeviceFault: the browser does not start, or gives no page.
        """
        return await (await self._ready()).new_device()

    async def _ready(self) -> Browser:
        from openvenus.device.web import Browser

        async with self._starting:
            if self._browser is not None and not self._browser.connected:
                await self._browser.close()
                self._browser = None
            if self._browser is None:
                self._browser = await Browser.launch(self._options)
            return self._browser
