"""MiniWoB++ as a suite."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from openvenus.episode import Limits, Task
from openvenus.errors import TaskError
from openvenus.tasks.miniwob._environment import Clock, MiniwobEnvironment
from openvenus.tasks.miniwob._pages import find_pages, pages_version


class MiniwobSuite:
    """All pages of the `miniwob` package; a task is one page, a seed one variant of it.

    Args:
        clock: "lifted" or "published"; see `MiniwobEnvironment`.
        limits: bounds of each episode.

    Raises:
        MissingDependency: the package is not installed.
    """

    name = "miniwob"
    viewport = (500, 320)
    """The pages are 160 x 210; menus, lists and dialogs need some room beyond that."""

    def __init__(self, *, clock: Clock = "lifted", limits: Limits | None = None) -> None:
        self._pages: dict[str, Path] = find_pages()
        self._clock: Clock = clock
        self._limits = limits or Limits()

    @property
    def version(self) -> str:
        """Version of the `miniwob` package."""
        return pages_version()

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of all pages, sorted."""
        return tuple(self._pages)

    def task(self, name: str, seed: int) -> Task:
        """One variant of a page; `reset` fills in the instruction.

        Args:
            seed: at least 0 and below 2**53, so that a page's script sees the same number.

        Raises:
            TaskError: no such page or seed.
        """
        page = self._pages.get(name)
        if page is None:
            near = get_close_matches(name, self._pages, n=3)
            raise TaskError(
                f"MiniWoB++ has no page '{name}'",
                hint=f"did you mean {' or '.join(near)}?" if near else "see: venus bench --list",
            )
        if not 0 <= seed < 2**53:
            raise TaskError(f"the seed {seed} is not between 0 and 2**53 - 1")
        return Task(
            instruction="",
            id=f"miniwob/{name}/{seed}",
            start=page.as_uri(),
            limits=self._limits,
            provenance={"suite": "miniwob", "task": name, "seed": seed, "version": self.version},
        )

    def environment(self) -> MiniwobEnvironment:
        """A world that any page can be set up in."""
        return MiniwobEnvironment(clock=self._clock)
