"""The embedded network in numpy: inference only, no framework needed.

A small transformer over one summary position, the instruction's tokens and the screen's
elements. Which positions belong together (a word and the element that shows it, a row, a
container) enters the attention as a learned bias per head and relation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openvenus.policy.embedded._batch import Batch
from openvenus.policy.embedded._features import RELATIONS
from openvenus.policy.embedded._shape import Shape

Array = NDArray[np.float32]

_BITS = ((np.arange(256)[:, None] >> np.arange(RELATIONS)[None, :]) & 1).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """What the network makes of a batch."""

    summary: Array
    """[B, width]"""
    tokens: Array
    """[T, width]"""
    elements: Array
    """[E, width]"""
    kind_logits: Array
    """[B, kinds]"""
    point_logits: Array
    """[E, kinds]"""
    value: Array
    """[B] log-odds that the episode will succeed."""


class Network:
    """The network with fixed weights.

    Args:
        tensors: as `tensor_shapes` lists them; float16 is widened.
    """

    def __init__(self, tensors: Mapping[str, NDArray[np.floating]], shape: Shape) -> None:
        self.shape = shape
        self.tensors: dict[str, Array] = {
            k: np.ascontiguousarray(v, dtype=np.float32) for k, v in tensors.items()
        }
        self._relation_bias = [_BITS @ self.tensors[f"{i}.relation"] for i in range(shape.layers)]

    def encode(self, batch: Batch) -> Encoded:
        """Run the transformer and the heads that need no earlier choice."""
        p = self.tensors
        b, s = batch.present.shape
        x = np.zeros((b, s, self.shape.width), np.float32)
        x[:, 0] = batch.context @ p["context"]
        x[batch.token_row, batch.token_at] = (
            p["words"][batch.token_ids]
            + batch.token_flags @ p["token_flags"]
            + p["token_at"][batch.token_at - 1]
        )
        hidden = np.maximum(batch.values @ p["values_hidden"] + p["values_hidden_b"], 0)
        x[batch.element_row, batch.element_at] = (
            _mean_words(p["words"], batch.labels)
            + _mean_words(p["words"], batch.hints) @ p["hint"]
            + p["words"][batch.categories].sum(axis=1)
            + batch.values @ p["values"]
            + hidden @ p["values_out"]
        )
        absent = np.where(batch.present, np.float32(0), np.float32(-1e9))[:, None, None, :]
        for i in range(self.shape.layers):
            x = self._layer(i, x, batch.relations, absent)
        x = _norm(x, p["final_g"], p["final_b"])
        summary = x[:, 0]
        elements = x[batch.element_row, batch.element_at]
        pooled = np.zeros((b, self.shape.width), np.float32)
        np.maximum.at(pooled, batch.element_row, elements)
        hidden = np.maximum(
            elements @ p["point_h"] + (summary @ p["point_c"])[batch.element_row] + p["point_b"], 0
        )
        value = np.maximum(summary @ p["value_h"] + p["value_hb"], 0) @ p["value"] + p["value_b"]
        return Encoded(
            summary=summary,
            tokens=x[batch.token_row, batch.token_at],
            elements=elements,
            kind_logits=summary @ p["kind"] + pooled @ p["kind_pool"] + p["kind_b"],
            point_logits=hidden @ p["point"] + batch.values @ p["point_skip"],
            value=value[:, 0],
        )

    def span_logits(
        self,
        tokens: Array,
        field: Array,
        start: NDArray[np.int32],
        end: NDArray[np.int32],
        static: Array,
        pairs: Array,
    ) -> Array:
        """[C] logits of the candidate spans for one field.

        Args:
            tokens: [L, width] encoded tokens of the instruction.
            field: [width] encoded element that the text would go into.
            start, end: [C] first and last token of each candidate.
            static: [C, SPAN_FEATURES] features of the spans alone.
            pairs: [C, FIELD_FEATURES] features of field and span.
        """
        p = self.tensors
        scale = self.shape.width**-0.5
        a = (tokens @ p["span_start_k"]) @ (field @ p["span_start_q"]) * scale
        b = (tokens @ p["span_end_k"]) @ (field @ p["span_end_q"]) * scale
        return np.asarray(
            a[start] + b[end] + static @ p["span_static"] + pairs @ p["span_field"], np.float32
        )

    def second_logits(self, elements: Array, first: Array, which: int) -> Array:
        """[N] logits of the second element: `which` 0 to copy from, 1 to drag to."""
        p = self.tensors
        related = (elements @ p["second_k"]) @ (first @ p["second_q"]) * self.shape.width**-0.5
        return np.asarray(related + elements @ p["second"][:, which], np.float32)

    def side_logits(self, first: Array, second: Array) -> Array:
        """[sides] logits of where on the second element a drag ends."""
        return np.concatenate([first, second]) @ self.tensors["side"] + self.tensors["side_b"]

    def direction_logits(self, element: Array) -> Array:
        """[directions] logits of the way to scroll an area."""
        return element @ self.tensors["direction"]

    def key_logits(self, summary: Array) -> Array:
        """[keys] logits of the key to press."""
        return summary @ self.tensors["key"] + self.tensors["key_b"]

    def case_logits(self, summary: Array, field: Array) -> Array:
        """[cases] logits of how to write the text."""
        return np.concatenate([summary, field]) @ self.tensors["case"] + self.tensors["case_b"]

    def done_logit(self, summary: Array, element: Array) -> float:
        """Log-odds that acting on this element is the last step of a success."""
        p = self.tensors
        joint = np.concatenate([summary, element])
        hidden = np.maximum(joint @ p["done_h"] + p["done_hb"], 0)
        return float((hidden @ p["done"] + p["done_b"])[0])

    def _layer(self, i: int, x: Array, relations: NDArray[np.uint8], absent: Array) -> Array:
        p, heads = self.tensors, self.shape.heads
        b, s, d = x.shape
        h = _norm(x, p[f"{i}.norm1_g"], p[f"{i}.norm1_b"])
        qkv = (h @ p[f"{i}.qkv"] + p[f"{i}.qkv_b"]).reshape(b, s, 3, heads, d // heads)
        q, k, v = (qkv[:, :, j].transpose(0, 2, 1, 3) for j in range(3))
        scores = np.asarray(q @ k.transpose(0, 1, 3, 2) * (d // heads) ** -0.5, np.float32)
        scores += self._relation_bias[i][relations].transpose(0, 3, 1, 2)
        scores += absent
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(b, s, d)
        x = np.asarray(x + mixed @ p[f"{i}.mix"] + p[f"{i}.mix_b"], np.float32)
        h = _norm(x, p[f"{i}.norm2_g"], p[f"{i}.norm2_b"])
        h = np.maximum(h @ p[f"{i}.up"] + p[f"{i}.up_b"], 0)
        return np.asarray(x + h @ p[f"{i}.down"] + p[f"{i}.down_b"], np.float32)


def _norm(x: Array, gain: Array, bias: Array) -> Array:
    centered = x - x.mean(axis=-1, keepdims=True)
    variance = (centered * centered).mean(axis=-1, keepdims=True)
    return np.asarray(centered / np.sqrt(variance + 1e-5) * gain + bias, np.float32)


def _mean_words(words: Array, ids: NDArray[np.int32]) -> Array:
    known = (ids > 0)[..., None]
    total = (words[ids] * known).sum(axis=1)
    return np.asarray(total / np.maximum(known.sum(axis=1), 1), np.float32)
