"""Reading recorded episodes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from openvenus.episode._codec import Decoder, Unreadable
from openvenus.episode._images import ImageFolder
from openvenus.episode._records import Episode, Step
from openvenus.episode._store import FORMAT, IMAGE_FOLDER, RECORD_FILE, VERSION
from openvenus.errors import EpisodeFormatError

_HEADER = ("id", "task", "policy", "device", "started")
_END = ("outcome", "reason", "answer", "final", "verdict", "notes", "ended")


def read_episode(path: Path | str, *, images: bool = True) -> Episode:
    """The episode in a folder, or in its `episode.jsonl`.

    A record that breaks off is read as far as it goes: outcome None, and `reason` says where it
    ended. An image that was removed leaves a frame without image.

    Args:
        images: whether to load the screenshots; without them frames carry geometry only.

    Raises:
        EpisodeFormatError: there is no such record, or it is damaged, foreign, or of a newer
            major version; the message names file, line and reason.
    """
    file = record_file(Path(path))
    folder = ImageFolder(file.parent / IMAGE_FOLDER)
    decoder = Decoder(folder.load if images else lambda _: None)
    values: dict[str, Any] = {}
    steps: list[Step] = []
    broken = 0
    newer = False
    for number, line in _lines(file):
        if line is None:
            broken = number
            break
        try:
            kind = line.get("record")
            if number == 1:
                newer = _check_header(file, line)
                values = {k: line[k] for k in _HEADER if k in line}
                values["version"] = line.get("openvenus", "")
            elif kind == "step":
                steps.append(decoder.decode(Step, line))
            elif kind == "end":
                values |= {k: line[k] for k in _END if line.get(k) is not None}
            elif not newer:
                raise Unreadable(f"{kind!r} is not a kind of line that records have")
        except Unreadable as e:
            _damaged(file, number, str(e), newer)
    if "outcome" not in values:
        values["reason"] = _how_it_broke_off(len(steps), broken)
    return _whole(file, decoder, values, tuple(steps), newer)


def list_episodes(folder: Path | str) -> list[Path]:
    """Folders of all episodes in and below a folder, sorted by path (that is, by start).

    Raises:
        EpisodeFormatError: there is no such folder.
    """
    root = Path(folder)
    if not root.is_dir():
        raise EpisodeFormatError(f"{root} is not a folder")
    return sorted(f.parent for f in root.rglob(RECORD_FILE) if f.is_file())


def record_file(path: Path) -> Path:
    """The `episode.jsonl` that a path means; raises `EpisodeFormatError` if there is none."""
    file = path / RECORD_FILE if path.is_dir() else path
    if not file.is_file():
        why = "holds no episode.jsonl" if path.is_dir() else "does not exist"
        raise EpisodeFormatError(
            f"{path} {why}", hint="give the folder of an episode, or its episode.jsonl"
        )
    return file


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Numbered lines from 1; None for a last one that was cut off."""
    number = 0
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                yield number, _parsed(file, number, line)
    except OSError as e:
        raise EpisodeFormatError(f"{file} can't be read: {e.strerror or e}") from e
    if number == 0:
        raise EpisodeFormatError(f"{file} is empty")


def _parsed(file: Path, number: int, line: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as e:
        # Only the last line can lack its end, and then a write was cut short.
        if number > 1 and not line.endswith(b"\n"):
            return None
        _damaged(file, number, f"not JSON ({e})")
    if not isinstance(data, dict):
        _damaged(file, number, f"a {type(data).__name__} where an object should be")
    return data


def _check_header(file: Path, line: dict[str, Any]) -> bool:
    """Whether a newer minor version wrote it."""
    if line.get("format") != FORMAT:
        _damaged(file, 1, "not the first line of an OpenVenus episode")
    version = str(line.get("version", ""))
    major, _, minor = version.partition(".")
    if not (major.isdecimal() and minor.isdecimal()):
        _damaged(file, 1, f"{version!r} is not a version")
    if int(major) != VERSION[0]:
        raise EpisodeFormatError(
            f"{file}, line 1: the episode has format version {version}, "
            f"and this OpenVenus reads version {VERSION[0]}",
            hint="read it with the OpenVenus that wrote it "
            f"({line.get('openvenus', 'unknown')}), or update",
        )
    return int(minor) > VERSION[1]


def _whole(
    file: Path, decoder: Decoder, values: dict[str, Any], steps: tuple[Step, ...], newer: bool
) -> Episode:
    try:
        return replace(decoder.decode(Episode, values), steps=steps)
    except Unreadable as e:
        _damaged(file, None, str(e), newer)


def _how_it_broke_off(steps: int, line: int) -> str:
    after = f"after {steps} step{'' if steps == 1 else 's'}"
    where = f": line {line} is incomplete" if line else " without a last line"
    return f"the record breaks off {after}{where}"


def _damaged(file: Path, number: int | None, reason: str, newer: bool = False) -> NoReturn:
    where = f", line {number}" if number is not None else ""
    raise EpisodeFormatError(
        f"{file}{where}: {reason}",
        hint="a newer OpenVenus wrote it: update to read it" if newer else None,
    )
