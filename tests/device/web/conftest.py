"""One browser and one server for each module of tests; a page of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from openvenus.device.web import Browser, WebDevice, WebOptions
from tests.device.web.hands import Hands
from tests.device.web.site import Site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    server = Site()
    yield server
    server.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    running = await Browser.launch(WebOptions(width=800, height=600, deadline=40.0))
    yield running
    await running.close()


@pytest_asyncio.fixture(loop_scope="module")
async def device(browser: Browser) -> AsyncIterator[WebDevice]:
    made = await browser.new_device()
    yield made
    await made.close()


@pytest.fixture
def hands(device: WebDevice, site: Site) -> Hands:
    return Hands(device, site)
