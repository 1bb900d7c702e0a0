"""Words: how instructions and element texts are cut up, compared and hashed."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

BUCKETS = 8192
"""Size of the hashed vocabulary; bucket 0 is padding."""

_TOKEN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")
_QUOTES = {'"': '"', "“": "”", "「": "」", "«": "»", "‘": "’", "'": "'"}
_NUMBER_WORDS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_ORDINAL = re.compile(r"(\d{1,6})(?:st|nd|rd|th)?")


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign of a text, with where it stands."""

    key: str
    """Lower-cased form used for comparing."""
    start: int
    end: int


@lru_cache(maxsize=8192)
def tokenize(text: str) -> tuple[Token, ...]:
    """Words, single CJK characters and signs of a text, in order."""
    return tuple(Token(m.group().lower(), m.start(), m.end()) for m in _TOKEN.finditer(text))


@lru_cache(maxsize=65536)
def bucket(word: str) -> int:
    """Hash of a word in [1, BUCKETS), the same on every machine."""
    return 1 + zlib.crc32(stem(word).encode()) % (BUCKETS - 1)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its English plural ending, so that "squares" meets "square"."""
    if len(word) > 4 and word.endswith("es") and word[-3] in "sxzh":
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


@lru_cache(maxsize=16384)
def number(word: str) -> int | None:
    """The number a word stands for: digits, "2nd", "second", "two"; else None."""
    if word in _NUMBER_WORDS:
        return _NUMBER_WORDS[word]
    m = _ORDINAL.fullmatch(word)
    return int(m.group(1)) if m else None


def quoted_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Character ranges between matching quotation marks, quotes excluded.

    An apostrophe opens a quotation only after white space or at the start, and closes one only
    before something that is not a letter.
    """
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(text):
        close = _QUOTES.get(text[i])
        if close is None or (text[i] in "'‘" and i > 0 and text[i - 1].isalnum()):
            i += 1
            continue
        j = text.find(close, i + 1)
        while j != -1 and close in "'’" and j + 1 < len(text) and text[j + 1].isalnum():
            j = text.find(close, j + 1)
        if j == -1:
            i += 1
            continue
        if j > i + 1:
            spans.append((i + 1, j))
        i = j + 1
    return tuple(spans)
