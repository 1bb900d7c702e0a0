"""Text, byte for byte, into every kind of field."""

from __future__ import annotations

import pytest

from openvenus import action as act
from tests.device.web.hands import Hands

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = ["plain text", "'quotes\" and \\ slashes {x} $HOME `ls` %s", "你好，世界", "🙂👩‍👩‍👧 é",
         "a+b Control+A", "  spaces  ", "x" * 300, "tab-free ~!@#$%^&*()_+|"]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
async def test_any_text_into_a_field(hands: Hands, text: str) -> None:
    await hands.show("<input id=i aria-label=field><div contenteditable aria-label=rich></div>")
    for name in ("field", "rich"):
        field = hands.one(name)
        done = await hands.do(act.TypeText(text=text, point=field.point), field)
        assert done.status == "done"
    assert await hands.js("i.value") == text
    shown = await hands.js("document.querySelector('div').innerText")
    assert shown.replace("\u00a0", " ") == text


async def test_lines_into_areas_and_editors(hands: Hands) -> None:
    text = "one\ntwo\n\n四"
    await hands.show("<textarea id=t aria-label=area></textarea><div "
                     "contenteditable aria-label=rich style='min-height:20px'></div>")  # fmt: skip
    for name in ("area", "rich"):
        field = hands.one(name)
        assert (await hands.do(act.TypeText(text=text, point=field.point), field)).status == "done"
    assert await hands.js("t.value") == text
    lines = await hands.js("document.querySelector('div').innerText")
    assert [line for line in lines.split("\n") if line] == ["one", "two", "四"]


async def test_clear_and_submit(hands: Hands) -> None:
    await hands.show("""<form onsubmit="document.title = i.value; return false">
      <input id=i aria-label=field value=old></form><div contenteditable aria-label=rich>old</div>
      """)
    field = hands.one("field")
    await hands.do(act.TypeText(text="new", point=field.point, clear=True, submit=True), field)
    assert (await hands.look()).title == "new"
    rich = hands.one("rich")
    await hands.do(act.TypeText(text="fresh", point=rich.point, clear=True), rich)
    await hands.look()
    assert hands.one("rich").value == "fresh"
    await hands.do(act.TypeText(text="", point=field.point, clear=True), field)
    await hands.look()
    assert hands.one("field").value == ""


async def test_text_is_added_without_clear(hands: Hands) -> None:
    await hands.show("<input aria-label=field value=ab autofocus>")
    await hands.do(act.Press(key="End"))
    await hands.do(act.TypeText(text="cd"))
    await hands.look()
    assert hands.one("field").value == "abcd"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("date", "2026-03-05", "2026-03-05"),
        ("date", "03/05/2026", "2026-03-05"),
        ("time", "14:30", "14:30"),
        ("time", "02:30PM", "14:30"),
        ("month", "2026-03", "2026-03"),
        ("week", "2026-W07", "2026-W07"),
        ("datetime-local", "2026-03-05T14:30", "2026-03-05T14:30"),
        ("number", "-12.5", "-12.5"),
        ("email", "ann@example.org", "ann@example.org"),
        ("password", "s3cret", "s3cret"),
        ("search", "find", "find"),
        ("tel", "+43 1 234", "+43 1 234"),
        ("url", "http://x/", "http://x/"),
    ],
)
async def test_kinds_of_fields(hands: Hands, kind: str, text: str, value: str) -> None:
    await hands.show(f"<input id=i type={kind} aria-label=field oninput='document.title = 1'>")
    field = hands.one("field")
    for _ in range(2):  # the second time over what is there
        done = await hands.do(act.TypeText(text=text, point=field.point, clear=True), field)
        assert done.status == "done", done.message
        assert await hands.js("i.value") == value
    assert (await hands.look()).title == "1"


async def test_a_date_as_the_locale_has_it_goes_to_the_first_part(hands: Hands) -> None:
    await hands.show("<input id=i type=date aria-label=field>")
    field = hands.one("field")
    await hands.do(act.TypeText(text="03/05/2026", point=field.point), field)
    assert await hands.js("i.value") == "2026-03-05"


async def test_several_lines_are_not_made_one(hands: Hands) -> None:
    await hands.show("<input id=i aria-label=field>")
    field = hands.one("field")
    done = await hands.do(act.TypeText(text="a\nb", point=field.point), field)
    assert (done.status, "one line" in done.message) == ("failed", True)
    assert await hands.js("i.value") == ""


async def test_a_date_that_is_none_fails(hands: Hands) -> None:
    await hands.show("<input type=date aria-label=field>")
    field = hands.one("field")
    done = await hands.do(act.TypeText(text="2026-13-45", point=field.point), field)
    assert (done.status, "2026-13-45" in done.message) == ("failed", True)


@pytest.mark.parametrize(
    "html",
    ["<button>b</button>", "<input disabled aria-label=b>", "<input readonly aria-label=b>",
     "<input type=checkbox aria-label=b>", "<p>b</p>"],
)  # fmt: skip
async def test_what_takes_no_text_is_told(hands: Hands, html: str) -> None:
    await hands.show(html)
    target = hands.one("b")
    done = await hands.do(act.TypeText(text="x", point=target.point), target)
    assert (done.status, "no text" in done.message) == ("failed", True)


async def test_each_key_is_seen_by_the_page(hands: Hands) -> None:
    await hands.show("""<input aria-label=field onkeydown="seen.push(event.key)">
      <script>const seen = [];</script>""")
    field = hands.one("field")
    await hands.do(act.TypeText(text="a b1", point=field.point), field)
    assert await hands.js("seen.join('')") == "a b1"
