"""`venus replay`: an episode as one HTML file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer


def replay(
    episode: Annotated[Path, typer.Argument(help="Folder of the episode, as `venus run` says it.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The file; default: replay.html in the folder.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
) -> None:
    """Make one self-contained HTML file of an episode.

    It has each step with the screen before and after, the action drawn on it, what was thought,
    what came of it and how long it took. Also works on an episode that broke off.

    Example: venus replay runs/20261201-101500-1a2b3c4d --open
    """
    from openvenus.episode import write_replay

    page = write_replay(episode, out)
    print(page)
    if show and not open_page(page):
        print("There is no display to open it on.", file=sys.stderr)


def open_page(page: Path) -> bool:
    """Open a file in the person's browser; False when there is no display."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    import webbrowser

    try:
        return webbrowser.open(page.resolve().as_uri())
    except webbrowser.Error:
        return False
