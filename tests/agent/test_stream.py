"""Events, cancellation, and the agent used without an event loop."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from contextlib import aclosing
from pathlib import Path

import pytest

from openvenus.action import AskUser
from openvenus.agent import (
    Agent,
    Asked,
    Decided,
    EffectSeen,
    EpisodeEnded,
    EpisodeStarted,
    Event,
    Observed,
    Ruled,
    StepEnded,
)
from openvenus.episode import Episode, Limits, ParseFailure, Task
from openvenus.errors import TaskError, UsageError
from tests.agent.memory import FINISH, UP, MemoryDevice, ScriptedPolicy, forever

ONE_STEP = [Observed, Decided, Ruled, EffectSeen, StepEnded]


async def test_events_come_in_order() -> None:
    agent = Agent(MemoryDevice(), ScriptedPolicy(UP, ParseFailure("no"), FINISH))
    events = [e async for e in agent.stream("count")]
    kinds = [type(e) for e in events]
    assert kinds == [
        EpisodeStarted, *ONE_STEP, Observed, Decided, StepEnded, *ONE_STEP, EpisodeEnded,
    ]  # fmt: skip
    ended = events[-1]
    assert isinstance(ended, EpisodeEnded)
    assert ended.episode.outcome == "claimed_done"
    steps = [e.step for e in events if isinstance(e, StepEnded)]
    assert tuple(steps) == ended.episode.steps
    assert {e.episode for e in events if not isinstance(e, EpisodeEnded)} == {ended.episode.id}


async def test_questions_are_events() -> None:
    agent = Agent(MemoryDevice(), ScriptedPolicy(AskUser(question="Q"), FINISH), ask=lambda _: "A")
    asked = [e async for e in agent.stream("x") if isinstance(e, Asked)]
    assert [(e.question, e.reply) for e in asked] == [("Q", "A")]


async def test_leaving_the_stream_cancels_the_episode() -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(UP)
    seen: list[Event] = []
    agent = Agent(device, policy, on_event=seen.append)
    async with aclosing(agent.stream("count")) as events:
        async for event in events:
            if isinstance(event, EffectSeen):
                break
    assert device.released == 1
    assert isinstance(seen[-1], EpisodeEnded)
    assert seen[-1].episode.outcome == "cancelled"
    assert len(seen[-1].episode.steps) == 1


async def test_errors_come_out_of_the_stream() -> None:
    class Broken:
        async def reset(self, device: object, task: Task) -> Task:
            raise TaskError("no such task")

        async def ended(self, device: object) -> bool:
            return False

        async def verdict(self, device: object, episode: Episode) -> None:
            return None

    with pytest.raises(TaskError):
        async for _ in Agent(MemoryDevice(), ScriptedPolicy(UP)).stream("x", Broken()):
            raise AssertionError("nothing may come")


async def test_a_watcher_that_fails_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def watcher(_: Event) -> None:
        raise ValueError("broken watcher")

    agent = Agent(MemoryDevice(), ScriptedPolicy(FINISH), on_event=watcher)
    assert (await agent.run_async("x")).outcome == "claimed_done"
    assert "broken watcher" in caplog.text


@pytest.mark.parametrize("place", ["open", "observe", "propose", "perform", "ask", "release"])
async def test_cancelled_anywhere_the_episode_is_complete_up_to_there(place: str) -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(UP, UP, AskUser(question="Q"), UP)
    reached = asyncio.Event()

    async def hang(number: int | str | None = None) -> str:
        if number in (3, "Q", None) or place in {"open", "ask"}:
            reached.set()
            await asyncio.Event().wait()
        return ""

    if place == "propose":
        policy.before = hang  # type: ignore[assignment]
    elif place == "open":
        device.open = hang  # type: ignore[assignment, method-assign]
    elif place == "release":
        original = device.release

        async def slow() -> None:
            await original()
            reached.set()
            await asyncio.sleep(0.1)

        device.release = slow  # type: ignore[method-assign]
        policy = ScriptedPolicy(FINISH)
    elif place != "ask":
        setattr(device, f"before_{place}", hang)
    ended: list[Episode] = []
    agent = Agent(
        device,
        policy,
        ask=hang if place == "ask" else lambda _: "go on",
        on_event=lambda e: ended.append(e.episode) if isinstance(e, EpisodeEnded) else None,
    )
    running = asyncio.create_task(agent.run_async("count"))
    await asyncio.wait_for(reached.wait(), 5)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert device.released == 1
    [episode] = ended
    assert episode.outcome == ("claimed_done" if place == "release" else "cancelled")
    steps = {"open": 0, "observe": 2, "propose": 2, "perform": 4, "ask": 3, "release": 1}
    assert len(episode.steps) == steps[place]
    assert all(s.effect is not None for s in episode.steps)


async def test_cancelled_twice_still_closes_once() -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(UP)
    policy.before = forever
    released = asyncio.Event()

    async def slow() -> None:
        await asyncio.sleep(0.05)
        released.set()

    device.release = slow  # type: ignore[method-assign]
    running = asyncio.create_task(Agent(device, policy).run_async("x"))
    for _ in range(3):
        await asyncio.sleep(0.01)
        running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert released.is_set()


def test_without_a_loop() -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(UP, FINISH, FINISH)
    with Agent(device, policy) as agent:
        assert agent.run("one").outcome == "claimed_done"
        assert agent.run(Task("two")).outcome == "claimed_done"
    assert (device.closed, policy.closed) == (1, 1)
    agent.close()


def test_all_runs_of_an_agent_share_a_loop() -> None:
    loops: list[asyncio.AbstractEventLoop] = []
    policy = ScriptedPolicy(FINISH)

    async def note_loop(_: int) -> None:
        loops.append(asyncio.get_running_loop())

    policy.before = note_loop
    with Agent(MemoryDevice(), policy) as agent:
        agent.run("one")
        agent.run("two")
    assert loops[0] is loops[1]


async def test_inside_a_loop_run_says_what_to_use() -> None:
    with pytest.raises(UsageError, match="run_async"):
        Agent(MemoryDevice(), ScriptedPolicy(FINISH)).run("x")


async def test_as_a_context_it_closes_both() -> None:
    device, policy = MemoryDevice(), ScriptedPolicy(FINISH)
    async with Agent(device, policy) as agent:
        await agent.run_async(Task("x", limits=Limits(max_steps=1)))
    assert (device.closed, policy.closed) == (1, 1)


def test_interrupted_from_the_keyboard(tmp_path: Path) -> None:
    program = textwrap.dedent("""
        import signal
        import sys
        from tests.agent.memory import MemoryDevice, ScriptedPolicy, forever, UP
        from openvenus.agent import Agent, EpisodeEnded, Decided
        from openvenus.action import Wait

        def told(event):
            if isinstance(event, Decided) and event.index == 1:
                print("ready", flush=True)
            if isinstance(event, EpisodeEnded):
                print(event.episode.outcome, len(event.episode.steps), flush=True)

        # What is started in the background of a shell begins with this signal ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        agent = Agent(MemoryDevice(), ScriptedPolicy(UP, Wait(seconds=20)), on_event=told,
                      record=sys.argv[1])
        agent.run("wait")
    """)
    root = Path(__file__).parents[2]
    running = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert out == "cancelled 2\n"
    assert "KeyboardInterrupt" in err
    [folder] = tmp_path.iterdir()
    assert '"cancelled"' in (folder / "episode.jsonl").read_text(encoding="utf-8")
