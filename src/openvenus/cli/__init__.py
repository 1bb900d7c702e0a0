"""The `venus` command."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Entry point of the `venus` command; ends the process."""
    import sys

    from openvenus.cli._main import start

    sys.exit(start(sys.argv[1:]))
