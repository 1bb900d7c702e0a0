"""`venus doctor`: what is installed, what isn't, and how to get it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openvenus.cli._signals import run_interruptible

if TYPE_CHECKING:
    from openvenus.cli._checks import Check

_MARKS = {"ok": "ok      ", "missing": "missing ", "problem": "PROBLEM "}


def doctor(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the findings as one JSON object.")
    ] = False,
) -> None:
    """Look at what is installed and whether it works.

    Starts the browser and shows it a page. For everything that is missing it says how to get it.
    Exit code 0 when all that is needed is there, 4 when not.

    Example: venus doctor --json
    """
    from openvenus.cli._checks import browser_checks, static_checks

    checks = list(static_checks(Path("runs")))
    if any(c.name == "playwright" and c.status == "ok" for c in checks):
        checks += run_interruptible(browser_checks())
    good = all(c.passed for c in checks)
    if as_json:
        print(json.dumps({"ok": good, "checks": [c.to_dict() for c in checks]}))
    else:
        for check in checks:
            _tell(check)
        print("\nAll that is needed is there." if good else "\nSomething needed is missing.")
    raise typer.Exit(0 if good else 4)


def _tell(check: Check) -> None:
    optional = "" if check.required or check.status == "ok" else " (optional)"
    print(f"{_MARKS[check.status]} {check.name:<16} {check.detail}{optional}".rstrip())
    if check.fix and check.status != "ok":
        print(f"{'':<26}{check.fix}")
