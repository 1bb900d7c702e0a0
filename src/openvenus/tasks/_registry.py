"""Suites by name. Each is imported only when it is asked for."""

from __future__ import annotations

from openvenus.errors import UsageError
from openvenus.tasks._contract import Suite

SUITES: tuple[str, ...] = ("miniwob",)
"""Names of all suites."""


def load_suite(name: str) -> Suite:
    """The suite of that name.

    Raises:
        UsageError: there is none.
        MissingDependency: its files are not installed.
    """
    if name == "miniwob":
        from openvenus.tasks.miniwob import MiniwobSuite

        return MiniwobSuite()
    raise UsageError(f"there is no suite '{name}'", hint=f"suites: {', '.join(SUITES)}")
