"""From results to figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import openvenus
from openvenus.bench._interval import wilson_interval
from openvenus.bench._plan import Plan
from openvenus.bench._result import Result


@dataclass(frozen=True, slots=True)
class TaskReport:
    """Figures of one task, or of all of them together. Rates are in [0, 1]."""

    episodes: int
    success: float
    interval: tuple[float, float]
    """95 % Wilson interval of the success."""
    full_reward: float
    """Share of episodes that got all of the reward."""
    raw_reward: float
    """Mean."""
    reward: float
    """Mean of the environment's own reward, which may be decayed with time."""
    steps: float
    """Mean number of steps."""
    seconds: float
    """Mean duration of an episode."""
    causes: dict[str, int] = field(default_factory=dict)
    """Failures by cause, the most frequent first."""

    @classmethod
    def of(cls, results: Sequence[Result]) -> TaskReport:
        """Figures of these results; zeros when there are none."""
        n = len(results)
        successes = sum(r.success for r in results)
        counted = Counter(r.cause for r in results if not r.success)
        return cls(
            episodes=n,
            success=successes / n if n else 0.0,
            interval=wilson_interval(successes, n),
            full_reward=sum(r.full for r in results) / n if n else 0.0,
            raw_reward=fmean(r.raw_reward for r in results) if n else 0.0,
            reward=fmean(r.reward for r in results) if n else 0.0,
            steps=fmean(r.steps for r in results) if n else 0.0,
            seconds=fmean(r.seconds for r in results) if n else 0.0,
            causes=dict(sorted(counted.items(), key=lambda item: (-item[1], item[0]))),
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON data, rounded to what is meant."""
        return {
            "episodes": self.episodes,
            "success": round(self.success, 6),
            "interval": [round(x, 6) for x in self.interval],
            "full_reward": round(self.full_reward, 6),
            "raw_reward": round(self.raw_reward, 6),
            "reward": round(self.reward, 6),
            "steps": round(self.steps, 3),
            "seconds": round(self.seconds, 4),
            "causes": self.causes,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one run."""

    suite: str
    suite_version: str
    policy: str
    plan: Plan
    total: TaskReport
    tasks: dict[str, TaskReport]
    results: tuple[Result, ...]
    seconds: float = 0.0
    """Wall time of this run; what an earlier, interrupted one took is not in it."""
    ran: int = 0
    """Episodes of this run; the others were there already."""
    steps_per_second: float = 0.0
    episodes_per_second: float = 0.0
    workers: int = 0

    def to_dict(self) -> dict[str, Any]:
        """What `venus bench --json` prints."""
        total = self.total.to_dict()
        return {
            "suite": self.suite,
            "suite_version": self.suite_version,
            "policy": self.policy,
            "version": openvenus.__version__,
            "seeds": self.plan.seeds,
            "seed_offset": self.plan.seed_offset,
            "workers": self.workers,
            "episodes": total.pop("episodes"),
            "success": total.pop("success"),
            "interval": total.pop("interval"),
            "full_reward": total.pop("full_reward"),
            "raw_reward": total.pop("raw_reward"),
            "reward": total.pop("reward"),
            "causes": total.pop("causes"),
            "steps_per_episode": total.pop("steps"),
            "steps_per_second": round(self.steps_per_second, 3),
            "episodes_per_second": round(self.episodes_per_second, 3),
            "seconds": round(self.seconds, 3),
            "ran": self.ran,
            "tasks": {name: task.to_dict() for name, task in self.tasks.items()},
        }


def make_report(
    plan: Plan,
    results: Sequence[Result],
    *,
    suite_version: str = "",
    policy: str = "",
    workers: int = 0,
    seconds: float = 0.0,
    fresh: Sequence[Result] = (),
) -> Report:
    """Figures of the results that belong to the plan; others are left out.

    Args:
        seconds: wall time in which the `fresh` results came about.
    """
    wanted = set(plan.variants)
    chosen = sorted((r for r in results if r.variant in wanted), key=lambda r: r.variant)
    by_task: dict[str, list[Result]] = {}
    for result in chosen:
        by_task.setdefault(result.task, []).append(result)
    return Report(
        suite=plan.suite,
        suite_version=suite_version,
        policy=policy,
        plan=plan,
        total=TaskReport.of(chosen),
        tasks={name: TaskReport.of(group) for name, group in by_task.items()},
        results=tuple(chosen),
        seconds=seconds,
        ran=len(fresh),
        steps_per_second=sum(r.steps for r in fresh) / seconds if seconds > 0 else 0.0,
        episodes_per_second=len(fresh) / seconds if seconds > 0 else 0.0,
        workers=workers,
    )
