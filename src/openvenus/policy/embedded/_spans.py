"""How a text of the instruction and a field belong together."""

from __future__ import annotations

import re

import numpy as np

from openvenus.policy.embedded._features import Features
from openvenus.policy.embedded._instruction import Floats
from openvenus.policy.embedded._shape import FIELD_FEATURES
from openvenus.policy.embedded._words import stem

_FORMS = {
    "date": re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"),
    "time": re.compile(r"\d{1,2}:\d{2}(?:\s?[APap][Mm])?"),
    "number": re.compile(r"[-+]?\d+(?:[.,]\d+)?"),
    "email": re.compile(r"[^\s@]+@[^\s@]+"),
    "url": re.compile(r"\S+\.\S+"),
    "tel": re.compile(r"[-+()\d ]{5,}"),
}
"""What texts look like that fields of a kind take."""
REACH = 6
"""How many tokens after a field's name its value is looked for."""


def field_features(features: Features, field: int) -> Floats:
    """[C, FIELD_FEATURES] features of each candidate span for one field.

    How soon the span comes after a word of the field's name, how soon before it, whether it
    already is this or another field's value, whether it is the next in order, whether it is part
    of the field's own name, and whether it has the form that the field's kind takes.
    """
    task = features.instruction
    out = np.zeros((len(task.span_start), FIELD_FEATURES), np.float32)
    if not len(out):
        return out
    element = features.elements[field]
    words = set(features.matches[field].keys) | {stem(w) for w in element.hint.lower().split()}
    named = [p for p, k in enumerate(task.keys) if k in words and len(k) > 1 and not task.quoted[p]]
    start = task.span_start
    end = task.span_end
    if named:
        at = np.array(named)
        after = start[:, None] - at[None, :]
        before = at[None, :] - end[:, None]
        for column, gap in ((0, after), (1, before)):
            near = (gap > 0) & (gap <= REACH)
            out[:, column] = np.where(near, 1.0 / np.maximum(gap, 1), 0).max(1)
        out[:, 5] = ((at[None, :] >= start[:, None]) & (at[None, :] <= end[:, None])).any(1)
    values = [e.value for e in features.elements if e.editable and e.value]
    own = element.value
    used = {v for v in values if v != own}
    if own or used:
        texts = [task.span_text(i) for i in range(len(start))]
        out[:, 2] = [t == own for t in texts]
        out[:, 3] = [t in used for t in texts]
    form = _FORMS.get(element.kind)
    if form is not None:
        out[:, 6] = [form.fullmatch(task.span_text(i)) is not None for i in range(len(start))]
    fields = [i for i, e in enumerate(features.elements) if e.editable]
    if task.quotes and field in fields:
        nth = fields.index(field)
        if nth < len(task.quotes):
            a, b = task.quotes[nth]
            out[:, 4] = (start == a) & (end == b - 1)
    return out
