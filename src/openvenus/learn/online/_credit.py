"""Advantages: how much better a step was than what its group did otherwise.

Trajectory level as in GRPO (Shao et al. 2024), step level as in GiGPO (Feng et al. 2025): steps
of different episodes of a group that were taken in the same state form a group of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from openvenus.learn.online._samples import EpisodeSample


@dataclass(frozen=True, slots=True)
class Credit:
    """How reward becomes advantage."""

    discount: float = 0.95
    """Per step, for the return that the step level compares."""
    step_weight: float = 0.7
    """Weight of the step level beside the trajectory level."""
    floor: float = 0.25
    """Least standard deviation that a difference is divided by, so that tiny differences in
    reward don't become large advantages."""


def assign_advantages(group: Sequence[EpisodeSample], credit: Credit) -> bool:
    """Set the advantage of every step of a group's valid episodes.

    Episodes that are not valid leave the group; their steps keep advantage 0.

    Returns:
        Whether the group teaches anything: at least two valid episodes whose returns differ,
        and one that was worth something. Where all failed, the only difference is how soon,
        and that would teach to give up early.
    """
    valid = [e for e in group if e.valid and e.steps]
    if len(valid) < 2:
        return False
    if max(e.reward for e in valid) <= 0:
        return False
    totals = [e.reward - sum(s.penalty for s in e.steps) for e in valid]
    if max(totals) - min(totals) < 1e-6:
        return False
    mean = float(np.mean(totals))
    scale = max(float(np.std(totals)), credit.floor)
    by_state: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    for i, episode in enumerate(valid):
        after = episode.reward
        for j in range(len(episode.steps) - 1, -1, -1):
            step = episode.steps[j]
            after = after * (credit.discount if j < len(episode.steps) - 1 else 1.0) - step.penalty
            by_state[step.state].append((i, j, after))
            step.advantage = (totals[i] - mean) / scale
    for members in by_state.values():
        if len({i for i, _, _ in members}) < 2:
            continue
        returns = np.array([r for _, _, r in members])
        spread = max(float(returns.std()), credit.floor)
        for (i, j, _), a in zip(members, (returns - returns.mean()) / spread, strict=True):
            valid[i].steps[j].advantage += credit.step_weight * float(a)
    return True
