"""Many episodes at once over a pool of devices."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from openvenus.agent._act import describe
from openvenus.agent._agent import Agent
from openvenus.agent._batch import Batcher
from openvenus.agent._environment import Environment
from openvenus.agent._guard import Approver, Guard
from openvenus.agent._options import AgentOptions
from openvenus.agent._setup import OnEvent
from openvenus.device import Device
from openvenus.episode import Episode, Task
from openvenus.errors import DeviceFault, TaskError, UsageError
from openvenus.policy import BatchPolicy, Policy

_log = logging.getLogger(__name__)

NewDevice = Callable[[], Awaitable[Device]]
"""Makes one more device, ready to be used."""


@dataclass(frozen=True, slots=True)
class Job:
    """One episode to run."""

    task: Task
    environment: Environment | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job. Exactly one of `episode` and `error` is set."""

    index: int
    """Place of the job among those given, from 0."""
    job: Job
    episode: Episode | None = None
    error: TaskError | None = None
    """The environment could not set the task up."""


class AgentPool:
    """Runs jobs on up to `size` devices at once; a device that failed is replaced.

    Used as `async with AgentPool(...) as pool`; closes its devices at the end, not the policy.

    Args:
        new_device: called for each device, and again when one has to be replaced.
        size: devices (and episodes) at once.
        fault_retries: how often a job is run again after its device failed.
        batch: gather the calls of a `BatchPolicy`; see `Batcher`.
        Others as for `Agent`.
    """

    def __init__(
        self,
        new_device: NewDevice,
        policy: Policy,
        *,
        size: int = 4,
        guard: Guard | None = None,
        approver: Approver | None = None,
        record: str | Path | None = None,
        options: AgentOptions | None = None,
        on_event: OnEvent | None = None,
        fault_retries: int = 0,
        batch: bool = True,
    ) -> None:
        if size < 1:
            raise UsageError(f"a pool of {size} devices can't run anything")
        self._new_device = new_device
        self._size = size
        self._batcher = Batcher(policy) if batch and isinstance(policy, BatchPolicy) else None
        self._policy: Policy = self._batcher or policy
        self._guard = guard
        self._approver = approver
        self._record = record
        self._options = options
        self._on_event = on_event
        self._fault_retries = fault_retries
        self._idle: list[Device] = []
        self._closed = False

    async def __aenter__(self) -> AgentPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every device. Safe to call twice."""
        self._closed = True
        idle, self._idle = self._idle, []
        await asyncio.gather(*(device.close() for device in idle))
        if self._batcher is not None:
            await self._batcher.close()

    async def run(self, jobs: Iterable[Job | Task]) -> list[Episode]:
        """All episodes, in the order of the jobs.

        Raises:
            TaskError: a task could not be set up; raised after all others have run.
            DeviceFault: no device could be made.
        """
        done = [d async for d in self.as_completed(jobs)]
        done.sort(key=lambda d: d.index)
        for d in done:
            if d.error is not None:
                raise d.error
        return [d.episode for d in done if d.episode is not None]

    async def as_completed(self, jobs: Iterable[Job | Task]) -> AsyncGenerator[Done, None]:
        """Each job's result as soon as it is there. Jobs are taken up one by one.

        Leaving the iteration early cancels what runs.
        """
        if self._closed:
            raise UsageError("this pool is closed")
        todo = enumerate(j if isinstance(j, Job) else Job(j) for j in jobs)
        results: asyncio.Queue[Done | None] = asyncio.Queue()
        if self._batcher is not None:
            # All before any: the first to ask shall wait for the others.
            self._batcher.join(self._size)
        workers = [asyncio.create_task(self._work(todo, results)) for _ in range(self._size)]

        def over(_: asyncio.Task[None]) -> None:
            if self._batcher is not None:
                self._batcher.leave()
            results.put_nowait(None)

        for worker in workers:
            worker.add_done_callback(over)
        working = len(workers)
        try:
            while working:
                done = await results.get()
                if done is not None:
                    yield done
                    continue
                working -= 1
                for worker in workers:
                    if worker.done():
                        worker.result()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, todo: enumerate[Job], results: asyncio.Queue[Done | None]) -> None:
        device: Device | None = None
        try:
            for index, job in todo:
                for attempt in range(self._fault_retries + 1):
                    device = device or await self._take()
                    done = await self._one(index, job, device)
                    faulted = done.episode is not None and done.episode.outcome == "device_fault"
                    if not faulted:
                        break
                    broken, device = device, None
                    await broken.close()
                    if attempt < self._fault_retries:
                        _log.warning("job %d runs again on a new device", index)
                results.put_nowait(done)
        except BaseException:
            # It may be anything that broke off here, so the device is not used again.
            if device is not None:
                await device.close()
                device = None
            raise
        finally:
            if device is not None:
                self._idle.append(device)

    async def _one(self, index: int, job: Job, device: Device) -> Done:
        agent = Agent(
            device,
            self._policy,
            guard=self._guard,
            approver=self._approver,
            record=self._record,
            options=self._options,
            on_event=self._on_event,
        )
        try:
            return Done(index, job, episode=await agent.run_async(job.task, job.environment))
        except TaskError as e:
            return Done(index, job, error=e)

    async def _take(self) -> Device:
        if self._idle:
            return self._idle.pop()
        try:
            return await self._new_device()
        except DeviceFault as e:
            # Under load a start may fail once; twice is no accident.
            _log.warning("a device did not start, trying once more: %s", describe(e))
            return await self._new_device()


async def run_many(
    jobs: Iterable[Job | Task],
    new_device: NewDevice,
    policy: Policy,
    *,
    concurrency: int = 4,
    guard: Guard | None = None,
    record: str | Path | None = None,
    options: AgentOptions | None = None,
    on_event: OnEvent | None = None,
) -> list[Episode]:
    """Run jobs on `concurrency` devices at once; the episodes come in the order of the jobs.

    The devices are made for this and closed at the end. Raises as `AgentPool.run` does.
    """
    async with AgentPool(
        new_device,
        policy,
        size=concurrency,
        guard=guard,
        record=record,
        options=options,
        on_event=on_event,
    ) as pool:
        return await pool.run(jobs)
