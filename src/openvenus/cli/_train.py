"""`venus train`: making policies."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

train_app = typer.Typer(
    help="Train policies from reward.", no_args_is_help=True, rich_markup_mode=None
)

HELD_OUT = (
    "click-test-transfer",
    "click-tab-2-hard",
    "multi-orderings",
    "email-inbox-important",
    "click-scroll-list",
    "hover-shape",
)
"""Pages that training never sees, so that they can tell how it does on unseen tasks."""


@train_app.callback()
def _group() -> None:
    """Train policies from reward."""


@train_app.command("embedded")
def embedded(
    out: Annotated[Path, typer.Option(help="Folder for weights, curve and summary.")] = Path(
        "runs/train-embedded"
    ),
    minutes: Annotated[float, typer.Option(min=0.1, help="Wall time.")] = 40.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of weights and sampling.")] = 1,
    tasks: Annotated[
        str | None, typer.Option(help="Pages to practise on, with commas; default: all.")
    ] = None,
    hold_out: Annotated[
        str, typer.Option(help="Pages left out of training, with commas.")
    ] = ",".join(HELD_OUT),
    pages: Annotated[int, typer.Option(min=1, max=64, help="Pages open at once.")] = 8,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the summary as JSON on standard output.")
    ] = False,
) -> None:
    """Train the embedded policy on MiniWoB++ pages, from reward alone.

    Nobody shows it a solution: it tries, and what was rewarded becomes likelier. Two processes
    share the work, one plays in a browser and one learns. Needs the extras `learn` and `miniwob`.

    Example: venus train embedded --minutes 40 --seed 1 --out runs/seed1

    Then: venus bench miniwob --policy embedded --weights runs/seed1/weights.npz
    """
    from openvenus.errors import MissingDependency, UsageError
    from openvenus.tasks.miniwob import MiniwobSuite

    try:
        from openvenus.learn.online import Settings, train_embedded
    except ImportError as e:
        raise MissingDependency(
            f"training needs torch ({e})", hint="pip install 'openvenus[learn]'"
        ) from e
    known = MiniwobSuite().tasks
    held_out = _names(hold_out, known)
    chosen = _names(tasks, known) if tasks else [t for t in known if t not in held_out]
    if not chosen:
        raise UsageError("there are no pages left to practise on")
    settings = Settings(seed=seed, minutes=minutes, pages=pages)
    with _Display(minutes) as display:
        weights = train_embedded(chosen, out, settings, display.show)
    summary = json.loads((out / "summary.json").read_text())
    if as_json:
        print(json.dumps({"weights": str(weights), **summary}))
    else:
        print(weights)


def _names(text: str, known: tuple[str, ...]) -> list[str]:
    from openvenus.errors import UsageError

    names = [n.strip() for n in text.split(",") if n.strip()]
    unknown = [n for n in names if n not in known]
    if unknown:
        raise UsageError(f"no such page: {', '.join(unknown)}", hint="venus bench miniwob --list")
    return names


class _Display:
    """One progress bar on a terminal, one line now and then elsewhere; on standard error."""

    def __init__(self, minutes: float) -> None:
        self.minutes = minutes
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.last = -1.0

    def __enter__(self) -> _Display:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True))
            self.bar.start()
            self.task = self.bar.add_task("training", total=self.minutes)
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def show(self, line: dict[str, Any]) -> None:
        """Show one line of the training curve, or a fault."""
        if "fault" in line:
            text = str(line["fault"]).strip().splitlines()[-1]
            self._say(f"fault while playing {line['task']}: {text}")
            return
        said = (
            f"{line['episodes']} episodes, success {line['success']:.2f} while exploring, "
            f"mean over pages {line['mean_rate']:.3f}"
        )
        if self.bar is not None and self.task is not None:
            self.bar.update(self.task, completed=line["minutes"], description=said)
        elif line["minutes"] - self.last >= 0.5:
            self.last = line["minutes"]
            self._say(f"{line['minutes']:.1f} min: {said}")

    def _say(self, text: str) -> None:
        if self.bar is not None:
            self.bar.console.print(text)
        else:
            print(text, file=sys.stderr, flush=True)
