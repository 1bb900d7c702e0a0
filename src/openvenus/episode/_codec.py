"""Records to JSON objects and back, exactly; fields at their default are left out."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar

from openvenus.action import Action, BaseAction, action_from_dict, action_to_dict
from openvenus.errors import InvalidAction
from openvenus.screen import Element, ElementTree, Frame

R = TypeVar("R")
_SAME = "same"
_NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Unreadable(ValueError):
    """A JSON value that isn't what the record needs; `where` is its path inside the record."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.where = where

    def inside(self, name: str) -> Unreadable:
        """The same, seen from the record that holds it under `name`."""
        return Unreadable(self.reason, f"{name}.{self.where}" if self.where else name)


class Encoder:
    """Turns the records of one episode into JSON objects, in the order they are written.

    An element tree that equals the one before it is written as a reference to it.

    Args:
        keep_image: stores encoded image bytes of a media type and returns their name.
    """

    def __init__(self, keep_image: Callable[[bytes, str], str]) -> None:
        self._keep_image = keep_image
        self._tree: ElementTree | None = None

    def encode(self, record: Any) -> dict[str, Any]:
        """The JSON object of a record (any dataclass of `openvenus.episode`)."""
        return {
            name: self._value(value)
            for name, default in _defaults(type(record))
            if not _is_default(value := getattr(record, name), default)
        }

    def _value(self, value: Any) -> Any:
        if isinstance(value, BaseAction):
            return action_to_dict(typing.cast(Action, value))
        if isinstance(value, Frame):
            return self._frame(value)
        if isinstance(value, ElementTree):
            return self._elements(value)
        if is_dataclass(value):
            return self.encode(value)
        if isinstance(value, tuple):
            return [self._value(v) for v in value]
        return plain(value)

    def _frame(self, frame: Frame) -> dict[str, Any]:
        data = self.encode(frame.without_image())
        if frame.image is not None:
            data["image"] = self._keep_image(frame.image, frame.media_type)
        return data

    def _elements(self, tree: ElementTree) -> Any:
        before = self._tree
        if before is not None and before == tree and before.truncated == tree.truncated:
            return _SAME
        self._tree = tree
        items = [self.encode(e) for e in tree]
        return {"items": items, "truncated": tree.truncated} if tree.truncated else items


class Decoder:
    """Turns JSON objects of one episode back into records, in the order they were written.

    Args:
        load_image: image bytes by the name in the record; None leaves a frame without image.
    """

    def __init__(self, load_image: Callable[[str], bytes | None]) -> None:
        self._load_image = load_image
        self._tree: ElementTree | None = None

    def decode(self, kind: type[R], data: Any) -> R:
        """A record of this kind. Fields it doesn't have are ignored.

        Raises:
            Unreadable: a field is missing or isn't what it must be.
        """
        if not isinstance(data, dict):
            raise Unreadable(f"must be an object, not {_shown(data)}")
        values: dict[str, Any] = {}
        for name, hint, required in _hints(kind):
            if name not in data:
                if required:
                    raise Unreadable("is missing", name)
                continue
            try:
                values[name] = self._value(hint, data[name])
            except Unreadable as e:
                raise e.inside(name) from None
        return kind(**values)

    def _value(self, hint: Any, data: Any) -> Any:
        if hint is Action:
            return _action(data)
        if hint in _SCALARS:
            return _SCALARS[hint](data)
        if hint is Frame:
            return self._frame(data)
        if hint is ElementTree:
            return self._elements(data)
        if isinstance(hint, type) and is_dataclass(hint):
            return self.decode(hint, data)
        if _is_named_tuple(hint):
            return hint(*self._items(tuple(_named_hints(hint)), data))
        return self._generic(hint, data)

    def _generic(self, hint: Any, data: Any) -> Any:
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin in (types.UnionType, typing.Union):
            if data is None and types.NoneType in args:
                return None
            return self._value(next(a for a in args if a is not types.NoneType), data)
        if origin is Literal:
            if data not in args or isinstance(data, bool):
                raise Unreadable(f"{_shown(data)} is not one of {', '.join(map(str, args))}")
            return data
        if origin is tuple:
            hints = (args[0],) * len(_list(data)) if args[-1] is Ellipsis else args
            return tuple(self._items(hints, data))
        if origin is dict:
            if not isinstance(data, dict):
                raise Unreadable(f"must be an object, not {_shown(data)}")
            return {k: self._value(args[1], v) for k, v in data.items()}
        if hint is Any:
            return data
        raise TypeError(f"records can't hold {hint!r}")

    def _items(self, hints: tuple[Any, ...], data: Any) -> list[Any]:
        if len(_list(data)) != len(hints):
            raise Unreadable(f"must have {len(hints)} items, not {len(data)}")
        return [self._value(h, d) for h, d in zip(hints, data, strict=True)]

    def _frame(self, data: Any) -> Frame:
        if not isinstance(data, dict) or "image" not in data:
            return self.decode(Frame, data)
        name = _string(data["image"])
        geometry = self.decode(Frame, {k: v for k, v in data.items() if k != "image"})
        return replace(geometry, image=self._load_image(name))

    def _elements(self, data: Any) -> ElementTree:
        if data == _SAME:
            if self._tree is None:
                raise Unreadable("refers to elements before it, and there are none")
            return self._tree
        truncated = 0
        if isinstance(data, dict):
            truncated, data = _whole(data.get("truncated", 0)), data.get("items")
        self._tree = _tree(self, data, truncated)
        return self._tree


