"""Many situations as one set of arrays: ragged lists laid end to end, relations padded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openvenus.policy.embedded._features import Arrays
from openvenus.policy.embedded._instruction import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """B situations. T tokens and E elements in all, S positions in the longest situation.

    Positions of one situation: 0 is the summary, then its tokens, then its elements.
    """

    token_ids: Ints
    """[T]"""
    token_flags: Floats
    """[T, TOKEN_FLAGS]"""
    token_row: Ints
    """[T] which situation"""
    token_at: Ints
    """[T] which position"""
    labels: Ints
    """[E, LABEL_WORDS]"""
    hints: Ints
    categories: Ints
    values: Floats
    element_row: Ints
    element_at: Ints
    context: Floats
    """[B, CONTEXT_FEATURES]"""
    relations: NDArray[np.uint8]
    """[B, S, S]"""
    present: NDArray[np.bool_]
    """[B, S] which positions exist"""


def collate(situations: Sequence[Arrays]) -> Batch:
    """One batch of the situations, in order."""
    lengths = [len(f.token_ids) for f in situations]
    counts = [len(f.labels) for f in situations]
    size = max(1 + a + b for a, b in zip(lengths, counts, strict=True))
    relations = np.zeros((len(situations), size, size), np.uint8)
    present = np.zeros((len(situations), size), bool)
    for i, f in enumerate(situations):
        s = len(f.relations)
        relations[i, :s, :s] = f.relations
        present[i, :s] = True
    rows = range(len(situations))
    return Batch(
        token_ids=np.concatenate([f.token_ids for f in situations]),
        token_flags=np.concatenate([f.token_flags for f in situations]),
        token_row=np.repeat(rows, lengths).astype(np.int32),
        token_at=np.concatenate([np.arange(1, 1 + n) for n in lengths]).astype(np.int32),
        labels=np.concatenate([f.labels for f in situations]),
        hints=np.concatenate([f.hints for f in situations]),
        categories=np.concatenate([f.categories for f in situations]),
        values=np.concatenate([f.values for f in situations]),
        element_row=np.repeat(rows, counts).astype(np.int32),
        element_at=np.concatenate(
            [np.arange(1 + a, 1 + a + b) for a, b in zip(lengths, counts, strict=True)]
        ).astype(np.int32),
        context=np.stack([f.context for f in situations]),
        relations=relations,
        present=present,
    )
