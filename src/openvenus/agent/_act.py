"""Carrying out one decision: what the device does, and what the loop does itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from openvenus.action import Action, Sequence
from openvenus.device import Device, Performed
from openvenus.episode import Decision, Dialog, Observation
from openvenus.errors import (
    ActionFailed,
    DeviceFault,
    StaleFrame,
    UnsupportedAction,
    UsageError,
    VenusError,
)

LOOP_ACTIONS: frozenset[str] = frozenset({"wait", "note", "ask_user", "answer", "refuse", "finish"})
"""Types that the loop carries out itself, on any device."""


@dataclass(frozen=True, slots=True)
class Part:
    """One simple action of a decision, after it was tried."""

    action: Action
    performed: Performed


def flat(action: Action) -> tuple[Action, ...]:
    """The simple actions of an action, in order."""
    return action.actions if isinstance(action, Sequence) else (action,)


def unsupported(action: Action, device: Device) -> Performed | None:
    """The answer to an action that the device can't do; None when it can.

    A sequence with one such action is not begun at all.
    """
    can = device.actions
    missing = sorted(
        {a.type for a in flat(action) if a.type not in can and a.type not in LOOP_ACTIONS}
    )
    if not missing:
        return None
    return Performed(
        "unsupported",
        f"this device can't {', '.join(missing)}; it can {', '.join(sorted(can | LOOP_ACTIONS))}",
    )


async def perform(
    device: Device, action: Action, decision: Decision, observation: Observation
) -> Performed:
    """Have the device do one simple action.

    Raises:
        DeviceFault: the device failed, in whatever way.
    """
    target = decision.target if action is decision.action else None
    begun = time.perf_counter()
    try:
        performed = await device.perform(action, observation, target=target)
    except DeviceFault:
        raise
    except UnsupportedAction as e:
        performed = Performed("unsupported", e.message)
    except StaleFrame as e:
        performed = Performed("stale", e.message)
    except (ActionFailed, UsageError) as e:
        performed = Performed("failed", e.message)
    except Exception as e:
        raise DeviceFault(f"{device.name} failed on {action.type}: {describe(e)}") from e
    if performed.seconds:
        return performed
    return replace(performed, seconds=time.perf_counter() - begun)


async def wait(seconds: float, most: float) -> Performed:
    """Let time pass, at most `most` seconds."""
    span = max(0.0, min(seconds, most))
    await asyncio.sleep(span)
    cut = f"waited {span:.1f} s, the longest that a step may take" if span < seconds else ""
    return Performed("done", cut, seconds=span)


def joined(parts: Iterable[Part], planned: int) -> Performed:
    """One report for all parts of an action that were tried.

    Args:
        parts: what was tried, at least one; only the last may have failed.
        planned: how many simple actions the decision had.
    """
    tried = list(parts)
    last = tried[-1].performed
    if planned == 1:
        return last
    message = last.message
    if last.status != "done":
        message = (
            f"action {len(tried)} of {planned} ({tried[-1].action.type}) was not done, "
            f"nor was anything after it: {last.message or 'no reason given'}"
        )
    dialogs: tuple[Dialog, ...] = ()
    for part in tried:
        dialogs += part.performed.dialogs
    return Performed(
        status=last.status,
        message=message,
        point=last.point,
        dialogs=dialogs,
        navigated=any(p.performed.navigated for p in tried),
        new_tab=any(p.performed.new_tab for p in tried),
        settled=last.settled,
        seconds=sum(p.performed.seconds for p in tried),
    )


def describe(error: BaseException) -> str:
    """An error in one line, for records and feedback."""
    if isinstance(error, VenusError):
        return error.message
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
