"""What the embedded policy sees of a screen: numbers for every element, nothing per task."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openvenus.policy import Situation
from openvenus.policy.embedded._choices import KINDS, kinds_for
from openvenus.policy.embedded._colors import color_names
from openvenus.policy.embedded._instruction import Floats, Instruction, Ints, read_instruction
from openvenus.policy.embedded._labels import nearby_labels
from openvenus.policy.embedded._layout import Layout, lay_out
from openvenus.policy.embedded._match import LabelMatch, match_label
from openvenus.policy.embedded._past import Past, read_past
from openvenus.policy.embedded._words import bucket, number
from openvenus.screen import Element

MAX_ELEMENTS = 80
LABEL_WORDS = 6
HINT_WORDS = 5
ELEMENT_FEATURES = 90
CONTEXT_FEATURES = 11 + len(KINDS)
RELATIONS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """What the network reads of one situation. N elements, L tokens, S = 1 + L + N."""

    token_ids: Ints
    """[L]"""
    token_flags: Floats
    """[L, TOKEN_FLAGS]"""
    labels: Ints
    """[N, LABEL_WORDS] hashed words of name, text or value; 0 pads."""
    hints: Ints
    """[N, HINT_WORDS] hashed words of the hint; 0 pads."""
    categories: Ints
    """[N, 3] hashed role, tag and kind."""
    values: Floats
    """[N, ELEMENT_FEATURES]"""
    context: Floats
    """[CONTEXT_FEATURES]"""
    relations: NDArray[np.uint8]
    """[S, S] bits: which relations hold between two positions."""
    allowed: NDArray[np.bool_]
    """[kinds, N] which elements an action of each kind may point at."""
    kinds: NDArray[np.bool_]
    """[kinds] which kinds are possible at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """One situation: the arrays, and what their rows stand for."""

    instruction: Instruction
    elements: tuple[Element, ...]
    matches: tuple[LabelMatch, ...]
    arrays: Arrays


def featurize(situation: Situation) -> Features:
    """The arrays for one situation; a pure function of what can be seen and was done."""
    task = read_instruction(situation.task.instruction)
    elements = choose_elements(tuple(situation.observation.elements), task)
    frame = situation.observation.frame
    past = read_past(situation.history)
    matches = tuple(
        match_label(e, task, label)
        for e, label in zip(elements, nearby_labels(elements), strict=True)
    )
    layout = lay_out(elements, frame.device_width, frame.device_height)
    values = _element_values(elements, matches, layout, past, task)
    allowed, kinds = kinds_for(
        elements,
        situation.actions,
        has_spans=len(task.span_start) > 0,
        in_vain=past.in_vain,
    )
    arrays = Arrays(
        token_ids=task.ids,
        token_flags=task.flags,
        labels=np.array([_padded(m.keys, LABEL_WORDS) for m in matches], np.int32).reshape(
            len(elements), LABEL_WORDS
        ),
        hints=np.array(
            [_padded(tuple(e.hint.lower().split()), HINT_WORDS) for e in elements], np.int32
        ).reshape(len(elements), HINT_WORDS),
        categories=np.array(
            [
                (bucket("role " + e.role), bucket("tag " + e.tag), bucket("kind " + e.kind))
                for e in elements
            ],
            np.int32,
        ).reshape(len(elements), 3),
        values=values,
        context=_context(situation, past, len(elements)),
        relations=_relations(task, elements, matches, layout),
        allowed=allowed,
        kinds=kinds,
    )
    return Features(instruction=task, elements=elements, matches=matches, arrays=arrays)


def choose_elements(elements: tuple[Element, ...], task: Instruction) -> tuple[Element, ...]:
    """At most MAX_ELEMENTS of them in document order, the most useful kept."""
    if len(elements) <= MAX_ELEMENTS:
        return elements

    def usefulness(item: tuple[int, Element]) -> tuple[float, int]:
        i, e = item
        match = match_label(e, task)
        score = 2.0 * e.visible + 1.5 * e.clickable + e.editable + 2.0 * match.full + match.share
        return -score, i

    kept = sorted(sorted(enumerate(elements), key=usefulness)[:MAX_ELEMENTS])
    return tuple(e for _, e in kept)


def _padded(keys: tuple[str, ...], width: int) -> list[int]:
    ids = [bucket(k) for k in keys[:width]]
    return ids + [0] * (width - len(ids))


