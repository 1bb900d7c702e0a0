"""The process that plays: its own browser, several pages, the newest weights it was sent."""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from typing import Any

import numpy as np

from openvenus.errors import DeviceFault
from openvenus.learn.online._rollout import play
from openvenus.learn.online._samples import EpisodeSample
from openvenus.learn.online._settings import Settings
from openvenus.policy.embedded import EmbeddedPolicy, Network


@dataclass(frozen=True, slots=True)
class Job:
    """One group to play: `group` episodes of one task and seed."""

    task: str
    seed: int
    max_steps: int


@dataclass(slots=True)
class Played:
    """A group that was played, or a message about a fault."""

    job: Job
    episodes: list[EpisodeSample] = field(default_factory=list)
    fault: str = ""
    version: int = 0
    """Of the weights at the start of the group."""


def work(
    settings: Settings,
    number: int,
    jobs: Queue[Job | None],
    played: Queue[Played],
    weights: Queue[tuple[int, Mapping[str, Any]]],
) -> None:
    """Body of the worker process; ends on a None job or when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    asyncio.run(_work(settings, number, jobs, played, weights))


async def _work(
    settings: Settings,
    number: int,
    jobs: Queue[Job | None],
    played: Queue[Played],
    weights: Queue[tuple[int, Mapping[str, Any]]],
) -> None:
    from openvenus.device.web import Browser, WebOptions
    from openvenus.tasks.miniwob import MiniwobSuite

    suite = MiniwobSuite()
    version, tensors = await asyncio.to_thread(weights.get)
    rng = np.random.default_rng((settings.seed, number))
    policy = EmbeddedPolicy(
        Network(tensors, settings.shape), thresholds=None, rng=rng, explore=settings.explore
    )
    newest = version
    width, height = suite.viewport
    browser = await Browser.launch(WebOptions(width=width, height=height, settle_bound=0.5))
    stop = asyncio.Event()
    parent = os.getppid()

    async def slot() -> None:
        nonlocal newest
        device = None
        while not stop.is_set():
            try:
                job = jobs.get_nowait()
            except queue.Empty:
                if os.getppid() != parent:
                    stop.set()
                await asyncio.sleep(0.02)
                continue
            if job is None:
                stop.set()
                break
            result = Played(job, version=newest)
            environment = suite.environment()
            for _ in range(settings.group):
                fresh = _newest(weights)
                if fresh is not None:
                    newest = fresh[0]
                    policy.network = Network(fresh[1], settings.shape)
                try:
                    if device is None:
                        device = await browser.new_device()
                    result.episodes.append(
                        await play(
                            device,
                            environment,
                            suite.task(job.task, job.seed),
                            policy,
                            settings,
                            job.max_steps,
                        )
                    )
                except DeviceFault as e:
                    result.fault = f"{type(e).__name__}: {e.message}"
                    result.episodes.append(EpisodeSample(job.task, job.seed, valid=False))
                    if device is not None:
                        await device.close()
                    device = None
                except Exception:
                    result.fault = traceback.format_exc()
                    if device is not None:
                        await device.close()
                    device = None
            await asyncio.to_thread(played.put, result)
        if device is not None:
            await device.close()

    try:
        async with asyncio.TaskGroup() as slots:
            for _ in range(settings.pages):
                slots.create_task(slot())
    finally:
        await browser.close()


def _newest(
    weights: Queue[tuple[int, Mapping[str, Any]]],
) -> tuple[int, Mapping[str, Any]] | None:
    """The last of the weights that have been sent since, or None."""
    found = None
    try:
        while True:
            found = weights.get_nowait()
    except queue.Empty:
        return found
