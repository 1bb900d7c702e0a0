"""The place of the guard in the loop, and the guard that is there when nobody sets one."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol, runtime_checkable

from openvenus.episode import Decision, Observation, Ruling, Task

_log = logging.getLogger(__name__)


@runtime_checkable
class Guard(Protocol):
    """Judges one decision before it is carried out. A pure judgement: it does nothing itself."""

    def review(self, task: Task, observation: Observation, decision: Decision) -> Ruling:
        """Whether the decision may be carried out on what was observed.

        `confirm` lets it be carried out only when the approver says so. An exception counts as
        `deny`.
        """
        ...


Approver = Callable[[Task, Observation, Decision, Ruling], "str | Awaitable[str | None] | None"]
"""Asked when a guard says `confirm`: returns who or what approved it, or None to deny."""


class AllowAll:
    """No guard: everything is allowed, and each ruling says that nobody looked."""

    def review(self, task: Task, observation: Observation, decision: Decision) -> Ruling:
        """Always `allow`."""
        return _NO_GUARD


_NO_GUARD = Ruling("allow", rule="no-guard", reason="no guard is configured")


async def judge(
    guard: Guard,
    approver: Approver | None,
    task: Task,
    observation: Observation,
    decision: Decision,
) -> Ruling:
    """The guard's ruling with `confirm` resolved: `allow` with an approval, or `deny`."""
    try:
        ruling = guard.review(task, observation, decision)
        if ruling.verdict != "confirm":
            return ruling
        approval: str | None = None
        if approver is not None:
            answer = approver(task, observation, decision, ruling)
            approval = await answer if inspect.isawaitable(answer) else answer
    except Exception as e:
        # A guard that can't judge must not let anything through.
        _log.exception("the guard failed; the decision counts as denied")
        return Ruling("deny", rule="guard-failed", reason=f"the guard failed: {e}")
    if approval:
        return Ruling("allow", ruling.rule, ruling.effect_class, ruling.reason, approval)
    why = "nobody approved it" if approver else "it needs an approval and nobody can give one"
    reason = f"{ruling.reason}; {why}" if ruling.reason else why
    return Ruling("deny", ruling.rule, ruling.effect_class, reason)
