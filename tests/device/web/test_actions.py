"""Every action of the language that a page can take, with trusted input in a real page."""

from __future__ import annotations

from typing import Literal

import pytest

from openvenus import action as act
from openvenus.action import Point
from openvenus.device.web._perform import ACTIONS
from tests.device.web.hands import Hands

pytestmark = pytest.mark.asyncio(loop_scope="module")

Direction = Literal["up", "down", "left", "right"]
LOG = """<div id=log></div><script>
  const log = (e) => { document.title += ' ' + (e.type || e); };
  const listen = (node, ...kinds) => kinds.forEach((k) => node.addEventListener(k, log));
</script>"""


async def test_all_of_them_are_declared_and_others_answered(hands: Hands) -> None:
    await hands.show("<p>x</p>")
    assert hands.device.actions == ACTIONS
    for other in (act.Note(text="n"), act.Finish(), act.AskUser(question="?")):
        done = await hands.do(other)
        assert (done.status, other.type in done.message) == ("unsupported", True)


@pytest.mark.parametrize(
    ("action", "event"),
    [
        (act.Click, "click"),
        (act.DoubleClick, "dblclick"),
        (act.RightClick, "contextmenu"),
        (act.MiddleClick, "auxclick"),
        (act.Hover, "mouseover"),
        (act.LongPress, "mouseup"),
        (act.MouseDown, "mousedown"),
    ],
)
async def test_presses(hands: Hands, action: type[act.Click], event: str) -> None:
    await hands.show(f"{LOG}<button id=b>press</button><script>listen(b, '{event}')</script>")
    target = hands.one("press")
    done = await hands.do(action(point=target.point), target)
    assert (done.status, done.settled) == ("done", True)
    assert event in (await hands.look()).title
    assert done.point is not None
    assert target.box.contains(*done.point)
    await hands.device.release()


async def test_triple_click_selects_a_paragraph(hands: Hands) -> None:
    await hands.show("<p>one two three</p>")
    await hands.do(act.TripleClick(point=hands.one("one two three").point))
    assert (await hands.js("getSelection().toString()")).strip() == "one two three"


async def test_long_press_lasts_as_long_as_it_was_told(hands: Hands) -> None:
    await hands.show("""<button id=b>hold</button><script>let t = 0;
      b.onmousedown = () => { t = performance.now(); };
      b.onmouseup = () => { document.title = performance.now() - t; };</script>""")
    target = hands.one("hold")
    await hands.do(act.LongPress(point=target.point, seconds=0.4), target)
    assert 380 < float((await hands.look()).title) < 5000


async def test_without_a_point_the_pointer_stays_where_it_is(hands: Hands) -> None:
    await hands.show("<button onclick=\"document.title += 'x'\">here</button>")
    assert (await hands.do(act.Click())).status == "failed"
    target = hands.one("here")
    await hands.do(act.Hover(point=target.point), target)
    assert (await hands.do(act.Click())).status == "done"
    assert (await hands.look()).title == "x"


async def test_drag_with_the_mouse(hands: Hands) -> None:
    await hands.show("""<div id=d style='position:absolute;left:50px;top:50px;width:40px;
      height:40px;background:red'></div><script>let on = null;
      d.onmousedown = (e) => { on = [e.clientX - d.offsetLeft, e.clientY - d.offsetTop]; };
      onmousemove = (e) => { if (on) { d.style.left = e.clientX - on[0] + 'px';
        d.style.top = e.clientY - on[1] + 'px'; } };
      onmouseup = () => { on = null; };</script>""")
    frame = hands.now.frame
    action = act.Drag(
        start=frame.from_device(70, 70),
        via=(frame.from_device(300, 100),),
        end=frame.from_device(470, 370),
        seconds=0.1,
    )
    assert (await hands.do(action)).status == "done"
    assert await hands.js("[d.offsetLeft, d.offsetTop]") == [450, 350]


