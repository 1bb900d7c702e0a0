"""The text form of actions: one JSON object, the same that is written to records."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from openvenus.action._types import Action
from openvenus.errors import InvalidAction

_ADAPTER: TypeAdapter[Action] = TypeAdapter(Action)


def action_from_dict(data: dict[str, Any]) -> Action:
    """An action from its JSON object.

    Raises:
        InvalidAction: unknown type, missing, unknown or out-of-range argument; the message
            names the argument.
    """
    try:
        return _ADAPTER.validate_python(data)
    except ValidationError as e:
        raise InvalidAction(_explain(e)) from e


def action_from_text(text: str) -> Action:
    """An action from its JSON text; raises `InvalidAction` as `action_from_dict` does."""
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except RecursionError as e:
        raise InvalidAction("the action is not JSON that can be read: nested too deep") from e
    except ValueError as e:
        raise InvalidAction(f"the action is not JSON: {e}") from e
    if not isinstance(data, dict):
        raise InvalidAction(f"the action must be a JSON object, not {type(data).__name__}")
    return action_from_dict(data)


def action_to_dict(action: Action) -> dict[str, Any]:
    """The JSON object of an action: its type and the arguments that differ from the default."""
    data: dict[str, Any] = action.model_dump(mode="json", exclude_defaults=True)
    data = {"type": action.type, **data}
    if action.type == "sequence":
        data["actions"] = [action_to_dict(a) for a in action.actions]
    return data


def action_to_text(action: Action) -> str:
    """The JSON text of an action, on one line."""
    return json.dumps(action_to_dict(action), ensure_ascii=False)


def action_json_schema() -> dict[str, Any]:
    """JSON schema of the action language, for models with structured output."""
    return _ADAPTER.json_schema()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different: which of two values counts is a guess."""
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise ValueError(f"{twice!r} stands there twice")
    return data


def _explain(error: ValidationError) -> str:
    parts = []
    for item in error.errors(include_url=False, include_input=False)[:3]:
        where = ".".join(str(p) for p in item["loc"])
        parts.append(f"{where}: {_words(item)}" if where else _words(item))
    return "invalid action: " + "; ".join(parts)


def _words(item: Any) -> str:
    """One complaint in words for people, with what is allowed instead."""
    context = item.get("ctx", {})
    match item["type"]:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "is not an argument of this action"
        case "union_tag_not_found":
            return "the type is missing"
        case "union_tag_invalid":
            tags = context["expected_tags"].replace("'", "")
            return f"there is no action {context['tag']!r} here, only {tags}"
        case "value_error":
            return str(context["error"])
        case _:
            return str(item["msg"]).replace("Input should be", "must be").replace("Tuple", "it")
