"""The records of a run: tasks, observations, decisions, rulings, effects, episodes."""

from openvenus.episode._records import (
    Decision,
    Dialog,
    Effect,
    EffectStatus,
    Episode,
    Limits,
    Observation,
    Outcome,
    ParseFailure,
    Ruling,
    Step,
    Task,
    Usage,
    Verdict,
)

__all__ = [
    "Decision",
    "Dialog",
    "Effect",
    "EffectStatus",
    "Episode",
    "Limits",
    "Observation",
    "Outcome",
    "ParseFailure",
    "Ruling",
    "Step",
    "Task",
    "Usage",
    "Verdict",
]
