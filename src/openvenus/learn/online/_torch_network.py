"""The embedded network in torch, to learn with; the same tensors as the numpy one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from openvenus.learn.online._tensors import TensorBatch
from openvenus.policy.embedded import (
    AS_IS_PRIOR,
    FIELD_PRIOR,
    KIND_PRIOR,
    KINDS,
    QUOTE_PRIOR,
    SUITS_PRIOR,
    USABLE_PRIOR,
    Shape,
    tensor_shapes,
)

_EMBEDDINGS = {"words", "token_at"}
_SMALL = {
    "kind",
    "kind_pool",
    "point",
    "second",
    "side",
    "direction",
    "key",
    "case",
    "value",
    "done",
}


def initial_tensors(shape: Shape, seed: int) -> dict[str, Tensor]:
    """Random weights with the priors of `_shape.py` in place."""
    generator = torch.Generator().manual_seed(seed)
    tensors: dict[str, Tensor] = {}
    for name, size in tensor_shapes(shape).items():
        last = name.rsplit(".", 1)[-1]
        if last.endswith("_g"):
            value = torch.ones(size)
        elif len(size) == 1 or last == "relation" or name == "point_skip":
            value = torch.zeros(size)
        else:
            std = 0.1 if name in _EMBEDDINGS else 1 / math.sqrt(size[0])
            if name in _SMALL:
                std *= 0.2
            elif last in {"mix", "down"}:
                std /= math.sqrt(2 * shape.layers)
            value = torch.randn(size, generator=generator) * std
        tensors[name] = value
    tensors["kind_b"] = torch.tensor([KIND_PRIOR[k] for k in KINDS])
    tensors["point_skip"][0, KINDS.index("click")] = USABLE_PRIOR
    tensors["span_static"][0] = QUOTE_PRIOR
    tensors["span_field"][0] = FIELD_PRIOR
    tensors["span_field"][6] = SUITS_PRIOR
    tensors["case_b"][0] = AS_IS_PRIOR
    return tensors


@dataclass(frozen=True, slots=True)
class Scored:
    """What the network says of a batch of recorded choices."""

    logprob: Tensor
    """[B] of the recorded choice, exploration floors included."""
    entropy: Tensor
    """[B] of kind and target."""
    value: Tensor
    """[B] log-odds of success."""
    done: Tensor
    """[B] log-odds that the recorded choice is the last of a success."""


class TorchNetwork(nn.Module):
    """The network with gradients."""

    def __init__(self, tensors: dict[str, Tensor], shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.weights = nn.ParameterDict(
            {_slot(k): nn.Parameter(v.clone()) for k, v in tensors.items()}
        )
        bits = (np.arange(256)[:, None] >> np.arange(8)[None, :]) & 1
        self.register_buffer("bits", torch.tensor(bits, dtype=torch.float32), persistent=False)
        self.bits: Tensor

    def w(self, name: str) -> Tensor:
        """One tensor by its name."""
        tensor: Tensor = self.weights[_slot(name)]
        return tensor

    def arrays(self) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        """All tensors as numpy arrays."""
        return {k: self.w(k).detach().numpy().copy() for k in tensor_shapes(self.shape)}

    def forward(self, b: TensorBatch, *, kind_floor: float, point_floor: float) -> Scored:
        """Score recorded choices."""
        w = self.w
        x = torch.zeros(*b.present.shape, self.shape.width)
        x[:, 0] = b.context @ w("context")
        x[b.token_row, b.token_at] = (
            nn.functional.embedding(b.token_ids, w("words"))
            + b.token_flags @ w("token_flags")
            + w("token_at")[b.token_at - 1]
        )
        hidden = torch.relu(b.values @ w("values_hidden") + w("values_hidden_b"))
        x[b.element_row, b.element_at] = (
            self._mean_words(b.labels)
            + self._mean_words(b.hints) @ w("hint")
            + nn.functional.embedding(b.categories, w("words")).sum(1)
            + b.values @ w("values")
            + hidden @ w("values_out")
        )
        absent = torch.where(b.present, 0.0, -1e9)[:, None, None, :]
        for i in range(self.shape.layers):
            x = self._layer(i, x, b.relations, absent)
        x = nn.functional.layer_norm(x, (self.shape.width,), w("final_g"), w("final_b"), 1e-5)
        summary = x[:, 0]
        tokens = x[b.token_row, b.token_at]
        elements = x[b.element_row, b.element_at]
        pooled = torch.zeros_like(summary).scatter_reduce(
            0, b.element_row[:, None].expand(-1, self.shape.width), elements, "amax"
        )
        hidden = torch.relu(
            elements @ w("point_h") + (summary @ w("point_c"))[b.element_row] + w("point_b")
        )
        point = hidden @ w("point") + b.values @ w("point_skip")
        kind = summary @ w("kind") + pooled @ w("kind_pool") + w("kind_b")
        value = torch.relu(summary @ w("value_h") + w("value_hb")) @ w("value") + w("value_b")

        logprob, entropy = _pick(kind, b.kinds, b.kind, kind_floor)
        chosen = point.gather(1, b.kind[b.element_row][:, None])[:, 0]
        p_target, e_target = _pick(
            _spread(chosen, b), b.target_allowed, b.target.clamp(min=0), point_floor
        )
        pointed = b.target >= 0
        logprob = logprob + torch.where(pointed, p_target, 0.0)
        entropy = entropy + torch.where(pointed, e_target, 0.0)
        acted = torch.where(
            pointed[:, None], elements[b.target_flat.clamp(min=0)], torch.zeros_like(summary)
        )
        logprob = logprob + self._arguments(b, summary, tokens, elements, acted, point_floor)
        done_h = torch.relu(torch.cat([summary, acted], 1) @ w("done_h") + w("done_hb"))
        return Scored(
            logprob=logprob,
            entropy=entropy,
            value=value[:, 0],
            done=(done_h @ w("done") + w("done_b"))[:, 0],
        )

    def _arguments(
        self,
        b: TensorBatch,
        summary: Tensor,
        tokens: Tensor,
        elements: Tensor,
        acted: Tensor,
        point_floor: float,
    ) -> Tensor:
        w = self.w
        total = torch.zeros(len(summary))
        scale = self.shape.width**-0.5
        if len(b.span_row):
            start_q, end_q = acted @ w("span_start_q"), acted @ w("span_end_q")
            start = ((tokens @ w("span_start_k")) * start_q[b.token_row]).sum(1) * scale
            end = ((tokens @ w("span_end_k")) * end_q[b.token_row]).sum(1) * scale
            logits = (
                start[b.span_start]
                + end[b.span_end]
                + b.span_static @ w("span_static")
                + b.span_pairs @ w("span_field")
            )
            total = total + _segment_logprob(logits, b.span_row, b.span_chosen, len(summary))
        if len(b.second_rows):
            rows = b.second_rows
            first = acted[rows] @ w("second_q")
            keys = elements @ w("second_k")
            own = elements @ w("second")
            related = torch.einsum("rd,rnd->rn", first, keys[b.element_index[rows]]) * scale
            extra = own[b.element_index[rows]].gather(
                2, b.second_which[:, None, None].expand(-1, b.element_index.shape[1], 1)
            )[:, :, 0]
            picked, _ = _pick(related + extra, b.second_allowed, b.second, point_floor)
            total = total.index_add(0, rows, picked)
        for rows, chosen, logits in (
            (b.side_rows, b.side, self._joint("side", acted, elements, b)),
            (b.case_rows, b.case, self._paired("case", summary, acted, b.case_rows)),
            (b.direction_rows, b.direction, acted[b.direction_rows] @ w("direction")),
            (b.key_rows, b.key, summary[b.key_rows] @ w("key") + w("key_b")),
        ):
            if len(rows):
                logp = torch.log_softmax(logits, 1).gather(1, chosen[:, None])[:, 0]
                total = total.index_add(0, rows, logp)
        return total

    def _joint(self, name: str, acted: Tensor, elements: Tensor, b: TensorBatch) -> Tensor:
        second = elements[b.side_second]
        return torch.cat([acted[b.side_rows], second], 1) @ self.w(name) + self.w(f"{name}_b")

    def _paired(self, name: str, summary: Tensor, acted: Tensor, rows: Tensor) -> Tensor:
        return torch.cat([summary[rows], acted[rows]], 1) @ self.w(name) + self.w(f"{name}_b")

    def _layer(self, i: int, x: Tensor, relations: Tensor, absent: Tensor) -> Tensor:
        w, heads = self.w, self.shape.heads
        b, s, d = x.shape
        h = nn.functional.layer_norm(x, (d,), w(f"{i}.norm1_g"), w(f"{i}.norm1_b"), 1e-5)
        qkv = (h @ w(f"{i}.qkv") + w(f"{i}.qkv_b")).view(b, s, 3, heads, d // heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        table = self.bits @ w(f"{i}.relation")
        bias = nn.functional.embedding(relations, table).permute(0, 3, 1, 2)
        scores = q @ k.transpose(2, 3) * (d // heads) ** -0.5 + bias + absent
        mixed = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(b, s, d)
        x = x + mixed @ w(f"{i}.mix") + w(f"{i}.mix_b")
        h = nn.functional.layer_norm(x, (d,), w(f"{i}.norm2_g"), w(f"{i}.norm2_b"), 1e-5)
        return x + torch.relu(h @ w(f"{i}.up") + w(f"{i}.up_b")) @ w(f"{i}.down") + w(f"{i}.down_b")

    def _mean_words(self, ids: Tensor) -> Tensor:
        known = (ids > 0).float()[..., None]
        total = (nn.functional.embedding(ids, self.w("words")) * known).sum(1)
        return total / known.sum(1).clamp(min=1)


def _slot(name: str) -> str:
    """A tensor's name as an attribute name that no method of the container has."""
    return "t_" + name.replace(".", "_")


