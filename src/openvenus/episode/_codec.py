"""Records to JSON objects and back, exactly; fields at their default are left out."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
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
        kind: Any = type(record)
        return {
            name: self._value(value)
            for name, default in _defaults(kind)
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
        items = [_element(e) for e in tree]
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
        _object(data)
        values: dict[str, Any] = {}
        fields_of: Any = kind
        for name, read, required in _readers(fields_of):
            if name not in data:
                if required:
                    raise Unreadable("is missing", name)
                continue
            try:
                values[name] = read(self, data[name])
            except Unreadable as e:
                raise e.inside(name) from None
        return kind(**values)

    def frame(self, data: Any) -> Frame:
        """A frame, with its image where there is one."""
        frame = self.decode(Frame, _without(data, "image"))
        if isinstance(data, dict) and "image" in data:
            return replace(frame, image=self._load_image(_string(data["image"])))
        return frame

    def elements(self, data: Any) -> ElementTree:
        """A tree, or the one before it where that is referred to."""
        if data == _SAME:
            if self._tree is None:
                raise Unreadable("refers to elements before it, and there are none")
            return self._tree
        truncated = 0
        if isinstance(data, dict):
            truncated, data = _whole(data.get("truncated", 0)), data.get("items")
        items = _each(data, lambda item: self.decode(Element, item))
        self._tree = ElementTree(items, truncated=truncated)
        return self._tree


Reader = Callable[[Decoder, Any], Any]


@cache
def _readers(kind: Any) -> tuple[tuple[str, Reader, bool], ...]:
    """For each field of a record: its name, how it is read, and whether it must be there."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        (name, _reader(hints[name]), default is MISSING) for name, default in _defaults(kind)
    )


def _reader(hint: Any) -> Reader:
    if hint is Action:
        return lambda _, data: _action(data)
    if hint is Frame:
        return lambda decoder, data: decoder.frame(data)
    if hint is ElementTree:
        return lambda decoder, data: decoder.elements(data)
    if hint is Any:
        return lambda _, data: data
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda decoder, data: decoder.decode(hint, data)
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        return _named_tuple_reader(hint)
    if hint in _SCALARS:
        scalar = _SCALARS[hint]
        return lambda _, data: scalar(data)
    return _generic_reader(hint)


def _generic_reader(hint: Any) -> Reader:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return lambda _, data: _one_of(args, data)
    if origin in (types.UnionType, typing.Union) and len(args) == 2 and args[1] is types.NoneType:
        inner = _reader(args[0])
        return lambda decoder, data: None if data is None else inner(decoder, data)
    if origin is tuple and args[-1] is Ellipsis:
        item = _reader(args[0])
        return lambda decoder, data: tuple(_each(data, lambda d: item(decoder, d)))
    if origin is tuple:
        items = tuple(_reader(a) for a in args)
        return lambda decoder, data: tuple(_row(items, decoder, data))
    if origin is dict:
        value = _reader(args[1])
        return lambda decoder, data: {k: value(decoder, v) for k, v in _object(data).items()}
    raise TypeError(f"records can't hold {hint!r}")


def _named_tuple_reader(kind: Any) -> Reader:
    hints = typing.get_type_hints(kind)
    items = tuple(_reader(hints[name]) for name in kind._fields)
    return lambda decoder, data: kind(*_row(items, decoder, data))


def _row(readers: tuple[Reader, ...], decoder: Decoder, data: Any) -> list[Any]:
    if len(_list(data)) != len(readers):
        raise Unreadable(f"must have {len(readers)} items, not {len(data)}")
    return [read(decoder, d) for read, d in zip(readers, data, strict=True)]


def _each(data: Any, read: Callable[[Any], R]) -> list[R]:
    items = []
    for i, item in enumerate(_list(data)):
        try:
            items.append(read(item))
        except Unreadable as e:
            raise e.inside(str(i)) from None
    return items


def _without(data: Any, name: str) -> Any:
    return {k: v for k, v in data.items() if k != name} if isinstance(data, dict) else data


_ELEMENT_FIELDS = tuple((f.name, f.default) for f in fields(Element))
_element_values = attrgetter(*(name for name, _ in _ELEMENT_FIELDS))


def _element(element: Element) -> dict[str, Any]:
    """What `Encoder.encode` gives, several times faster: a screen may hold hundreds of them."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for (name, default), value in zip(_ELEMENT_FIELDS, _element_values(element), strict=True)
        if value is not default and value != default
    }


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
    try:
        return action_from_dict(_known_arguments(_object(data)))
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


def _one_of(values: tuple[Any, ...], data: Any) -> Any:
    if data not in values or isinstance(data, bool):
        raise Unreadable(f"{_shown(data)} is not one of {', '.join(map(str, values))}")
    return data


def _object(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise Unreadable(f"must be an object, not {_shown(data)}")
    return data


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


def _bytes(data: Any) -> bytes:
    raise Unreadable("bytes are not written into records")


_SCALARS: dict[Any, Callable[[Any], Any]] = {
    str: _string,
    int: _whole,
    float: _number,
    bool: _truth,
    bytes: _bytes,
}


def _shown(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."
