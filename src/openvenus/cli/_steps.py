"""Steps and actions in words, for the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openvenus.action import Action
    from openvenus.episode import Step


def step_line(step: Step) -> str:
    """One line about one step."""
    number = f"{step.index + 1:3d}."
    if step.decision is None:
        reason = step.failure.reason if step.failure is not None else "nothing was decided"
        return f"{number} unreadable answer: {reason}"
    text = _short(action_line(step.decision.action), 80)
    if thought := step.decision.thought:
        text += f"  ({_short(thought, 80)})"
    effect = step.effect
    if effect is None:
        return f"{number} {text}"
    if effect.status != "done":
        return f"{number} {text}  -> {effect.status}: {_short(effect.message, 100)}"
    if effect.changed is False:
        return f"{number} {text}  -> no effect"
    changes = f"  -> {_short('; '.join(effect.changes), 80)}" if effect.changes else ""
    return f"{number} {text}{changes}"


def action_line(action: Action) -> str:
    """An action for people: type "Ann" at (120, 300) clear."""
    from openvenus.action import action_to_dict

    said = action_to_dict(action)
    words = [str(said.pop("type"))]
    for name in ("text", "target", "direction", "question", "answer", "reason"):
        if said.get(name):
            words.append(json.dumps(said.pop(name), ensure_ascii=False))
    if point := said.pop("point", None):
        words.append(f"at ({point[0]:.0f}, {point[1]:.0f})")
    for name, value in said.items():
        if value is True:
            words.append(name)
        elif value not in (None, False, "", [], 1):
            words.append(f"{name} {json.dumps(value, ensure_ascii=False)}")
    return " ".join(words)


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
