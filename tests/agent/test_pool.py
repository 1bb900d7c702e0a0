"""Many episodes at once, and their calls to the policy made together."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing

import pytest

from openvenus.agent import AgentOptions, AgentPool, Batcher, EpisodeEnded, Event, Job, run_many
from openvenus.device import Device
from openvenus.episode import Decision, Episode, Limits, Task, Verdict
from openvenus.errors import DeviceFault, PolicyFault, TaskError, UsageError
from openvenus.policy import BatchPolicy, Policy, Situation
from tests.agent.memory import (
    FINISH,
    UP,
    CountingBatchPolicy,
    MemoryDevice,
    ScriptedPolicy,
)


class Factory:
    """Makes devices and remembers them."""

    def __init__(self, change: Callable[[MemoryDevice, int], None] | None = None) -> None:
        self.made: list[MemoryDevice] = []
        self.change = change
        self.failures: list[Exception] = []

    async def __call__(self) -> Device:
        if self.failures:
            raise self.failures.pop()
        device = MemoryDevice(name=f"memory:{len(self.made)}")
        if self.change is not None:
            self.change(device, len(self.made))
        self.made.append(device)
        return device

    def all_closed(self) -> bool:
        return all(d.closed == 1 for d in self.made)


TASKS = [Task(f"task {i}", id=str(i)) for i in range(10)]


class FromZero:
    """Sets the counter back, so that a device can be used again."""

    async def reset(self, device: Device, task: Task) -> Task:
        assert isinstance(device, MemoryDevice)
        device.count = 0
        if task.id == "bad":
            raise TaskError("no such task")
        return task

    async def ended(self, device: Device) -> bool:
        return False

    async def verdict(self, device: Device, episode: Episode) -> Verdict | None:
        return None


def jobs(tasks: list[Task]) -> list[Job]:
    return [Job(task, FromZero()) for task in tasks]


async def test_results_are_in_order_and_devices_are_shared() -> None:
    new, events = Factory(), list[Event]()
    policy = CountingBatchPolicy()
    episodes = await run_many(jobs(TASKS), new, policy, concurrency=4, on_event=events.append)
    assert [e.task.id for e in episodes] == [t.id for t in TASKS]
    assert all((e.outcome, e.answer) == ("claimed_done", "3") for e in episodes)
    assert len(new.made) == 4
    assert new.all_closed()
    assert sum(isinstance(e, EpisodeEnded) for e in events) == 10


async def test_calls_are_made_together() -> None:
    policy = CountingBatchPolicy()
    await run_many(jobs(TASKS[:8]), Factory(), policy, concurrency=4)
    assert policy.singles == 0
    assert sum(policy.batches) == 32
    assert max(policy.batches) == 4
    assert len(policy.batches) <= 12


async def test_batching_can_be_left_out() -> None:
    policy = CountingBatchPolicy()
    async with AgentPool(Factory(), policy, size=2, batch=False) as pool:
        await pool.run(jobs(TASKS[:2]))
    assert (policy.singles, policy.batches) == (8, [])


async def test_results_as_they_come() -> None:
    policy = ScriptedPolicy(FINISH)

    async def first_is_slow(number: int) -> None:
        await asyncio.sleep(0.2 if number == 1 else 0)

    policy.before = first_is_slow
    async with AgentPool(Factory(), policy, size=2) as pool:
        order = [done.index async for done in pool.as_completed(TASKS[:4])]
    assert order == [1, 2, 3, 0]


async def test_a_broken_device_is_replaced() -> None:
    def first_is_broken(device: MemoryDevice, number: int) -> None:
        device.alive = number != 0

    new = Factory(first_is_broken)
    episodes = await run_many(TASKS[:4], new, ScriptedPolicy(FINISH), concurrency=1)
    assert [e.outcome for e in episodes] == ["device_fault"] + ["claimed_done"] * 3
    assert len(new.made) == 2
    assert new.all_closed()


async def test_a_job_is_run_again_when_its_device_broke() -> None:
    def some_are_broken(device: MemoryDevice, number: int) -> None:
        device.alive = number == 2

    new = Factory(some_are_broken)
    async with AgentPool(new, ScriptedPolicy(FINISH), size=1, fault_retries=2) as pool:
        episodes = await pool.run(TASKS[:2])
    assert [e.outcome for e in episodes] == ["claimed_done"] * 2
    assert len(new.made) == 3


async def test_one_bad_task_does_not_stop_the_others() -> None:
    bad = [*TASKS[:2], Task("?", id="bad"), *TASKS[2:4]]
    async with AgentPool(Factory(), CountingBatchPolicy(), size=2) as pool:
        done = {d.index: d async for d in pool.as_completed(jobs(bad))}
        with pytest.raises(TaskError, match="no such task"):
            await pool.run(jobs(bad))
    assert isinstance(done[2].error, TaskError)
    assert done[2].episode is None
    assert [done[i].episode is not None for i in (0, 1, 3, 4)] == [True] * 4


async def test_a_device_that_cant_be_made_ends_it_and_closes_the_rest() -> None:
    new = Factory()
    new.failures = [DeviceFault("no browser")]
    assert len(await run_many(TASKS[:2], new, ScriptedPolicy(FINISH), concurrency=2)) == 2
    new = Factory()
    new.failures = [DeviceFault("no browser")] * 2
    with pytest.raises(DeviceFault, match="no browser"):
        await run_many(TASKS, new, ScriptedPolicy(FINISH), concurrency=1)
    assert new.all_closed()


async def test_cancelled_everything_stops_and_closes() -> None:
    new, policy = Factory(), ScriptedPolicy(UP)
    all_ask = asyncio.Event()

    async def hang(number: int) -> None:
        if number == 3:
            all_ask.set()
        await asyncio.Event().wait()

    policy.before = hang
    running = asyncio.create_task(run_many(TASKS, new, policy, concurrency=3))
    await all_ask.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len(new.made) == 3
    assert new.all_closed()
    assert all(d.released == 1 for d in new.made)


async def test_leaving_early_stops_the_rest() -> None:
    new, policy = Factory(), ScriptedPolicy(FINISH)
    async with AgentPool(new, policy, size=2) as pool:
        async with aclosing(pool.as_completed(TASKS)) as results:
            async for _ in results:
                break
        taken = len(policy.situations)
        assert taken < len(TASKS)
        # What is left can still be run by the same pool.
        assert len(await pool.run(TASKS[:3])) == 3
    assert new.all_closed()
    with pytest.raises(UsageError, match="closed"):
        await pool.run(TASKS)


def test_a_pool_needs_a_device() -> None:
    with pytest.raises(UsageError):
        AgentPool(Factory(), ScriptedPolicy(FINISH), size=0)


async def test_jobs_are_taken_up_one_by_one() -> None:
    taken: list[int] = []

    def lazily() -> Iterator[Task]:
        for i, task in enumerate(TASKS):
            taken.append(i)
            yield task

    async with AgentPool(Factory(), ScriptedPolicy(FINISH), size=1) as pool:
        results = pool.as_completed(lazily())
        async with aclosing(results):
            await anext(results)
    assert len(taken) <= 3


# The batcher by itself.


async def situations(*counts: int) -> list[Situation]:
    made = []
    for count in counts:
        device = MemoryDevice()
        device.count = count
        made.append(Situation(Task("x"), await device.observe()))
    return made


async def test_a_batcher_is_a_policy_and_sends_when_all_wait() -> None:
    policy = CountingBatchPolicy()
    batcher = Batcher(policy, delay=5)
    assert isinstance(batcher, Policy)
    assert isinstance(policy, BatchPolicy)
    batcher.join(3)
    begun = time.perf_counter()
    results = await asyncio.gather(*(batcher.propose(s) for s in await situations(0, 3, 1)))
    assert time.perf_counter() - begun < 1
    assert [isinstance(r, Decision) and r.action.type for r in results] == [
        "click", "finish", "click",
    ]  # fmt: skip
    assert policy.batches == [3]


async def test_nobody_waits_longer_than_the_delay() -> None:
    policy = CountingBatchPolicy()
    batcher = Batcher(policy, delay=0.02)
    batcher.join(100)
    await asyncio.wait_for(batcher.propose((await situations(0))[0]), 2)
    assert policy.batches == [1]


async def test_those_who_leave_are_not_waited_for() -> None:
    policy = CountingBatchPolicy()
    batcher = Batcher(policy, delay=5)
    batcher.join(2)
    asked = asyncio.create_task(batcher.propose((await situations(0))[0]))
    await asyncio.sleep(0.01)
    assert policy.batches == []
    batcher.leave()
    await asyncio.wait_for(asked, 1)
    assert policy.batches == [1]


async def test_batches_have_a_greatest_size() -> None:
    policy = CountingBatchPolicy()
    batcher = Batcher(policy, delay=0.01, most=4)
    batcher.join(10)
    await asyncio.gather(*(batcher.propose(s) for s in await situations(*range(10))))
    assert sum(policy.batches) == 10
    assert max(policy.batches) == 4


async def test_who_gave_up_is_not_asked_for() -> None:
    policy = CountingBatchPolicy()
    batcher = Batcher(policy, delay=0.05)
    batcher.join(3)
    a, b = (asyncio.create_task(batcher.propose(s)) for s in await situations(0, 3))
    await asyncio.sleep(0)
    a.cancel()
    result = await b
    assert isinstance(result, Decision)
    assert result.action.type == "finish"
    assert policy.batches == [1]


@pytest.mark.parametrize("kind", ["fault", "bug", "count"])
async def test_everybody_hears_of_a_failed_batch(kind: str) -> None:
    policy = CountingBatchPolicy()
    policy.error = {"fault": PolicyFault("no model"), "bug": ValueError("x"), "count": None}[kind]
    policy.drop_one = kind == "count"
    batcher = Batcher(policy)
    batcher.join(2)
    results = await asyncio.gather(
        *(batcher.propose(s) for s in await situations(0, 1)), return_exceptions=True
    )
    assert all(isinstance(r, PolicyFault) for r in results)
    policy.error, policy.drop_one = None, False
    assert isinstance(await batcher.propose((await situations(0))[0]), Decision)


async def test_closing_gives_up_what_is_in_flight() -> None:
    class Slow(CountingBatchPolicy):
        async def propose_many(self, situations: Sequence[Situation]) -> list[Decision]:
            await asyncio.Event().wait()
            return []

    batcher = Batcher(Slow())
    asked = asyncio.create_task(batcher.propose((await situations(0))[0]))
    await asyncio.sleep(0.01)
    await batcher.close()
    with pytest.raises(PolicyFault, match="closed"):
        await asked


async def test_a_hundred_agents_leave_nothing_behind() -> None:
    new = Factory()
    options = AgentOptions(images=False)
    tasks = [Task("x", limits=Limits(max_steps=5)) for _ in range(100)]
    async with AgentPool(new, CountingBatchPolicy(), size=50, options=options) as pool:
        episodes = await pool.run(jobs(tasks))
    assert all(e.outcome == "claimed_done" for e in episodes)
    gc.collect()
    assert len(asyncio.all_tasks()) == 1
