"""Recorded decisions as one batch of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from openvenus.learn.online._samples import StepSample
from openvenus.policy.embedded import FIELD_FEATURES, KINDS, SPAN_FEATURES, collate


@dataclass(frozen=True, slots=True, eq=False)
class TensorBatch:
    """B decisions; as `Batch`, and what was chosen. `*_rows`: decisions that have that part."""

    token_ids: Tensor
    token_flags: Tensor
    token_row: Tensor
    token_at: Tensor
    labels: Tensor
    hints: Tensor
    categories: Tensor
    values: Tensor
    element_row: Tensor
    element_at: Tensor
    context: Tensor
    relations: Tensor
    present: Tensor
    element_index: Tensor
    """[B, N] flat place of each decision's elements; 0 pads."""
    kinds: Tensor
    kind: Tensor
    target: Tensor
    """[B] -1 without a target"""
    target_flat: Tensor
    target_allowed: Tensor
    """[B, N] for the chosen kind"""
    span_row: Tensor
    span_start: Tensor
    """flat token place"""
    span_end: Tensor
    span_static: Tensor
    span_pairs: Tensor
    span_chosen: Tensor
    second_rows: Tensor
    second: Tensor
    second_which: Tensor
    second_allowed: Tensor
    side_rows: Tensor
    side: Tensor
    side_second: Tensor
    """flat element place"""
    case_rows: Tensor
    case: Tensor
    direction_rows: Tensor
    direction: Tensor
    key_rows: Tensor
    key: Tensor


def to_tensors(samples: Sequence[StepSample]) -> TensorBatch:
    """One batch of recorded decisions, in order."""
    batch = collate([s.arrays for s in samples])
    counts = [len(s.arrays.labels) for s in samples]
    tokens = [len(s.arrays.token_ids) for s in samples]
    first_element = np.concatenate([[0], np.cumsum(counts)])[:-1]
    first_token = np.concatenate([[0], np.cumsum(tokens)])[:-1]
    widest = max([*counts, 1])
    index = np.zeros((len(samples), widest), np.int64)
    allowed = np.zeros((len(samples), widest), bool)
    for i, s in enumerate(samples):
        index[i, : counts[i]] = np.arange(first_element[i], first_element[i] + counts[i])
        allowed[i, : counts[i]] = s.arrays.allowed[s.choice.kind]
    target = np.array([s.choice.target for s in samples], np.int64)
    spans = [i for i, s in enumerate(samples) if s.span_start is not None]
    sizes = [len(s.span_start) for s in samples if s.span_start is not None]
    first_span = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    seconds = [i for i, s in enumerate(samples) if s.second_allowed is not None]
    second_allowed = np.zeros((len(seconds), widest), bool)
    for n, i in enumerate(seconds):
        second_allowed[n, : counts[i]] = samples[i].second_allowed
    drags = [i for i, s in enumerate(samples) if s.choice.side >= 0]
    cases = [i for i, s in enumerate(samples) if s.choice.case >= 0]
    scrolls = [i for i, s in enumerate(samples) if s.choice.direction >= 0]
    presses = [i for i, s in enumerate(samples) if s.choice.key >= 0]
    return TensorBatch(
        token_ids=_long(batch.token_ids),
        token_flags=torch.from_numpy(batch.token_flags),
        token_row=_long(batch.token_row),
        token_at=_long(batch.token_at),
        labels=_long(batch.labels),
        hints=_long(batch.hints),
        categories=_long(batch.categories),
        values=torch.from_numpy(batch.values),
        element_row=_long(batch.element_row),
        element_at=_long(batch.element_at),
        context=torch.from_numpy(batch.context),
        relations=torch.from_numpy(batch.relations).int(),
        present=torch.from_numpy(batch.present),
        element_index=_long(index),
        kinds=torch.from_numpy(np.stack([s.arrays.kinds for s in samples])),
        kind=_long([s.choice.kind for s in samples]),
        target=_long(target),
        target_flat=_long(np.where(target >= 0, first_element + target, 0)),
        target_allowed=torch.from_numpy(allowed),
        span_row=_long(np.repeat(spans, sizes) if spans else []),
        span_start=_long(_joined([samples[i].span_start + first_token[i] for i in spans])),
        span_end=_long(_joined([samples[i].span_end + first_token[i] for i in spans])),
        span_static=torch.from_numpy(
            _stacked([samples[i].span_static for i in spans], SPAN_FEATURES)
        ),
        span_pairs=torch.from_numpy(
            _stacked([samples[i].span_pairs for i in spans], FIELD_FEATURES)
        ),
        span_chosen=_long([first_span[n] + samples[i].choice.span for n, i in enumerate(spans)]),
        second_rows=_long(seconds),
        second=_long([samples[i].choice.second for i in seconds]),
        second_which=_long([int(samples[i].choice.kind == KINDS.index("drag")) for i in seconds]),
        second_allowed=torch.from_numpy(second_allowed),
        side_rows=_long(drags),
        side=_long([samples[i].choice.side for i in drags]),
        side_second=_long([first_element[i] + samples[i].choice.second for i in drags]),
        case_rows=_long(cases),
        case=_long([samples[i].choice.case for i in cases]),
        direction_rows=_long(scrolls),
        direction=_long([samples[i].choice.direction for i in scrolls]),
        key_rows=_long(presses),
        key=_long([samples[i].choice.key for i in presses]),
    )


def _long(values: object) -> Tensor:
    return torch.as_tensor(np.asarray(values, np.int64))


def _joined(parts: list[NDArray[np.int32]]) -> NDArray[np.int64]:
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, np.int64)


def _stacked(parts: list[NDArray[np.float32] | None], width: int) -> NDArray[np.float32]:
    known = [p for p in parts if p is not None]
    return np.concatenate(known) if known else np.zeros((0, width), np.float32)
