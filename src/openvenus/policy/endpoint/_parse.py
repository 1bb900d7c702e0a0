"""From a model's answer to a decision: strict, total, and never more than was said.

An answer is one JSON object. Before it there may be one `<think>` block, around it one code
fence, and nothing else. Whatever isn't exactly that is a `ParseFailure`; nothing is guessed,
completed or evaluated.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import TypeAdapter, ValidationError

from openvenus.action import Action, Point
from openvenus.episode import Decision, ParseFailure
from openvenus.screen import ElementTree

_ACTION: TypeAdapter[Action] = TypeAdapter(Action)
_FENCE = re.compile(r"```[A-Za-z0-9_+-]*[ \t]*\r?\n?")
_KEYS = ("thought", "action", "conclusion", "target", "confidence")


class _Unreadable(Exception):
    def __init__(self, reason: str, position: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


def parse_answer(text: str, elements: ElementTree | None = None) -> Decision | ParseFailure:
    """Read one answer. Raises nothing, whatever the text.

    Args:
        elements: what the model was shown; needed where it names a `target`. An action that
            takes a point and was given a target but no point gets the target's.

    Returns:
        A `Decision` with `raw` set, or a `ParseFailure` with the reason and, where there is
        one, the character position.
    """
    try:
        return _parse(text, elements or ElementTree())
    except _Unreadable as e:
        return ParseFailure(e.reason, raw=text, position=e.position)
    except RecursionError:
        return ParseFailure("it is nested too deeply", raw=text)


def _parse(text: str, elements: ElementTree) -> Decision:
    start, end = _body(text)
    if start == end:
        raise _Unreadable("it is empty", start)
    if text[start] != "{":
        raise _Unreadable("it must be one JSON object and nothing else", start)
    data, after = _object(text, start)
    rest = start_of_text(text, after, end)
    if rest < end:
        more = "more than one JSON object" if text[rest] == "{" else "more text after the object"
        raise _Unreadable(f"there is {more}", rest)
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        hint = ' (did you mean to put it inside "action"?)' if "type" in data else ""
        raise _Unreadable(f"unknown key {unknown[0]!r}{hint}; known are {', '.join(_KEYS)}", start)
    if "action" not in data:
        raise _Unreadable('the object has no "action"', start)
    action = _action(data["action"], start)
    target = _text(data, "target", start) or None
    if target is not None:
        action = _aimed(action, target, elements, start)
    return Decision(
        action,
        thought=_text(data, "thought", start),
        target=target,
        conclusion=_text(data, "conclusion", start),
        raw=text,
        confidence=_confidence(data, start),
    )


def _body(text: str) -> tuple[int, int]:
    """Where the object may stand: after the thinking, inside the fence."""
    start = start_of_text(text, 0, len(text))
    if text.startswith("<think>", start):
        close = text.find("</think>", start)
        if close < 0:
            raise _Unreadable("the thinking never ends", start)
        start = start_of_text(text, close + len("</think>"), len(text))
    elif text[start : start + 1] not in {"{", "`"} and "</think>" in text:
        # Some servers keep the opening mark to themselves.
        start = start_of_text(text, text.index("</think>") + len("</think>"), len(text))
    end = len(text)
    while end > start and text[end - 1].isspace():
        end -= 1
    fence = _FENCE.match(text, start)
    if fence is None:
        return start, end
    if end - 3 < fence.end() or not text.endswith("```", 0, end):
        raise _Unreadable("there is more text after the code fence, or it never ends", start)
    end -= 3
    while end > fence.end() and text[end - 1].isspace():
        end -= 1
    return start_of_text(text, fence.end(), end), end


def start_of_text(text: str, start: int, end: int) -> int:
    """The first place in [start, end] that isn't white space; `end` when there is none."""
    while start < end and text[start].isspace():
        start += 1
    return start


def _object(text: str, start: int) -> tuple[dict[str, Any], int]:
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
    try:
        data, after = decoder.raw_decode(text, start)
    except json.JSONDecodeError as e:
        raise _Unreadable(f"it is not JSON: {e.msg}", e.pos) from None
    except ValueError as e:
        raise _Unreadable(f"it is not JSON: {e}", start) from None
    assert isinstance(data, dict)
    return data, after


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Unreadable(f"the key {key!r} appears twice in one object")
        found[key] = value
    return found


def _no_constant(name: str) -> float:
    raise _Unreadable(f"{name} is no number")


def _action(data: Any, start: int) -> Action:
    if isinstance(data, list):
        raise _Unreadable(
            '"action" is a list; exactly one action is wanted (a sequence is one too)', start
        )
    if not isinstance(data, dict):
        raise _Unreadable('"action" must be an object with a "type"', start)
    try:
        # Strict: true is no coordinate, and "500" is a text.
        return _ACTION.validate_json(json.dumps(data), strict=True)
    except ValidationError as e:
        item = e.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(p) for p in item["loc"]) or "action"
        raise _Unreadable(f"invalid action: {where}: {item['msg']}", start) from None


def _text(data: dict[str, Any], key: str, start: int) -> str:
    value = data.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _Unreadable(f'"{key}" must be a text', start)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Unreadable(f'"{key}" has half a character (a lone surrogate)', start) from None
    return value


def _confidence(data: dict[str, Any], start: int) -> float | None:
    value = data.get("confidence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise _Unreadable('"confidence" must be a number from 0 to 1', start)
    return float(value)


def _aimed(action: Action, target: str, elements: ElementTree, start: int) -> Action:
    element = elements.get(target)
    if element is None:
        raise _Unreadable(f"there is no element {target!r} on the screen", start)
    if "point" not in type(action).model_fields:
        return action
    point: Point | None = getattr(action, "point", None)
    if point is not None or element.point is None:
        return action
    return action.model_copy(update={"point": element.point})
