"""What the embedded policy reads out of an instruction, once per task."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from openvenus.policy.embedded._colors import color_word
from openvenus.policy.embedded._words import bucket, number, quoted_spans, stem, tokenize

MAX_TOKENS = 72
MAX_SPAN = 8
"""Longest span in tokens that can be typed; a quotation may be longer."""
TOKEN_FLAGS = 8
SPAN_FEATURES = 12

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """An instruction cut into tokens, with the spans of it that could be typed.

    L tokens (at most MAX_TOKENS), C candidate spans.
    """

    text: str
    keys: tuple[str, ...]
    """Stemmed lower-case form of each token."""
    positions: dict[str, tuple[int, ...]]
    """Where each key stands."""
    quoted: tuple[bool, ...]
    """Whether a token is inside quotation marks."""
    quotes: tuple[tuple[int, int], ...]
    """Token ranges [start, end) of whole quotations."""
    quote_texts: tuple[str, ...]
    """The quotations, lower-cased."""
    numbers: frozenset[int]
    colors: frozenset[str]
    ids: Ints
    """[L] hashed tokens."""
    flags: Floats
    """[L, TOKEN_FLAGS]"""
    span_start: Ints
    """[C] first token of each candidate span."""
    span_end: Ints
    """[C] last token, inclusive."""
    span_features: Floats
    """[C, SPAN_FEATURES]"""
    chars: tuple[tuple[int, int], ...]
    """Character range of each token."""

    def span_text(self, index: int) -> str:
        """The exact characters of a candidate span."""
        start, end = int(self.span_start[index]), int(self.span_end[index])
        return self.text[self.chars[start][0] : self.chars[end][1]]


@lru_cache(maxsize=2048)
def read_instruction(text: str) -> Instruction:
    """Tokens, quotations, numbers, colours and candidate spans of an instruction."""
    tokens = tokenize(text)[:MAX_TOKENS]
    keys = tuple(stem(t.key) for t in tokens)
    char_quotes = quoted_spans(text)
    quoted = [False] * len(tokens)
    quotes: list[tuple[int, int]] = []
    for a, b in char_quotes:
        inside = [i for i, t in enumerate(tokens) if a <= t.start and t.end <= b]
        for i in inside:
            quoted[i] = True
        if inside:
            quotes.append((inside[0], inside[-1] + 1))
    positions: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        positions.setdefault(key, []).append(i)
    numbers = [number(t.key) for t in tokens]
    flags = np.zeros((len(tokens), TOKEN_FLAGS), np.float32)
    for i, t in enumerate(tokens):
        word = text[t.start : t.end]
        flags[i] = (
            quoted[i],
            not word[0].isalnum(),
            word[0].isupper(),
            numbers[i] is not None,
            min(numbers[i] or 0, 20) / 20,
            color_word(t.key) is not None,
            i / MAX_TOKENS,
            len(word) / 12,
        )
    start, end, features = _candidates(
        text, tokens_chars := [(t.start, t.end) for t in tokens], quoted, quotes
    )
    return Instruction(
        text=text,
        keys=keys,
        positions={k: tuple(v) for k, v in positions.items()},
        quoted=tuple(quoted),
        quotes=tuple(quotes),
        quote_texts=tuple(text[a:b].lower() for a, b in char_quotes),
        numbers=frozenset(n for n in numbers if n is not None),
        colors=frozenset(c for t in tokens if (c := color_word(t.key)) is not None),
        ids=np.array([bucket(t.key) for t in tokens], np.int32),
        flags=flags,
        span_start=start,
        span_end=end,
        span_features=features,
        chars=tuple(tokens_chars),
    )


def _candidates(
    text: str,
    chars: list[tuple[int, int]],
    quoted: list[bool],
    quotes: list[tuple[int, int]],
) -> tuple[Ints, Ints, Floats]:
    whole = set(quotes)
    pairs = [
        (i, j)
        for i in range(len(chars))
        for j in range(i, min(i + MAX_SPAN, len(chars)))
        if not (text[chars[i][0]] in '"“”.,;:' or text[chars[j][0]] in '"“”,;:')
    ]
    pairs += [(a, b - 1) for a, b in quotes if b - a > MAX_SPAN]
    rows = np.zeros((len(pairs), SPAN_FEATURES), np.float32)
    for n, (i, j) in enumerate(pairs):
        before = text[chars[i - 1][0]] if i else ""
        after = text[chars[j + 1][0]] if j + 1 < len(chars) else ""
        inner = text[chars[i][0] : chars[j][1]]
        glued_before = i > 0 and chars[i - 1][1] == chars[i][0] and before not in "\"“'("
        glued_after = (
            j + 1 < len(chars) and chars[j + 1][0] == chars[j][1] and after not in "\"”').,;:?!"
        )
        rows[n] = (
            (i, j + 1) in whole,
            quoted[i] and quoted[j],
            (j - i) / MAX_SPAN,
            i == j,
            not before.isalnum() and i > 0,
            not after.isalnum(),
            inner[0].isupper(),
            inner.isdigit(),
            any(c in inner for c in " \t"),
            glued_before or glued_after,
            any(c in inner for c in "/@:-."),
            quoted[i] != quoted[j],
        )
    return (
        np.array([p[0] for p in pairs], np.int32),
        np.array([p[1] for p in pairs], np.int32),
        rows,
    )