def _tree(decoder: Decoder, data: Any, truncated: int) -> ElementTree:
    elements = []
    for i, item in enumerate(_list(data)):
        try:
            elements.append(decoder.decode(Element, item))
        except Unreadable as e:
            raise e.inside(str(i)) from None
    return ElementTree(elements, truncated=truncated)


def plain(value: Any) -> Any:
    """Any value as JSON has it: tuples become lists, keys strings, anything else its text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(_non_finite_name(value))
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(v) for v in value]
    return str(value)


def _non_finite_name(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _action(data: Any) -> Action:
    if not isinstance(data, dict):
        raise Unreadable(f"must be an object, not {_shown(data)}")
    try:
        return action_from_dict(_known_arguments(data))
    except InvalidAction as e:
        raise Unreadable(e.message) from e


def _known_arguments(data: dict[str, Any]) -> dict[str, Any]:
    known = _arguments().get(str(data.get("type")))
    if known is None:
        return data
    data = {k: v for k, v in data.items() if k in known}
    if isinstance(data.get("actions"), list):
        data["actions"] = [
            _known_arguments(a) if isinstance(a, dict) else a for a in data["actions"]
        ]
    return data


@cache
def _arguments() -> dict[str, frozenset[str]]:
    """Argument names by action type."""
    union = typing.get_args(Action)[0]
    return {
        c.model_fields["type"].default: frozenset(c.model_fields) for c in typing.get_args(union)
    }


def _default_of(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((f.name, _default_of(f)) for f in fields(kind))


def _is_default(value: Any, default: Any) -> bool:
    # A tree is equal to another of the same elements even where it was cut off elsewhere.
    if isinstance(value, ElementTree):
        return not len(value) and not value.truncated
    return value is default or (default is not MISSING and bool(value == default))


@cache
def _hints(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple((name, hints[name], default is MISSING) for name, default in _defaults(kind))


@cache
def _named_hints(kind: Any) -> tuple[Any, ...]:
    return tuple(typing.get_type_hints(kind)[n] for n in kind._fields)


def _is_named_tuple(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise Unreadable(f"must be a list, not {_shown(data)}")
    return data


def _string(data: Any) -> str:
    if not isinstance(data, str):
        raise Unreadable(f"must be text, not {_shown(data)}")
    return data


def _whole(data: Any) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise Unreadable(f"must be a whole number, not {_shown(data)}")
    return data


def _number(data: Any) -> float:
    if isinstance(data, str) and data in _NON_FINITE:
        return _NON_FINITE[data]
    if not isinstance(data, (int, float)) or isinstance(data, bool):
        raise Unreadable(f"must be a number, not {_shown(data)}")
    return float(data)


def _truth(data: Any) -> bool:
    if not isinstance(data, bool):
        raise Unreadable(f"must be true or false, not {_shown(data)}")
    return data


_SCALARS: dict[Any, Callable[[Any], Any]] = {
    str: _string,
    int: _whole,
    float: _number,
    bool: _truth,
}


def _shown(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."
