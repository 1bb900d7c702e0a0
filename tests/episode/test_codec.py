from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openvenus.action import Box, Point
from openvenus.episode import Decision, Episode, Observation, Step, Task, Verdict
from openvenus.episode._codec import Decoder, Encoder, Unreadable, plain
from openvenus.screen import Element, ElementTree
from tests.episode.records import FORM, FRAME, episodes, json_values, seen, steps


def through_json(record: Any) -> tuple[Any, dict[str, Any]]:
    """A record after a way through JSON text, and its JSON object."""
    images: dict[str, bytes] = {}

    def keep(data: bytes, media_type: str) -> str:
        images[data.hex()] = data
        return data.hex()

    data = json.loads(json.dumps(plain(Encoder(keep).encode(record)), allow_nan=False))
    return Decoder(images.get).decode(type(record), data), data


@settings(max_examples=80)
@given(episodes)
def test_every_episode_survives_json(episode: Episode) -> None:
    copy, _ = through_json(episode)
    assert copy == episode
    for one, other in zip(copy.steps, episode.steps, strict=True):
        assert one.observation.elements.truncated == other.observation.elements.truncated


@given(steps())
def test_every_step_survives_json(step: Step) -> None:
    assert through_json(step)[0] == step


def test_defaults_are_not_written() -> None:
    _, data = through_json(Step(0, Observation(FRAME)))
    assert data == {
        "index": 0,
        "observation": {
            "frame": {
                "id": "frame-0",
                "width": 64,
                "height": 48,
                "device_width": 64,
                "device_height": 48,
            }
        },
    }
    tree = ElementTree([Element("e", "button", Box(0, 0, 1, 1))])
    _, data = through_json(Observation(FRAME, tree))
    assert data["elements"] == [{"id": "e", "role": "button", "box": [0, 0, 1, 1]}]


def test_an_equal_tree_is_written_once() -> None:
    other = ElementTree([*FORM, *FORM])
    trees = [FORM, ElementTree(FORM), other, FORM, ElementTree(FORM, truncated=2)]
    episode = Episode(
        "e",
        Task("t"),
        "p",
        "d",
        steps=tuple(Step(i, seen(tree=tree)) for i, tree in enumerate(trees)),
        final=seen(tree=trees[-1]),
    )
    copy, data = through_json(episode)
    assert copy == episode
    written = [s["observation"]["elements"] for s in data["steps"]]
    assert [w == "same" for w in written] == [False, True, False, False, False]
    assert data["final"]["elements"] == "same"
    assert copy.steps[1].observation.elements is copy.steps[0].observation.elements
    assert copy.final.elements.truncated == 2


def test_an_empty_tree_after_a_full_one_stays_empty() -> None:
    steps = (Step(0, seen()), Step(1, seen(tree=ElementTree())), Step(2, seen()))
    copy, _ = through_json(Episode("e", Task("t"), "p", "d", steps))
    assert [len(s.observation.elements) for s in copy.steps] == [3, 0, 3]


def test_fields_of_later_versions_are_ignored() -> None:
    data = {
        "index": 3,
        "mood": "good",
        "observation": {
            "frame": {"id": "f", "width": 1, "height": 1, "device_width": 1, "device_height": 1},
            "elements": [{"id": "e", "role": "x", "box": [0, 0, 1, 1], "smell": 4}],
            "sound": [1, 2],
        },
        "decision": {"action": {"type": "click", "point": [0, 0], "force": 0.5}, "why": {}},
    }
    step = Decoder(lambda _: None).decode(Step, data)
    assert step.index == 3
    assert step.observation.elements[0].id == "e"
    assert step.decision is not None
    assert step.decision.action.type == "click"


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (Step, {}, "index: is missing"),
        (Step, {"index": "1"}, "index: must be a whole number, not '1'"),
        (Step, {"index": True}, "index: must be a whole number, not True"),
        (Step, {"index": 0, "observation": []}, r"observation: must be an object, not \[\]"),
        (Step, {"index": 0, "observation": {"frame": {}}}, "observation.frame.id: is missing"),
        (Task, {"instruction": None}, "instruction: must be text, not None"),
        (Task, {"instruction": "x", "limits": {"max_steps": 1.5}}, "limits.max_steps: must be"),
        (Decision, {"action": {"type": "fly"}}, "action: .*no action 'fly'"),
        (Decision, {"action": "click"}, "action: must be an object"),
        (Verdict, {"result": "maybe"}, "result: 'maybe' is not one of success, failure, unknown"),
        (Verdict, {"result": 1}, "result: 1 is not one of"),
        (Verdict, {"result": "success", "evidence": "x"}, "evidence: must be a list"),
        (Verdict, {"result": "success", "evidence": ["a", 2]}, "evidence.1: must be text"),
        (Verdict, {"result": "success", "probability": "high"}, "probability: must be a number"),
    ],
)
def test_what_does_not_fit_is_named(kind: type, data: Any, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        Decoder(lambda _: None).decode(kind, data)


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ("same", "elements: refers to elements before it"),
        ("all", "elements: must be a list"),
        ([{"id": "e", "role": "x", "box": [0, 0, 1]}], "elements.0.box: must have 4 items, not 3"),
        ([{"id": "e", "role": "x", "box": [0, 0, 1, "1"]}], "elements.0.box.*must be a number"),
        ({"items": None}, "elements: must be a list, not None"),
    ],
)
def test_broken_elements_are_named(elements: Any, message: str) -> None:
    frame = {"id": "f", "width": 1, "height": 1, "device_width": 1, "device_height": 1}
    with pytest.raises(Unreadable, match=message):
        Decoder(lambda _: None).decode(Observation, {"frame": frame, "elements": elements})


@given(json_values)
def test_json_values_are_left_as_they_are(value: Any) -> None:
    assert plain(value) == value


@given(st.floats())
def test_numbers_that_json_lacks_survive_as_names(number: float) -> None:
    point = Element("e", "x", Box(number, 0, 0, 0), point=Point(1, 2))
    copy, _ = through_json(Observation(FRAME, ElementTree([point])))
    left = copy.elements[0].box.left
    assert left == number or (left != left and number != number)


def test_foreign_values_become_text() -> None:
    odd = {1: (Point(1, 2), {"x"}), "path": FRAME.id.encode(), "n": float("inf")}
    assert plain(odd) == {"1": [[1, 2], ["x"]], "path": "b'frame-0'", "n": "Infinity"}


def test_images_go_through_the_store() -> None:
    copy, data = through_json(seen(b"\x01"))
    assert copy.frame.image == b"\x01"
    assert data["frame"]["image"] == "01"
