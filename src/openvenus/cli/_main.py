"""The command's commands, and what becomes of errors."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

import openvenus
from openvenus.cli._bench import bench
from openvenus.cli._demo import demo
from openvenus.cli._doctor import doctor
from openvenus.cli._replay import replay
from openvenus.cli._run import run
from openvenus.cli._signals import Interrupted
from openvenus.cli._train import train_app
from openvenus.errors import VenusError

NO_FILE = 74
"""Exit code for a file that can't be read or written, as on a full disk (EX_IOERR)."""
BUG = 70
"""Exit code for an error that nobody meant (EX_SOFTWARE)."""

app = typer.Typer(
    name="venus",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def _venus(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Log more, and show where errors come from. Goes anywhere."),
    ] = False,
) -> None:
    """An agent that uses graphical interfaces: it looks, decides, acts and checks, again and again.

    Start with: venus demo

    Then: venus run 'Find the opening hours' --url https://example.org

    Something missing? venus doctor
    """


app.command()(run)
app.command()(bench)
app.command()(replay)
app.command()(demo)
app.command()(doctor)
app.add_typer(train_app, name="train")


def start(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code; errors are told on standard error."""
    given, debug = _without_debug(list(arguments))
    debug = debug or bool(os.environ.get("OPENVENUS_DEBUG"))
    logging.basicConfig(
        level=logging.DEBUG if debug else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s" if debug else "%(message)s",
        stream=sys.stderr,
    )
    if not debug:
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    if given == ["--version"]:
        print(f"venus {openvenus.__version__}")
        return 0
    try:
        app(args=given, prog_name="venus")
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else int(e.code is not None)
    except Interrupted as e:
        return e.exit_code
    except KeyboardInterrupt:
        return 130
    except VenusError as e:
        if debug:
            traceback.print_exc()
        _tell(e)
        return e.exit_code
    except OSError as e:
        if debug:
            traceback.print_exc()
        place = f"{e.filename}: " if e.filename else ""
        print(f"Error: {place}{e.strerror or e}", file=sys.stderr)
        return NO_FILE
    except Exception as e:
        if debug:
            traceback.print_exc()
        text = f"this is a mistake in venus itself: {type(e).__name__}: {e}"
        print(f"Error: {text}\n  Once more with --debug shows where.", file=sys.stderr)
        return BUG
    return 0


def _without_debug(arguments: list[str]) -> tuple[list[str], bool]:
    """The arguments without `--debug`, which may stand anywhere before a `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [a for a in arguments[:end] if a != "--debug"]
    return kept + arguments[end:], len(kept) < end


def _tell(error: VenusError) -> None:
    lines = [f"Error: {error.message}"]
    if error.hint:
        lines.append(f"  {error.hint}")
    print("\n".join(lines), file=sys.stderr)
