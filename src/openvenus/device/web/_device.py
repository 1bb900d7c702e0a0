"""The web device: one page (and the tabs it opens) as the loop sees it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openvenus.action import Action
from openvenus.device import Performed
from openvenus.device.web._call import ask, replaced
from openvenus.device.web._elements import read_elements
from openvenus.device.web._options import WebOptions
from openvenus.device.web._perform import ACTIONS, Performer
from openvenus.device.web._screenshot import Camera
from openvenus.device.web._scripts import MISSING, call_script, install_script
from openvenus.device.web._watch import Watch
from openvenus.episode import Observation
from openvenus.errors import DeviceFault
from openvenus.screen import Element, ElementTree, Frame

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page
    from playwright.async_api import Frame as PlaywrightFrame

_TRIES = 4
"""How often a call is made again because its document was replaced meanwhile."""
_LOAD_FACTOR = 3.0
_FRESH_SECONDS = 0.05
"""How old what was read at the end of an action may be to count as what is there now."""


class WebDevice:
    """A page in a Chromium, with cookies and storage of its own.

    Made by `Browser.new_device`, or with a browser of its own by `WebDevice.launch`.
    """

    def __init__(self, context: BrowserContext, page: Page, options: WebOptions) -> None:
        self.options = options
        self.watch = Watch(context, page)
        self._context = context
        self.camera = Camera(context, options)
        self._performer = Performer(self)
        self._owner: Any = None
        self._frames = 0
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
        return ACTIONS

    @property
    def page(self) -> Page:
        """The current Playwright page; raises `DeviceFault` when there is none."""
        if self._closed:
            raise DeviceFault("the device is closed")
        return self.watch.page

    async def open(self, start: str | None) -> None:
        """Go to an address and wait (bounded) for its document.

        Raises:
            DeviceFault: no network, unknown host, not an address, too slow.
        """
        if start is None:
            return
        self.forget()
        address = _address(start)
        await ask(
            self.page.goto(address, wait_until="domcontentloaded"),
            self.options.deadline * _LOAD_FACTOR,
            f"opening {address}",
        )

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
            elements += await self._foreign(found["blind"], width, height)
        self._frames += 1
        picture = None
        if image:
            corner = (float(found["left"]), float(found["top"]))
            picture = await self.camera.take(self.page, corner, (width, height))
        titles = await self._titles(found["title"])
        return Observation(
            frame=Frame(
                id=f"{id(self):x}-{self._frames}",
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
        if self.page is not page:
            # A tab opened (or closed) meanwhile: it is the new current one that has to settle.
            page = self.page
            found = await self._read("now")
        self._seen = (found, page, time.perf_counter())
        return bool(found["settled"])

    def forget(self) -> None:
        """Something is about to be done to the page: what was read before doesn't count."""
        self._seen = None

    async def _read(self, since: str, frame: PlaywrightFrame | None = None) -> dict[str, Any]:
        """Wait (bounded) for quiet, then the elements and facts of a document."""
        order = {
            "quiet": self.options.settle_quiet * 1000,
            "bound": self.options.settle_bound * 1000,
            "max": self.options.max_elements,
            "since": since,
        }
        found: dict[str, Any] = json.loads(await self.call("observe", order, frame))
        return found

    async def call(self, name: str, order: Any, frame: PlaywrightFrame | None = None) -> Any:
        """Call one of the device's own page functions; again when the document is replaced."""
        for attempt in range(_TRIES):
            page = self.page
            try:
                where = frame if frame is not None else page
                answer = await ask(
                    where.evaluate(call_script(name), order), self.options.deadline, name
                )
                if answer != MISSING:
                    return answer
                await ask(where.evaluate(install_script()), self.options.deadline, "installing")
                continue
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

    async def _foreign(
        self, blind: list[list[float]], width: float, height: float
    ) -> list[Element]:
        """Elements of frames of other origins, each read in its own document."""
        found: list[Element] = []
        for number, frame in enumerate(self.page.frames[1:], start=1):
            place = await self._place_of(frame, blind)
            if place is None:
                continue
            try:
                inner = await self._read("change", frame)
            except DeviceFault:
                if self.watch.crashed:
                    raise
                continue
            found += read_elements(
                inner["elements"],
                width,
                height,
                prefix=f"f{number}:",
                offset=(place[0], place[1]),
                group_offset=10_000 * number,
                clip=(place[2], place[3], place[4], place[5]),
            )
        return found

    async def _place_of(
        self, frame: PlaywrightFrame, blind: list[list[float]]
    ) -> list[float] | None:
        try:
            holder = await ask(frame.frame_element(), self.options.deadline, "frame")
            box = await ask(holder.bounding_box(), self.options.deadline, "frame")
        except DeviceFault:
            return None
        if box is None:
            return None
        near = [b for b in blind if abs(b[0] - box["x"]) < 40 and abs(b[1] - box["y"]) < 40]
        return min(near, key=lambda b: abs(b[0] - box["x"]) + abs(b[1] - box["y"]), default=None)


def _address(start: str) -> str:
    if "://" in start or start.startswith(("about:", "data:", "blob:")):
        return start
    path = Path(start).expanduser()
    if path.exists():
        return path.resolve().as_uri()
    return f"https://{start}"