def _spread(flat: Tensor, b: TensorBatch) -> Tensor:
    """[B, N] from [E]; what stands in absent places doesn't matter."""
    return flat[b.element_index]


def _pick(logits: Tensor, mask: Tensor, chosen: Tensor, floor: float) -> tuple[Tensor, Tensor]:
    """Log-probability of the choice in a masked softmax with a uniform floor, and entropy."""
    mask = mask | ~mask.any(1, keepdim=True)
    p = torch.softmax(torch.where(mask, logits, -1e9), 1)
    even = mask.float() / mask.sum(1, keepdim=True)
    mixed = (1 - floor) * p + floor * even
    entropy = -(p * torch.log(p.clamp(min=1e-9))).sum(1)
    picked = mixed.gather(1, chosen[:, None])[:, 0]
    return torch.log(picked.clamp(min=1e-12)), entropy


def _segment_logprob(logits: Tensor, rows: Tensor, chosen: Tensor, size: int) -> Tensor:
    """[size] log-softmax within segments of a flat list, at the chosen flat places.

    Rows without a segment get 0. `chosen` holds one flat place for every segment.
    """
    top = torch.full((size,), -1e9).scatter_reduce(0, rows, logits.detach(), "amax")
    total = torch.zeros(size).index_add(0, rows, torch.exp(logits - top[rows]))
    picked = logits[chosen] - top[rows[chosen]] - torch.log(total[rows[chosen]])
    return torch.zeros(size).index_add(0, rows[chosen], picked)
