"""What the loop tells those who watch it, as it happens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from openvenus.episode import (
    Decision,
    Effect,
    Episode,
    Observation,
    ParseFailure,
    Ruling,
    Step,
    Task,
)


@dataclass(frozen=True, slots=True)
class EpisodeStarted:
    """The start is open and the record, if any, has begun."""

    episode: str
    """Id of the episode."""
    task: Task
    policy: str
    device: str
    path: Path | None = None
    """Where the episode is being recorded."""


@dataclass(frozen=True, slots=True)
class Observed:
    """The screen that step `index` will be decided on."""

    episode: str
    index: int
    observation: Observation


@dataclass(frozen=True, slots=True)
class Decided:
    """The policy answered."""

    episode: str
    index: int
    result: Decision | ParseFailure


@dataclass(frozen=True, slots=True)
class Ruled:
    """The guard spoke."""

    episode: str
    index: int
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Asked:
    """The person was asked; `reply` is None when no answer came."""

    episode: str
    index: int
    question: str
    reply: str | None


@dataclass(frozen=True, slots=True)
class EffectSeen:
    """The action was done (or not), and what came of it is known."""

    episode: str
    index: int
    effect: Effect


@dataclass(frozen=True, slots=True)
class StepEnded:
    """A step is complete; also sent for one that was broken off."""

    episode: str
    step: Step


@dataclass(frozen=True, slots=True)
class EpisodeEnded:
    """The last event."""

    episode: Episode
    path: Path | None = None


Event = EpisodeStarted | Observed | Decided | Ruled | Asked | EffectSeen | StepEnded | EpisodeEnded
