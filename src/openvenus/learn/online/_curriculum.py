"""Which task to practise next: where success is neither certain nor hopeless."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(slots=True)
class Progress:
    """What is known of one task. `alpha`, `beta`: a Beta posterior that forgets."""

    alpha: float = 0.5
    beta: float = 0.5
    episodes: int = 0
    successes: int = 0

    @property
    def rate(self) -> float:
        """Mean of the posterior, in (0, 1)."""
        return self.alpha / (self.alpha + self.beta)


@dataclass(slots=True)
class Curriculum:
    """Draws tasks in proportion to p(1-p) of their posterior, with a floor for all.

    Args:
        tasks: names.
        memory: how many episodes the posterior remembers.
        floor: least weight of a task, against at most 0.25 of p(1-p).
        hopeless_after: episodes without any reward after which the floor shrinks.
        frontier: least weight of a task that has been solved but is far from being mastered.
    """

    tasks: tuple[str, ...]
    memory: float = 48.0
    floor: float = 0.03
    frontier: float = 0.09
    hopeless_after: int = 48
    progress: dict[str, Progress] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.tasks:
            self.progress.setdefault(name, Progress())

    def record(self, task: str, reward: float) -> None:
        """Add one valid episode with its reward in [0, 1]."""
        p = self.progress[task]
        p.episodes += 1
        p.successes += reward > 0
        total = p.alpha + p.beta
        if total > self.memory:
            p.alpha *= self.memory / total
            p.beta *= self.memory / total
        p.alpha += reward
        p.beta += 1 - reward

    def weight(self, task: str) -> float:
        """Weight of a task in the next draw."""
        p = self.progress[task]
        if p.episodes < 12:
            return 0.12
        if p.successes == 0:
            return self.floor / 3 if p.episodes >= self.hopeless_after else self.floor
        least = self.frontier if p.rate < 0.5 else self.floor
        return max(p.rate * (1 - p.rate), least)

    def draw(self, rng: np.random.Generator) -> str:
        """One task."""
        weights = np.array([self.weight(t) for t in self.tasks])
        return self.tasks[int(rng.choice(len(self.tasks), p=weights / weights.sum()))]
