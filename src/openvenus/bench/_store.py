"""Results on disk, appended as they come, so that a run that broke off can go on."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from openvenus.bench._result import Result
from openvenus.errors import EpisodeFormatError, UsageError


class ResultStore:
    """A folder with `settings.json` and `results.jsonl`, used by one run at a time.

    Args:
        folder: made when it isn't there.
        settings: what results must have in common to belong together, as JSON data.

    Raises:
        UsageError: the folder holds results of other settings, is in use by another run, or
            can't be written to.
        EpisodeFormatError: the results in it are damaged.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder = folder
        self._settings = dict(settings)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / "results.jsonl").open("a+", encoding="utf-8")
        except OSError as e:
            raise UsageError(
                f"results can't be kept in {folder}: {e.strerror or e}",
                hint="choose another folder with --out",
            ) from e
        try:
            self._lock()
            self._agree()
            self.results = self._read()
        except BaseException:
            self._file.close()
            raise

    def add(self, result: Result) -> None:
        """Append one result; on disk when this returns."""
        self._file.write(json.dumps(result.to_dict(), ensure_ascii=False) + "\n")
        self._file.flush()
        self.results.append(result)

    def write_report(self, report: Mapping[str, Any]) -> Path:
        """Write `report.json` beside the results; it appears whole or not at all."""
        return _write_whole(self.folder / "report.json", report)

    def close(self) -> None:
        """Give the folder free. Safe to call twice."""
        self._file.close()

    def __enter__(self) -> ResultStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            raise UsageError(
                f"another run is writing to {self.folder}",
                hint="wait for it, or choose another folder with --out",
            ) from e

    def _agree(self) -> None:
        path = self.folder / "settings.json"
        if not path.exists():
            if self._file.tell() or os.path.getsize(self.folder / "results.jsonl"):
                raise UsageError(
                    f"{self.folder} has results but no settings.json",
                    hint="choose another folder with --out",
                )
            _write_whole(path, self._settings)
            return
        try:
            there = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as e:
            raise EpisodeFormatError(f"{path} is damaged: {e}") from e
        keys = sorted({*there, *self._settings})
        different = [
            f"{k}: {there.get(k)!r} there, {self._settings.get(k)!r} now"
            for k in keys
            if there.get(k) != self._settings.get(k)
        ]
        if different:
            raise UsageError(
                f"{self.folder} holds results of other settings ({'; '.join(different)})",
                hint="use the same settings to go on, or choose another folder with --out",
            )

    def _read(self) -> list[Result]:
        path = self.folder / "results.jsonl"
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            # The last line was cut off when the run died; that episode is run again.
            os.truncate(path, len(whole))
        results = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                results.append(Result.from_dict(json.loads(line)))
            except (ValueError, TypeError) as e:
                raise EpisodeFormatError(
                    f"{path}, line {number}: not a result ({e})",
                    hint="remove that line to run its episode again",
                ) from e
        return results


def _write_whole(path: Path, data: Mapping[str, Any]) -> Path:
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)
    return path
