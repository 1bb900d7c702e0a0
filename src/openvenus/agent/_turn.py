"""A step while it is being made, and how an episode ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from openvenus.device import Performed
from openvenus.episode import Decision, Effect, Observation, Outcome, ParseFailure, Ruling, Step

Phase = Literal["observe", "propose", "review", "ask", "perform", "environment", "overhead"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How and why the loop stops."""

    outcome: Outcome
    reason: str = ""


@dataclass(slots=True)
class Turn:
    """The parts of a step as they become known."""

    index: int
    observation: Observation
    feedback: str
    observe_seconds: float
    phase: Phase = "overhead"
    decision: Decision | None = None
    failure: ParseFailure | None = None
    ruling: Ruling | None = None
    performed: Performed | None = None
    effect: Effect | None = None
    touched: bool = False
    """Whether the device was asked to do anything."""
    looks: bool = False
    """Whether the screen must be looked at again before the next decision."""
    started: float = field(default_factory=time.time)
    _begun: float = field(default_factory=time.perf_counter)
    _spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def during(self, phase: Phase) -> Iterator[None]:
        """Count the time inside as this phase's."""
        outer, self.phase = self.phase, phase
        begun = time.perf_counter()
        try:
            yield
        except BaseException:
            # The phase stays as it is, for those who ask where the step was broken off.
            self._add(phase, time.perf_counter() - begun)
            raise
        self._add(phase, time.perf_counter() - begun)
        self.phase = outer

    def _add(self, phase: str, seconds: float) -> None:
        self._spent[phase] = self._spent.get(phase, 0.0) + seconds

    def step(self) -> Step:
        """The step, with all that is known now.

        `seconds["observe"]` is the time that capturing this step's own observation took;
        looking at the effect counts for the next step. `overhead` is all that belongs to
        neither device nor policy nor guard nor person nor environment.
        """
        total = time.perf_counter() - self._begun
        seconds = dict(self._spent)
        seconds.pop("observe", None)
        overhead = max(0.0, total - sum(self._spent.values()))
        return Step(
            index=self.index,
            observation=self.observation,
            decision=self.decision,
            failure=self.failure,
            ruling=self.ruling,
            effect=self.effect,
            feedback=self.feedback,
            seconds={"observe": self.observe_seconds, **seconds, "overhead": overhead},
            started=self.started,
        )
