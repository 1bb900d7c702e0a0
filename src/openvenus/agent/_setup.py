"""What stays the same from one episode of an agent to the next."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from openvenus.agent._events import Event
from openvenus.agent._guard import Approver, Guard
from openvenus.agent._options import AgentOptions
from openvenus.agent._person import Ask
from openvenus.policy import Policy

_log = logging.getLogger(__name__)

OnEvent = Callable[[Event], None]
"""Called with each event, in order, on the loop; must not block. Its errors are logged."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything an episode needs but the device, the task and its environment."""

    policy: Policy
    options: AgentOptions
    guard: Guard
    approver: Approver | None = None
    ask: Ask | None = None
    record: Path | None = None
    """Folder that episodes are recorded in; None records nothing."""
    on_event: OnEvent | None = None

    def emit(self, event: Event) -> None:
        """Tell the watcher, whose mistakes must not break the episode."""
        if self.on_event is None:
            return
        try:
            self.on_event(event)
        except Exception:
            _log.exception("a watcher of the loop failed on %s", type(event).__name__)
