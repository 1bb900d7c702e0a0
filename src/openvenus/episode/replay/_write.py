"""One self-contained HTML file out of a recorded episode.

The page builds every text it shows as a text node, and a content security policy lets nothing
run but the page's own script: what a recorded page says is only ever shown.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from openvenus.episode._codec import Encoder, plain
from openvenus.episode._read import read_episode, record_file
from openvenus.episode._records import Episode
from openvenus.errors import UsageError

REPLAY_FILE = "replay.html"
_SCRIPTS = ("dom.js", "words.js", "draw.js", "panels.js", "page.js")
_MEDIA_TYPE = re.compile(r"image/[a-z0-9.+-]{1,40}", re.ASCII)


def write_replay(episode_path: Path | str, out: Path | str | None = None) -> Path:
    """Write the replay page of a recorded episode; also of one that is still running or broke off.

    Args:
        episode_path: folder of the episode, or its `episode.jsonl`.
        out: the file to write (replaced when it is there), or a folder to write `replay.html`
            into; None writes `replay.html` into the episode's folder.

    Returns:
        The file: one page with all images inside that loads nothing from anywhere.

    Raises:
        EpisodeFormatError: as `read_episode`.
        UsageError: the file can't be written.
    """
    source = record_file(Path(episode_path))
    target = source.parent if out is None else Path(out)
    if target.is_dir():
        target = target / REPLAY_FILE
    page = replay_page(read_episode(source))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(page, encoding="utf-8")
        temporary.replace(target)
    except OSError as e:
        with suppress(OSError):
            temporary.unlink()
        raise UsageError(
            f"the replay can't be written to {target}: {e.strerror or e}",
            hint="choose another file",
        ) from e
    return target


def replay_page(episode: Episode) -> str:
    """The HTML text of an episode's replay."""
    images = _Images()
    data = Encoder(images.keep).encode(episode)
    style = _part("page.css")
    script = "\n".join(_part(name) for name in _SCRIPTS)
    values = {
        "TITLE": html.escape(_printable(episode.task.instruction or episode.id)),
        "POLICY": html.escape(_policy(style, script), quote=True),
        "STYLE": style,
        "SCRIPT": script,
        "EPISODE": _json(data),
        "IMAGES": "\n".join(images.blocks),
    }
    # One pass: what is filled in is never looked at for further places to fill.
    return re.sub(r"@@([A-Z]+)@@", lambda m: values[m[1]], _part("page.html"))


class _Images:
    """Each image of an episode once, as a data block of the page that no parser runs."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._ids: dict[str, str] = {}

    def keep(self, data: bytes, media_type: str) -> str:
        """Id of the block that holds the image."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._ids:
            self._ids[digest] = block = f"image-{len(self._ids)}"
            kind = media_type if _MEDIA_TYPE.fullmatch(media_type) else "image/png"
            text = base64.b64encode(data).decode()
            self.blocks.append(
                f'<script type="text/plain" id="{block}" data-type="{kind}">{text}</script>'
            )
        return self._ids[digest]


def _policy(style: str, script: str) -> str:
    return (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src '{_source(style)}'; script-src '{_source(script)}'"
    )


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _json(data: dict[str, Any]) -> str:
    """JSON that neither ends a script element nor opens a comment in one."""
    text = json.dumps(plain(data), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _part(name: str) -> str:
    from importlib.resources import files

    return files(__package__).joinpath("page", name).read_text(encoding="utf-8").strip("\n")
