"""What can be set about the loop."""

from __future__ import annotations

from dataclasses import dataclass

from openvenus.errors import UsageError


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Bounds of the loop that don't belong to one task (those are in `Task.limits`).

    Raises:
        UsageError: a bound is negative or zero where it can't be.
    """

    images: bool = True
    """Whether observations carry the image; without it a step is much faster."""
    history_steps: int = 64
    """How many earlier steps a policy is shown, with their decision and effect."""
    history_elements: int = 16
    """How many of the latest of those still have their elements."""
    history_images: int = 2
    """How many of the latest of those still have their image."""
    parse_retries: int = 2
    """Unreadable answers in a row that are sent back; one more ends as `invalid_output`."""
    denials: int = 3
    """Denied decisions in a row that end the episode as `denied`."""
    stuck_warnings: int = 2
    """Warnings in a row about going nowhere; one more sign ends the episode as `stuck`."""
    repeat_limit: int = 3
    """How often the same action in the same state is a sign of being stuck."""
    no_progress_steps: int = 12
    """Steps in a row without a new state that are a sign of being stuck."""
    max_notes: int = 32
    """Notes kept; the oldest makes room for a new one."""
    max_note_chars: int = 4_000
    """Characters kept of one note."""
    max_messages: int = 32
    """Messages of the person kept; the oldest makes room for a new one."""
    max_wait_seconds: float = 20.0
    """Longest wait in one step, whatever the action asks for."""
    ask_seconds: float = 300.0
    """How long the person may take to answer; the task's own clock stands still meanwhile."""
    reuse_seconds: float = 1.0
    """An observation this old or younger is used again when nothing was done to the device."""
    release_seconds: float = 5.0
    """How long the device may take to let go of held keys at the end."""
    verdict_seconds: float = 15.0
    """How long the environment may take to judge the episode."""

    def __post_init__(self) -> None:
        for name in ("history_steps", "history_elements", "history_images", "parse_retries",
                     "stuck_warnings", "reuse_seconds"):  # fmt: skip
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is {getattr(self, name)}, but can't be negative")
        for name in ("denials", "repeat_limit", "no_progress_steps", "max_notes",
                     "max_note_chars", "max_messages", "max_wait_seconds", "ask_seconds",
                     "release_seconds", "verdict_seconds"):  # fmt: skip
            if getattr(self, name) <= 0:
                raise UsageError(f"{name} is {getattr(self, name)}, but must be above zero")
