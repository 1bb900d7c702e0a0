"""The records of a run: tasks, observations, decisions, rulings, effects, episodes."""

from openvenus.episode._read import list_episodes, read_episode
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
from openvenus.episode._store import DEFAULT_ROOT, EpisodeWriter, new_episode_id
from openvenus.episode.replay import write_replay

__all__ = [
    "DEFAULT_ROOT",
    "Decision",
    "Dialog",
    "Effect",
    "EffectStatus",
    "Episode",
    "EpisodeWriter",
    "Limits",
    "Observation",
    "Outcome",
    "ParseFailure",
    "Ruling",
    "Step",
    "Task",
    "Usage",
    "Verdict",
    "list_episodes",
    "new_episode_id",
    "read_episode",
    "write_replay",
]
