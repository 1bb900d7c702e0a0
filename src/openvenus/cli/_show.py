"""Progress and tables of benchmarks, for terminals and for logs."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress, TaskID

    from openvenus.bench import Report, Result, TaskReport

_HEAD = ("task", "episodes", "success", "95 % interval", "full", "reward", "steps", "failures")
_LINE_SECONDS = 5.0
"""A log gets a line this often, at most."""


class BenchProgress:
    """Live progress on standard error: a bar on a terminal, a line now and then elsewhere.

    Args:
        title: what is run.
        total: episodes wanted in the end.
        done: episodes that are there already.
        each: also tell of every episode on a line of its own.
    """

    def __init__(self, title: str, total: int, done: int = 0, *, each: bool = False) -> None:
        self._title = title
        self._total = total
        self._done = done
        self._each = each
        self._fresh = 0
        self._successes = 0
        self._steps = 0
        self._started = self._said = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> BenchProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[said]}"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                redirect_stdout=False,
            )
            self._task = self._bar.add_task(
                self._title, total=self._total, completed=self._done, said=""
            )
            self._bar.start()
        else:
            there = f", {self._done} of them are there already" if self._done else ""
            self.say(f"{self._title}: {self._total} episodes{there}")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._fresh and self._said < time.monotonic():
            self.say(self._line())

    def see(self, result: Result, done: int, total: int) -> None:
        """Show one more result."""
        self._fresh += 1
        self._successes += result.success
        self._steps += result.steps
        self._done = done
        if self._each:
            self.say(result_line(result))
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, said=self._rates())
        elif not self._each and time.monotonic() - self._said >= _LINE_SECONDS:
            self._said = time.monotonic()
            self.say(self._line())

    def say(self, text: str) -> None:
        """One line, above the bar where there is one."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def _rates(self) -> str:
        seconds = max(time.monotonic() - self._started, 1e-9)
        return (
            f"success {self._successes / self._fresh:.2f}, {self._fresh / seconds:.1f} episodes/s,"
            f" {self._steps / seconds:.0f} steps/s"
        )

    def _line(self) -> str:
        return f"{self._done}/{self._total} episodes, {self._rates()}"


def result_line(result: Result) -> str:
    """One line about one episode."""
    mark = "done  " if result.success else "FAILED"
    why = "" if result.success else f"  [{result.cause}]"
    partly = "  (part of the reward)" if result.success and not result.full else ""
    return (
        f"{mark}  {result.task}  {result.steps} steps, {result.seconds:.1f} s{why}{partly}"
        f"  {result.instruction}"
    )


def report_text(report: Report) -> str:
    """Table of the tasks, the whole, and the failures by cause."""
    rows: list[tuple[str, ...]] = [_HEAD]
    rows += [_row(name, task) for name, task in report.tasks.items()]
    rows.append(_row("all", report.total))
    lines = _table(rows)
    if report.total.causes:
        lines += ["", "Failures by cause:"]
        lines += [f"  {count:5d}  {cause}" for cause, count in report.total.causes.items()]
    lines += [
        "",
        f"{report.policy} on {report.suite} {report.suite_version}, seeds "
        f"{report.plan.seed_offset} to {report.plan.seed_offset + report.plan.seeds - 1}",
    ]
    if report.ran:
        lines.append(
            f"{report.ran} episodes in {report.seconds:.1f} s: "
            f"{report.episodes_per_second:.1f} episodes/s, {report.steps_per_second:.1f} steps/s "
            f"with {report.workers} at once"
        )
    return "\n".join(lines)


def _row(name: str, task: TaskReport) -> tuple[str, ...]:
    low, high = task.interval
    causes = list(task.causes.items())
    why = f"{causes[0][1]} {causes[0][0]}" if causes else ""
    more = f" +{sum(n for _, n in causes[1:])}" if len(causes) > 1 else ""
    return (
        name,
        str(task.episodes),
        f"{task.success:.2f}",
        f"{low:.2f} - {high:.2f}",
        f"{task.full_reward:.2f}",
        f"{task.raw_reward:+.2f}",
        f"{task.steps:.1f}",
        why + more,
    )


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    left = {0, len(widths) - 1}
    lines = []
    for number, row in enumerate(rows):
        cells = [
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
        if number == 0 or number == len(rows) - 2:
            lines.append("-" * (sum(widths) + 2 * len(widths) - 2))
    return lines
