"""What is kept of one episode of a benchmark."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from openvenus.bench._plan import Variant
from openvenus.episode import Episode


@dataclass(frozen=True, slots=True)
class Result:
    """One episode, in short."""

    task: str
    seed: int
    success: bool
    cause: str
    """Empty for a success, else why it failed, as by `cause_of`."""
    outcome: str
    """How the loop ended; "not_set_up" when the task could not be started."""
    raw_reward: float = 0.0
    reward: float = 0.0
    """The environment's own reward, which may be decayed with time."""
    full: bool = False
    """Whether all of the reward was given."""
    steps: int = 0
    seconds: float = 0.0
    reason: str = ""
    instruction: str = ""
    episode: str | None = None
    """Folder of the record, when there is one."""

    @property
    def variant(self) -> Variant:
        """Task and seed."""
        return Variant(self.task, self.seed)

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Result:
        """The other way. Raises TypeError when a field is missing or unknown."""
        return cls(**data)


def result_of(variant: Variant, episode: Episode, path: Path | None = None) -> Result:
    """The short form of a finished episode."""
    verdict = episode.verdict
    details = verdict.details if verdict is not None else {}
    raw = float(details.get("raw_reward", verdict.reward if verdict is not None else 0.0) or 0.0)
    success = verdict is not None and verdict.result == "success"
    return Result(
        task=variant.task,
        seed=variant.seed,
        success=success,
        cause="" if success else cause_of(episode),
        outcome=episode.outcome or "cancelled",
        raw_reward=raw,
        reward=float(details.get("reward", raw) or 0.0),
        full=bool(details.get("full", success)),
        steps=len(episode.steps),
        seconds=round((episode.ended or episode.started) - episode.started, 4),
        reason=episode.reason or str(details.get("reason", "")),
        instruction=episode.task.instruction,
        episode=str(path) if path is not None else None,
    )


def not_set_up(variant: Variant, message: str) -> Result:
    """The result of a task that could not be started."""
    return Result(
        task=variant.task,
        seed=variant.seed,
        success=False,
        cause="not_set_up",
        outcome="not_set_up",
        reason=message,
    )


def cause_of(episode: Episode) -> str:
    """Why an episode that is no success failed, in few words and few kinds.

    The outcome of the loop; for an episode that its environment closed, what the environment
    had against it: "wrong: reward -1", "timed out".
    """
    verdict = episode.verdict
    if verdict is not None and verdict.result == "unknown":
        return f"{episode.outcome}, not judged"
    if episode.outcome != "environment_done" or verdict is None:
        return episode.outcome or "cancelled"
    reason = str(verdict.details.get("reason", ""))
    if reason == "timed out":
        return "timed out"
    raw = float(verdict.details.get("raw_reward", verdict.reward or 0.0) or 0.0)
    if raw in (0.0, -1.0):
        return f"wrong: reward {raw:g}"
    return "wrong: reward below 0"
