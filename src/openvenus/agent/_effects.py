"""From what the device reports and what is seen before and after to one effect, in words."""

from __future__ import annotations

from openvenus.action import Action, action_to_text
from openvenus.device import Performed
from openvenus.episode import Effect, Observation
from openvenus.screen import describe_change

_QUIET = frozenset({"note", "answer", "ask_user", "finish", "refuse", "wait"})
"""Actions that need not change anything on the screen."""
_SHORT = 160


def effect_of(performed: Performed, before: Observation, after: Observation | None) -> Effect:
    """What came of an action.

    Args:
        after: the screen once it had settled; None when it could not be seen any more.
    """
    changed: bool | None = None
    changes: tuple[str, ...] = ()
    if after is not None:
        changed, changes = _changes(performed, before, after)
    dialogs = performed.dialogs or (after.dialogs if after is not None else ())
    return Effect(
        status=performed.status,
        message=performed.message,
        changed=changed,
        changes=changes,
        dialogs=dialogs,
        navigated=performed.navigated or (after is not None and after.url != before.url),
        new_tab=performed.new_tab,
        settled=performed.settled and (after is None or after.settled),
        point=performed.point,
        seconds=performed.seconds,
    )


def _changes(
    performed: Performed, before: Observation, after: Observation
) -> tuple[bool | None, tuple[str, ...]]:
    said: list[str] = []
    if after.url != before.url:
        said.append(f"navigated to {after.url}")
    elif performed.navigated:
        said.append("the page was loaded anew")
    if after.tabs != before.tabs:
        said.append(f"{len(after.tabs)} tabs are open now, {len(before.tabs)} before")
    for d in performed.dialogs or after.dialogs:
        said.append(f"a dialog ({d.kind}) said {d.message!r} and was {d.handled}")
    change = describe_change(before.frame, before.elements, after.frame, after.elements)
    said.extend(change.sentences)
    changed = True if said else change.changed
    return changed, tuple(said)


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
