"""Finding a Chromium on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from openvenus.errors import MissingDependency

VARIABLE = "OPENVENUS_CHROMIUM"
"""Environment variable with the path of the browser to use."""

_NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "microsoft-edge",
)  # fmt: skip
_MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_DOWNLOADS = (
    "chrome-linux/chrome",
    "chrome-linux64/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
)


def find_chromium(wanted: str | None = None) -> Path:
    """Path of a Chromium: the wanted one, the system's, or Playwright's own download.

    Snaps are passed over unless they are asked for by path.

    Args:
        wanted: a path; without it the variable OPENVENUS_CHROMIUM is looked at first.

    Raises:
        MissingDependency: there is none; the hint says how to get one.
    """
    asked = wanted or os.environ.get(VARIABLE)
    if asked:
        path = Path(asked).expanduser()
        if path.is_file() and os.access(path, os.X_OK):
            return path
        raise MissingDependency(
            f"{asked} is not a browser that can be started", hint=f"check the path or {VARIABLE}"
        )
    for name in _NAMES:
        found = shutil.which(name)
        if found and not is_snap(Path(found)):
            return Path(found)
    if sys.platform == "darwin":
        for app in _MAC_APPS:
            if os.access(app, os.X_OK):
                return Path(app)
    for cache in _caches():
        for folder in sorted(cache.glob("chromium-*"), reverse=True):
            for inner in _DOWNLOADS:
                if os.access(folder / inner, os.X_OK):
                    return folder / inner
    raise MissingDependency(
        "no Chromium was found on this machine",
        hint="install one: apt-get install chromium (Debian), or: playwright install chromium",
    )


def is_snap(path: Path) -> bool:
    """Whether a program is a snap, or the stub that Ubuntu has in place of one.

    A snap's confinement keeps it from the pipes and the temporary profile it is driven with; a
    stub only says how to install the snap.
    """
    if "snap" in path.resolve().parts:
        return True
    with path.open("rb") as program:
        head = program.read(4096)
    return head.startswith(b"#!") and b"snap" in head


def _caches() -> list[Path]:
    custom = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if custom and custom != "0":
        return [Path(custom)]
    home = Path.home()
    return [home / ".cache/ms-playwright", home / "Library/Caches/ms-playwright"]
