"""Screenshots and points at every pixel ratio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from io import BytesIO

import pytest
import pytest_asyncio
from PIL import Image

from openvenus import action as act
from openvenus.device.web import Browser, WebDevice, WebOptions
from openvenus.errors import UsageError
from openvenus.screen import Frame
from tests.device.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = """<body style='margin:0;background:white'><div style='width:3000px;height:3000px'></div>
<div style='position:absolute;left:700px;top:900px;width:40px;height:30px;background:rgb(255,0,0)'
  onclick="document.title = 'hit'"></div>
<script>onclick = (e) => { window.last = [e.pageX, e.pageY]; }</script>"""


@pytest_asyncio.fixture(loop_scope="module", params=[1, 1.5, 2, 3])
async def scaled(browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[WebDevice]:
    options = WebOptions(width=501, height=300, pixel_ratio=request.param, deadline=40.0)
    device = await browser.new_device(options)
    yield device
    await device.close()


def picture(frame: Frame) -> Image.Image:
    assert frame.image is not None
    return Image.open(BytesIO(frame.image)).convert("RGB")


async def test_what_is_seen_is_where_it_is_pressed(scaled: WebDevice, site: Site) -> None:
    ratio = scaled.options.pixel_ratio
    await scaled.open(site.add(PAGE))
    await scaled.evaluate("() => scrollTo(500, 800)")
    seen = await scaled.observe()
    frame, image = seen.frame, picture(seen.frame)
    assert (frame.width, frame.height) == image.size
    assert abs(frame.width - 501 * ratio) < 1 and abs(frame.height - 300 * ratio) < 1
    assert (frame.device_width, frame.device_height, frame.pixel_ratio) == (501, 300, ratio)
    # The square is at (200, 100) of the viewport, 40 x 30.
    for x, y, red in [(201, 101, True), (239, 129, True), (198, 101, False), (201, 98, False),
                      (242, 101, False), (201, 132, False)]:  # fmt: skip
        color = image.getpixel((int((x + 0.5) * ratio), int((y + 0.5) * ratio)))
        assert color == ((255, 0, 0) if red else (255, 255, 255)), (x, y)
    # From a pixel of the picture to a click in the page.
    point = frame.from_image(220 * ratio, 115 * ratio)
    done = await scaled.perform(act.Click(point=point), seen)
    assert done.status == "done"
    x, y = await scaled.evaluate("() => window.last")
    assert abs(x - 720) <= 1 and abs(y - 915) <= 1
    assert (await scaled.observe(image=False)).title == "hit"


async def test_without_an_image_the_geometry_is_the_same(scaled: WebDevice, site: Site) -> None:
    await scaled.open(site.add(PAGE))
    bare = (await scaled.observe(image=False)).frame
    full = (await scaled.observe()).frame
    assert bare.image is None
    assert bare.same_geometry(full)
    assert abs(bare.width - full.width) <= 1
    assert bare.id != full.id


@pytest.mark.parametrize(
    "wrong", [{"pixel_ratio": 0.5}, {"pixel_ratio": 4}, {"width": 10}, {"height": 9000},
              {"deadline": 0}, {"settle_bound": -1}],
)  # fmt: skip
async def test_options_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        WebOptions(**wrong)  # type: ignore[arg-type]
