"""Settings of online learning for the embedded policy."""

from __future__ import annotations

from dataclasses import dataclass, field

from openvenus.learn.online._credit import Credit
from openvenus.policy.embedded import Exploration, Shape


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides a training run besides the tasks."""

    seed: int = 1
    """Of the weights, the curriculum and the sampling."""
    minutes: float = 40.0
    """Wall time, start of the browser included."""
    max_episodes: int | None = None
    """Episodes after which it ends, when that is sooner."""
    pages: int = 8
    """Pages open at once."""
    group: int = 6
    """Episodes of the same task and seed."""
    max_steps: int = 10
    """Bound of most episodes."""
    long_steps: int = 20
    """Bound of the episodes that look for longer solutions."""
    long_share: float = 0.15
    """Share of groups with the long bound, in [0, 1]."""
    idle_steps: int = 4
    """Actions without effect after which an episode is given up."""
    batch_episodes: int = 48
    """Episodes gathered for one update."""
    minibatch: int = 96
    """Decisions in one gradient step."""
    epochs: int = 2
    lr: float = 1e-3
    final_lr: float = 1e-4
    weight_decay: float = 1e-4
    clip_low: float = 0.2
    clip_high: float = 0.28
    """Bounds of the probability ratio: [1 - clip_low, 1 + clip_high]."""
    entropy: float = 0.02
    """Weight of the entropy bonus at the start; falls to 0."""
    imitation: float = 0.3
    """Weight of the policy's own successes while a task is not yet mastered."""
    imitation_mastered: float = 0.08
    mastered: float = 0.97
    keep_successes: int = 120
    """Own successes kept per task."""
    value_weight: float = 0.25
    average: float = 0.98
    """Decay per update of the averaged weights that are written out."""
    step_cost: float = 0.01
    """Taken off the reward for each step, so that shorter solutions win."""
    idle_cost: float = 0.02
    """Taken off for an action that failed or had no effect."""
    explore: Exploration = field(default_factory=Exploration)
    credit: Credit = field(default_factory=Credit)
    shape: Shape = field(default_factory=Shape)
