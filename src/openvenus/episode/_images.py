"""Screenshots on disk, named by the hash of their bytes, so that each is kept once."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path

from openvenus.errors import EpisodeFormatError

_ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/svg+xml": "svg",
}
# Names come from a file that may be foreign: they must never lead out of the folder.
_NAME = re.compile(r"([0-9a-f]{64})\.[a-z0-9]{1,4}", re.ASCII)


class ImageFolder:
    """The images of one episode in one folder, which is made when the first is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: set[str] = set()

    def keep(self, data: bytes, media_type: str) -> str:
        """Store an encoded image unless it is there already; returns its file name.

        The file appears whole or not at all.

        Raises:
            OSError: it can't be written.
        """
        digest = hashlib.sha256(data).hexdigest()
        name = f"{digest}.{_ENDINGS.get(media_type, 'bin')}"
        target = self.path / name
        if name in self._kept or target.exists():
            self._kept.add(name)
            return name
        self.path.mkdir(parents=True, exist_ok=True)
        temporary = self.path / f".{digest}.{os.getpid()}.part"
        try:
            temporary.write_bytes(data)
            temporary.replace(target)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise
        self._kept.add(name)
        return name

    def load(self, name: str) -> bytes | None:
        """The bytes of an image, or None when somebody has removed it.

        Raises:
            EpisodeFormatError: the name isn't one of ours, or the bytes aren't what was written.
        """
        match = _NAME.fullmatch(name)
        if match is None:
            raise EpisodeFormatError(f"{self.path}: {name!r} is not the name of an image")
        try:
            data = (self.path / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as e:
            raise EpisodeFormatError(f"{self.path / name} can't be read: {e.strerror}") from e
        if hashlib.sha256(data).hexdigest() != match[1]:
            raise EpisodeFormatError(
                f"{self.path / name} is damaged: its bytes aren't those that were written",
                hint="delete the file to read the episode without this image",
            )
        return data
