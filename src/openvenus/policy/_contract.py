"""What a policy is to the loop: from what was asked and seen to one decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from openvenus.episode import Decision, Observation, ParseFailure, Step, Task


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a policy may look at for its next decision."""

    task: Task
    observation: Observation
    history: tuple[Step, ...] = ()
    """Earlier steps of this episode, oldest first; bounded by the loop, images may be gone."""
    notes: tuple[str, ...] = ()
    """Working memory: texts the policy noted itself, oldest first."""
    feedback: str = ""
    """What the loop has to say: the last action failed, had no effect, repeats itself..."""
    actions: frozenset[str] = frozenset()
    """Types of action that the device can do."""
    messages: tuple[str, ...] = ()
    """What the person said during the episode, oldest first."""


@runtime_checkable
class Policy(Protocol):
    """Decides. Knows nothing of devices.

    May raise `PolicyFault`; an answer that isn't an action is returned as `ParseFailure`.
    """

    @property
    def name(self) -> str:
        """For records, as "embedded:v1" or "endpoint:model-name"."""
        ...

    async def propose(self, situation: Situation) -> Decision | ParseFailure:
        """The next decision for one situation."""
        ...

    async def close(self) -> None:
        """Free connections. Never raises."""
        ...


@runtime_checkable
class BatchPolicy(Policy, Protocol):
    """A policy that is faster on many situations at once."""

    async def propose_many(
        self, situations: Sequence[Situation]
    ) -> Sequence[Decision | ParseFailure]:
        """One decision for each situation, in order."""
        ...
