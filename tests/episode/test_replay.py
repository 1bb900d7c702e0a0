"""The replay page in a real browser."""

from __future__ import annotations

import base64
import io
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from openvenus.action import (
    Action,
    AskUser,
    Box,
    Click,
    Drag,
    Finish,
    Gesture,
    Hotkey,
    Point,
    Press,
    Scroll,
    Select,
    Sequence,
    TypeText,
    Wait,
)
from openvenus.device.web import find_chromium
from openvenus.episode import (
    Decision,
    Dialog,
    Effect,
    EpisodeWriter,
    Observation,
    ParseFailure,
    Ruling,
    Step,
    Task,
    Usage,
    Verdict,
    write_replay,
)
from openvenus.errors import EpisodeFormatError, UsageError
from openvenus.screen import Element, ElementTree, Frame
from tests.episode.records import FORM, seen, step
from tests.episode.test_store import write

HOSTILE = (
    "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 2'>"
    "<!--<script> \"'` @@SCRIPT@@ &lt;b&gt; \u2028 \x00 \u202e \ud83d {{7*7}} ]]>"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    flags = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(find_chromium()), args=flags)
        yield chromium
        chromium.close()


class Opened:
    """A replay in a page, with all that went on in it besides showing."""

    def __init__(self, browser: Browser, file: Path, **context: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | context)
        self.page: Page = self.context.new_page()
        self.noise: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.noise.append(f"{m.type}: {m.text}"))
        self.page.on("pageerror", lambda e: self.noise.append(str(e)))
        self.page.on("dialog", lambda d: self.noise.append(f"dialog: {d.message}"))
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.goto(file.as_uri())

    def text(self, selector: str = "body") -> str:
        return self.page.inner_text(selector)

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        wider: int = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return wider


@pytest.fixture
def opened(browser: Browser) -> Iterator[Any]:
    pages: list[Opened] = []

    def start(file: Path, **context: Any) -> Opened:
        pages.append(Opened(browser, file, **context))
        return pages[-1]

    yield start
    for one in pages:
        assert one.noise == []
        assert all(url.startswith(("file:", "data:")) for url in one.requests)
        one.context.close()


