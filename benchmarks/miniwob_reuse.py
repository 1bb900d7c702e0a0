"""Which MiniWoB++ pages start as if loaded anew after any episode in the same tab?

Loading a page anew costs ten times as much as starting an episode on a page that is open, but
some pages keep handlers, timers or values from one episode to the next. This plays the same
random input in two tabs, one loaded anew before each episode, one never, and compares what the
pages hold after each action: markup, values, handlers, timers, random numbers and rewards. Any
difference that does not pass within a moment makes a page one to be loaded anew.

    python benchmarks/miniwob_reuse.py                       all pages, prints the list
    python benchmarks/miniwob_reuse.py --pages click-test    one page
    python benchmarks/miniwob_reuse.py --write               puts the list into pages.json
    python benchmarks/miniwob_reuse.py --again --salt 2 --episodes 30 --steps 8 --write
                                                             tries those of the list harder
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, async_playwright

from openvenus.device.web import find_chromium
from openvenus.tasks.miniwob import find_pages

PAGES_JSON = Path(__file__).parents[1] / "src/openvenus/tasks/miniwob/pages.json"
START = PAGES_JSON.with_name("start.js").read_text(encoding="utf-8")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Counts timers that are waiting, by the episode they were set in.
TIMERS = """
(() => {
  const waiting = new Map();
  window.__waiting = waiting;
  window.__era = 0;
  for (const [set, clear] of [["setTimeout", "clearTimeout"], ["setInterval", "clearInterval"]]) {
    const native = window[set].bind(window), off = window[clear].bind(window);
    window[set] = (f, ms, ...rest) => {
      const once = set === "setTimeout";
      const id = native((...a) => { if (once) waiting.delete(id); return f(...a); }, ms, ...rest);
      waiting.set(id, window.__era);
      return id;
    };
    window[clear] = (id) => { waiting.delete(id); off(id); };
  }
})();
"""

# All that a page holds, without what only counts episodes.
DUMP = """
() => {
  const skip = new Set(["reward-display", "click-canvas", "sync-task-cover",
    "openvenus-scaffolding"]);
  const jq = window.jQuery;
  const handlers = (e) => {
    const data = jq && jq._data ? jq._data(e, "events") : null;
    return data ? Object.keys(data).sort().map((k) => k + data[k].length).join() : "";
  };
  const walk = (e) => {
    if (e.nodeType === 3) return e.data;
    if (e.nodeType !== 1 || skip.has(e.id)) return "";
    const attributes = [...e.attributes]
      .filter((a) => !/^data-(tampered|wob)/.test(a.name) && !/^jquery\\d/i.test(a.name))
      .map((a) => a.name + "=" + a.value).sort().join(" ");
    const state = [e.value, e.checked, e.selectedIndex, e.scrollTop, e.scrollLeft, e.disabled]
      .filter((v) => v !== undefined).join(",");
    return "<" + e.tagName + " " + attributes + " {" + state + "} " + handlers(e) + ">"
      + [...e.childNodes].map(walk).join("") + "</>";
  };
  const stale = [...window.__waiting].filter(([id, era]) =>
    era < window.__era && id !== core.EP_TIMER && id !== core.CD_TIMER).length;
  return {
    body: walk(document.body),
    outside: handlers(document) + handlers(window),
    active: document.activeElement ? document.activeElement.tagName : "",
    selection: String(window.getSelection()),
    stale,
    done: WOB_DONE_GLOBAL,
    raw: WOB_RAW_REWARD_GLOBAL,
    random: Math.random(),
  };
}
"""

# Centres of what could be clicked, within the window.
PLACES = """
() => [...document.querySelectorAll("#wrap *, body > div:not(#wrap) *")]
  .filter((e) => e.closest("#reward-display, #sync-task-cover, #query") === null)
  .filter((e) => e.children.length === 0 || /^(BUTTON|A|LABEL|LI|svg|TD)$/.test(e.tagName))
  .map((e) => [e.getBoundingClientRect(), e])
  .filter(([r]) => r.width > 0 && r.height > 0 && r.top < innerHeight && r.left < innerWidth
    && r.bottom > 0 && r.right > 0)
  .map(([r, e]) => [r.left + r.width / 2, r.top + r.height / 2,
    /submit|ok|search|button/i.test(e.textContent + e.id + e.tagName) ? 3 : 1])
