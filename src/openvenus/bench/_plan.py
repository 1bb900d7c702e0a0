"""Which variants of which tasks are run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from openvenus.errors import UsageError
from openvenus.tasks import Suite


@dataclass(frozen=True, slots=True, order=True)
class Variant:
    """One task with one seed."""

    task: str
    seed: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run, sorted by task, so that a page that is open is used again."""

    suite: str
    variants: tuple[Variant, ...]
    seeds: int
    """Variants of each task, before the limit."""
    seed_offset: int
    """The first seed."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks that have at least one variant, in order."""
        return tuple(dict.fromkeys(v.task for v in self.variants))


def make_plan(
    suite: Suite,
    *,
    tasks: Sequence[str] | None = None,
    seeds: int = 10,
    seed_offset: int = 0,
    limit: int | None = None,
) -> Plan:
    """Seeds `seed_offset` to `seed_offset + seeds - 1` of each task.

    Args:
        tasks: names; None takes the whole suite.
        limit: most episodes; what is left out are the last seeds of all tasks, not the last
            tasks.

    Raises:
        UsageError: an unknown task, or nothing to run.
    """
    names = list(dict.fromkeys(tasks)) if tasks is not None else list(suite.tasks)
    for name in names:
        if name not in suite.tasks:
            near = get_close_matches(name, suite.tasks, n=3)
            raise UsageError(
                f"{suite.name} has no task '{name}'",
                hint=f"did you mean {' or '.join(near)}?"
                if near
                else f"see: venus bench {suite.name} --list",
            )
    if not names:
        raise UsageError("no task is named", hint=f"see: venus bench {suite.name} --list")
    for what, number, least in (
        ("--seeds", seeds, 1),
        ("--seed-offset", seed_offset, 0),
        ("--limit", 1 if limit is None else limit, 1),
    ):
        if number < least:
            raise UsageError(f"{what} is {number}, but must be at least {least}")
    variants = [Variant(n, seed_offset + i) for i in range(seeds) for n in names]
    return Plan(suite.name, tuple(sorted(variants[:limit])), seeds, seed_offset)
