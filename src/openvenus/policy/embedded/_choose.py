"""Taking one decision from the network's logits: the kind first, then what it points at.

The kind is drawn before the target, from a distribution of its own mixed with a uniform floor:
in one softmax over all targets of all kinds, rare kinds are no longer tried before they have
ever paid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openvenus.policy.embedded._choices import CASES, DIRECTIONS, KEYS, KINDS, SIDES, can_copy
from openvenus.policy.embedded._features import Features
from openvenus.policy.embedded._network import Array, Network
from openvenus.policy.embedded._spans import field_features


@dataclass(frozen=True, slots=True)
class Exploration:
    """How far sampling strays from the network's own distribution."""

    kind_floor: float = 0.06
    """Share of a uniform draw over the possible kinds, in [0, 1)."""
    point_floor: float = 0.02
    """Share of a uniform draw over the allowed elements, in [0, 1)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision as indices; -1 where a part does not apply."""

    kind: int
    target: int = -1
    span: int = -1
    case: int = -1
    second: int = -1
    side: int = -1
    direction: int = -1
    key: int = -1
    logprob: float = 0.0
    """Log-probability of the whole choice under the distribution it was drawn from."""
    value: float = 0.0
    """Probability in [0, 1] that the episode will succeed."""
    completes: float = 0.0
    """Probability in [0, 1] that this is the last step of a success."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One situation's share of an encoded batch."""

    features: Features
    summary: Array
    tokens: Array
    elements: Array
    kind_logits: Array
    point_logits: Array
    value: float


class _Chooser:
    """Draws (or takes the best of) categorical distributions and adds up log-probabilities."""

    def __init__(self, rng: np.random.Generator | None) -> None:
        self.rng = rng
        self.logprob = 0.0

    def pick(self, logits: Array, mask: NDArray[np.bool_] | None = None, floor: float = 0.0) -> int:
        scores = np.asarray(logits, np.float64)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        p = np.exp(scores - scores.max())
        p /= p.sum()
        if self.rng is None:
            chosen = int(p.argmax())
        else:
            if floor:
                even = np.ones(len(p)) if mask is None else mask.astype(np.float64)
                p = (1 - floor) * p + floor * even / even.sum()
            chosen = min(int(np.searchsorted(p.cumsum(), self.rng.random())), len(p) - 1)
            while p[chosen] <= 0:
                chosen -= 1
        self.logprob += math.log(max(float(p[chosen]), 1e-12))
        return chosen


def choose(
    network: Network,
    row: Row,
    *,
    rng: np.random.Generator | None = None,
    explore: Exploration | None = None,
) -> Choice | None:
    """Take one decision.

    Args:
        rng: draws at random; without it the best choice of each part is taken.
        explore: floors mixed into a random draw.

    Returns:
        None when nothing at all can be done here.
    """
    f = row.features
    if not f.arrays.kinds.any():
        return None
    explore = explore or Exploration()
    chooser = _Chooser(rng)
    kind = chooser.pick(row.kind_logits, f.arrays.kinds, explore.kind_floor)
    name = KINDS[kind]
    target = span = case = second = side = direction = key = -1
    if f.arrays.allowed[kind].any():
        target = chooser.pick(
            row.point_logits[:, kind], f.arrays.allowed[kind], explore.point_floor
        )
    if name == "type":
        task = f.instruction
        span = chooser.pick(
            network.span_logits(
                row.tokens,
                row.elements[target],
                task.span_start,
                task.span_end,
                task.span_features,
                field_features(f, target),
            )
        )
    if name in ("type", "copy"):
        case = chooser.pick(network.case_logits(row.summary, row.elements[target]))
    if name in ("copy", "drag"):
        mask = second_mask(f, name, target)
        second = chooser.pick(
            network.second_logits(row.elements, row.elements[target], int(name == "drag")),
            mask,
            explore.point_floor,
        )
    if name == "drag":
        side = chooser.pick(network.side_logits(row.elements[target], row.elements[second]))
    if name == "scroll":
        direction = chooser.pick(network.direction_logits(row.elements[target]))
    if name == "press":
        key = chooser.pick(network.key_logits(row.summary))
    acted = row.elements[target] if target >= 0 else np.zeros_like(row.summary)
    return Choice(
        kind=kind,
        target=target,
        span=span,
        case=case,
        second=second,
        side=side,
        direction=direction,
        key=key,
        logprob=chooser.logprob,
        value=_sigmoid(row.value),
        completes=_sigmoid(network.done_logit(row.summary, acted)),
    )


def second_mask(f: Features, name: str, target: int) -> NDArray[np.bool_]:
    """[N] which elements may be the second of a `copy` (has text, not the field) or a `drag`."""
    if name == "copy":
        mask = np.array([can_copy(e) for e in f.elements], bool)
        mask[target] = False
        return mask
    return np.asarray(f.arrays.allowed[KINDS.index("drag")])


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(x, 30.0), -30.0)))


__all__ = [
    "CASES",
    "DIRECTIONS",
    "KEYS",
    "SIDES",
    "Choice",
    "Exploration",
    "Row",
    "choose",
    "second_mask",
]
