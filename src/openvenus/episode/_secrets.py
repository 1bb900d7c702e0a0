"""What is typed into password fields never reaches the disk."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from openvenus.action import (
    Action,
    Box,
    Hotkey,
    KeyDown,
    KeyUp,
    Point,
    Press,
    Sequence,
    SimpleAction,
    TypeText,
)
from openvenus.episode._records import Decision, Effect, ParseFailure, Step
from openvenus.screen import Element, ElementTree

BULLET = "•"
_LONG = 3
"""Secrets of fewer characters are only looked for in the step that types them: later they
would blot out texts that merely hold the same letters."""


class Mask:
    """Replaces secrets by as many bullets in the steps of one episode, given in order.

    What was typed into a password field is a secret; in the same step it is replaced wherever
    the policy or the device repeats it, in later steps wherever the policy, the loop or a field
    of the screen does. The task's own words are left as they are.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()

    def apply(self, step: Step) -> Step:
        """The step without secrets; the step itself when there is nothing to hide."""
        decision, now = step.decision, set[str]()
        if decision is not None:
            action = _hide(decision.action, decision.target, step.observation.elements, now)
            if now:
                decision = replace(decision, action=action, masked=True)
        self._known |= {s for s in now if len(s) >= _LONG}
        secrets = sorted(now | self._known, key=len, reverse=True)
        return _without(replace(step, decision=decision), secrets) if secrets else step

    def text(self, text: str) -> str:
        """A text without the secrets known so far."""
        return _cover(text, sorted(self._known, key=len, reverse=True))

    def elements(self, tree: ElementTree) -> ElementTree:
        """A tree in which no field shows a secret (as one does whose password was revealed)."""
        return _uncover(tree, self._known)


def _hide(action: Action, target: str | None, tree: ElementTree, secrets: set[str]) -> Action:
    """The action with secret texts replaced; adds what was replaced to `secrets`."""
    if not any(e.kind == "password" for e in tree):
        return action
    if isinstance(action, Sequence):
        return _hide_sequence(action, tree, secrets)
    element = tree.get(target) if target is not None else None
    receiver = _field(element) if element is not None else _receiver(action, tree)
    hidden: Action = _hide_one(action, receiver, secrets)
    return hidden


def _hide_sequence(sequence: Sequence, tree: ElementTree, secrets: set[str]) -> Sequence:
    actions: list[SimpleAction] = []
    receiver = _focused(tree)
    for action in sequence.actions:
        if getattr(action, "point", None) is not None:
            receiver = _receiver(action, tree)
        actions.append(_hide_one(action, receiver, secrets))
        if _moves_focus(action):
            receiver = _ANY_FIELD
    return sequence.model_copy(update={"actions": tuple(actions)})


def _hide_one(action: Any, receiver: Element, secrets: set[str]) -> Any:
    if receiver.kind != "password":
        return action
    if isinstance(action, TypeText) and action.text:
        secrets.add(action.text)
        return action.model_copy(update={"text": BULLET * len(action.text)})
    if isinstance(action, Press) and len(action.key) == 1:
        secrets.add(action.key)
        return action.model_copy(update={"key": BULLET})
    if isinstance(action, (Hotkey, KeyDown, KeyUp)) and all(len(k) == 1 for k in action.keys):
        secrets.update(action.keys)
        return action.model_copy(update={"keys": (BULLET,) * len(action.keys)})
    return action


def _receiver(action: Any, tree: ElementTree) -> Element:
    """The element that gets what is typed."""
    point: Point | None = getattr(action, "point", None)
    if point is None:
        return _focused(tree)
    return _field(tree.at(point))


def _focused(tree: ElementTree) -> Element:
    return _field(next((e for e in tree if e.focused), None))


def _field(element: Element | None) -> Element:
    """The element itself when it takes text; else any, as a label leads on to its field."""
    takes_text = element is not None and (element.editable or element.kind == "password")
    return element if element is not None and takes_text else _ANY_FIELD


def _moves_focus(action: Any) -> bool:
    keys = (action.key,) if isinstance(action, Press) else getattr(action, "keys", ())
    return any(len(k) > 1 for k in keys)


def _without(step: Step, secrets: list[str]) -> Step:
    def cover(text: str) -> str:
        return _cover(text, secrets)

    decision: Decision | None = step.decision
    if decision is not None:
        action = _cover_action(decision.action, secrets)
        decision = replace(
            decision,
            action=action,
            masked=decision.masked or action is not decision.action,
            thought=cover(decision.thought),
            conclusion=cover(decision.conclusion),
            raw=cover(decision.raw),
        )
    failure: ParseFailure | None = step.failure
    if failure is not None:
        failure = replace(failure, reason=cover(failure.reason), raw=cover(failure.raw))
    effect: Effect | None = step.effect
    if effect is not None:
        effect = replace(
            effect,
            message=cover(effect.message),
            changes=tuple(cover(c) for c in effect.changes),
        )
    observation = replace(
        step.observation, elements=_uncover(step.observation.elements, set(secrets))
    )
    return replace(
        step,
        observation=observation,
        decision=decision,
        failure=failure,
        effect=effect,
        feedback=cover(step.feedback),
    )


def _cover_action(action: Any, secrets: list[str]) -> Any:
    if isinstance(action, Sequence):
        inner = tuple(_cover_action(a, secrets) for a in action.actions)
        same = all(a is b for a, b in zip(inner, action.actions, strict=True))
        return action if same else action.model_copy(update={"actions": inner})
    changed = {}
    for name in ("text", "answer", "question", "reason"):
        text = getattr(action, name, "")
        # Typing elsewhere is hidden only when it is the secret, as in a field that shows it.
        if isinstance(action, TypeText) and text not in secrets:
            continue
        if (covered := _cover(text, secrets)) != text:
            changed[name] = covered
    return action.model_copy(update=changed) if changed else action


def _uncover(tree: ElementTree, secrets: set[str]) -> ElementTree:
    if not any(e.value and e.value in secrets for e in tree):
        return tree
    return ElementTree(
        (replace(e, value=BULLET * len(e.value)) if e.value in secrets else e for e in tree),
        truncated=tree.truncated,
    )


def _cover(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        # A raw answer is mostly JSON, where the secret may be written with escapes.
        for form in (
            secret,
            json.dumps(secret, ensure_ascii=False)[1:-1],
            json.dumps(secret)[1:-1],
        ):
            text = text.replace(form, BULLET * len(secret))
    return text


# Where it isn't known which field has the focus, it may be the password field.
_ANY_FIELD = Element("", "textbox", Box(0.0, 0.0, 0.0, 0.0), kind="password")
