"""The web device: one page (and the tabs it opens) as the loop sees it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openvenus.action import Action
from openvenus.device import Performed
from openvenus.device.web._call import ask, replaced
from openvenus.device.web._elements import read_elements
from openvenus.device.web._frames import ForeignFrames
from openvenus.device.web._options import WebOptions
from openvenus.device.web._perform import ACTIONS, FILE_ACTIONS, Performer
from openvenus.device.web._screenshot import Camera
from openvenus.device.web._scripts import MISSING, call_script, install_script
from openvenus.device.web._watch import Watch
from openvenus.episode import Observation
from openvenus.errors import DeviceFault, DeviceTimeout
from openvenus.screen import ElementTree, Frame

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page
    from playwright.async_api import Frame as PlaywrightFrame

_TRIES = 4
"""How often a call is made again because its document was replaced meanwhile."""
_LOAD_FACTOR = 3.0
_TAB_SECONDS = 5.0
"""For the first answer to a tab that was asked for."""
_FRESH_SECONDS = 0.05
"""How old what was read at the end of an action may be to count as what is there now."""


class WebDevice:
    """A page in a Chromium, with cookies and storage of its own.

    Made by `Browser.new_device`, or with a browser of its own by `WebDevice.launch`.
    """

    def __init__(self, context: BrowserContext, page: Page, options: WebOptions) -> None:
        self.options = options
        self.watch = Watch(context, page, files=options.workspace is not None)
        self._context = context
        self.camera = Camera(context, options)
        self.frames = ForeignFrames(self)
        self._performer = Performer(self)
        self._owner: Any = None
        self._captures = 0
        self._reads = 0
        self._tabs = 0
        self._hangs = False
        self._seen: tuple[dict[str, Any], Page, float] | None = None
        self._closed = False

    @classmethod
    async def launch(cls, options: WebOptions | None = None) -> WebDevice:
        """A device with a browser of its own, which ends with it.

        Raises:
            MissingDependency: there is no Chromium.
            DeviceFault: it does not start.
        """
        from openvenus.device.web._browser import Browser

        browser = await Browser.launch(options)
        try:
            device = await browser.new_device()
        except BaseException:
            await browser.close()
            raise
        device._owner = browser
        return device

    @property
    def name(self) -> str:
        """For records."""
        return "web:chromium"

    @property
    def actions(self) -> frozenset[str]:
        """Types of action that a page can take."""
        return ACTIONS if self.options.workspace is None else ACTIONS | FILE_ACTIONS

    @property
    def page(self) -> Page:
        """The current Playwright page; raises `DeviceFault` when there is none."""
        if self._closed:
            raise DeviceFault("the device is closed")
        return self.watch.page

    async def open(self, start: str | None) -> None:
        """Go to an address and wait (bounded) for its document.

        A page that crashed, hung or was closed is replaced by a new one first, and so is one that
        asks to stay.

        Raises:
            DeviceFault: no network, unknown host, not an address, too slow.
        """
        if start is None:
            return
        told = len(self.watch.dialogs)
        try:
            await self.go(start)
        except DeviceFault:
            if not any(d.kind == "beforeunload" for d in self.watch.dialogs[told:]):
                raise
            await self._renew()
            await self.go(start)

    async def go(self, start: str) -> None:
        """As `open`, but a page that asks to stay is not left.

        Raises:
            DeviceFault: as `open`, or the page stays.
        """
        self.forget()
        address = to_address(start)
        if self._hangs or self.watch.crashed or not self.watch.pages:
            await self._renew()
        page = self.page
        try:
            await ask(
                page.goto(address, wait_until="domcontentloaded"),
                self.options.deadline * _LOAD_FACTOR,
                f"opening {address}",
            )
        except DeviceFault as e:
            if "net::ERR_" in f"{e.message}{e.hint}" and "ERR_ABORTED" not in e.message:
                # The browser's page of the error is on its way, and would end up on the next one.
                with contextlib.suppress(DeviceFault):
                    await ask(
                        page.wait_for_url(_is_error_page, wait_until="commit"),
                        self.options.deadline,
                        "error page",
                    )
            raise

    async def evaluate(self, js: str, arg: Any = None) -> Any:
        """Result of a JavaScript function in the page's own world, as JSON data.

        Raises:
            DeviceFault: the page is gone, hangs, or the function threw.
        """
        self.forget()
        return await ask(self.page.evaluate(js, arg), self.options.deadline, "a script in the page")

    async def observe(self, *, image: bool = True) -> Observation:
        """Wait (bounded) until the page is quiet, then read it."""
        started = time.perf_counter()
        seen, self._seen = self._seen, None
        if seen is not None and seen[1] is self.page and started - seen[2] < _FRESH_SECONDS:
            found = seen[0]
        else:
            found = await self._read("change")
        width, height = float(found["width"]), float(found["height"])
        elements = read_elements(found["elements"], width, height)
        if found["blind"]:
            elements += await self.frames.read(found["blind"], width, height)
        self._captures += 1
        picture = None
        if image:
            corner = (float(found["left"]), float(found["top"]))
            picture = await self.camera.take(self.page, corner, (width, height))
        titles = await self._titles(found["title"])
        return Observation(
            frame=Frame(
                id=f"{id(self):x}-{self._captures}",
                width=picture.width if picture else round(width * found["ratio"]),
                height=picture.height if picture else round(height * found["ratio"]),
                device_width=width,
                device_height=height,
                pixel_ratio=float(found["ratio"]),
                image=picture.data if picture else None,
            ),
            elements=ElementTree(elements, truncated=int(found["truncated"])),
            url=found["url"],
            title=found["title"],
            app="browser",
            tabs=titles,
            dialogs=self.watch.take_dialogs(),
            settled=bool(found["settled"]),
            seconds=time.perf_counter() - started,
        )

    async def perform(
        self, action: Action, observation: Observation, *, target: str | None = None
    ) -> Performed:
        """Do an action that was decided on `observation`, then wait (bounded) for quiet."""
        self.forget()
        return await self._performer.perform(action, observation, target)

    async def release(self) -> None:
        """Let go of held keys and buttons."""
        with contextlib.suppress(DeviceFault):
            await self._performer.release()

    def abandon(self) -> None:
        """Forget the page without touching it, because its browser is being closed."""
        self._closed = True

    async def close(self) -> None:
        """Close the page, and the browser when it is the device's own."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(Exception):
                async with asyncio.timeout(5):
                    await self._context.close()
        if self._owner is not None:
            owner, self._owner = self._owner, None
            await owner.close()

    async def settle(self) -> bool:
        """Wait until what an action caused is over, at most the bound; False when it is not.

        The page is read in the same call, for an observation that follows at once.
        """
        page = self.page
        found = await self._read("now")
        self._tabs += int(found["opening"])
        if self._tabs > self.watch.opened:
            # A tab was asked for: it is told of when its first answer comes.
            await self.watch.wait_opened(self._tabs, _TAB_SECONDS)
        self._tabs = self.watch.opened
        if self.page is not page:
            # A tab opened (or closed) meanwhile: it is the new current one that has to settle.
            page = self.page
            found = await self._read("now")
        self._seen = (found, page, time.perf_counter())
        return bool(found["settled"])

    def forget(self) -> None:
        """Something is about to be done to the page: what was read before doesn't count."""
        self._seen = None

    async def read_frame(self, frame: PlaywrightFrame, seconds: float) -> dict[str, Any]:
        """The elements and facts of a frame's own document.

        Raises:
            DeviceFault: it gives no answer within `seconds`, or is gone.
        """
        return await self._read("change", frame, seconds)

    async def fell_back(self, page: Page) -> bool:
        """Whether a page was closed that is not the last one, so that another is current."""
        if page in self.watch.pages:
            # The failure of a call may be told before the end of its page.
            await asyncio.sleep(0.05)
        return (
            page not in self.watch.pages
            and bool(self.watch.pages)
            and not (self._closed or self.watch.crashed)
        )

    async def _read(
        self, since: str, frame: PlaywrightFrame | None = None, seconds: float | None = None
    ) -> dict[str, Any]:
        """Wait (bounded) for quiet, then the elements and facts of a document."""
        self._reads += 1
        order = {
            "quiet": self.options.settle_quiet * 1000,
            "bound": self.options.settle_bound * 1000,
            "max": self.options.max_elements,
            "since": since,
            "document": self._reads,
        }
        found: dict[str, Any] = json.loads(await self.call("observe", order, frame, seconds))
        return found

    async def call(
        self,
        name: str,
        order: Any,
        frame: PlaywrightFrame | None = None,
        seconds: float | None = None,
    ) -> Any:
        """Call one of the device's own page functions; again when the document is replaced.

        Args:
            frame: where; None is the top document.
            seconds: deadline; None takes that of the options.
        """
        deadline = self.options.deadline if seconds is None else seconds
        for attempt in range(_TRIES):
            page = self.page
            try:
                where = frame if frame is not None else page
                answer = await ask(where.evaluate(call_script(name), order), deadline, name)
                if answer != MISSING:
                    return answer
                await ask(where.evaluate(install_script()), deadline, "installing")
                continue
            except DeviceTimeout:
                self._hangs = self._hangs or frame is None
                raise
            except DeviceFault as e:
                moved = page not in self.watch.pages or (
                    bool(self.watch.pages) and page is not self.watch.pages[-1]
                )
                if attempt == _TRIES - 1 or self.watch.crashed or not (moved or replaced(e)):
                    raise
            await self._loaded()
        raise DeviceFault(f"the page keeps being replaced ({name})")

    async def _loaded(self) -> None:
        with contextlib.suppress(DeviceFault):
            await ask(
                self.page.wait_for_load_state("domcontentloaded"), self.options.deadline, "loading"
            )

    async def _titles(self, current: str) -> tuple[str, ...]:
        if len(self.watch.pages) < 2:
            return (current,)
        titles = []
        for page in self.watch.pages:
            with contextlib.suppress(DeviceFault):
                titles.append(await ask(page.title(), self.options.deadline, "title"))
        return tuple(titles)

    async def _renew(self) -> None:
        """Put a new page in the place of one that can't be used any more."""
        old = tuple(self.watch.pages)
        page = await ask(self._context.new_page(), self.options.deadline, "opening a page")
        self.watch.restart(page)
        self._hangs = False
        for lost in old:
            with contextlib.suppress(DeviceFault):
                await ask(lost.close(), 2.0, "closing a page")


def to_address(start: str) -> str:
    """What the browser is told to open: a URL, an existing file's, or a host's."""
    if "://" in start or start.startswith(("about:", "data:", "blob:")):
        return start
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # too long, no such user, NUL
        path = Path(start).expanduser()
        if path.exists():
            return path.resolve().as_uri()
    local = re.match(r"(localhost|127(\.\d+){3}|\[::1\])([:/?#]|$)", start, re.IGNORECASE)
    return f"{'http' if local else 'https'}://{start}"


def _is_error_page(url: str) -> bool:
    return url.startswith("chrome-error:")
