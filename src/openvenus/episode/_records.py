"""The records of a run: what was asked, seen, decided, ruled and done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from openvenus.action import Action, Point
from openvenus.screen import ElementTree, Frame

Outcome = Literal[
    "claimed_done",
    "refused",
    "asked_user",
    "denied",
    "stuck",
    "step_limit",
    "time_limit",
    "invalid_output",
    "device_fault",
    "policy_fault",
    "cancelled",
    "environment_done",
]
"""How the loop ended; says nothing about success.

`environment_done`: the task's own environment closed the episode (a benchmark page that scores
itself); all others are the loop's.
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one episode."""

    max_steps: int = 30
    step_seconds: float = 60.0
    """Deadline for one step: observing, deciding and acting together."""
    episode_seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class Task:
    """What to do, where to start and how long it may take."""

    instruction: str
    id: str = ""
    start: str | None = None
    """URL, app or file to open first; None takes the device as it is."""
    limits: Limits = field(default_factory=Limits)
    provenance: dict[str, Any] = field(default_factory=dict)
    """Where the task comes from: suite, template, seed, parameters."""


@dataclass(frozen=True, slots=True)
class Dialog:
    """A native dialog that the device holds open or has closed with the safe default."""

    kind: str
    """alert, confirm, prompt, beforeunload, permission, file, ..."""
    message: str
    default: str = ""
    """Pre-filled text of a prompt."""
    handled: str = "dismissed"
    """What was done with it: dismissed, closed, open."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What could be seen before deciding."""

    frame: Frame
    elements: ElementTree = field(default_factory=ElementTree)
    url: str = ""
    title: str = ""
    app: str = ""
    tabs: tuple[str, ...] = ()
    """Titles of all open tabs or windows, the current one included."""
    dialogs: tuple[Dialog, ...] = ()
    """Dialogs since the last observation."""
    clipboard: str | None = None
    settled: bool = True
    """Whether the screen was quiet when it was captured."""
    seconds: float = 0.0
    """Time the capture took."""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a model call cost."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """What the policy wants to do next."""

    action: Action
    thought: str = ""
    target: str | None = None
    """Id of the element the action was decided on, where there is one."""
    conclusion: str = ""
    raw: str = ""
    """The policy's answer as it came."""
    usage: Usage | None = None
    seconds: float = 0.0
    confidence: float | None = None
    """The policy's own probability in [0, 1] that the task will succeed from here."""
    completes: float | None = None
    """The policy's own probability in [0, 1] that this action is the last one needed."""
    logprob: float | None = None
    """Log-probability of the decision under the policy, where it has one."""
    masked: bool = False
    """Only in records read from disk: what it typed was secret and stands there as bullets."""


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """An answer that isn't an action. Never acted on; the reason goes back to the policy."""

    reason: str
    raw: str = ""
    position: int | None = None
    """Character offset in `raw` where reading failed."""
    usage: Usage | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Ruling:
    """The guard's judgement of one decision."""

    verdict: Literal["allow", "confirm", "deny"]
    rule: str
    """Which rule spoke; "no-guard" when none is in place."""
    effect_class: str = "unknown"
    reason: str = ""
    approval: str | None = None


EffectStatus = Literal["done", "failed", "unsupported", "stale", "denied", "not_performed"]


@dataclass(frozen=True, slots=True)
class Effect:
    """What came of an action."""

    status: EffectStatus
    """`failed`, `unsupported`, `stale`, `denied` carry a message for the policy."""
    message: str = ""
    changed: bool | None = None
    """Whether screen or state differ afterwards; None when that is unknown."""
    changes: tuple[str, ...] = ()
    """What differs, in words: "navigated to ...", "textbox 'Name' now has 'Ann'"."""
    dialogs: tuple[Dialog, ...] = ()
    navigated: bool = False
    new_tab: bool = False
    settled: bool = True
    point: Point | None = None
    """Where the device really acted, on the frame the action was decided on."""
    seconds: float = 0.0
    """Time from the start of the action until the screen had settled."""


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the loop. Exactly one of `decision` and `failure` is set."""

    index: int
    observation: Observation
    decision: Decision | None = None
    failure: ParseFailure | None = None
    ruling: Ruling | None = None
    effect: Effect | None = None
    feedback: str = ""
    """What the loop told the policy before this decision."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Durations by phase: observe, propose, review, perform, overhead."""
    started: float = 0.0
    """Unix time."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement of success, the only source of reward."""

    result: Literal["success", "failure", "unknown"]
    probability: float | None = None
    judge: str = ""
    """Who judged: "rule:...", "environment:...", a model's name."""
    reward: float | None = None
    """The environment's own reward where it gives one."""
    evidence: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Episode:
    """A whole run."""

    id: str
    task: Task
    policy: str
    device: str
    steps: tuple[Step, ...] = ()
    outcome: Outcome | None = None
    """None while it runs or when the run died before it could say."""
    reason: str = ""
    answer: str = ""
    final: Observation | None = None
    """The screen after the last action."""
    verdict: Verdict | None = None
    notes: tuple[str, ...] = ()
    started: float = 0.0
    ended: float | None = None
    version: str = ""
    """Version of OpenVenus that wrote it."""
