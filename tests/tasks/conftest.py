"""One browser for the tests of a module, a new page for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from openvenus.device.web import Browser, WebDevice, WebOptions
from openvenus.tasks.miniwob import MiniwobSuite


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A browser whose pages have the suite's size."""
    width, height = MiniwobSuite.viewport
    running = await Browser.launch(WebOptions(width=width, height=height, deadline=60.0))
    yield running
    await running.close()


@pytest_asyncio.fixture(loop_scope="module")
async def page(browser: Browser) -> AsyncIterator[WebDevice]:
    """A page of its own for each test."""
    device = await browser.new_device()
    yield device
    await device.close()