def _element_values(
    elements: tuple[Element, ...],
    matches: tuple[LabelMatch, ...],
    layout: Layout,
    past: Past,
    task: Instruction,
) -> Floats:
    n = len(elements)
    out = np.zeros((n, ELEMENT_FEATURES), np.float32)
    if n == 0:
        return out
    full = np.array([m.full for m in matches], np.float32)
    quoted = np.array([m.quoted for m in matches], np.float32)
    share = np.array([m.share for m in matches], np.float32)
    nearby = layout.around(full, quoted, share)
    magnitude = np.array(
        [v if (v := _value_number(e)) is not None else math.nan for e in elements], np.float64
    )
    numeric = _number_ranks(magnitude, task)
    for i, (e, m) in enumerate(zip(elements, matches, strict=True)):
        touched = past.of(e)
        fg = color_names(e.color)
        bg = color_names(e.background)
        label = e.name or e.text
        row = (
            # what it is and its state
            e.clickable, e.editable, e.enabled, e.focused,
            e.checked is True, e.checked is False, e.selected is True, e.selected is False,
            e.expanded is True, e.expanded is False,
            e.visible, e.native, e.covered_by is not None, e.point is not None,
            e.length > 0, min(e.length, 20) / 20, "d" in e.scrolls, "u" in e.scrolls,
            # how its text meets the instruction
            m.full, m.quoted, m.share, m.exact, m.start, m.length, m.count, m.prefix,
            m.suffix, m.contains, m.value_full, m.value_quoted, m.hint_share, m.ends,
            m.last_start, m.before_quote, m.type_named,
            min(len(label), 40) / 40, len(label) == 1 and label.isalpha(),
            # colours
            bool(fg & task.colors), bool(bg & task.colors),
            *_rgb(e.color), *_rgb(e.background),
            # what was done to it
            min(touched.clicked, 3) / 3, min(touched.typed, 3) / 3, touched.clicked > 0,
            touched.last, past.same_group(e), past.is_new(e), min(touched.other, 3) / 3,
            past.typed_text(e), touched.without_effect,
            e.depth / 20,
        )  # fmt: skip
        out[i, : len(row)] = row
        width = len(row)
    rest = np.concatenate([layout.geometry, layout.ordinals(task), nearby, numeric], axis=1)
    out[:, width:] = rest
    return out


def _rgb(hex_color: str) -> tuple[float, float, float]:
    if len(hex_color) != 7:
        return (0.5, 0.5, 0.5)
    return (
        int(hex_color[1:3], 16) / 255,
        int(hex_color[3:5], 16) / 255,
        int(hex_color[5:7], 16) / 255,
    )


def _value_number(e: Element) -> float | None:
    text = (e.name or e.text or e.value).strip().lstrip("$€£#")
    if not text or len(text) > 12:
        return None
    try:
        value = float(text.rstrip("%.°").replace(",", ""))
    except ValueError:
        found = number(text.lower())
        return float(found) if found is not None else None
    return value if math.isfinite(value) else None


def _number_ranks(magnitude: NDArray[np.float64], task: Instruction) -> Floats:
    """[N, 9] how an element that shows a number compares with the others and the task."""
    n = len(magnitude)
    out = np.zeros((n, 9), np.float32)
    known = ~np.isnan(magnitude)
    if not known.any():
        return out
    values = magnitude[known]
    order = values.argsort(kind="stable").argsort(kind="stable")
    top = max(len(values) - 1, 1)
    whole = np.isclose(values, np.round(values))
    odd = whole & (np.abs(np.round(values)) % 2 == 1)
    targets = np.array(sorted(task.numbers), np.float64)
    one = float(targets[0]) if len(targets) == 1 else math.nan
    out[known] = np.stack(
        [
            np.ones(len(values)),
            order / top,
            values == values.min(),
            values == values.max(),
            odd,
            whole & ~odd,
            np.isin(values, targets),
            np.nan_to_num(np.sign(values - one)),
            np.tanh(values / 50),
        ],
        axis=1,
    )
    return out


def _context(situation: Situation, past: Past, n_elements: int) -> Floats:
    out = np.zeros(CONTEXT_FEATURES, np.float32)
    out[:11] = (
        min(past.steps, 12) / 12,
        past.steps == 0,
        past.steps == 1,
        n_elements / MAX_ELEMENTS,
        past.last_changed is True,
        past.last_changed is False,
        past.last_failed,
        bool(situation.observation.dialogs),
        past.fresh_page,
        min(past.no_effect, 4) / 4,
        1.0,
    )
    if past.last_kind in KINDS:
        out[11 + KINDS.index(past.last_kind)] = 1.0
    return out


def _relations(
    task: Instruction,
    elements: tuple[Element, ...],
    matches: tuple[LabelMatch, ...],
    layout: Layout,
) -> NDArray[np.uint8]:
    tokens, n = len(task.keys), len(elements)
    size = 1 + tokens + n
    bits = np.zeros((size, size), np.uint8)
    t = np.arange(1, tokens)
    bits[t + 1, t] |= 1  # the token before
    bits[t, t + 1] |= 2  # the token after
    for i, match in enumerate(matches):
        at = 1 + tokens + i
        for p in match.positions:
            bits[at, 1 + p] |= 4
            bits[1 + p, at] |= 4
    first = 1 + tokens
    block = bits[first:, first:]
    block[layout.same_group] |= 8
    block[layout.same_row] |= 16
    block[layout.same_column] |= 32
    block[layout.parent_of] |= 64
    near = np.arange(n - 1)
    block[near + 1, near] |= 128
    return bits
