"""The closed loop: observe, propose, review, perform, check, again."""

from openvenus.agent._agent import Agent
from openvenus.agent._batch import Batcher
from openvenus.agent._environment import Environment
from openvenus.agent._events import (
    Asked,
    Decided,
    EffectSeen,
    EpisodeEnded,
    EpisodeStarted,
    Event,
    Observed,
    Ruled,
    StepEnded,
)
from openvenus.agent._guard import AllowAll, Approver, Guard
from openvenus.agent._options import AgentOptions
from openvenus.agent._person import Ask
from openvenus.agent._pool import AgentPool, Done, Job, NewDevice, run_many
from openvenus.agent._progress import fingerprint

__all__ = [
    "Agent",
    "AgentOptions",
    "AgentPool",
    "AllowAll",
    "Approver",
    "Ask",
    "Asked",
    "Batcher",
    "Decided",
    "Done",
    "EffectSeen",
    "Environment",
    "EpisodeEnded",
    "EpisodeStarted",
    "Event",
    "Guard",
    "Job",
    "NewDevice",
    "Observed",
    "Ruled",
    "StepEnded",
    "fingerprint",
    "run_many",
]
