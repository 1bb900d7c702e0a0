"""What pages do by themselves: settling, dialogs, tabs, navigation, stale targets."""

from __future__ import annotations

import asyncio
import time

import pytest

from openvenus import action as act
from openvenus.device.web import Browser, WebOptions
from tests.device.web.hands import Hands
from tests.device.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_animation_without_end_takes_the_bound_at_most(hands: Hands) -> None:
    await hands.show("""<p id=p>0</p><button>b</button><script>
      setInterval(() => { p.textContent = performance.now(); }, 5);</script>""")
    target = hands.one("b")
    done = await hands.do(act.Click(point=target.point), target)
    assert not done.settled
    bound = hands.device.options.settle_bound
    assert bound * 0.9 < done.seconds
    assert not (await hands.look()).settled


async def test_endless_css_animations_do_not_count(hands: Hands) -> None:
    await hands.show("""<style>@keyframes k { to { rotate: 360deg } }
      div { animation: k 1s infinite; width: 20px }</style><div>x</div><button>b</button>""")
    target = hands.one("b")
    assert (await hands.do(act.Click(point=target.point), target)).settled


async def test_what_an_action_loads_is_waited_for(hands: Hands) -> None:
    data = hands.site.add("late text", path="/slow", kind="text/plain", delay=0.7)
    await hands.show(f"""<button onclick="fetch('{data}').then(r => r.text())
      .then(t => {{ out.textContent = t; }})">load</button><p id=out></p>
      <button onclick="const x = new XMLHttpRequest(); x.open('GET', '{data}');
      x.onload = () => {{ out.textContent = 'by ' + x.responseText; }}; x.send()">ask</button>""")
    assert (await hands.click("load")).settled
    assert hands.every(text="late text")
    assert (await hands.click("ask")).settled
    assert hands.every(text="by late text")


async def test_a_request_that_never_ends_holds_the_page_up_once(
    browser: Browser, site: Site
) -> None:
    options = WebOptions(width=800, height=600, settle_bound=5.0, deadline=40.0)
    device = await browser.new_device(options)
    data = site.add("x", path="/never", kind="text/plain", delay=25)
    try:
        await device.open(
            site.add(f"<button onclick=\"fetch('{data}')\">poll</button><button>other</button>")
        )
        seen = await device.observe(image=False)
        poll, other = seen.elements
        first = await device.perform(act.Click(point=poll.point), seen)
        second = await device.perform(act.Click(point=other.point), seen)
        assert first.seconds > 4.9
        assert second.settled
        assert second.seconds < 4.9
    finally:
        await device.close()


async def test_a_slow_page_behind_a_link_is_waited_for(hands: Hands) -> None:
    there = hands.site.add("<title>there</title>", path="/slowpage", delay=0.6)
    await hands.show(f"<a href='{there}'>go</a>")
    done = await hands.click("go")
    assert (done.navigated, done.new_tab) == (True, False)
    assert hands.now.title == "there"


async def test_a_frame_that_loads_is_waited_for(hands: Hands) -> None:
    there = hands.site.add("<p>inside</p>", path="/slowframe", delay=0.5)
    first = hands.site.add(f"<a href='{there}'>go in</a>")
    await hands.show(f"<iframe src='{first}'></iframe>")
    await hands.click("go in")
    assert hands.every(text="inside")


async def test_moving_within_a_page_is_navigation(hands: Hands) -> None:
    await hands.show("<button onclick=\"history.pushState(0, '', '#/next')\">next</button>")
    assert (await hands.click("next")).navigated
    assert hands.now.url.endswith("#/next")


@pytest.mark.parametrize(
    ("code", "kind", "default"),
    [("alert('Hi')", "alert", ""), ("x = confirm('Hi')", "confirm", ""),
     ("x = prompt('Hi', 'me')", "prompt", "me")],
)  # fmt: skip
async def test_dialogs_are_dismissed_and_told(
    hands: Hands, code: str, kind: str, default: str
) -> None:
    await hands.show(
        f"""<button onclick="let x = 0; {code}; document.title = String(x)">b</button>"""
    )
    done = await hands.click("b")
    assert [(d.kind, d.message, d.default, d.handled) for d in done.dialogs] == [
        (kind, "Hi", default, "dismissed")
    ]
    assert hands.now.dialogs == done.dialogs
    assert hands.now.title == {"alert": "0", "confirm": "false", "prompt": "null"}[kind]
    assert (await hands.look()).dialogs == ()


async def test_a_page_that_asks_to_stay_is_not_left(hands: Hands) -> None:
    await hands.show("""<title>stay</title><button>b</button>
      <script>onbeforeunload = (e) => { e.preventDefault(); return 'x'; };</script>""")
    await hands.click("b")  # pages may only ask after a person used them
    done = await hands.do(act.Launch(target=hands.site.add("<title>other</title>")))
    assert done.status == "failed"
    assert [d.kind for d in done.dialogs] == ["beforeunload"]
    assert (await hands.look()).title == "stay"
    await hands.show("<title>opened</title>")  # whoever runs the device is not asked
    assert (hands.now.title, hands.now.tabs) == ("opened", ("opened",))


