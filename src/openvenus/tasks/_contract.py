"""What a suite of tasks is: named tasks, a seed for each variant, and the world they live in."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from openvenus.agent import Environment
from openvenus.episode import Task

FIRST_TRAINING_SEED = 1_000_000
"""Seeds from here on are for training, those below are for measuring."""


@runtime_checkable
class Suite(Protocol):
    """A benchmark or any other set of tasks that can be set up again and again.

    The same name and seed give the same task wherever and whenever it is run.
    """

    @property
    def name(self) -> str:
        """Short name, as used on the command line: "miniwob"."""
        ...

    @property
    def version(self) -> str:
        """Version of the tasks' own files, for records."""
        ...

    @property
    def viewport(self) -> tuple[int, int]:
        """Width and height of the screen that the tasks are made for, in CSS pixels."""
        ...

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of all tasks, sorted."""
        ...

    def task(self, name: str, seed: int) -> Task:
        """One variant of a task.

        The instruction may be empty: the environment's `reset` fills it in. The record of where
        it comes from is in `provenance`: `suite`, `task` and `seed`.

        Raises:
            TaskError: there is no such task, or the seed can't be used.
        """
        ...

    def environment(self) -> Environment:
        """A world for one episode at a time; make one for each device."""
        ...
