"""The figures that the project holds itself to, measured on this machine.

    python benchmarks/run.py             a table
    python benchmarks/run.py --json      one JSON object
    python benchmarks/run.py --only import,loop

Each figure comes with its limit and their ratio; below 1 is good. They are measured, not tested:
on a busy machine all of them are worse.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import loop_overhead

from openvenus.action import Click
from openvenus.bench import BenchSettings, default_workers, make_plan, run_suite
from openvenus.device.web import Browser, WebOptions
from openvenus.episode import Decision, Limits
from openvenus.policy import Situation
from openvenus.tasks import load_suite

PAGES = ("click-button", "click-test", "click-test-2", "focus-text")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number; `limit` and `ratio` are None where there is no limit."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    ratio: float | None = None
    note: str = ""


def figure(
    name: str, value: float, unit: str, limit: float | None = None, note: str = ""
) -> Figure:
    return Figure(name, round(value, 4), unit, limit,
                  round(value / limit, 3) if limit else None, note)  # fmt: skip


def milliseconds(samples: list[float]) -> float:
    """Median of seconds, as milliseconds."""
    return statistics.median(samples) * 1000


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    await call()
    return time.perf_counter() - started


def import_time() -> list[Figure]:
    """Starting Python with the package, without what Python itself takes."""

    def start(code: str) -> float:
        best = float("inf")
        for _ in range(7):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            best = min(best, time.perf_counter() - started)
        return best

    bare = start("pass")
    contracts = "import openvenus.agent, openvenus.device, openvenus.policy, openvenus.tasks"
    return [
        figure("import openvenus", start("import openvenus") - bare, "s", 0.5, "best of 7"),
        figure("import every contract", start(contracts) - bare, "s", 0.5, "best of 7"),
        figure("venus --help", start(
            "from openvenus.cli._main import start; import os, sys;"
            "sys.stdout = open(os.devnull, 'w'); start(['--help'])") - bare, "s"),
    ]  # fmt: skip


def loop() -> list[Figure]:
    """The loop's own share of a step."""
    plain = asyncio.run(loop_overhead.measure(50, None))
    return [figure("loop overhead per step", plain[0], "ms", 3.0, "median of 300, 50 elements")]


async def page() -> list[Figure]:
    """Reading a page with 500 elements, and taking its picture."""
    buttons = "".join(f"<button>Button {i}</button> " for i in range(499))
    browser = await Browser.launch(WebOptions(settle_quiet=0.0, max_elements=1000))
    try:
        device = await browser.new_device()
        await device.open("about:blank")
        await device.evaluate(
            "html => { document.body.style.fontSize = '9px'; document.body.innerHTML = html; }",
            f"<h1>Many</h1>{buttons}",
        )
        seen = await device.observe(image=False)
        plain: list[float] = []
        pictured: list[float] = []
        raw: list[float] = []
        session = await device.page.context.new_cdp_session(device.page)
        order = {"format": "png", "captureBeyondViewport": False, "optimizeForSpeed": True}
        for _ in range(25):
            plain.append(await timed(lambda: device.observe(image=False)))
            pictured.append(await timed(device.observe))
            raw.append(await timed(lambda: session.send("Page.captureScreenshot", order)))
        picture = milliseconds(pictured) - milliseconds(plain)
        return [
            figure("elements of a page", milliseconds(plain), "ms", 15.0,
                   f"{len(seen.elements)} elements, median of 25, no wait for quiet"),
            figure("screenshot", picture, "ms", 1.3 * milliseconds(raw), "1280 x 800"),
            figure("screenshot by raw CDP", milliseconds(raw), "ms"),
        ]  # fmt: skip
    finally:
        await browser.close()


class FirstTarget:
    """A script, not a policy: clicks what the instruction names, or else the first thing."""

    name = "scripted"

    async def propose(self, situation: Situation) -> Decision:
        usable = [
            e for e in situation.observation.elements if e.point and (e.clickable or e.editable)
        ]
        asked = situation.task.instruction.lower()
        named = [e for e in usable if e.text and e.text.lower() in asked]
        target = (named or usable)[0]
        return Decision(Click(point=target.point), target=target.id)

    async def close(self) -> None:
        """Nothing to free."""


async def miniwob() -> list[Figure]:
    """Whole episodes through the loop, with element lists and without pictures."""
    suite = load_suite("miniwob")
    width, height = suite.viewport
    workers = 2 * default_workers()
    browser = await Browser.launch(WebOptions(width=width, height=height))
    try:
        plan = make_plan(suite, tasks=PAGES, seeds=25)
        settings = BenchSettings(limits=Limits(max_steps=5), images=False)
        report = await run_suite(
            suite, FirstTarget(), plan, browser.new_device, workers=workers, settings=settings
        )
    finally:
        await browser.close()
    note = f"{report.ran} episodes of {len(PAGES)} pages, {workers} at once"
    return [
        figure("MiniWoB++ episodes", report.episodes_per_second, "1/s", note=note),
        figure("MiniWoB++ steps", report.steps_per_second, "1/s", note=note),
        figure("success of the script", report.total.success, "", note=note),
    ]


PARTS: dict[str, Callable[[], list[Figure]]] = {
    "import": import_time,
    "loop": loop,
    "page": lambda: asyncio.run(page()),
    "miniwob": lambda: asyncio.run(miniwob()),
}


def main() -> None:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", help=f"parts with commas between them: {', '.join(PARTS)}")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(PARTS)
    if unknown := [n for n in names if n not in PARTS]:
        parser.error(f"no such part: {', '.join(unknown)}")
    figures: list[Figure] = []
    for name in names:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        figures += PARTS[name]()
    if options.json:
        print(json.dumps({"figures": [asdict(f) for f in figures]}))
        return
    for f in figures:
        limit = f"limit {f.limit:.3g}, ratio {f.ratio:.2f}" if f.limit is not None else ""
        print(f"{f.name:<26}{f.value:>10.3f} {f.unit:<4} {limit:<28}{f.note}".rstrip())


if __name__ == "__main__":
    main()