def picture(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(out, "PNG")
    return out.getvalue()


def record(root: Path, *steps: Step, final: Observation | None = None, **end: Any) -> Path:
    with EpisodeWriter.create(root, Task("Send the form"), "policy", "device") as writer:
        for one in steps:
            writer.write_step(one)
        writer.finish(
            **{
                "outcome": "claimed_done",
                "reason": "",
                "answer": "",
                "final": final,
                "verdict": None,
                "notes": (),
                "ended": None,
            }
            | end
        )
    return writer.path


def acted(action: Any) -> Step:
    return replace(step(0, picture("white")), decision=Decision(action))


def test_one_file_holds_all(tmp_path: Path, opened: Any) -> None:
    path = write(tmp_path)
    out = write_replay(path)
    assert out == path / "replay.html"
    page = out.read_text("utf-8")
    loaded = re.findall(r"""(?:src|href)\s*=\s*["']([^"']+)""", page)
    assert loaded == ["data:,"]
    assert "@@" not in page
    replay = opened(out)
    shown = replay.text()
    for words in ("Send the form as Ann", "success", "claimed done", "policy", "rule:sent"):
        assert words in shown
    assert replay.page.locator(".cell").count() == 4
    assert all(url.startswith(("file:", "data:")) for url in replay.requests)


def test_each_image_is_in_the_file_once(tmp_path: Path, opened: Any) -> None:
    red, blue = picture("red"), picture("blue")
    steps = [step(i, red if i % 2 else blue) for i in range(6)]
    out = write_replay(record(tmp_path, *steps, final=seen(red)))
    page = out.read_text()
    for image in (red, blue):
        assert page.count(base64.b64encode(image).decode()) == 1
    replay = opened(out)
    sizes = replay.page.evaluate(
        "Promise.all([...document.images].map(i => i.decode().then(() => i.naturalWidth)))"
    )
    assert sizes == [64, 64]


def hostile_run(root: Path) -> Path:
    x = HOSTILE
    dialog = Dialog(x, x, x, x)
    element = Element(x, x, Box(0, 0, 500, 500), x, x, x, x, hint=x, clickable=True)
    frame = Frame(x, 64, 48, 64, 48, image=picture("white"), media_type="image/png")
    odd_frame = replace(frame, media_type=f'image/png" id="x">{x}')
    seen = Observation(frame, ElementTree([element]), x, x, x, (x, x), (dialog,), x, extra={x: x})
    text = x.replace("\ud83d", "")
    effect = Effect("failed", x, True, (x,), (dialog,), point=Point(0, 0))
    ruling = Ruling("deny", x, x, x, x)
    with EpisodeWriter.create(root, Task(x, x, x, provenance={x: x}), x, x) as writer:
        actions: tuple[Action, ...] = (
            Sequence(actions=(TypeText(text=text, point=Point(9, 9)), AskUser(question=text))),
            Select(label=(text,)),
            Finish(answer=text),
        )
        for i, action in enumerate(actions):
            decision = Decision(action, x, x, x, x, Usage(1, 2))
            writer.write_step(Step(i, seen, decision, None, ruling, effect, x, {x: 1.0}))
        failure = ParseFailure(x, x, 12)
        writer.write_step(Step(3, replace(seen, frame=odd_frame), failure=failure, feedback=x))
        writer.finish(
            outcome="denied",
            reason=x,
            answer=x,
            final=seen,
            verdict=Verdict("failure", 0.5, x, 0.0, (x,), {x: x}),
            notes=(x,),
            ended=None,
        )
    return writer.path


def test_hostile_text_is_only_shown(tmp_path: Path, opened: Any) -> None:
    replay = opened(write_replay(hostile_run(tmp_path)))
    page = replay.page
    page.keyboard.press("e")
    for _ in range(4):
        # Everything folded is opened, and every button of the step is pressed.
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        page.fill(".elements input", "<img")
        page.mouse.move(300, 400)
        assert page.evaluate("window.ran") is None
        assert page.locator("img[src=x], img[onerror]").count() == 0
        page.locator(".toolbar h2").click()
        page.keyboard.press("ArrowRight")
    assert page.locator("body script:not([type])").count() == 1
    heading = page.evaluate("document.querySelector('h1').textContent")
    assert heading == HOSTILE
    assert "onerror='window.ran = 2'" in replay.text("#step")
    assert page.title().startswith("</script><script>window.ran = 1</script><img src=x")


def test_the_security_policy_lets_nothing_else_run(tmp_path: Path, browser: Browser) -> None:
    replay = Opened(browser, write_replay(write(tmp_path)))
    ran = replay.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = 1";
            document.body.append(script);
            document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = 2'>");
            return new Promise((done) => setTimeout(() => done(window.ran), 100));
        }"""
    )
    assert ran is None
    assert any("Content Security Policy" in line for line in replay.noise)
    replay.context.close()


def test_keys_and_clicks_go_through_the_steps(tmp_path: Path, opened: Any) -> None:
    replay = opened(write_replay(write(tmp_path)))
    page = replay.page

    def current() -> str:
        heading: str = page.inner_text(".toolbar h2")
        assert page.inner_text('.cell[aria-current="step"] .number') in heading
        return heading.partition(" ·")[0]

    seen_steps = [current()]
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
        page.keyboard.press(key)
        seen_steps.append(current())
    assert [s[-1] for s in seen_steps] == ["0", "1", "2", "1", "3", "3", "0", "0"]
    page.locator(".cell").nth(2).click()
    assert current() == "Step 2"
    page.get_by_label("next step").click()
    assert current() == "Step 3"
    assert page.get_by_label("next step").is_disabled()
    page.reload()
    assert current() == "Step 3", "the address keeps the step"


def test_before_and_after(tmp_path: Path, opened: Any) -> None:
    steps = (replace(step(0), observation=replace(seen(), title="first")), step(1))
    out = write_replay(record(tmp_path, *steps, final=replace(seen(), title="last")))
    replay = opened(out)
    assert replay.page.locator(".shot").count() == 2
    assert replay.page.locator(".shot .place").all_inner_texts() == [
        "first\nhttps://example.org/form",
        "Form\nhttps://example.org/form",
    ]
    replay.page.keyboard.press("End")
    assert "last" in replay.text(".shot:nth-child(2)")
    replay.page.get_by_role("button", name="After").click()
    assert replay.page.locator(".shot").count() == 1


@pytest.mark.parametrize(
    ("action", "drawn", "words"),
    [
        (Click(point=Point(0, 0)), "circle.line", ""),
        (Click(point=Point(500, 500)), "circle.line", ""),
        (Drag(start=Point(0, 0), end=Point(900, 900)), "polyline.line", ""),
        (Scroll(direction="left", amount=2), ".wide polyline.line", "scroll left 2"),
        (Gesture(paths=((Point(1, 1), Point(9, 9)), (Point(5, 5),))), "polyline.line", ""),
        (TypeText(text="Ann\nBob", point=Point(300, 125)), "circle.solid", "Ann Bob"),
        (Select(label=("One", "Two"), point=Point(300, 125)), "circle.solid", "One, Two"),
    ],
)
def test_actions_are_drawn_where_they_are(
    tmp_path: Path, opened: Any, action: Action, drawn: str, words: str
) -> None:
    page = opened(write_replay(record(tmp_path, acted(action)))).page
    stage = page.locator(".shot:first-child .stage")
    assert stage.locator(drawn).count() >= 1
    assert words in stage.inner_text()
    point = getattr(action, "point", None)
    if point is not None:
        mark, box = stage.locator(drawn).first.bounding_box(), stage.bounding_box()
        assert mark is not None
        assert box is not None
        where = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
        meant = (
            box["x"] + box["width"] * point.x / 1000,
            box["y"] + box["height"] * point.y / 1000,
        )
        assert where == pytest.approx(meant, abs=1.5)
    assert page.locator(".shot:nth-child(2) svg *").count() == 0


@pytest.mark.parametrize(
    ("action", "chips"),
    [
        (Hotkey(keys=("Control", "a")), ["Control", "a"]),
        (Press(key="Enter", repeat=3), ["Enter", "× 3"]),
        (Wait(seconds=2), ["wait 2.00 s"]),
        (Finish(answer="42"), ["finish: “42”"]),
    ],
)
def test_actions_without_a_place_have_a_chip(
    tmp_path: Path, opened: Any, action: Action, chips: list[str]
) -> None:
    replay = opened(write_replay(record(tmp_path, acted(action))))
    shown = replay.text(".shot:first-child .chips")
    assert all(chip in shown for chip in chips)


def test_a_step_says_all_that_is_known(tmp_path: Path, opened: Any) -> None:
    decision = Decision(Click(), "I think.", "send", "so be it", "RAW", Usage(7, 8), 0.1, 0.25, 0.9)
    full = replace(
        step(0),
        observation=replace(seen(), dialogs=(Dialog("confirm", "Sure?"),)),
        decision=decision,
        ruling=Ruling("confirm", "rule 7", "purchase", "it costs", "approval 1"),
        effect=Effect("done", "a message", False, ("nothing moved",), navigated=True),
        feedback="do better",
    )
    broken = Step(1, seen(), failure=ParseFailure("no brace", '{"a" 1}', 5))
    replay = opened(write_replay(record(tmp_path, full, broken)))
    shown = replay.text("#step")
    for words in (
        "I think.", "so be it", "button “Send”", "25 %", "90 %", "rule 7", "purchase", "it costs",
        "approval 1", "done, nothing changed", "a message", "nothing moved", "navigated",
        "do better", "Sure?", "7 tokens in, 8 out", "perform", '"type": "click"',
    ):  # fmt: skip
        assert words in shown, words
    replay.page.keyboard.press("ArrowRight")
    assert "no brace" in replay.text("#step")
    assert replay.text("mark") == "1"


def test_elements_are_listed_and_drawn_on_demand(tmp_path: Path, opened: Any) -> None:
    hidden = Element("h", "option", Box(0, 0, 9, 9), "Hidden", native=True)
    tree = ElementTree([*FORM, hidden])
    page = opened(
        write_replay(record(tmp_path, replace(step(0), observation=seen(tree=tree))))
    ).page
    assert page.locator("tbody tr").count() == page.locator("rect.element").count() == 0
    page.keyboard.press("e")
    assert page.locator("tbody tr").count() == 4
    assert page.locator(".shot:first-child rect.element").count() == 3
    page.locator("rect.element").nth(2).click()
    assert page.locator("tr.pointed").inner_text().startswith("button\tSend")
    page.fill(".elements input", "pass")
    assert page.locator("tbody tr").count() == 1
    page.keyboard.type("w")
    assert page.locator("tbody tr").count() == 1, "typing goes on in the filter"
    page.locator(".toolbar h2").click()
    page.keyboard.press("e")
    assert page.locator("rect.element").count() == 0


def test_without_images_boxes_stand_on_an_empty_frame(tmp_path: Path, opened: Any) -> None:
    page = opened(write_replay(record(tmp_path, step(0), step(1)))).page
    assert page.locator("img").count() == 0
    assert page.locator(".stage.bare").count() == 2
    box = page.locator(".stage").first.bounding_box()
    assert box["width"] / box["height"] == pytest.approx(64 / 48, rel=0.02)
    assert page.locator("rect.target").count() == 1


def test_a_long_episode_shows_one_step_at_a_time(tmp_path: Path, opened: Any) -> None:
    many = ElementTree(
        Element(f"e{i}", "link", Box(i, i, i + 9, i + 9), f"Link {i}") for i in range(300)
    )
    steps = [replace(step(i), observation=seen(picture("red"), many)) for i in range(200)]
    page = opened(write_replay(record(tmp_path, *steps))).page
    assert page.locator(".cell").count() == 200
    assert page.evaluate("document.querySelectorAll('*').length") < 1500
    page.keyboard.press("End")
    page.keyboard.press("e")
    assert "Step 199" in page.inner_text(".toolbar")
    assert page.locator("tbody tr").count() == 200
    page.get_by_role("button", name="Show all 300").click()
    assert page.locator("tbody tr").count() == 300
    assert page.locator(".cell").last.is_visible()


def test_an_episode_that_broke_off_is_shown(tmp_path: Path, opened: Any) -> None:
    path = write(tmp_path)
    file = path / "episode.jsonl"
    file.write_bytes(file.read_bytes()[:-300])
    replay = opened(write_replay(path))
    assert "broke off" in replay.text(".badges")
    assert "is incomplete" in replay.text("header")


@pytest.mark.parametrize("final", [None, seen()])
def test_an_episode_without_steps_is_shown(
    tmp_path: Path, opened: Any, final: Observation | None
) -> None:
    path = record(tmp_path, final=final, outcome="device_fault", reason="no such page")
    replay = opened(write_replay(path))
    replay.page.keyboard.press("ArrowRight")
    assert "No step was recorded." in replay.text()
    assert "no such page" in replay.text()
    assert replay.page.locator(".shot").count() == (final is not None)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen(tmp_path: Path, opened: Any, scheme: str) -> None:
    replay = opened(write_replay(hostile_run(tmp_path)), color_scheme=scheme)
    replay.page.keyboard.press("e")
    for width in (320, 390, 768, 1280, 2560):
        replay.page.set_viewport_size({"width": width, "height": 800})
        assert replay.overflow() <= 0, width
    back = replay.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (int(re.findall(r"\d+", back)[0]) < 128) == (scheme == "dark")


def test_where_the_page_goes(tmp_path: Path) -> None:
    path = write(tmp_path / "runs")
    assert write_replay(path / "episode.jsonl") == path / "replay.html"
    assert write_replay(path, tmp_path / "new" / "page.html") == tmp_path / "new" / "page.html"
    assert write_replay(str(path), str(tmp_path)) == tmp_path / "replay.html"
    assert not list(tmp_path.rglob("*.part"))
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="the replay can't be written to"):
        write_replay(path, tmp_path / "file" / "page.html")
    with pytest.raises(EpisodeFormatError, match=r"holds no episode\.jsonl"):
        write_replay(tmp_path)
