"""Whether an episode is getting anywhere: fingerprints of states and signs of being stuck."""

from __future__ import annotations

import hashlib
from collections import deque

from openvenus.action import Action, Point, action_to_text
from openvenus.episode import Observation

_GRID = 20.0
"""Points this close, in [0, 1000] units, count as the same try."""
_WINDOW = 24
"""Steps that repetitions are looked for in."""
_LONGEST_CYCLE = 4


def fingerprint(observation: Observation) -> str:
    """A short name of a state: equal for screens that show the same in the same condition.

    Made of the URL, the open dialogs and the elements' roles, names, values and states; of the
    image where there are no elements. Positions don't count, visibility does.
    """
    seen = hashlib.blake2b(digest_size=12)
    seen.update(observation.url.encode("utf-8", "surrogatepass"))
    for d in observation.dialogs:
        seen.update(f"\x1d{d.kind}\x1f{d.message}".encode("utf-8", "surrogatepass"))
    parts = [
        f"{e.role}\x1f{e.name}\x1f{e.text}\x1f{e.value}\x1f{e.length}\x1f{e.visible:d}"
        f"{e.enabled:d}{e.focused:d}{e.checked}{e.selected}{e.expanded}{e.scrolls}"
        for e in observation.elements
    ]
    if parts:
        seen.update("\x1e".join(parts).encode("utf-8", "surrogatepass"))
    else:
        seen.update((observation.frame.digest() or "").encode())
    return seen.hexdigest()


def action_key(action: Action, target: str | None) -> str:
    """A short name of an action; the same for tries that aim at the same thing.

    The element decides where one is known, else the point on a coarse grid.
    """
    point = getattr(action, "point", None)
    if point is None:
        return f"{action_to_text(action)}@{target or ''}"
    if target is not None:
        return f"{action_to_text(action.model_copy(update={'point': None}))}@{target}"
    coarse = Point(*(min(1000.0, round(v / _GRID) * _GRID) for v in point))
    return action_to_text(action.model_copy(update={"point": coarse}))


class Progress:
    """Watches state-action pairs; does no I/O and knows no clock.

    Args:
        repeat_limit: how often one pair within the last 24 steps is a sign.
        no_progress_steps: how many steps in a row without a new state are a sign.
    """

    def __init__(self, *, repeat_limit: int = 3, no_progress_steps: int = 12) -> None:
        self._repeat_limit = repeat_limit
        self._no_progress_steps = no_progress_steps
        self._pairs: deque[tuple[str, str]] = deque(maxlen=_WINDOW)
        self._states: set[str] = set()
        self._since_new = 0

    def saw(self, state: str) -> None:
        """Take note of the state that the episode starts in."""
        self._states.add(state)

    def step(self, before: str, action: str, after: str) -> str | None:
        """Take note of a step; returns what is wrong, in words for the policy, or None.

        Args:
            before: fingerprint of the state that was decided on.
            action: key of the action.
            after: fingerprint of the state that it led to.
        """
        self._states.add(before)
        self._since_new = self._since_new + 1 if after in self._states else 0
        self._states.add(after)
        pair = (before, action)
        self._pairs.append(pair)
        times = self._pairs.count(pair)
        if times >= self._repeat_limit:
            return f"the same action was tried {times} times on the same screen"
        period = self._cycle()
        if period:
            return f"the last {period} actions repeat themselves and lead back to the same screens"
        if self._since_new >= self._no_progress_steps:
            return f"the last {self._since_new} steps led to no screen that is new"
        return None

    def _cycle(self) -> int:
        pairs = list(self._pairs)
        for period in range(2, _LONGEST_CYCLE + 1):
            if len(pairs) >= 2 * period and pairs[-period:] == pairs[-2 * period : -period]:
                return period
        return 0