async def test_drag_and_drop_of_html(hands: Hands) -> None:
    await hands.show("""<div id=a draggable=true style='width:80px;height:40px'>thing</div>
      <div id=b style='position:absolute;left:300px;top:200px;width:100px;height:100px;
        background:#ddd'>here</div><script>
      a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'moved');
      b.ondragover = (e) => e.preventDefault();
      b.ondrop = (e) => { e.preventDefault(); b.textContent = e.dataTransfer.getData('text'); };
      </script>""")
    frame = hands.now.frame
    action = act.Drag(start=frame.from_device(20, 20), end=frame.from_device(350, 250))
    assert (await hands.do(action)).status == "done"
    await hands.look()
    assert hands.every(text="moved")


async def test_buttons_and_keys_are_held_across_steps_and_let_go_at_the_end(hands: Hands) -> None:
    await hands.show(f"{LOG}<script>listen(window, 'mousedown', 'mouseup', 'keydown', 'keyup')"
                     "</script><button>x</button>")  # fmt: skip
    target = hands.one("x")
    await hands.do(act.MouseDown(point=target.point))
    await hands.do(act.KeyDown(keys=("Shift", "a")))
    assert (await hands.look()).title.split() == ["mousedown", "keydown", "keydown"]
    await hands.device.release()
    assert (await hands.look()).title.split()[3:] == ["mouseup", "keyup", "keyup"]
    await hands.device.release()
    assert len((await hands.look()).title.split()) == 6


async def test_mouse_down_and_up_draw_a_line(hands: Hands) -> None:
    await hands.show(f"{LOG}<script>listen(window, 'mousedown', 'mouseup')</script>")
    assert (await hands.do(act.MouseUp(point=Point(500, 500)))).status == "failed"
    await hands.do(act.MouseDown(point=Point(100, 100)))
    await hands.do(act.MouseUp(point=Point(500, 500)))
    assert (await hands.look()).title.split() == ["mousedown", "mouseup"]


async def test_held_keys_are_released_by_key_up(hands: Hands) -> None:
    await hands.show(f"{LOG}<script>listen(window, 'keyup')</script>")
    await hands.do(act.KeyDown(keys=("Shift",)))
    await hands.do(act.KeyUp(keys=("Shift",)))
    await hands.device.release()
    assert (await hands.look()).title.split() == ["keyup"]


async def test_hotkeys_and_named_keys(hands: Hands) -> None:
    await hands.show("<input id=i aria-label=field value=abc>")
    field = hands.one("field")
    await hands.do(act.Click(point=field.point), field)
    await hands.do(act.Hotkey(keys=("Control", "a")))
    await hands.do(act.Press(key="Backspace"))
    await hands.do(act.Hotkey(keys=("x",), repeat=3))
    await hands.do(act.Press(key="ArrowLeft", repeat=2))
    await hands.do(act.Hotkey(keys=("+",)))
    await hands.do(act.Hotkey(keys=("é",)))
    await hands.look()
    assert hands.one("field").value == "x+éxx"


@pytest.mark.parametrize("key", ["F13", "F24", "VolumeUp", "HomeScreen", "Power", "Menu"])
async def test_keys_that_a_page_has_not_are_told(hands: Hands, key: str) -> None:
    await hands.show("<input autofocus>")
    for action in (act.Press(key=key), act.Hotkey(keys=(key,)), act.KeyDown(keys=(key,))):
        done = await hands.do(action)
        assert done.status in {"unsupported", "done"}
        if done.status == "unsupported":
            assert key in done.message
    await hands.device.release()


@pytest.mark.parametrize(
    "key", ["Enter", "Tab", "Escape", "Insert", "F12", "NumLock", "ScrollLock", "PrintScreen",
            "Pause", "ContextMenu", "CapsLock", "ControlOrMeta", "Space", "PageDown", "Meta"],
)  # fmt: skip
async def test_no_key_is_a_fault(hands: Hands, key: str) -> None:
    await hands.show("<input autofocus>")
    assert (await hands.do(act.Press(key=key))).status in {"done", "unsupported"}


