"""The action language as a model is told it: made from the action types themselves."""

from __future__ import annotations

import typing
from collections.abc import Iterable
from functools import cache
from typing import Any

from openvenus.action import Action, BaseAction, action_json_schema

_ARGUMENTS: dict[str, str] = {
    "point": "[x, y]",
    "start": "[x, y]",
    "end": "[x, y]",
    "via": "[[x, y], ...]",
    "paths": "[[[x, y], ...], ...]",
    "keys": '["Control", "a"]',
    "key": '"Enter"',
    "direction": '"up" | "down" | "left" | "right"',
    "status": '"success" | "failure"',
    "index": "[0]",
    "label": '["text of the option"]',
    "actions": "[action, action, ...]",
    "clear": "true",
    "submit": "true",
    "amount": "number",
    "seconds": "number",
    "repeat": "number",
}
"""How the value of an argument looks; everything else is a text."""


@cache
def action_types() -> dict[str, type[BaseAction]]:
    """Every action type by its name, in the order of the action language."""
    union = typing.get_args(Action)[0]
    return {t.model_fields["type"].default: t for t in typing.get_args(union)}


def describe_actions(allowed: Iterable[str]) -> str:
    """One line for each allowed type: its form in JSON and what it does.

    Optional arguments carry a question mark after their name.
    """
    wanted = set(allowed)
    return "\n".join(_line(n, t) for n, t in action_types().items() if n in wanted)


def _line(name: str, kind: type[BaseAction]) -> str:
    parts = [f'"type": "{name}"']
    for field, info in kind.model_fields.items():
        if field == "type":
            continue
        mark = "" if info.is_required() else "?"
        parts.append(f'"{field}"{mark}: {_ARGUMENTS.get(field, "text")}')
    about = " ".join((kind.__doc__ or "").split())
    return f"- {{{', '.join(parts)}}}: {about}"


def answer_schema(allowed: Iterable[str]) -> dict[str, Any]:
    """JSON schema of a whole answer in which only the allowed types of action occur."""
    wanted = set(allowed)
    schema = action_json_schema()
    defs: dict[str, Any] = schema.get("$defs", {})
    names = [t.__name__ for n, t in action_types().items() if n in wanted]
    for name in names:
        required = defs[name].setdefault("required", [])
        if "type" not in required:
            required.append("type")
    if "Sequence" in names:
        simple = [{"$ref": f"#/$defs/{n}"} for n in names if n != "Sequence"]
        items = defs["Sequence"]["properties"]["actions"]["items"]
        items.clear()
        items["anyOf"] = simple
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["thought", "action"],
        "properties": {
            "thought": {"type": "string"},
            "action": {"anyOf": [{"$ref": f"#/$defs/{n}"} for n in names]},
            "target": {"type": "string"},
            "conclusion": {"type": "string"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "$defs": {n: d for n, d in defs.items() if n in names or n == "Point"},
    }
