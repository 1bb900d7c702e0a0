"""The agent: one policy on one device, task after task."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from openvenus.agent._environment import Environment
from openvenus.agent._events import Event
from openvenus.agent._guard import AllowAll, Approver, Guard
from openvenus.agent._options import AgentOptions
from openvenus.agent._person import Ask
from openvenus.agent._run import Run
from openvenus.agent._setup import OnEvent, Setup
from openvenus.device import Device
from openvenus.episode import Episode, Task
from openvenus.errors import UsageError
from openvenus.policy import Policy


class Agent:
    """Owns the loop. One episode at a time; for many at once see `AgentPool`.

    The device and the policy stay the caller's unless the agent is used as a context manager
    (`with` or `async with`), which closes both at the end.

    Args:
        guard: judges each decision; without one everything is allowed, and the record says so.
        approver: asked when the guard wants a confirmation; without one that means no.
        ask: puts the policy's questions to the person; without it a question ends the episode.
        record: folder that episodes are recorded in; None records nothing.
        on_event: told of every event as it happens; must not block.
    """

    def __init__(
        self,
        device: Device,
        policy: Policy,
        *,
        guard: Guard | None = None,
        approver: Approver | None = None,
        ask: Ask | None = None,
        record: str | Path | None = None,
        options: AgentOptions | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        self._device = device
        self._setup = Setup(
            policy=policy,
            guard=guard or AllowAll(),
            approver=approver,
            ask=ask,
            record=Path(record) if record is not None else None,
            options=options or AgentOptions(),
            on_event=on_event,
        )
        self._busy = False
        self._runner: asyncio.Runner | None = None

    async def run_async(self, task: Task | str, environment: Environment | None = None) -> Episode:
        """Run one episode.

        How it ended is in `Episode.outcome`: device and policy faults, deadlines and the rest
        don't raise.

        Raises:
            TaskError: the environment could not set the task up.
            UsageError: the agent is busy, or can't record where it was told to.
            asyncio.CancelledError: cancelled; the episode is recorded up to there.
        """
        return await self._run(self._setup, task, environment)

    def run(self, task: Task | str, environment: Environment | None = None) -> Episode:
        """Run one episode from a program without an event loop.

        All calls of one agent share one private loop, since a device lives on the loop that it
        was opened on; `close` (or `with`) ends it.

        Raises:
            UsageError: a loop is running here already; also as for `run_async`.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            raise UsageError(
                "agent.run() was called where an event loop is running",
                hint="use `await agent.run_async(task)` there",
            )
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(self.run_async(task, environment))

    async def stream(
        self, task: Task | str, environment: Environment | None = None
    ) -> AsyncGenerator[Event, None]:
        """Run one episode and yield its events; the last one is `EpisodeEnded`.

        Leaving the iteration early cancels the episode. Use `contextlib.aclosing` where that
        must happen at once. Raises as `run_async` does.
        """
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        watcher = self._setup.on_event

        def pass_on(event: Event) -> None:
            events.put_nowait(event)
            if watcher is not None:
                watcher(event)

        running = asyncio.ensure_future(
            self._run(replace(self._setup, on_event=pass_on), task, environment)
        )
        running.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await running
        finally:
            if not running.done():
                running.cancel()
                await asyncio.wait([running])

    async def _run(
        self, setup: Setup, task: Task | str, environment: Environment | None
    ) -> Episode:
        if self._busy:
            raise UsageError(
                "this agent is busy with another episode",
                hint="await it first, or use AgentPool for many at once",
            )
        self._busy = True
        try:
            asked = Task(task) if isinstance(task, str) else task
            return await Run(setup, self._device, asked, environment).go()
        finally:
            self._busy = False

    def close(self) -> None:
        """Close the device and the policy, and the private loop of `run`. Safe to call twice."""
        runner, self._runner = self._runner or asyncio.Runner(), None
        with runner:
            runner.run(self.close_async())

    async def close_async(self) -> None:
        """Close the device and the policy."""
        await self._device.close()
        await self._setup.policy.close()

    def __enter__(self) -> Agent:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Agent:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close_async()
