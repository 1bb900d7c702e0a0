"""Frames of other origins: 127.0.0.1 and localhost are two of them."""

from __future__ import annotations

import asyncio

import pytest

from openvenus import action as act
from tests.device.web.hands import Hands

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORM = """<body style='margin:0'><button onclick="this.textContent = 'pressed'">press</button>
<input aria-label=field value=old><select><option>A<option>B</select>
<div style='height:900px'></div><button onclick="this.textContent = 'reached'">far</button>"""


async def shown(hands: Hands, style: str = "") -> None:
    inner = hands.site.add(FORM, host="localhost")
    await hands.show(
        f"<body style='margin:0'><div style='height:100px'>top</div>"
        f"<iframe style='width:300px;height:200px;{style}' src='{inner}'></iframe>"
    )


async def appears(hands: Hands, name: str) -> bool:
    """Whether an element of that name is there, soon: a frame of another origin is a process
    of its own, whose answer to a click the page around it does not wait for."""
    for _ in range(40):
        await hands.look()
        if hands.every(name=name):
            return True
        await asyncio.sleep(0.05)
    return False


async def test_elements_lie_where_they_are(hands: Hands) -> None:
    await shown(hands)
    press = hands.one("press")
    assert press.id.startswith("f1:")
    assert press.frame_path
    assert press.box.top * 0.6 >= 100
    assert press.point is not None
    await hands.do(act.Click(point=press.point))
    await hands.look()
    assert hands.one("pressed").id == press.id


async def test_clicks_and_text_by_element(hands: Hands) -> None:
    await shown(hands)
    await hands.click("press")
    assert hands.every(name="pressed")
    field = hands.one("field")
    done = await hands.do(act.TypeText(text="néw", point=field.point, clear=True), field)
    assert done.status == "done"
    await hands.look()
    assert hands.one("field").value == "néw"


async def test_text_into_what_takes_none(hands: Hands) -> None:
    await shown(hands)
    press = hands.one("press")
    assert (await hands.do(act.TypeText(text="x", point=press.point), press)).status == "failed"


async def test_choosing_from_a_list_inside(hands: Hands) -> None:
    await shown(hands)
    box = hands.one(role="combobox")
    assert (await hands.do(act.Select(label=("B",)), box)).status == "done"
    await hands.look()
    assert hands.one(role="combobox").value == "B"
    assert (await hands.do(act.Select(label=("A",), point=box.point))).status == "done"
    await hands.look()
    assert hands.one(role="combobox").value == "A"


async def test_scrolled_away_inside_is_brought_into_sight(hands: Hands) -> None:
    await shown(hands)
    far = hands.one("far")
    assert far.point is None
    done = await hands.do(act.Click(), far)
    assert done.status == "done", done.message
    assert await appears(hands, "reached")


async def test_a_frame_out_of_sight_is_brought_into_it(hands: Hands) -> None:
    await shown(hands, "margin-top:1500px")
    press = hands.one("press")
    assert (press.visible, press.point) == (False, None)
    done = await hands.do(act.Click(), press)
    assert done.status == "done", done.message
    assert await appears(hands, "pressed")


async def test_scroll_inside(hands: Hands) -> None:
    await shown(hands)
    point = hands.now.frame.from_device(150, 200)
    assert (await hands.do(act.Scroll(direction="down", point=point, amount=5))).status == "done"
    await hands.look()
    assert hands.one("far").point is not None
    assert (await hands.do(act.Scroll(direction="down", point=point))).status == "failed"


async def test_covered_by_the_page_around_it(hands: Hands) -> None:
    await shown(hands)
    press = hands.one("press")
    await hands.js("document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;"
                   "inset:0\">Cookies?</div>')")  # fmt: skip
    done = await hands.do(act.Click(point=press.point), press)
    assert (done.status, "Cookies?" in done.message) == ("stale", True)


async def test_a_frame_that_is_gone_is_stale(hands: Hands) -> None:
    await shown(hands)
    press = hands.one("press")
    await hands.js("document.querySelector('iframe').remove()")
    done = await hands.do(act.Click(point=press.point), press)
    assert done.status == "stale"


async def test_frames_in_frames(hands: Hands) -> None:
    deep = hands.site.add("<button onclick=\"this.textContent='hit'\">deep</button>")
    middle = hands.site.add(f"<p>middle</p><iframe src='{deep}'></iframe>", host="localhost")
    outer = hands.site.add(f"<p>outer</p><iframe src='{middle}' height=300></iframe>")
    await hands.show(f"<p>top</p><iframe src='{outer}' width=500 height=450></iframe>")
    assert [e.text for e in hands.every(role="paragraph")] == ["top", "outer", "middle"]
    await hands.click("deep")
    assert hands.every(name="hit")


async def test_ids_stay_when_other_frames_go(hands: Hands) -> None:
    one = hands.site.add("<button>one</button>", host="localhost")
    two = hands.site.add("<button>two</button>", host="localhost")
    await hands.show(f"<iframe id=a src='{one}'></iframe><iframe src='{two}'></iframe>")
    before = hands.one("two").id
    assert before != hands.one("one").id
    await hands.js("a.remove()")
    await hands.look()
    assert hands.one("two").id == before
    assert not hands.every(name="one")
