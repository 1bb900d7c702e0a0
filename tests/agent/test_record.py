"""What is on disk while an episode runs and after it."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from openvenus.action import Finish, Note
from openvenus.agent import Agent, AgentOptions, EpisodeEnded, EpisodeStarted, StepEnded
from openvenus.episode import Limits, ParseFailure, Task, Verdict, read_episode
from openvenus.errors import DeviceFault, UsageError
from tests.agent.memory import FINISH, UP, MemoryDevice, ScriptedPolicy, timeless


async def test_what_is_on_disk_is_what_happened(tmp_path: Path) -> None:
    policy = ScriptedPolicy(UP, ParseFailure("no", raw="?"), Note(text="n"), UP, UP, FINISH)
    agent = Agent(MemoryDevice(), policy, record=tmp_path)
    events = [e async for e in agent.stream(Task("count", id="t1"))]
    started, ended = events[0], events[-1]
    assert isinstance(started, EpisodeStarted)
    assert isinstance(ended, EpisodeEnded)
    assert started.path == ended.path == tmp_path / ended.episode.id
    assert ended.path is not None
    stored = read_episode(ended.path)
    kept = ended.episode
    assert [timeless(s) for s in stored.steps] == [timeless(s) for s in kept.steps]
    assert replace(stored, steps=(), final=None) == replace(kept, steps=(), final=None)
    assert stored.final is not None
    # In memory the images of older steps make room; on disk they are all there.
    in_memory = [s.observation.frame.image is not None for s in kept.steps]
    assert in_memory == [False] * 4 + [True] * 2
    assert all(s.observation.frame.image is not None for s in stored.steps)


async def test_without_a_record_all_images_stay_in_memory() -> None:
    episode = await Agent(MemoryDevice(), ScriptedPolicy(UP, UP, UP, FINISH)).run_async("x")
    assert all(s.observation.frame.image is not None for s in episode.steps)


async def test_steps_are_readable_while_the_episode_runs(tmp_path: Path) -> None:
    agent = Agent(MemoryDevice(), ScriptedPolicy(UP, UP, UP, FINISH), record=tmp_path)
    seen = 0
    path: Path | None = None
    async for event in agent.stream("count"):
        if isinstance(event, EpisodeStarted):
            path = event.path
        if isinstance(event, StepEnded):
            await asyncio.sleep(0.05)
            assert path is not None
            seen = len(read_episode(path).steps)
            assert seen >= event.step.index + 1
    assert seen == 4


async def test_a_cancelled_episode_says_so_on_disk(tmp_path: Path) -> None:
    device = MemoryDevice()
    reached = asyncio.Event()

    async def hang(number: int) -> None:
        if number == 3:
            reached.set()
            await asyncio.Event().wait()

    device.before_perform = hang
    running = asyncio.create_task(
        Agent(device, ScriptedPolicy(UP), record=tmp_path).run_async("count")
    )
    await reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    [folder] = tmp_path.iterdir()
    stored = read_episode(folder)
    assert (stored.outcome, len(stored.steps)) == ("cancelled", 3)
    assert stored.ended is not None
    effect = stored.steps[2].effect
    assert effect is not None
    assert (effect.status, effect.message) == ("failed", "broken off while it was being done")


async def test_a_start_that_fails_is_recorded(tmp_path: Path) -> None:
    device = MemoryDevice()

    async def unreachable(start: str | None) -> None:
        raise DeviceFault("no such host", hint="check the address")

    device.open = unreachable  # type: ignore[method-assign]
    await Agent(device, ScriptedPolicy(UP), record=tmp_path).run_async(Task("x", start="a"))
    [folder] = tmp_path.iterdir()
    stored = read_episode(folder)
    assert (stored.outcome, stored.reason) == ("device_fault", "no such host (check the address)")


async def test_verdicts_and_notes_are_recorded(tmp_path: Path) -> None:
    class Judge:
        async def reset(self, device: object, task: Task) -> Task:
            return replace(task, instruction="set by the environment")

        async def ended(self, device: object) -> bool:
            return False

        async def verdict(self, device: object, episode: object) -> Verdict:
            return Verdict("success", 1.0, judge="rule", reward=0.5)

    agent = Agent(MemoryDevice(), ScriptedPolicy(Note(text="a"), FINISH), record=tmp_path)
    episode = await agent.run_async(Task(""), Judge())
    stored = read_episode(tmp_path / episode.id)
    assert stored.verdict == episode.verdict == Verdict("success", 1.0, judge="rule", reward=0.5)
    assert stored.notes == ("a",)
    assert stored.task.instruction == "set by the environment"


async def test_a_place_that_cant_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    device = MemoryDevice()
    with pytest.raises(UsageError, match="can be recorded"):
        await Agent(device, ScriptedPolicy(UP), record=tmp_path / "file").run_async("x")
    assert device.actions_done == []
    assert device.released == 1


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """The system refuses to write more than this to any file, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk_ends_the_episode_with_what_was_kept(tmp_path: Path) -> None:
    policy = ScriptedPolicy(UP)
    agent = Agent(
        MemoryDevice(elements=20), policy, record=tmp_path, options=AgentOptions(images=False)
    )
    with files_of_at_most(20_000):
        episode = await agent.run_async(Task("x", limits=Limits(max_steps=200)))
    assert episode.outcome == "cancelled"
    assert "can't be recorded" in episode.reason
    assert len(policy.situations) < 60
    stored = read_episode(tmp_path / episode.id)
    assert 1 <= len(stored.steps) <= len(episode.steps)
    assert [timeless(s) for s in stored.steps] == [
        timeless(s) for s in episode.steps[: len(stored.steps)]
    ]


async def test_a_record_that_loses_its_end_says_so(tmp_path: Path) -> None:
    policy = ScriptedPolicy(Finish(answer="long " * 10_000))
    agent = Agent(MemoryDevice(), policy, record=tmp_path)
    with files_of_at_most(20_000):
        episode = await agent.run_async("x")
    assert episode.outcome == "claimed_done"
    assert "the record is incomplete" in episode.reason
    assert read_episode(tmp_path / episode.id).outcome is None
