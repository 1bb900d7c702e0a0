"""How the words of an element meet the words of the instruction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from openvenus.policy.embedded._instruction import MAX_TOKENS, Instruction
from openvenus.policy.embedded._words import stem, tokenize
from openvenus.screen import Element

_STOP = frozenset("a an the of to in on and or is it with for from by at".split()) | frozenset(
    ".,;:!?\"'()"
)


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """Where and how well one element's label is found in the instruction. Shares in [0, 1]."""

    keys: tuple[str, ...] = ()
    """Stemmed words of the label."""
    full: float = 0.0
    """The whole label stands in the instruction, word for word."""
    quoted: float = 0.0
    """The whole label is a whole quotation."""
    exact: float = 0.0
    """As `full`, with the same upper and lower case."""
    share: float = 0.0
    """Share of the label's content words found anywhere in the instruction."""
    start: float = 0.0
    """Where the first full match begins, as a share of the longest instruction."""
    last_start: float = 0.0
    length: float = 0.0
    count: float = 0.0
    """How often the whole label occurs."""
    prefix: float = 0.0
    """The label begins with a quotation and goes on."""
    suffix: float = 0.0
    """The label ends with a quotation."""
    ends: float = 0.0
    """The label begins with one quotation and ends with another."""
    contains: float = 0.0
    """A quotation stands somewhere inside the label."""
    value_full: float = 0.0
    """The current value stands in the instruction."""
    value_quoted: float = 0.0
    hint_share: float = 0.0
    type_named: float = 0.0
    """What it is (its role, tag or kind) is named in the instruction."""
    before_quote: float = 0.0
    """A word of the label stands shortly before a quotation."""
    positions: tuple[int, ...] = ()
    """Instruction tokens that occur in the label."""


def match_label(element: Element, task: Instruction, label: str = "") -> LabelMatch:
    """Compare an element with an instruction.

    Args:
        label: what to call it when it has no name or text of its own.
    """
    return _match(
        element.name or element.text or label or ("" if element.editable else element.value),
        element.value,
        element.hint,
        (element.role, element.tag, element.kind),
        task,
    )


@lru_cache(maxsize=32768)
def _match(
    label: str, value: str, hint: str, types: tuple[str, ...], task: Instruction
) -> LabelMatch:
    tokens = tokenize(label[:400])[:24]
    keys = tuple(stem(t.key) for t in tokens)
    found = _find(keys, task)
    content = [k for k in keys if k not in _STOP]
    seen = [k for k in content if k in task.positions]
    lower = label.strip().lower()
    quotes = task.quote_texts if lower else ()
    starts = [q for q in quotes if lower.startswith(q) and lower != q]
    stops = [q for q in quotes if lower.endswith(q) and lower != q]
    value_keys = tuple(stem(t.key) for t in tokenize(value[:200])[:24])
    hint_keys = [k for h in hint.split()[:10] if (k := stem(h.lower())) not in _STOP]
    positions = sorted({p for k in set(seen) for p in task.positions[k]})
    quote_starts = [a for a, _ in task.quotes]
    return LabelMatch(
        keys=keys,
        full=float(bool(found)),
        quoted=float(bool(lower) and lower in quotes),
        exact=float(bool(found) and label.strip() in task.text),
        share=len(seen) / len(content) if content else 0.0,
        start=(found[0] + 1) / MAX_TOKENS if found else 0.0,
        last_start=(found[-1] + 1) / MAX_TOKENS if found else 0.0,
        length=min(len(keys), 8) / 8,
        count=min(len(found), 4) / 4,
        prefix=float(bool(starts)),
        suffix=float(bool(stops)),
        ends=float(any(a != b for a in starts for b in stops)),
        contains=float(any(q in lower and q != lower for q in quotes)),
        value_full=float(bool(value_keys) and bool(_find(value_keys, task))),
        value_quoted=float(bool(value) and value.strip().lower() in task.quote_texts),
        hint_share=sum(k in task.positions for k in hint_keys) / max(len(hint_keys), 1),
        type_named=float(any(stem(t) in task.positions for t in types if t)),
        before_quote=float(
            any(0 < a - p <= 4 for p in positions if not task.quoted[p] for a in quote_starts)
        ),
        positions=tuple(positions),
    )


def _find(keys: tuple[str, ...], task: Instruction) -> list[int]:
    """Token positions where the whole sequence of keys begins."""
    if not keys:
        return []
    size = len(keys)
    return [p for p in task.positions.get(keys[0], ()) if task.keys[p : p + size] == keys]
