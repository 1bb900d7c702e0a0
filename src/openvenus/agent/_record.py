"""Writing an episode while it runs, in order and beside the loop."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from openvenus.agent._act import describe
from openvenus.episode import EpisodeWriter, Observation, Outcome, Step, Task, Verdict
from openvenus.errors import VenusError

_log = logging.getLogger(__name__)
_BACKLOG = 8
"""Steps that may wait for the disk before the loop waits too."""


class Recorder:
    """One `EpisodeWriter` and the one thread that uses it, so that the loop never waits for a
    disk or an encoder, and what is written stays in order.

    A failed write is kept in `failure`; nothing is written after it, so that the record has no
    holes.
    """

    def __init__(self, writer: EpisodeWriter, thread: ThreadPoolExecutor) -> None:
        self._writer = writer
        self._thread = thread
        self._pending: deque[Future[Any]] = deque()
        self._failure: str = ""

    @classmethod
    def open(
        cls, root: Path, task: Task, policy: str, device: str, episode_id: str, started: float
    ) -> Recorder:
        """Begin a record below `root`; makes the folder, so it takes a moment.

        Raises:
            UsageError: nothing can be written there.
        """
        writer = EpisodeWriter.create(
            root, task, policy, device, episode_id=episode_id, started=started
        )
        return cls(writer, ThreadPoolExecutor(1, thread_name_prefix="venus-record"))

    @property
    def path(self) -> Path:
        """Folder of the episode."""
        return Path(self._writer.path)

    @property
    def failure(self) -> str:
        """Why the record can't go on, or an empty string."""
        while self._pending and self._pending[0].done():
            self._pending.popleft()
        return self._failure

    async def step(self, step: Step) -> None:
        """Hand over a step; waits only when the disk is far behind."""
        self.submit(step)
        if len(self._pending) > _BACKLOG:
            await asyncio.wait([asyncio.wrap_future(self._pending.popleft())])

    def submit(self, step: Step) -> None:
        """Hand over a step without waiting at all."""
        self._pending.append(self._thread.submit(self._guarded, self._writer.write_step, step))

    async def finish(
        self,
        *,
        outcome: Outcome,
        reason: str,
        answer: str,
        final: Observation | None,
        verdict: Verdict | None,
        notes: tuple[str, ...],
        ended: float,
    ) -> None:
        """Write the end, wait until all is on disk, and close. Never raises."""

        def end() -> None:
            self._writer.finish(
                outcome=outcome,
                reason=reason,
                answer=answer,
                final=final,
                verdict=verdict,
                notes=notes,
                ended=ended,
            )

        def close() -> None:
            self._guarded(end)
            try:
                self._writer.close()
            except (OSError, VenusError, ValueError) as e:
                self._fail(e)

        await asyncio.wrap_future(self._thread.submit(close))
        self._thread.shutdown(wait=False)

    def _guarded(self, write: Callable[..., object], *args: object) -> None:
        if self._failure:
            return
        try:
            write(*args)
        except Exception as e:
            self._fail(e)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or describe(error)
        _log.error("the episode at %s can't be recorded any further: %s", self.path, error)