async def test_what_glides_is_waited_for(hands: Hands) -> None:
    await hands.show("""<html style='scroll-behavior:smooth'><a href='#end'>go</a>
      <div style='height:3000px'></div><p id=end style='margin-bottom:900px'>end""")
    await hands.click("go")
    while not hands.now.settled:  # the machine may be too busy for the bound
        await hands.look()
    at = await hands.js("scrollY")
    await hands.do(act.Wait(seconds=0.5))
    assert at == await hands.js("scrollY") > 2000


@pytest.mark.parametrize(
    "html", ["<a href='{}' target=_blank>open</a>",
             "<button onclick=\"window.open('{}')\">open</button>",
             "<form action='{}' target=_blank><button>open</button></form>"],
)  # fmt: skip
async def test_a_new_tab_is_followed_and_left_when_it_closes(hands: Hands, html: str) -> None:
    there = hands.site.add(
        "<title>second</title><button onclick='window.close()'>shut</button>",
        path=f"/second{len(html)}",
        delay=0.3,
    )
    await hands.show("<title>first</title>" + html.format(there))
    done = await hands.click("open")
    assert (done.new_tab, done.navigated) == (True, True)
    assert hands.now.title == "second"
    assert set(hands.now.tabs) == {"first", "second"}
    if hands.every(name="shut") and "<a" not in html:
        done = await hands.click("shut")
        assert done.status == "done"
    else:
        await hands.device.page.close()
        await hands.look()
    assert hands.now.title == "first"
    assert hands.now.tabs == ("first",)


async def test_switch_between_tabs(hands: Hands) -> None:
    there = hands.site.add("<title>B</title>")
    await hands.show(f"<title>A</title><a href='{there}' target=_blank>open</a>")
    await hands.click("open")
    assert (await hands.do(act.Switch(device="A"))).status == "done"
    assert (await hands.look()).title == "A"
    done = await hands.do(act.Switch(device="C"))
    assert (done.status, "B" in done.message) == ("failed", True)


MOVER = """<button id=b style='position:absolute;left:10px;top:10px' onclick="document.title='hit'">
  target</button>"""


async def test_a_target_that_moved_is_followed(hands: Hands) -> None:
    await hands.show(MOVER)
    target = hands.one("target")
    await hands.js("(b.style.left = '400px', b.style.top = '2000px')")
    done = await hands.do(act.Click(point=target.point), target)
    assert done.status == "done"
    assert done.point != target.point
    assert (await hands.look()).title == "hit"


async def test_a_target_that_is_gone_is_stale(hands: Hands) -> None:
    await hands.show(MOVER + "<h1>Behind</h1>")
    target = hands.one("target")
    await hands.js("(document.querySelector('h1').textContent = 'Still there', b.remove())")
    done = await hands.do(act.Click(point=target.point), target)
    assert (done.status, "gone" in done.message) == ("stale", True)
    assert (await hands.look()).title == ""


async def test_a_target_that_is_covered_is_stale(hands: Hands) -> None:
    await hands.show(MOVER)
    target = hands.one("target")
    await hands.js("document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;"
                   "inset:0\">Cookies?</div>')")  # fmt: skip
    done = await hands.do(act.Click(point=target.point), target)
    assert (done.status, "Cookies?" in done.message) == ("stale", True)


async def test_a_target_of_a_page_that_was_left_is_stale(hands: Hands) -> None:
    await hands.show(MOVER)
    target, before = hands.one("target"), hands.now
    await hands.show("<title>other</title><button onclick=\"document.title='hit'\">x</button>")
    done = await hands.device.perform(act.Click(point=target.point), before, target=target.id)
    assert done.status == "stale"
    assert (await hands.look()).title == "other"


async def test_points_of_a_screen_of_another_size_are_stale(hands: Hands) -> None:
    await hands.show(MOVER)
    target = hands.one("target")
    await hands.device.page.set_viewport_size({"width": 500, "height": 400})
    done = await hands.do(act.Click(point=target.point))
    assert done.status == "stale"
    await hands.look()
    assert (await hands.do(act.Click(point=hands.one("target").point))).status == "done"


async def test_an_element_in_a_scrolled_area_is_brought_into_sight(hands: Hands) -> None:
    await hands.show("""<div style='height:100px;overflow:auto'><div style='height:900px'>x</div>
      <button onclick="document.title='hit'">deep</button></div>""")
    target = hands.one("deep")
    assert target.point is None
    assert (await hands.do(act.Click(), target)).status == "done"
    assert (await hands.look()).title == "hit"


async def test_a_quiet_page_settles_at_once(browser: Browser) -> None:
    """The wait is that for quiet, not the bound, however busy the machine is."""
    device = await browser.new_device(WebOptions(width=800, height=600, settle_bound=60.0))
    try:
        await device.open("data:text/html,<button>b</button>")
        seen = await device.observe(image=False)
        started = time.perf_counter()
        done = await device.perform(act.Click(point=seen.elements[0].point), seen)
        assert done.settled
        assert time.perf_counter() - started < 20
    finally:
        await device.close()


async def test_many_devices_of_one_browser_do_not_share(browser: Browser, hands: Hands) -> None:
    address = hands.site.add(
        "<script>document.title = document.cookie; document.cookie = 'a=1'</script>"
    )
    devices = await asyncio.gather(*(browser.new_device() for _ in range(3)))
    try:
        for device in devices:
            await device.open(address)
            assert (await device.observe(image=False)).title == ""
    finally:
        await asyncio.gather(*(d.close() for d in devices))