async def test_history_back(hands: Hands) -> None:
    await hands.show("<title>one</title>")
    assert (await hands.do(act.Press(key="Back"))).status == "failed"
    assert (await hands.look()).title == "one"
    await hands.show("<title>two</title>")
    done = await hands.do(act.Press(key="Back"))
    assert (done.status, done.navigated) == ("done", True)
    assert (await hands.look()).title == "one"


@pytest.mark.parametrize("direction", ["down", "right", "up", "left"])
async def test_scroll_brings_content_of_that_side(hands: Hands, direction: Direction) -> None:
    await hands.show("<div style='width:3000px;height:3000px'>big</div>"
                     "<script>scrollTo(500, 500)</script>")  # fmt: skip
    done = await hands.do(act.Scroll(direction=direction, amount=0.5))
    assert done.status == "done"
    expected = {"down": [500, 800], "up": [500, 200], "right": [900, 500], "left": [100, 500]}
    assert await hands.js("[scrollX, scrollY]") == expected[direction]


async def test_scroll_of_an_area_and_of_what_is_around_it(hands: Hands) -> None:
    await hands.show("""<div id=outer style='height:300px;overflow:auto'>
      <div id=s style='width:200px;height:200px;overflow:auto'><div style='height:300px'>in</div>
      </div><div style='height:900px'>out</div></div>""")
    point = hands.now.frame.from_device(60, 60)
    assert (await hands.do(act.Scroll(direction="down", point=point, amount=1))).status == "done"
    assert await hands.js("[s.scrollTop, outer.scrollTop]") == [100, 0]
    await hands.look()
    assert (await hands.do(act.Scroll(direction="down", point=point, amount=1))).status == "done"
    assert await hands.js("outer.scrollTop") > 0


async def test_scroll_nowhere_fails_with_words(hands: Hands) -> None:
    await hands.show("<p>short</p>")
    done = await hands.do(act.Scroll(direction="down"))
    assert (done.status, "down" in done.message) == ("failed", True)


async def test_a_page_that_takes_the_wheel_itself_was_scrolled(hands: Hands) -> None:
    await hands.show("""<div id=map style='width:400px;height:400px;background:#eee'></div><script>
      map.addEventListener('wheel', (e) => { e.preventDefault(); document.title = 'zoomed'; },
        { passive: false });</script>""")
    point = hands.now.frame.from_device(100, 100)
    assert (await hands.do(act.Scroll(direction="down", point=point))).status == "done"
    assert (await hands.look()).title == "zoomed"


async def test_swipe_is_a_finger(hands: Hands) -> None:
    await hands.show(f"""{LOG}<div style='height:3000px'>long</div>
      <script>listen(window, 'touchstart', 'touchend')</script>""")
    action = act.Swipe(start=Point(500, 800), end=Point(500, 300), seconds=0.2)
    assert (await hands.do(action)).status == "done"
    assert {"touchstart"} <= set((await hands.look()).title.split())
    assert await hands.js("scrollY") > 50


async def test_gesture_with_two_fingers(hands: Hands) -> None:
    await hands.show("""<div id=d style='height:500px;touch-action:none'>x</div><script>
      let most = 0, moves = 0;
      d.addEventListener('touchmove', (e) => { e.preventDefault(); moves++;
        most = Math.max(most, e.touches.length);
        document.title = most + ' ' + (moves > 2) + ' ' + Math.round(Math.abs(
          e.touches[0].clientX - (e.touches[1] || e.touches[0]).clientX)); }, { passive: false });
      </script>""")
    frame = hands.now.frame
    paths = tuple((frame.from_device(400, 200), frame.from_device(end, 200)) for end in (200, 600))
    assert (await hands.do(act.Gesture(paths=paths, seconds=0.2))).status == "done"
    fingers, many, apart = (await hands.look()).title.split()
    assert (fingers, many) == ("2", "true")
    assert int(apart) > 300


