"""What learning keeps of a decision and of an episode."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openvenus.policy.embedded import (
    KINDS,
    Arrays,
    Choice,
    Features,
    field_features,
    second_mask,
)


@dataclass(slots=True, eq=False)
class StepSample:
    """One decision: what the network read, what was chosen, and what came of it."""

    arrays: Arrays
    choice: Choice
    state: int
    """Fingerprint of the screen, the same for the same state in episodes of one group."""
    span_start: NDArray[np.int32] | None = None
    """Candidate spans and their features, for decisions to type."""
    span_end: NDArray[np.int32] | None = None
    span_static: NDArray[np.float32] | None = None
    span_pairs: NDArray[np.float32] | None = None
    second_allowed: NDArray[np.bool_] | None = None
    """[N] for decisions with a second element."""
    penalty: float = 0.0
    """Taken off the reward of this step: failed and without effect, at most 0.1."""
    advantage: float = 0.0
    last: bool = False
    """Whether the episode ended with this step."""

    @property
    def size(self) -> int:
        """Positions the network has to look at."""
        return 1 + len(self.arrays.token_ids) + len(self.arrays.labels)


@dataclass(slots=True, eq=False)
class EpisodeSample:
    """The decisions of one episode and its reward."""

    task: str
    seed: int
    steps: list[StepSample] = field(default_factory=list)
    reward: float = 0.0
    """In [0, 1]; meaningless when `valid` is False."""
    raw: float = 0.0
    """The environment's own raw reward."""
    success: bool = False
    valid: bool = True
    """False after a device fault: the episode says nothing about the policy."""


def sample_of(features: Features, choice: Choice, state: int) -> StepSample:
    """Keep what is needed to compute the choice's probability again."""
    sample = StepSample(features.arrays, choice, state)
    name = KINDS[choice.kind]
    if name == "type":
        task = features.instruction
        sample.span_start, sample.span_end = task.span_start, task.span_end
        sample.span_static = task.span_features
        sample.span_pairs = field_features(features, choice.target)
    if name in ("copy", "drag"):
        sample.second_allowed = second_mask(features, name, choice.target)
    return sample
