"""`venus bench`: how well a policy does on a suite."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openvenus.cli._policy import (
    BaseUrlOption,
    KeyOption,
    ModelOption,
    PolicyFlags,
    PolicyKind,
    PolicyOption,
    WeightsOption,
)
from openvenus.cli._show import BenchProgress, report_text
from openvenus.cli._signals import Interrupted, run_interruptible
from openvenus.errors import UsageError

if TYPE_CHECKING:
    from openvenus.bench import BenchSettings, Plan, Report, ResultStore
    from openvenus.policy import Policy
    from openvenus.tasks import Suite


class ClockKind(StrEnum):
    """Whose clock ends an episode."""

    lifted = "lifted"
    published = "published"


def bench(
    suite: Annotated[str, typer.Argument(help="Which suite: miniwob.")],
    tasks: Annotated[
        str | None, typer.Option("--tasks", help="Names with commas between them; default: all.")
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Variants of each task.")] = 10,
    seed_offset: Annotated[
        int,
        typer.Option("--seed-offset", min=0, help="First seed. Training uses 1000000 and above."),
    ] = 0,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Most episodes, spread over the tasks.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=64, help="Pages at once; default: processors."),
    ] = None,
    policy: PolicyOption = PolicyKind.embedded,
    weights: WeightsOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    api_key_env: KeyOption = None,
    max_steps: Annotated[int, typer.Option(min=1, max=1000, help="Most steps of each.")] = 30,
    clock: Annotated[
        ClockKind,
        typer.Option(
            "--clock",
            help="lifted: slow policies may take their time. published: the pages' own time-out.",
        ),
    ] = ClockKind.lifted,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for results; the same one again goes on from there."),
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Keep all episodes, with a replay page for each.")
    ] = False,
    names: Annotated[bool, typer.Option("--list", help="Only list the tasks.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as one JSON object.")
    ] = False,
) -> None:
    """Measure a policy on a suite of tasks.

    Prints the success of each task with its 95 % Wilson interval, and failures by cause. Every
    result is on disk as soon as it is there: after Ctrl-C the same command with the same --out
    goes on.

    Example: venus bench miniwob --tasks click-test,login-user --seeds 20

    Example: venus bench miniwob --seeds 10 --out runs/all --json > report.json
    """
    from openvenus.bench import BenchSettings, ResultStore, default_workers, make_plan
    from openvenus.episode import Limits
    from openvenus.tasks import FIRST_TRAINING_SEED

    chosen = _suite(suite, clock)
    if names:
        _list(chosen)
        return
    plan = make_plan(
        chosen,
        tasks=_split(tasks) if tasks is not None else None,
        seeds=seeds,
        seed_offset=seed_offset,
        limit=limit,
    )
    if seed_offset + seeds > FIRST_TRAINING_SEED:
        _stderr(f"Note: policies may have been trained on seeds from {FIRST_TRAINING_SEED} on.")
    flags = PolicyFlags(policy, weights, base_url, model, api_key_env)
    opened = flags.open()
    images = record or flags.needs_images
    folder = out or Path("runs") / f"bench-{chosen.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    settings = {
        "suite": chosen.name,
        "suite_version": chosen.version,
        **flags.identity(opened),
        "max_steps": max_steps,
        "clock": clock.value,
        "viewport": list(chosen.viewport),
    }
    with ResultStore(folder, settings) as store:
        work = BenchWork(
            suite=chosen,
            policy=opened,
            plan=plan,
            settings=BenchSettings(limits=Limits(max_steps=max_steps), images=images),
            workers=workers or default_workers(),
            store=store,
            record=folder / "episodes" if record else None,
        )
        try:
            report = work.run()
        except Interrupted:
            _stderr(f"Results so far are kept; the same command goes on with: --out {folder}")
            raise
        except BaseException:
            if store.results:
                _stderr(f"Results so far are kept in {folder}")
            raise
        store.write_report(report.to_dict())
    said: dict[str, Any] = report.to_dict() | {"out": str(folder)}
    if record:
        from openvenus.cli._pages import write_pages

        index = write_pages(report, folder / "replays")
        said["replays"] = str(index)
    if as_json:
        print(json.dumps(said, ensure_ascii=False))
    else:
        print(report_text(report))
        print(f"results: {folder}")
        if record:
            print(f"replays: {said['replays']}")


@dataclass
class BenchWork:
    """All that one run of a benchmark needs, with a browser of its own."""

    suite: Suite
    policy: Policy
    plan: Plan
    settings: BenchSettings
    workers: int
    store: ResultStore | None = None
    record: Path | None = None
    each: bool = False
    """Tell of every episode on a line of its own."""

    def run(self) -> Report:
        """Run it on an event loop of its own, with progress on standard error.

        Raises:
            Interrupted: a signal came; what was done is in the store.
        """
        return run_interruptible(self._go())

    async def _go(self) -> Report:
        from openvenus.bench import run_suite
        from openvenus.cli._browsers import Browsers
        from openvenus.device.web import WebOptions

        width, height = self.suite.viewport
        wanted = set(self.plan.variants)
        there = {r.variant for r in self.store.results} if self.store is not None else set()
        progress = BenchProgress(self.suite.name, len(wanted), len(wanted & there), each=self.each)
        try:
            async with Browsers(WebOptions(width=width, height=height)) as browsers:
                with progress:
                    return await run_suite(
                        self.suite,
                        self.policy,
                        self.plan,
                        browsers.new_device,
                        workers=self.workers,
                        settings=self.settings,
                        store=self.store,
                        record=self.record,
                        on_result=progress.see,
                    )
        finally:
            await self.policy.close()


def _suite(name: str, clock: ClockKind) -> Suite:
    from openvenus.tasks import load_suite

    if name == "miniwob":
        from openvenus.tasks.miniwob import MiniwobSuite

        return MiniwobSuite(clock=clock.value)
    return load_suite(name)


def _split(text: str) -> list[str]:
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise UsageError("--tasks names no task", hint="as in: --tasks click-test,enter-text")
    return found


def _list(suite: Suite) -> None:
    from openvenus.tasks.miniwob import page_facts

    beyond = page_facts().beyond if suite.name == "miniwob" else {}
    for name in suite.tasks:
        print(f"{name}  (can't be solved: {beyond[name]})" if name in beyond else name)


def _stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
