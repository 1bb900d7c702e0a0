"""Running a suite on many pages at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

from openvenus.agent import AgentOptions, AgentPool, EpisodeEnded, Event, Job, NewDevice
from openvenus.bench._plan import Plan, Variant
from openvenus.bench._report import Report, make_report
from openvenus.bench._result import Result, not_set_up, result_of
from openvenus.bench._store import ResultStore
from openvenus.episode import Limits
from openvenus.errors import DeviceFault, PolicyFault
from openvenus.policy import Policy
from openvenus.tasks import Suite

FAULTS = frozenset({"device_fault", "policy_fault"})
"""Outcomes that a run which goes on from a store does not take as said: it tries again."""
FAULTS_IN_A_ROW = 12
"""So many faults without an episode in between end a run: nothing is to be learned any more."""

OnResult = Callable[[Result, int, int], None]
"""Told of each new result, with the number of results so far and of all that are wanted."""


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """How episodes are run; all that could change their results but suite and policy."""

    limits: Limits | None = None
    """Bounds of each episode; None takes the suite's own."""
    images: bool = True
    """Whether the policy is shown screenshots."""


def default_workers() -> int:
    """As many episodes at once as this process may use processors."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on macOS
        return max(1, os.cpu_count() or 1)


async def run_suite(
    suite: Suite,
    policy: Policy,
    plan: Plan,
    new_device: NewDevice,
    *,
    workers: int | None = None,
    settings: BenchSettings | None = None,
    store: ResultStore | None = None,
    record: Path | None = None,
    on_result: OnResult | None = None,
) -> Report:
    """Run what the plan wants and isn't in the store yet.

    Device faults are results like others (cause "device_fault", no success); the device is
    replaced and the run goes on. Only a later run with the same store tries such an episode
    again, and keeps both results in the file.

    Args:
        new_device: makes a page, once for each worker and again after a device fault.
        workers: episodes at once; by default one for each processor.
        record: folder for full records of the episodes.

    Raises:
        PolicyFault, DeviceFault: nothing but such faults for a dozen episodes, or no device
            could be made. What was done until then is in the store.
        asyncio.CancelledError: cancelled; what was done until then is in the store.
    """
    settings = settings or BenchSettings()
    workers = workers or default_workers()
    done = {r.variant: r for r in store.results} if store is not None else {}
    done = {v: r for v, r in done.items() if r.outcome not in FAULTS}
    todo = [v for v in plan.variants if v not in done]
    have = sum(v in done for v in plan.variants)
    fresh: list[Result] = []
    paths: dict[str, Path] = {}
    faults = _FaultWatch()
    started = time.monotonic()

    def watch(event: Event) -> None:
        if isinstance(event, EpisodeEnded) and event.path is not None:
            paths[event.episode.id] = event.path

    async with AgentPool(
        new_device,
        policy,
        size=min(workers, max(len(todo), 1)),
        record=record,
        options=AgentOptions(images=settings.images),
        on_event=watch,
    ) as pool:
        jobs = [_job(suite, v, settings) for v in todo]
        async with aclosing(pool.as_completed(jobs)) as completed:
            async for finished in completed:
                variant = todo[finished.index]
                if finished.episode is not None:
                    path = paths.pop(finished.episode.id, None)
                    result = result_of(variant, finished.episode, path)
                else:
                    result = not_set_up(variant, str(finished.error))
                if store is not None:
                    store.add(result)
                fresh.append(result)
                if on_result is not None:
                    on_result(result, have + len(fresh), len(plan.variants))
                faults.see(result)
    return make_report(
        plan,
        [*done.values(), *fresh],
        suite_version=suite.version,
        policy=policy.name,
        workers=workers,
        seconds=time.monotonic() - started,
        fresh=fresh,
    )


def _job(suite: Suite, variant: Variant, settings: BenchSettings) -> Job:
    task = suite.task(variant.task, variant.seed)
    if settings.limits is not None:
        task = replace(task, limits=settings.limits)
    return Job(task, suite.environment())


class _FaultWatch:
    """Raises when there is nothing but faults."""

    def __init__(self) -> None:
        self._row = 0

    def see(self, result: Result) -> None:
        if result.outcome not in FAULTS:
            self._row = 0
            return
        self._row += 1
        if self._row < FAULTS_IN_A_ROW:
            return
        kind = PolicyFault if result.outcome == "policy_fault" else DeviceFault
        raise kind(
            f"{self._row} episodes in a row failed this way: {result.reason}",
            hint="what was done before is kept with --out; the same command goes on from there",
        )
