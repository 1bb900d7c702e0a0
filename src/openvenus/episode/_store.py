"""Episodes on disk: a folder with `episode.jsonl`, which only grows, and `images/`.

The first line names the format and the task; each step adds a line as soon as it has ended; the
last line says how the episode ended. Whatever stops a run, all steps before are readable.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from openvenus import __version__
from openvenus.episode._codec import Encoder, plain
from openvenus.episode._images import ImageFolder
from openvenus.episode._records import Observation, Outcome, Step, Task, Verdict
from openvenus.episode._secrets import Mask
from openvenus.errors import UsageError, VenusError

FORMAT = "openvenus-episode"
VERSION = (1, 0)
"""Major and minor. A reader takes any minor version of its own major version."""
RECORD_FILE = "episode.jsonl"
IMAGE_FOLDER = "images"
DEFAULT_ROOT = Path("runs")
"""Where episodes go when nobody says: below the current folder."""


def new_episode_id() -> str:
    """A name that sorts by time and that nobody else has: `20261201-144118-5f0c9a3e`."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"


class EpisodeWriter:
    """Writes one episode while it runs. Not for use by several threads at once.

    After a failed write it writes nothing more, so that a record never has holes.
    """

    def __init__(self, path: Path, file: int, episode_id: str) -> None:
        self.path = path
        """The episode's folder."""
        self.id = episode_id
        self._file: int | None = file
        self._images = ImageFolder(path / IMAGE_FOLDER)
        self._encoder = Encoder(self._images.keep)
        self._mask = Mask()
        self._steps = 0
        self._good = 0
        self._broken: VenusError | None = None

    @classmethod
    def create(
        cls,
        root: Path,
        task: Task,
        policy: str,
        device: str,
        *,
        episode_id: str | None = None,
        started: float | None = None,
    ) -> EpisodeWriter:
        """Begin a record in the new folder `root/episode_id`.

        Args:
            episode_id: a plain name; a new one when None.
            started: Unix time; now when None.

        Raises:
            UsageError: the folder can't be made or holds an episode already.
        """
        name = episode_id if episode_id is not None else new_episode_id()
        if name in {"", ".", ".."} or any(c in name for c in "/\\\0"):
            raise UsageError(f"an episode can't be named {name!r}: it must be a plain file name")
        path = root / name
        try:
            path.mkdir(parents=True, exist_ok=True)
            file = os.open(path / RECORD_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError as e:
            raise UsageError(
                f"{path} is there already",
                hint="records are never overwritten: choose another name or folder",
            ) from e
        except OSError as e:
            raise UsageError(
                f"no episode can be recorded in {root}: {e.strerror or e}",
                hint="choose a folder that can be written to",
            ) from e
        writer = cls(path, file, name)
        writer._write(
            {
                "record": "episode",
                "format": FORMAT,
                "version": f"{VERSION[0]}.{VERSION[1]}",
                "openvenus": __version__,
                "id": name,
                "task": writer._encoder.encode(task),
                "policy": policy,
                "device": device,
                "started": time.time() if started is None else started,
            },
            "its first line",
        )
        return writer

    def write_step(self, step: Step) -> None:
        """Add a step: its images first, then its line, handed to the system at once.

        What was typed into password fields is replaced by bullets.

        Raises:
            VenusError: it can't be written (a full disk, a removed folder); the message says
                what is kept.
        """
        what = f"step {step.index}"
        self._ready(what)
        try:
            data = self._encoder.encode(self._mask.apply(step))
        except OSError as e:
            raise self._fail(what, e) from e
        self._write({"record": "step", **data}, what)
        self._steps += 1

    def finish(
        self,
        *,
        outcome: Outcome,
        reason: str,
        answer: str,
        final: Observation | None,
        verdict: Verdict | None,
        notes: tuple[str, ...],
        ended: float | None,
    ) -> None:
        """Add the last line and close.

        Raises:
            VenusError: as `write_step`.
        """
        what = "the end"
        self._ready(what)
        if final is not None:
            final = replace(final, elements=self._mask.elements(final.elements))
        try:
            data = {
                "outcome": outcome,
                "reason": self._mask.text(reason),
                "answer": self._mask.text(answer),
                "final": self._encoder.encode(final) if final is not None else None,
                "verdict": self._encoder.encode(verdict) if verdict is not None else None,
                "notes": [self._mask.text(n) for n in notes],
                "ended": ended,
            }
        except OSError as e:
            raise self._fail(what, e) from e
        self._write({"record": "end", **data}, what)
        self.close()

    def close(self) -> None:
        """Let go of the file; may be called at any time and more than once."""
        if self._file is not None:
            file, self._file = self._file, None
            os.close(file)

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ready(self, what: str) -> None:
        if self._broken is not None:
            raise self._broken
        if self._file is None:
            raise UsageError(f"{what} can't be written: the record {self.path} is closed")

    def _write(self, line: dict[str, Any], what: str) -> None:
        assert self._file is not None
        data = memoryview(_encoded(line))
        size = len(data)
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as e:
            raise self._fail(what, e) from e
        self._good += size

    def _fail(self, what: str, error: OSError) -> VenusError:
        """Remember that the record ends here, without half a line, and say so."""
        kept = f"the {self._steps} steps before are kept" if self._steps else "nothing is kept"
        self._broken = VenusError(
            f"{what} can't be written to {self.path}: {error.strerror or error}",
            hint=f"{kept}; free some space or choose another folder",
        )
        if self._file is not None:
            try:
                os.ftruncate(self._file, self._good)
            except OSError:
                # Half a line at the end is read as a broken-off record all the same.
                self._broken.add_note("the last line of the record is incomplete")
            self.close()
        return self._broken


def _encoded(line: dict[str, Any]) -> bytes:
    try:
        text = json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode() + b"\n"
    except ValueError:
        # A page may hold half a surrogate pair, which UTF-8 can't and a JSON escape can; and a
        # device may measure what isn't a number.
        return json.dumps(plain(line), allow_nan=False, separators=(",", ":")).encode() + b"\n"
