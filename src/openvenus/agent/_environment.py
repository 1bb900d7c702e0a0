"""What a suite of tasks is to the loop: it sets up, says when it is over, and judges."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from openvenus.device import Device
from openvenus.episode import Episode, Task, Verdict


@runtime_checkable
class Environment(Protocol):
    """The world that one episode takes place in.

    All methods may raise `DeviceFault`; `reset` may also raise `TaskError`.
    """

    async def reset(self, device: Device, task: Task) -> Task:
        """Bring the device to the task's start; returns the task with its instruction."""
        ...

    async def ended(self, device: Device) -> bool:
        """Whether the environment itself has closed the episode. Asked after each step."""
        ...

    async def verdict(self, device: Device, episode: Episode) -> Verdict | None:
        """Judge the episode, which is complete but for this; None when it can't."""
        ...
