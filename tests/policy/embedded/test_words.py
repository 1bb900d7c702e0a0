"""Reading instructions: tokens, quotations, numbers, spans that could be typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.policy.embedded._instruction import read_instruction
from openvenus.policy.embedded._words import BUCKETS, bucket, number, quoted_spans, stem, tokenize


@given(st.text(max_size=200))
def test_tokens_are_exact_pieces_of_the_text_in_order(text: str) -> None:
    end = 0
    for token in tokenize(text):
        assert text[token.start : token.end].lower() == token.key
        assert token.start >= end
        end = token.end


@given(st.text(min_size=1, max_size=30))
def test_every_word_has_a_bucket_that_is_not_padding(word: str) -> None:
    assert 1 <= bucket(word) < BUCKETS


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('Enter "Ann" and "Bob B."', ["Ann", "Bob B."]),
        ("Press 'OK' now", ["OK"]),
        ("Delete Ann's mail and don't stop", []),
        ("输入“你好”然后确认", ["你好"]),
        ('An open "quote', []),
        ('Empty "" is none', []),
    ],
)
def test_quotations(text: str, quotes: list[str]) -> None:
    assert [text[a:b] for a, b in quoted_spans(text)] == quotes


@pytest.mark.parametrize(
    ("word", "value"), [("2nd", 2), ("third", 3), ("17", 17), ("ten", 10), ("nd", None)]
)
def test_numbers(word: str, value: int | None) -> None:
    assert number(word) == value


def test_plural_meets_singular() -> None:
    assert stem("squares") == stem("square")
    assert stem("boxes") == stem("box")
    assert stem("class") == "class"


def test_cjk_text_is_cut_into_characters() -> None:
    assert [t.key for t in tokenize("点击OK")] == ["点", "击", "ok"]


def test_a_quotation_is_a_candidate_span_with_its_exact_characters() -> None:
    task = read_instruction('Type "Köln, 5%" into the box.')
    spans = {task.span_text(i): task.span_features[i] for i in range(len(task.span_start))}
    assert spans["Köln, 5%"][0] == 1
    assert spans["box"][0] == 0


def test_a_long_quotation_is_a_candidate_too() -> None:
    words = " ".join(f"w{i}" for i in range(20))
    task = read_instruction(f'Type "{words}".')
    assert words in {task.span_text(i) for i in range(len(task.span_start))}
