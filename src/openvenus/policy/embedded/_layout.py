"""Where elements stand: size, order, rows, columns and neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openvenus.policy.embedded._instruction import Floats, Instruction
from openvenus.screen import Element

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Geometry of N elements and which of them belong together."""

    geometry: Floats
    """[N, 10] place, size and ranks, all about [0, 1]."""
    same_group: Bools
    """[N, N]"""
    same_row: Bools
    same_column: Bools
    parent_of: Bools
    """[N, N] row is the parent of column, or the other way round."""
    order: NDArray[np.int64]
    """[N] 1-based place among the visible elements of the same role, in document order."""
    counts: NDArray[np.int64]
    row_order: NDArray[np.int64]
    """[N] 1-based place from left to right among those of the same role and row."""

    def ordinals(self, task: Instruction) -> Floats:
        """[N, 8] order among equals, and whether the instruction names that number."""
        wanted = np.array(sorted(task.numbers) or [-1])
        return np.stack(
            [
                np.minimum(self.order, 10) / 10,
                np.minimum(self.counts, 10) / 10,
                self.order == 1,
                self.order == self.counts,
                self.counts == 1,
                np.isin(self.order, wanted) & (self.counts > 1),
                np.isin(self.counts - self.order + 1, wanted) & (self.counts > 1),
                np.isin(self.row_order, wanted),
            ],
            axis=1,
        ).astype(np.float32)

    def around(self, full: Floats, quoted: Floats, share: Floats) -> Floats:
        """[N, 8] the best matches among each element's group, row, column and parents."""
        if not len(full):
            return np.zeros((0, 8), np.float32)
        signals = np.stack([full, quoted, share])
        strong = np.maximum(full, quoted)

        def best(mask: Bools, values: Floats) -> Floats:
            return np.asarray((mask * values[None, :]).max(axis=1), np.float32)

        return np.stack(
            [
                *(best(self.same_group, s) for s in signals),
                best(self.same_row, strong),
                best(self.same_row, share),
                best(self.same_column, strong),
                best(self.parent_of, strong),
                best(self.same_row, strong) * best(self.same_column, strong),
            ],
            axis=1,
        )


def lay_out(elements: tuple[Element, ...], width: float, height: float) -> Layout:
    """Geometry of the elements on a frame of `width` x `height` device units."""
    n = len(elements)
    boxes = np.array([e.box for e in elements], np.float64).reshape(n, 4) * [
        width / 1000, height / 1000, width / 1000, height / 1000,
    ]  # fmt: skip
    left, top, right, bottom = boxes.T
    w, h = right - left, bottom - top
    cx, cy = (left + right) / 2, (top + bottom) / 2
    drawn = np.array([e.visible and not e.native for e in elements], bool)
    shown = drawn if drawn.any() else np.ones(n, bool)
    if n:
        x0, y0 = left[shown].min(), top[shown].min()
        spread_x = max(right[shown].max() - x0, 1.0)
        spread_y = max(bottom[shown].max() - y0, 1.0)
    else:
        x0 = y0 = 0.0
        spread_x = spread_y = 1.0
    names = {r: i for i, r in enumerate(dict.fromkeys(e.role for e in elements))}
    roles = np.array([names[e.role] for e in elements], np.int64)
    parents = np.array([_index(e.parent, elements) for e in elements], np.int64)
    groups = np.array([e.group for e in elements], np.int64)
    native = np.array([e.native for e in elements], bool)
    scope = np.where(native, parents, -1)
    peers = (roles[:, None] == roles[None, :]) & (scope[:, None] == scope[None, :])
    peers &= (drawn[:, None] & drawn[None, :]) | (native[:, None] & native[None, :])
    before = np.tril(np.ones((n, n), bool))
    order = (peers & before).sum(axis=1)
    counts = peers.sum(axis=1)
    lower = np.maximum(np.minimum(h[:, None], h[None, :]), 4)
    row = np.abs(cy[:, None] - cy[None, :]) < lower / 2
    column = (
        np.abs(cx[:, None] - cx[None, :]) < np.maximum(np.minimum(w[:, None], w[None, :]), 8) / 2
    )
    both = drawn[:, None] & drawn[None, :]
    row &= both
    column &= both
    self_ = np.eye(n, dtype=bool)
    row_order = (peers & row & (cx[None, :] <= cx[:, None])).sum(axis=1)
    area = w * h
    smaller = (peers & (area[None, :] < area[:, None] * 0.98)).sum(axis=1)
    larger = (peers & (area[None, :] > area[:, None] * 1.02)).sum(axis=1)
    geometry = np.stack(
        [
            (cx - x0) / spread_x,
            (cy - y0) / spread_y,
            np.log1p(np.maximum(w, 0)) / 6,
            np.log1p(np.maximum(h, 0)) / 6,
            smaller == 0,
            larger == 0,
            (smaller - larger) / np.maximum(counts, 1),
            w / np.maximum(w + h, 1),
            np.clip(cx / max(width, 1), -1, 2),
            np.clip(cy / max(height, 1), -1, 2),
        ],
        axis=1,
    ).astype(np.float32)
    parent_link = np.zeros((n, n), bool)
    has = parents >= 0
    parent_link[np.arange(n)[has], parents[has]] = True
    return Layout(
        geometry=geometry.reshape(n, 10),
        same_group=(groups[:, None] == groups[None, :]) & ~self_,
        same_row=row & ~self_,
        same_column=column & ~self_,
        parent_of=parent_link | parent_link.T,
        order=order,
        counts=counts,
        row_order=row_order,
    )


def _index(element_id: str | None, elements: tuple[Element, ...]) -> int:
    if element_id is None:
        return -1
    for i, e in enumerate(elements):
        if e.id == element_id:
            return i
    return -1
