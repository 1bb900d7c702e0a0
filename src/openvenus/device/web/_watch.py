"""What happens to the pages of a device by itself: dialogs, new tabs, navigation, crashes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING
from weakref import WeakSet

from openvenus.episode import Dialog
from openvenus.errors import DeviceFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Download, FileChooser, Frame, Page
    from playwright.async_api import Dialog as PlaywrightDialog

_KEPT = 100
"""Dialogs kept between two observations; a page may open them without end."""


class Watch:
    """Follows the pages of one browser context.

    Dialogs are dismissed at once and kept for the next observation: accepting one is a decision
    that nobody took. A new tab becomes the current page; when the current page closes, the one
    that was there before it does.
    """

    def __init__(self, context: BrowserContext, page: Page, *, files: bool = False) -> None:
        self.chooser: FileChooser | None = None
        self.download: Download | None = None
        self._files = files
        self.pages: list[Page] = []
        self.dialogs: list[Dialog] = []
        self.navigations = 0
        self.opened = 0
        self.crashed = False
        self._more = asyncio.Event()
        self._made: WeakSet[Page] = WeakSet()
        self._tasks: set[asyncio.Task[None]] = set()
        self._adopt(page)
        context.on("page", self._opened_page)

    @property
    def page(self) -> Page:
        """The current page.

        Raises:
            DeviceFault: it crashed, or the last page was closed.
        """
        if self.crashed:
            raise DeviceFault("the page has crashed", hint="open the address again")
        if not self.pages:
            raise DeviceFault("the last tab was closed")
        return self.pages[-1]

    def take_dialogs(self) -> tuple[Dialog, ...]:
        """The dialogs since the last time."""
        taken = tuple(self.dialogs)
        self.dialogs.clear()
        return taken

    async def wait_opened(self, count: int, seconds: float) -> None:
        """Wait until so many tabs have opened since the start, at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.opened < count:
                    self._more.clear()
                    await self._more.wait()

    def restart(self, page: Page) -> None:
        """Go on with a new page alone."""
        self.pages.clear()
        self.crashed = False
        self._adopt(page)

    def switch(self, page: Page) -> None:
        """Make another open page the current one."""
        self.pages.remove(page)
        self.pages.append(page)

    def _opened_page(self, page: Page) -> None:
        # A page that the device made itself is told of too.
        if page not in self._made:
            self.opened += 1
            self._adopt(page)
            self._more.set()

    def _adopt(self, page: Page) -> None:
        self.pages.append(page)
        if page in self._made:
            return
        self._made.add(page)
        page.on("dialog", self._dialog)
        page.on("crash", self._crash)
        page.on("close", self._closed)
        page.on("framenavigated", self._navigated)
        if self._files:
            page.on("filechooser", self._asks_for_file)
            page.on("download", self._gives_file)

    def _crash(self, page: Page) -> None:
        self.crashed = self.crashed or (bool(self.pages) and page is self.pages[-1])

    def _closed(self, page: Page) -> None:
        with contextlib.suppress(ValueError):
            self.pages.remove(page)

    def _navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.navigations += 1

    def _asks_for_file(self, chooser: FileChooser) -> None:
        self.chooser = chooser
        self._tell(Dialog("file", "files" if chooser.is_multiple() else "a file", "", "open"))

    def _gives_file(self, download: Download) -> None:
        self.download = download
        self._tell(Dialog("download", download.suggested_filename[:255], "", "open"))

    def _tell(self, dialog: Dialog) -> None:
        if len(self.dialogs) < _KEPT:
            self.dialogs.append(dialog)

    def _dialog(self, dialog: PlaywrightDialog) -> None:
        self._tell(
            Dialog(dialog.type, dialog.message[:2000], dialog.default_value[:2000], "dismissed")
        )
        task = asyncio.ensure_future(_dismiss(dialog))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _dismiss(dialog: PlaywrightDialog) -> None:
    with contextlib.suppress(Exception):
        await dialog.dismiss()
