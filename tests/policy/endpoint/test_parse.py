from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openvenus.action import Click, Finish, Point, TypeText, action_to_dict
from openvenus.episode import Decision, ParseFailure
from openvenus.policy.endpoint import parse_answer
from openvenus.screen import ElementTree
from tests.policy.endpoint.situations import BUTTON, PASSWORD

GOOD = '{"thought": "t", "action": {"type": "click", "point": [10, 20]}}'
ELEMENTS = ElementTree([BUTTON, PASSWORD])


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f"```{GOOD}```",
        f"<think>It says {{}} and ```</think>\n{GOOD}",
        f"<think>a</think>```json\n{GOOD}```",
        f"the opening mark was eaten</think>{GOOD}",
    ],
)
def test_what_is_read(text: str) -> None:
    result = parse_answer(text)
    assert isinstance(result, Decision)
    assert result.action == Click(point=Point(10, 20))
    assert result.raw == text


@pytest.mark.parametrize(
    ("text", "reason", "position"),
    [
        ("", "empty", 0),
        ("   ", "empty", 3),
        ("Done!", "one JSON object", 0),
        ("[1]", "one JSON object", 0),
        (f"Here: {GOOD}", "one JSON object", 0),
        (f"{GOOD} {GOOD}", "more than one JSON object", len(GOOD) + 1),
        (f"{GOOD} that's it", "more text", len(GOOD) + 1),
        (f"```json\n{GOOD}", "code fence", 0),
        (f"```json\n{GOOD}\n``` and {GOOD}", "code fence", 0),
        (f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```", "more text", len(GOOD) + 9),
        (f"<think>no end {GOOD}", "never ends", 0),
        ('{"action": {"type": "click"', "not JSON", 27),
        ('{"action": {"type": "click"}, "action": {"type": "finish"}}', "twice", None),
        ('{"action": {"type": "click", "type": "finish"}}', "twice", None),
        ('{"type": "click"}', 'inside "action"', 0),
        ('{"thought": "x"}', 'no "action"', 0),
        ('{"action": [{"type": "click"}, {"type": "finish"}]}', "list", 0),
        ('{"action": "finish"}', "object", 0),
        ('{"action": {"type": "done"}}', "invalid action", 0),
        ('{"action": {}}', "invalid action", 0),
        ('{"action": {"type": "finish", "sure": true}}', "finish.sure", 0),
        ('{"action": {"type": "finish"}, "thought": 3}', '"thought" must be a text', 0),
        ('{"action": {"type": "finish"}, "confidence": 2}', "confidence", 0),
        ('{"action": {"type": "finish"}, "confidence": true}', "confidence", 0),
        ('{"action": {"type": "finish"}, "thought": "\\ud800"}', "surrogate", 0),
        ('{"action": {"type": "type", "text": "\\ud800"}}', "invalid action", 0),
        ('{"action": {"type": "finish"}, "target": "e404"}', "no element 'e404'", 0),
        ("[" * 100_000, "one JSON object", 0),
        ('{"a":' * 100_000, "nested", None),
        ('{"action": ' + "9" * 5000 + "}", "not JSON", 0),
    ],
)
def test_what_is_not_read(text: str, reason: str, position: int | None) -> None:
    result = parse_answer(text, ELEMENTS)
    assert isinstance(result, ParseFailure)
    assert reason in result.reason
    assert result.position == position
    assert result.raw == text


@pytest.mark.parametrize(
    "point",
    ["[1001, 5]", "[-1, 5]", "[1]", "[1, 2, 3]", '["1", 2]', "[true, 2]", "[NaN, 2]", "[1e999, 2]",
     "[Infinity, 1]", "[null, 1]", '"1,2"', "[[1, 2]]", "{}"],
)  # fmt: skip
def test_bad_coordinates_are_no_action(point: str) -> None:
    result = parse_answer(f'{{"action": {{"type": "click", "point": {point}}}}}')
    assert isinstance(result, ParseFailure)


def test_a_target_gives_its_point_where_none_was_given() -> None:
    aimed = parse_answer('{"action": {"type": "click"}, "target": "e7"}', ELEMENTS)
    assert isinstance(aimed, Decision)
    assert (aimed.action, aimed.target) == (Click(point=BUTTON.point), "e7")
    own = parse_answer('{"action": {"type": "click", "point": [1, 2]}, "target": "e7"}', ELEMENTS)
    assert isinstance(own, Decision)
    assert own.action == Click(point=Point(1, 2))
    nowhere = parse_answer('{"action": {"type": "type", "text": "x"}, "target": "e8"}', ELEMENTS)
    assert isinstance(nowhere, Decision)
    assert nowhere.action == TypeText(text="x")


def test_typed_text_is_not_changed() -> None:
    text = '</think> ``` {"action": 1} \\n \u2028 é 漢字 🙂\n'
    result = parse_answer(json.dumps({"action": {"type": "type", "text": text}}))
    assert isinstance(result, Decision)
    assert result.action == TypeText(text=text)


@given(st.text() | st.text(alphabet='{}[]":,`think<>/action 01\n\\u').map(lambda t: "{" + t))
@example("```")
@example("``````")
@example("<think></think>")
@example("{")
def test_any_text_is_read_or_refused(text: str) -> None:
    result = parse_answer(text)
    assert isinstance(result, (Decision, ParseFailure))
    assert result.raw == text


@given(st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["type", "action", "point", "text", "keys", "x"]), inner),
    max_leaves=12,
))  # fmt: skip
def test_any_json_is_read_or_refused_and_never_becomes_finish(value: object) -> None:
    result = parse_answer(json.dumps({"action": value}))
    if isinstance(result, Decision):
        assert isinstance(value, dict)
        assert result.action.type == value["type"]
        assert not isinstance(result.action, Finish) or value["type"] == "finish"


@given(
    st.floats(0, 1000), st.floats(0, 1000), st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(0, len(GOOD)),
)  # fmt: skip
def test_what_was_written_is_what_is_read(x: float, y: float, text: str, cut: int) -> None:
    action = TypeText(text=text, point=Point(x, y), submit=True)
    result = parse_answer(json.dumps({"thought": text, "action": action_to_dict(action)}))
    assert isinstance(result, Decision)
    assert (result.action, result.thought) == (action, text)
    # A prefix of an answer is no answer.
    if cut < len(GOOD):
        assert isinstance(parse_answer(GOOD[:cut]), ParseFailure)