"""


class Tab:
    """One page with the measuring scripts in it."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.page = page
        self._cdp = cdp

    @classmethod
    async def open(cls, browser: Browser) -> Tab:
        context = await browser.new_context(viewport={"width": 500, "height": 320})
        await context.add_init_script(TIMERS)
        page = await context.new_page()
        page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
        return cls(page, await context.new_cdp_session(page))

    async def start(self, url: str, seed: int) -> dict[str, Any]:
        # Where the pointer is left is the device's affair, not the page's.
        await self.page.mouse.move(499, 319)
        order = {"url": url, "seed": seed, "lifted_ms": 3_600_000, "patience_ms": 5_000}
        await self.page.evaluate("window.__era++")
        started: dict[str, Any] = await self.page.evaluate(START, order)
        return started

    async def dump(self) -> dict[str, Any]:
        held: dict[str, Any] = await self.page.evaluate(DUMP)
        held["native"] = await self._listeners()
        return held

    async def _listeners(self) -> int:
        """Number of native event listeners in the page."""
        root = await self._cdp.send("Runtime.evaluate", {"expression": "document"})
        found = await self._cdp.send(
            "DOMDebugger.getEventListeners",
            {"objectId": root["result"]["objectId"], "depth": -1, "pierce": True},
        )
        await self._cdp.send("Runtime.releaseObject", {"objectId": root["result"]["objectId"]})
        return len(found["listeners"])

    async def do(self, step: tuple[Any, ...]) -> None:
        mouse = self.page.mouse
        match step:
            case ("click", x, y):
                await mouse.click(x, y)
            case ("drag", x, y, to_x, to_y):
                await mouse.move(x, y)
                await mouse.down()
                await mouse.move((x + to_x) / 2, (y + to_y) / 2)
                await mouse.move(to_x, to_y)
                await mouse.up()
            case ("type", text):
                await self.page.keyboard.type(text)
            case ("key", key):
                await self.page.keyboard.press(key)


def choose(rng: random.Random, places: list[list[float]]) -> tuple[Any, ...]:
    kind = rng.choices(("click", "drag", "type", "key"), (10, 1, 2, 1))[0]
    weights = [w for _, _, w in places]
    if places and kind in ("click", "drag"):
        x, y, _ = rng.choices(places, weights)[0]
        if kind == "click":
            return ("click", x, y)
        to_x, to_y, _ = rng.choice(places)
        return ("drag", x, y, to_x, to_y)
    return ("key", rng.choice(("Tab", "Enter"))) if kind == "key" else ("type", "ab1")


async def alike(one: Tab, other: Tab, patience: float = 1.2) -> str:
    """Empty when both hold the same within the time; otherwise what differs."""
    until = time.monotonic() + patience
    while True:
        # The random number that the dump draws keeps both in step.
        a, b = await one.dump(), await other.dump()
        different = [k for k in a if k != "stale" and a[k] != b[k]]
        if b["stale"]:
            different.append("stale")
        if not different:
            return ""
        if time.monotonic() > until:
            if "body" in different:
                return f"{different}: {first_difference(a['body'], b['body'])}"
            return f"{different}: {[(a[k], b[k]) for k in different]}"
        await asyncio.sleep(0.08)


def first_difference(a: str, b: str) -> str:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
    return f"{a[max(0, at - 60) : at + 40]!r} / {b[max(0, at - 60) : at + 40]!r}"


async def judge(fresh: Tab, worn: Tab, name: str, url: str, options: argparse.Namespace) -> str:
    """Empty when the page may be used again; otherwise what differed."""
    rng = random.Random(f"{name}{options.salt}")
    episodes, steps = options.episodes, options.steps
    await worn.page.goto(url)
    for episode in range(episodes):
        seed = rng.randrange(1_000)
        await fresh.page.goto(url)
        a, b = await fresh.start(url, seed), await worn.start(url, seed)
        if a != b:
            return f"episode {episode}: started differently: {a} / {b}"
        for step in range(steps + 1):
            if difference := await alike(fresh, worn):
                return f"episode {episode}, step {step}: {difference}"
            if step == steps or await fresh.page.evaluate("WOB_DONE_GLOBAL"):
                break
            action = choose(rng, await fresh.page.evaluate(PLACES))
            await asyncio.gather(fresh.do(action), worn.do(action))
    return ""


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", help="names separated by commas; all without it")
    parser.add_argument("--episodes", type=int, default=14)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--salt", default="", help="another one gives other random input")
    parser.add_argument("--again", action="store_true", help="only pages of the present list")
    parser.add_argument("--write", action="store_true", help="write the list into pages.json")
    options = parser.parse_args()
    pages = find_pages()
    facts = json.loads(PAGES_JSON.read_text(encoding="utf-8"))
    names = options.pages.split(",") if options.pages else list(pages)
    names = [n for n in names if not options.again or n in facts["reusable"]]
    reusable = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(), args=list(FLAGS)
        )
        fresh, worn = await Tab.open(browser), await Tab.open(browser)
        for name in names:
            try:
                difference = await judge(fresh, worn, name, pages[name].as_uri(), options)
            except Exception as error:
                difference = f"{type(error).__name__}: {error}".splitlines()[0]
            print(f"{name}: {difference or 'reusable'}", file=sys.stderr, flush=True)
            if not difference:
                reusable.append(name)
        await browser.close()
    if options.write:
        facts["reusable"] = sorted((set(facts["reusable"]) - set(names)) | set(reusable))
        PAGES_JSON.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(reusable))


if __name__ == "__main__":
    asyncio.run(main())