@pytest.mark.parametrize(
    ("action", "value", "events"),
    [
        (act.Select(label=("Pear",)), "p", 2),
        (act.Select(index=(2,)), "f", 2),
    ],
)
async def test_select_from_a_native_list(
    hands: Hands, action: act.Select, value: str, events: int
) -> None:
    await hands.show("""<select id=s onchange="document.title += 'c'"
      oninput="document.title += 'i'">
      <option value=a>Apple<option value=p>Pear<option value=f>Fig</select>""")
    box = hands.one(role="combobox")
    done = await hands.do(action.model_copy(update={"point": box.point}), box)
    assert done.status == "done"
    assert await hands.js("s.value") == value
    assert len((await hands.look()).title) == events


async def test_select_by_an_options_own_id_by_point_and_by_focus(hands: Hands) -> None:
    await hands.show("<select id=s><option>A<option>B<option>C</select><input>")
    box = hands.one(role="combobox")
    await hands.do(act.Select(label=("B",)), hands.one("B"))
    assert await hands.js("s.value") == "B"
    await hands.do(act.Select(label=("C",), point=box.point))
    assert await hands.js("s.value") == "C"
    await hands.js("s.focus()")
    await hands.do(act.Select(index=(0,)))
    assert await hands.js("s.value") == "A"


async def test_select_several(hands: Hands) -> None:
    await hands.show("<select id=s multiple><option>A<option>B<option>C</select>")
    box = hands.one(role="listbox")
    await hands.do(act.Select(label=("A", "C")), box)
    assert await hands.js("[...s.selectedOptions].map(o => o.text)") == ["A", "C"]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (act.Select(label=("Kiwi",)), ["Kiwi", "Apple", "Pear"]),
        (act.Select(index=(9,)), ["4 options"]),
        (act.Select(index=(0, 1)), ["one option"]),
        (act.Select(label=("Fig",)), ["disabled"]),
    ],
)
async def test_what_cant_be_selected_is_told(
    hands: Hands, action: act.Select, words: list[str]
) -> None:
    await hands.show("<select><option>Apple<option>Pear<option disabled>Fig<option>Plum</select>")
    done = await hands.do(action, hands.one(role="combobox"))
    assert done.status == "failed"
    assert all(w in done.message for w in words)


async def test_select_where_there_is_no_list(hands: Hands) -> None:
    await hands.show("<p>none</p>")
    assert (await hands.do(act.Select(index=(0,)))).status == "failed"


async def test_wait_lets_time_pass(hands: Hands) -> None:
    await hands.show("<script>setTimeout(() => { document.title = 'later' }, 250)</script>")
    done = await hands.do(act.Wait(seconds=0.3))
    assert done.seconds >= 0.3
    assert (await hands.look()).title == "later"


async def test_launch(hands: Hands) -> None:
    await hands.show("<p>x</p>")
    there = hands.site.add("<title>there</title>")
    done = await hands.do(act.Launch(target=there))
    assert (done.status, done.navigated) == ("done", True)
    assert (await hands.look()).title == "there"
    bare = there.removeprefix("http://")
    assert (await hands.do(act.Launch(target=bare))).status == "done"
    assert (await hands.look()).title == "there"


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "chrome://settings", "mailto:a@b.c", "ftp://x/y",
     "view-source:http://x",
     "http://127.0.0.1:9/", "http://nowhere.invalid/", "file:///no/such/file",
     "http://[", "x" * 5000],
)  # fmt: skip
async def test_launch_of_what_cant_be_opened_fails_and_the_device_lives(
    hands: Hands, target: str
) -> None:
    await hands.show("<title>here</title>")
    done = await hands.do(act.Launch(target=target))
    assert done.status == "failed"
    assert done.message
    await hands.show("<title>again</title>")
    assert hands.now.title == "again"


async def test_a_sequence_stops_at_the_first_failure(hands: Hands) -> None:
    await hands.show("<button onclick=\"document.title += 'x'\">b</button>")
    click = act.Click(point=hands.one("b").point)
    done = await hands.do(act.Sequence(actions=(click, click)))
    assert done.status == "done"
    assert (await hands.look()).title == "xx"
    done = await hands.do(act.Sequence(actions=(click, act.Scroll(direction="down"), click)))
    assert (done.status, "action 2" in done.message) == ("failed", True)
    assert (await hands.look()).title == "xxx"
