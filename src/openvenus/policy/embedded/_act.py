"""From a choice of the network to a decision in the action language."""

from __future__ import annotations

from openvenus.action import (
    Action,
    Click,
    Drag,
    Hover,
    Point,
    Press,
    Scroll,
    Select,
    TypeText,
    Wait,
    clamp_point,
)
from openvenus.episode import Decision
from openvenus.policy.embedded._choices import CASES, DIRECTIONS, KEYS, KINDS, SIDES, copied_text
from openvenus.policy.embedded._choose import Choice
from openvenus.policy.embedded._features import Features
from openvenus.screen import Element


def to_decision(choice: Choice, f: Features) -> Decision:
    """The decision that a choice means on this screen."""
    name = KINDS[choice.kind]
    target = f.elements[choice.target] if choice.target >= 0 else None
    action = _action(name, choice, f, target)
    return Decision(
        action=action,
        thought=_thought(name, action, target),
        target=target.id if target is not None else None,
        confidence=choice.value,
        completes=choice.completes,
        logprob=choice.logprob,
    )


def point_of(element: Element) -> Point:
    """Where to act on an element: its hit-tested point, else its middle, kept on the frame."""
    return element.point or clamp_point(*element.box.center)


def _action(name: str, choice: Choice, f: Features, target: Element | None) -> Action:
    if name == "wait" or (target is None and name != "press"):
        return Wait(seconds=0.5)
    if name == "press" or target is None:
        return Press(key=KEYS[choice.key])
    at = point_of(target)
    if name == "click":
        if target.native and target.role == "option":
            return Select(point=at, index=(_place_in_list(target, f),))
        return Click(point=at)
    if name == "hover":
        return Hover(point=at)
    if name == "scroll":
        return Scroll(direction="up" if DIRECTIONS[choice.direction] == "up" else "down", point=at)
    if name == "drag":
        return _drag(target, f.elements[choice.second], SIDES[choice.side])
    if name == "type":
        text = f.instruction.span_text(choice.span)
    else:
        text = copied_text(f.elements[choice.second])
    case = CASES[choice.case]
    text = text.upper() if case == "upper" else text.lower() if case == "lower" else text
    return TypeText(text=text, point=at, clear=target.length > 0)


def _place_in_list(option: Element, f: Features) -> int:
    """0-based index of a native option among the options of its list."""
    siblings = [e for e in f.elements if e.native and e.parent == option.parent]
    return siblings.index(option)


def _drag(first: Element, second: Element, side: str) -> Drag:
    """From the middle of one element to a part of another.

    On one and the same element a side is a way to go: over a text from its beginning to its
    end, else by one and a half of its size.
    """
    start = point_of(first)
    box = second.box
    x, y = box.center
    if first.id == second.id:
        if first.role in ("text", "paragraph", "heading"):
            return Drag(
                start=clamp_point(box.left + 1, box.top + min(box.height, 24) / 2),
                end=clamp_point(box.right - 1, box.bottom - min(box.height, 24) / 2),
            )
        reach_x, reach_y = 1.5 * box.width, 1.5 * box.height
        x, y = start
    else:
        reach_x, reach_y = 0.5 * box.width, 0.5 * box.height
    if side == "left":
        x -= reach_x
    elif side == "right":
        x += reach_x
    elif side == "top":
        y -= reach_y
    elif side == "bottom":
        y += reach_y
    return Drag(start=start, end=clamp_point(x, y))


def _thought(name: str, action: Action, target: Element | None) -> str:
    if target is None:
        return f"{name} {getattr(action, 'key', '')}".strip()
    label = (target.name or target.text or target.value or target.hint)[:60]
    what = f"{target.role} {label!r}" if label else target.role
    if action.type == "type":
        return f"type {action.text!r} into {what}"
    if action.type == "select":
        return f"choose {what}"
    return f"{name} {what}"
