from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings

from openvenus.action import (
    Action,
    Click,
    Finish,
    Hotkey,
    Point,
    Sequence,
    TypeText,
    action_from_dict,
    action_from_text,
    action_json_schema,
    action_to_dict,
    action_to_text,
)
from openvenus.errors import InvalidAction, UsageError
from tests.action.actions import BY_KIND, sequences

KINDS = get_args(get_args(Action)[0])


def survives(action: Action) -> bool:
    text = action_to_text(action)
    return (
        "\n" not in text
        and action_from_text(text) == action
        and action_from_dict(action_to_dict(action)) == action
    )


@pytest.mark.parametrize("kind", BY_KIND, ids=lambda kind: str(kind.__name__))
def test_every_action_survives_its_text(kind: type) -> None:
    @settings(max_examples=20)
    @given(BY_KIND[kind])
    def check(action: Action) -> None:
        assert survives(action)

    check()


@settings(max_examples=40)
@given(sequences)
def test_every_sequence_survives_its_text(sequence: Sequence) -> None:
    assert survives(sequence)


def test_no_action_is_left_out_here() -> None:
    assert {*BY_KIND, Sequence} == set(KINDS)
    assert len(KINDS) == 30


def test_defaults_are_left_out_and_the_type_comes_first() -> None:
    assert action_to_dict(Click()) == {"type": "click"}
    assert list(action_to_dict(TypeText(text="x", submit=True))) == ["type", "text", "submit"]
    assert action_to_text(Click(point=Point(0, 0))) == '{"type": "click", "point": [0.0, 0.0]}'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "the type is missing"),
        ({"type": "fly"}, "there is no action 'fly' here, only click, double_click"),
        ({"type": ["click"]}, "there is no action"),
        ({"type": "click", "point": [1, 2000]}, "click.point.1: must be less than or equal to"),
        ({"type": "click", "point": [-1, -1]}, "click.point.0: must be greater than or equal to 0"),
        ({"type": "click", "point": [1]}, "click.point.1: is missing"),
        ({"type": "click", "point": [1, 2, 3]}, "click.point"),
        ({"type": "click", "point": [float("nan"), 1]}, "click.point.0: must be a finite number"),
        ({"type": "click", "point": [True, 1]}, "click.point.0: must be a number, not true"),
        ({"type": "click", "pt": [1, 2]}, "click.pt: is not an argument of this action"),
        ({"type": "type"}, "type.text: is missing"),
        ({"type": "type", "text": 5}, "type.text: must be a valid string"),
        ({"type": "type", "text": "\ud800"}, "type.text: must be a valid string"),
        ({"type": "hotkey", "keys": ["Hyper"]}, "unknown key 'Hyper'"),
        ({"type": "hotkey", "keys": []}, "hotkey.keys"),
        ({"type": "press", "key": "Enter", "repeat": 0}, "press.repeat"),
        ({"type": "press", "key": "Enter", "repeat": True}, "press.repeat: must be a number"),
        ({"type": "scroll", "direction": "sideways"}, "must be 'up', 'down', 'left' or 'right'"),
        ({"type": "scroll", "direction": "up", "amount": 0}, "scroll.amount"),
        ({"type": "wait", "seconds": 1e9}, "wait.seconds: must be less than or equal to 60"),
        ({"type": "select"}, "exactly one of index and label"),
        ({"type": "select", "index": [0], "label": ["a"]}, "exactly one of index and label"),
        ({"type": "select", "index": [-1]}, "select.index.0"),
        ({"type": "note", "text": ""}, "note.text"),
        ({"type": "gesture", "paths": [[[1, 1]]] * 6}, "gesture.paths"),
        ({"type": "sequence", "actions": [{"type": "click"}]}, "sequence.actions"),
    ],
)
def test_what_is_no_action_is_named(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        action_from_dict(data)
    assert message in caught.value.message
    assert isinstance(caught.value, UsageError)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "..\\b", "a\0", "/etc/passwd", "x" * 256])
@pytest.mark.parametrize("kind", ["upload", "download"])
def test_a_file_is_named_without_a_folder(kind: str, name: str) -> None:
    with pytest.raises(InvalidAction, match=f"{kind}.name"):
        action_from_dict({"type": kind, "name": name})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("click(1, 2)", "not JSON"),
        ('{"type": "finish"} {}', "not JSON"),
        ("[]", "must be a JSON object, not list"),
        ('"finish"', "must be a JSON object, not str"),
        ("[" * 100_000, "nested too deep"),
        ('{"type": "click", "type": "finish"}', "'type' stands there twice"),
        ('{"type": "wait", "seconds": Infinity}', "wait.seconds"),
        ("9" * 5000, "not JSON"),
    ],
)
def test_a_broken_text_is_never_an_action(text: str, message: str) -> None:
    with pytest.raises(InvalidAction, match=message):
        action_from_text(text)


def test_text_is_never_evaluated_or_changed() -> None:
    text = "$(rm -rf /); `x` \\n \n\t\u202e\u0000 {{7*7}} %s"
    action = action_from_text(json.dumps({"type": "type", "text": text}))
    assert action == TypeText(text=text)


def test_the_schema_lists_every_action() -> None:
    schema = action_json_schema()
    assert set(schema["discriminator"]["mapping"]) == {
        k.model_fields["type"].default for k in KINDS
    }


def test_an_empty_finish_is_a_claim_of_success() -> None:
    assert action_from_dict({"type": "finish"}) == Finish(answer="", status="success")


def test_keys_in_one_text_are_taken_apart() -> None:
    data = {"type": "hotkey", "keys": "ctrl+shift+T"}
    assert action_from_dict(data) == Hotkey(keys=("Control", "Shift", "T"))
