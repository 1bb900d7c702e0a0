"""From what the device reports and what is seen before and after to one effect, in words."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from openvenus.action import Action, action_to_text
from openvenus.device import Performed
from openvenus.episode import Effect, Observation
from openvenus.screen import Change, describe_change

_QUIET = frozenset({"note", "answer", "ask_user", "finish", "refuse", "wait"})
"""Actions that need not change anything on the screen."""
_SHORT = 160


async def compare(before: Observation, after: Observation) -> Change:
    """What differs between two screens.

    Pixels are compared only where the elements don't tell anything, and beside the event loop:
    decoding two screenshots takes longer than all the rest of a step.
    """
    old, new = before.frame, after.frame
    change = describe_change(
        old.without_image(), before.elements, new.without_image(), after.elements
    )
    if change.sentences or old.image is None or new.image is None or old.image == new.image:
        known = change.changed is not None or old.image is None or new.image is None
        return change if known else replace(change, changed=False)
    return await asyncio.to_thread(describe_change, old, before.elements, new, after.elements)


def effect_of(
    performed: Performed,
    before: Observation,
    after: Observation | None = None,
    change: Change | None = None,
) -> Effect:
    """What came of an action.

    Args:
        after: the screen once it had settled; None when it wasn't looked at.
        change: what differs between the two.
    """
    said = _noticed(performed, before, after) if after is not None else []
    if change is not None:
        said.extend(change.sentences)
    changed = True if said else change.changed if change is not None else None
    dialogs = performed.dialogs or (after.dialogs if after is not None else ())
    return Effect(
        status=performed.status,
        message=performed.message,
        changed=changed,
        changes=tuple(said),
        dialogs=dialogs,
        navigated=performed.navigated or (after is not None and after.url != before.url),
        new_tab=performed.new_tab,
        settled=performed.settled and (after is None or after.settled),
        point=performed.point,
        seconds=performed.seconds,
    )


def _noticed(performed: Performed, before: Observation, after: Observation) -> list[str]:
    """What is neither in elements nor in pixels."""
    said: list[str] = []
    if after.url != before.url:
        said.append(f"navigated to {after.url}")
    elif performed.navigated:
        said.append("the page was loaded anew")
    if len(after.tabs) != len(before.tabs):
        said.append(f"{len(after.tabs)} tabs are open now, {len(before.tabs)} before")
    if after.title != before.title:
        said.append(f"the title is now {after.title!r}")
    for d in performed.dialogs or after.dialogs:
        said.append(f"a dialog ({d.kind}) said {d.message!r} and was {d.handled}")
    return said


def feedback_of(action: Action, effect: Effect) -> str:
    """What the policy should be told about its last action; empty when it simply worked."""
    what = short(action)
    if effect.status == "denied":
        return f"The last action ({what}) was not allowed: {effect.message}."
    if effect.status == "unsupported":
        return f"The last action ({what}) was not done: {effect.message}."
    if effect.status == "stale":
        return f"The screen had changed before the last action ({what}), so it was not done: " + (
            f"{effect.message}."
        )
    if effect.status in {"failed", "not_performed"}:
        return f"The last action ({what}) failed: {effect.message or 'the device gave no reason'}."
    if effect.changed is False and action.type not in _QUIET:
        return f"The last action ({what}) changed nothing that can be seen."
    return f"About the last action ({what}): {effect.message}." if effect.message else ""


def short(action: Action) -> str:
    """An action in its text form, cut to a length that fits in a sentence."""
    text = action_to_text(action)
    return text if len(text) <= _SHORT else text[: _SHORT - 3] + "..."
