"""`venus demo`: the embedded policy does a dozen small tasks."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openvenus.cli._policy import PolicyFlags, PolicyKind, WeightsOption
from openvenus.cli._replay import open_page
from openvenus.cli._show import report_text

if TYPE_CHECKING:
    from openvenus.bench import Report

TASKS = (
    "click-button",
    "click-checkboxes",
    "click-collapsible",
    "click-color",
    "click-dialog-2",
    "click-option",
    "click-tab-2",
    "choose-list",
    "email-inbox-delete",
    "enter-password",
    "enter-text",
    "login-user",
    "navigate-tree",
    "search-engine",
)
_EPISODE_SECONDS = 10.0
"""Most seconds of each; mostly it is one or two."""
_CODES = {"device_fault": 4, "policy_fault": 5}


def demo(
    weights: WeightsOption = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Which variants of the tasks.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for results, records and replay pages.")
    ] = None,
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the pages when there is a display.")
    ] = True,
) -> None:
    """Watch the embedded policy do a dozen MiniWoB++ tasks in a real browser.

    Needs no key, no network and less than a minute. Writes a page for each episode on which
    every step can be seen; what fails shows as failed.

    Example: venus demo --seed 7
    """
    from openvenus.bench import BenchSettings, ResultStore, default_workers, make_plan
    from openvenus.cli._bench import BenchWork
    from openvenus.cli._pages import write_pages
    from openvenus.episode import Limits
    from openvenus.tasks import load_suite

    suite = load_suite("miniwob")
    plan = make_plan(suite, tasks=TASKS, seeds=1, seed_offset=seed)
    flags = PolicyFlags(PolicyKind.embedded, weights)
    policy = flags.open()
    folder = out or Path("runs") / f"demo-{time.strftime('%Y%m%d-%H%M%S')}"
    limits = Limits(max_steps=15, step_seconds=_EPISODE_SECONDS, episode_seconds=_EPISODE_SECONDS)
    settings = {"demo": True, "suite_version": suite.version, **flags.identity(policy)}
    print(f"{policy.name} does {len(plan.variants)} tasks...", file=sys.stderr)
    with ResultStore(folder, settings) as store:
        work = BenchWork(
            suite=suite,
            policy=policy,
            plan=plan,
            settings=BenchSettings(limits=limits, images=True),
            workers=max(2, min(default_workers(), 4)),
            store=store,
            record=folder / "episodes",
            each=True,
        )
        report = work.run()
        store.write_report(report.to_dict())
    print(report_text(report))
    print("\nWriting the replay pages...", file=sys.stderr)
    index = write_pages(report, folder / "replays")
    print()
    for page in sorted(index.parent.glob("*.html")):
        if page != index:
            print(f"replay: {page}")
    print(f"all of them: {index}")
    if show:
        open_page(index)
    raise typer.Exit(_exit_code(report))


def _exit_code(report: Report) -> int:
    """0 when anything was done and nothing but the policy's mistakes went wrong."""
    for result in report.results:
        if result.outcome in _CODES:
            return _CODES[result.outcome]
    return 0 if report.total.success > 0 else 1
