"""One Chromium process, shared by many devices."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from openvenus.device.web._call import ask, fault
from openvenus.device.web._find import find_chromium
from openvenus.device.web._options import WebOptions
from openvenus.device.web._scripts import install_script
from openvenus.errors import DeviceFault, MissingDependency

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import Playwright

    from openvenus.device.web._device import WebDevice

_ARGUMENTS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling", "--disable-features=Translate,MediaRouter",
    "--password-store=basic", "--use-mock-keychain", "--mute-audio",
)  # fmt: skip
START_SECONDS = 30.0
OPEN_SECONDS = 20.0
"""For a new page, which is a new process: at least this, whatever the deadline for answers."""
CLOSE_SECONDS = 5.0


class Browser:
    """A running Chromium. Make one with `launch`; each device has its own profile in it."""

    def __init__(
        self, playwright: Playwright, browser: PlaywrightBrowser, options: WebOptions
    ) -> None:
        self._playwright = playwright
        self._browser = browser
        self._devices: WeakSet[WebDevice] = WeakSet()
        self.options = options

    @classmethod
    async def launch(cls, options: WebOptions | None = None) -> Browser:
        """Start a Chromium.

        Its profile is a temporary folder, removed at the end; the process ends with this one.

        Raises:
            MissingDependency: there is no Chromium, or no playwright package that works.
            DeviceFault: it does not start.
        """
        options = options or WebOptions()
        try:
            from playwright.async_api import Error
        except ImportError as e:
            raise MissingDependency(
                "the playwright package is missing", hint="pip install playwright"
            ) from e
        path = find_chromium(options.chromium)
        playwright = await _start_driver()
        try:
            async with asyncio.timeout(START_SECONDS):
                browser = await playwright.chromium.launch(
                    executable_path=path,
                    headless=options.headless,
                    args=_arguments(options),
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
        except BaseException as e:
            await _quietly(playwright.stop())
            if isinstance(e, TimeoutError):
                raise DeviceFault(f"{path} did not start within {START_SECONDS:g} s") from None
            if isinstance(e, Error):
                raise _not_started(path, options, e) from e
            raise
        return cls(playwright, browser, options)

    @property
    def version(self) -> str:
        """Version of the Chromium."""
        return self._browser.version

    @property
    def connected(self) -> bool:
        """Whether it is still running."""
        return self._browser.is_connected()

    async def new_device(self, options: WebOptions | None = None) -> WebDevice:
        """A page with cookies and storage of its own.

        Args:
            options: other viewport, ratio, locale or deadlines than the browser's.

        Raises:
            DeviceFault: the browser is gone.
        """
        from openvenus.device.web._device import WebDevice

        o = options or self.options
        # A machine at work needs long for a page of its own, and nothing in it can hang yet.
        seconds = max(o.deadline, START_SECONDS)
        seconds = max(o.deadline, OPEN_SECONDS)
        context = await ask(
            self._browser.new_context(
                viewport={"width": o.width, "height": o.height},
                device_scale_factor=o.pixel_ratio,
                locale=o.locale,
                accept_downloads=o.workspace is not None,
            ),
            seconds,
            "opening a page",
        )
        try:
            # Deadlines are ours alone: Playwright's own would end some calls earlier.
            context.set_default_timeout(0)
            await ask(context.add_init_script(install_script()), seconds, "opening a page")
            page = await ask(context.new_page(), seconds, "opening a page")
        except BaseException:
            await _quietly(context.close())
            raise
        device = WebDevice(context, page, o)
        self._devices.add(device)
        return device

    async def close(self) -> None:
        """End the browser and everything in it. Never raises; safe to call twice."""
        for device in self._devices:
            device.abandon()
        self._devices.clear()
        await _quietly(self._browser.close())
        await _quietly(self._playwright.stop())


async def _start_driver() -> Playwright:
    from playwright.async_api import async_playwright

    try:
        async with asyncio.timeout(START_SECONDS):
            return await async_playwright().start()
    except TimeoutError:
        raise DeviceFault(f"Playwright's driver did not start within {START_SECONDS:g} s") from None
    except Exception as e:  # a driver that ends at once is told by no class of its own
        raise MissingDependency(
            f"Playwright's driver does not start: {e}",
            hint="`playwright --version` shows why; mostly it is: apt-get install libatomic1",
        ) from e


def _arguments(options: WebOptions) -> list[str]:
    arguments = [*_ARGUMENTS, *options.arguments]
    # Chromium's sandbox refuses to run as root.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    return arguments


def _not_started(path: Path, options: WebOptions, error: Exception) -> DeviceFault:
    if not options.headless and "isplay" in str(error):
        return DeviceFault(
            "there is no display for a browser window",
            hint="leave out --headed, or set DISPLAY",
        )
    return fault(error, f"starting {path}")


async def _quietly(call: object) -> None:
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await call  # type: ignore[misc]
