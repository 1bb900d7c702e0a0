"""Sizes of the embedded network and the names of its tensors."""

from __future__ import annotations

from dataclasses import dataclass

from openvenus.policy.embedded._choices import CASES, DIRECTIONS, KEYS, KINDS, SIDES
from openvenus.policy.embedded._features import CONTEXT_FEATURES, ELEMENT_FEATURES, RELATIONS
from openvenus.policy.embedded._instruction import MAX_TOKENS, SPAN_FEATURES, TOKEN_FLAGS
from openvenus.policy.embedded._words import BUCKETS

FIELD_FEATURES = 7
"""Features of a (field, span) pair, see `_spans.py`."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network."""

    width: int = 96
    layers: int = 3
    heads: int = 4
    inner: int = 192


def tensor_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor; matrices are [inputs, outputs]."""
    d, k = shape.width, len(KINDS)
    tensors: dict[str, tuple[int, ...]] = {
        "words": (BUCKETS, d),
        "token_flags": (TOKEN_FLAGS, d),
        "token_at": (MAX_TOKENS, d),
        "hint": (d, d),
        "values": (ELEMENT_FEATURES, d),
        "values_hidden": (ELEMENT_FEATURES, d),
        "values_hidden_b": (d,),
        "values_out": (d, d),
        "context": (CONTEXT_FEATURES, d),
        "final_g": (d,),
        "final_b": (d,),
        "kind": (d, k),
        "kind_b": (k,),
        "kind_pool": (d, k),
        "point_h": (d, d),
        "point_c": (d, d),
        "point_b": (d,),
        "point": (d, k),
        "point_skip": (ELEMENT_FEATURES, k),
        "second_q": (d, d),
        "second_k": (d, d),
        "second": (d, 2),
        "side": (2 * d, len(SIDES)),
        "side_b": (len(SIDES),),
        "direction": (d, len(DIRECTIONS)),
        "key": (d, len(KEYS)),
        "key_b": (len(KEYS),),
        "case": (2 * d, len(CASES)),
        "case_b": (len(CASES),),
        "span_start_q": (d, d),
        "span_start_k": (d, d),
        "span_end_q": (d, d),
        "span_end_k": (d, d),
        "span_static": (SPAN_FEATURES,),
        "span_field": (FIELD_FEATURES,),
        "value_h": (d, d // 2),
        "value_hb": (d // 2,),
        "value": (d // 2, 1),
        "value_b": (1,),
        "done_h": (2 * d, d // 2),
        "done_hb": (d // 2,),
        "done": (d // 2, 1),
        "done_b": (1,),
    }
    for i in range(shape.layers):
        tensors |= {
            f"{i}.norm1_g": (d,),
            f"{i}.norm1_b": (d,),
            f"{i}.qkv": (d, 3 * d),
            f"{i}.qkv_b": (3 * d,),
            f"{i}.mix": (d, d),
            f"{i}.mix_b": (d,),
            f"{i}.relation": (RELATIONS, shape.heads),
            f"{i}.norm2_g": (d,),
            f"{i}.norm2_b": (d,),
            f"{i}.up": (d, shape.inner),
            f"{i}.up_b": (shape.inner,),
            f"{i}.down": (shape.inner, d),
            f"{i}.down_b": (d,),
        }
    return tensors


KIND_PRIOR: dict[str, float] = {
    "click": 2.0, "type": 1.5, "copy": -0.5, "drag": -0.5, "press": -1.0, "scroll": -0.5,
    "hover": -1.5, "wait": -2.0,
}  # fmt: skip
"""Starting bias of each kind of decision: a person tries clicking and typing first."""
QUOTE_PRIOR = 2.5
"""Starting weight of a span that is a whole quotation."""
FIELD_PRIOR = 1.0
"""Starting weight of a span that follows the field's own name in the instruction."""
SUITS_PRIOR = 1.5
"""Starting weight of a span of the form that the field is made for: a date, a time, a number."""
USABLE_PRIOR = 1.5
"""Starting weight of an element that looks usable, for clicks."""
AS_IS_PRIOR = 3.0
"""Starting bias for typing a text as it is written."""
