"""What is installed, what works, and how to get what is missing."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import openvenus
from openvenus.errors import VenusError

if TYPE_CHECKING:
    from openvenus.device.web import Browser

Status = Literal["ok", "missing", "problem"]
_ENOUGH_BYTES = 500_000_000
_DEBIAN_FONTS = "Debian, Ubuntu: sudo apt-get install"

# Two signs of one script look alike only when no font has them: both are the same empty box.
_GLYPHS = """
() => {
  const draw = (sign) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 48;
    const context = canvas.getContext("2d");
    context.font = "32px sans-serif";
    context.fillText(sign, 4, 38);
    return canvas.toDataURL();
  };
  const blank = draw(" ");
  const has = (a, b) => draw(a) !== blank && draw(b) !== blank && draw(a) !== draw(b);
  return {
    latin: has("a", "g"), chinese: has("\\u6c49", "\\u5b57"), japanese: has("\\u3042", "\\u306c"),
    korean: has("\\ud55c", "\\uae00"), emoji: has("\\u{1f600}", "\\u{1f697}"),
  };
}
"""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    status: Status
    detail: str = ""
    fix: str = ""
    """How to get it, when it isn't ok."""
    required: bool = True
    """Whether `venus run` with the embedded policy needs it."""

    @property
    def passed(self) -> bool:
        """Whether nothing that is needed is wrong."""
        return self.status == "ok" or not self.required

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)


def static_checks(folder: Path) -> Iterator[Check]:
    """What can be told without starting anything.

    Args:
        folder: where records would go.
    """
    yield Check("openvenus", "ok", openvenus.__version__)
    yield Check("python", "ok", f"{platform.python_version()} ({sys.executable})")
    yield Check("platform", "ok", f"{platform.platform()} ({platform.machine()})")
    yield _package("playwright", "drives the browser", "pip install playwright", required=True)
    yield _miniwob()
    yield _package("openai", "endpoint policy", "pip install 'openvenus[endpoint]'")
    yield _package("torch", "venus train", "pip install 'openvenus[learn]'")
    yield _weights()
    yield _disk(folder)


async def browser_checks() -> list[Check]:
    """Whether a Chromium is found, starts, shows a page, and has fonts for it."""
    from openvenus.device.web import Browser, WebOptions, find_chromium

    try:
        path = find_chromium()
    except VenusError as e:
        return [Check("chromium", "missing", e.message, e.hint or "")]
    try:
        browser = await Browser.launch(WebOptions(width=400, height=300))
    except VenusError as e:
        fix = e.hint or "its system libraries: playwright install-deps chromium"
        return [Check("chromium", "problem", f"{path}: {e.message}", fix)]
    try:
        checks = [Check("chromium", "ok", f"{browser.version} ({path})")]
        return checks + await _page_checks(browser)
    finally:
        await browser.close()


async def _page_checks(browser: Browser) -> list[Check]:
    try:
        device = await browser.new_device()
        await device.open("data:text/html,<h1>It works</h1><button>Yes</button>")
        seen = await device.observe()
        listed = any(e.text == "Yes" or e.name == "Yes" for e in seen.elements)
        if seen.frame.image is None or not listed:
            return [Check("page", "problem", "a page was opened, but not seen as it is")]
        glyphs = await device.evaluate(_GLYPHS)
    except VenusError as e:
        return [Check("page", "problem", e.message, e.hint or "")]
    size = f"{seen.frame.width} x {seen.frame.height}"
    return [Check("page", "ok", f"shown and read, {size} pixels"), *_fonts(glyphs)]


def _fonts(glyphs: dict[str, bool]) -> Iterator[Check]:
    names = [name for name in ("latin", "chinese", "japanese", "korean") if not glyphs[name]]
    if names:
        package = "fonts-liberation" if names == ["latin"] else "fonts-noto-cjk"
        yield Check(
            "fonts", "missing", f"no signs for: {', '.join(names)}", f"{_DEBIAN_FONTS} {package}",
            required="latin" in names,
        )  # fmt: skip
    else:
        yield Check("fonts", "ok", "latin, chinese, japanese, korean", required=False)
    if glyphs["emoji"]:
        yield Check("emoji", "ok", "shown", required=False)
    else:
        yield Check(
            "emoji", "missing", "shown as empty boxes",
            f"{_DEBIAN_FONTS} fonts-noto-color-emoji", required=False,
        )  # fmt: skip


def _package(name: str, purpose: str, fix: str, *, required: bool = False) -> Check:
    try:
        found = version(name) if find_spec(name) is not None else None
    except PackageNotFoundError:
        found = "unknown version"
    if found is None:
        return Check(name, "missing", f"for: {purpose}", fix, required=required)
    return Check(name, "ok", found, required=required)


def _miniwob() -> Check:
    from openvenus.tasks.miniwob import find_pages

    try:
        pages = find_pages()
    except VenusError as e:
        return Check("miniwob", "missing", e.message, e.hint or "", required=False)
    return Check("miniwob", "ok", f"{version('miniwob')}, {len(pages)} pages", required=False)


def _weights() -> Check:
    from openvenus.policy.embedded import EmbeddedPolicy

    try:
        policy = EmbeddedPolicy.load()
    except VenusError as e:
        return Check(
            "embedded policy", "problem", e.message,
            "install openvenus again, or make weights with: venus train embedded",
        )  # fmt: skip
    return Check("embedded policy", "ok", policy.name)


def _disk(folder: Path) -> Check:
    place = folder.resolve()
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    said = f"{free / 1e9:.1f} GB free in {place}"
    if free < _ENOUGH_BYTES:
        return Check("disk", "problem", said, "records need room: free some", required=False)
    return Check("disk", "ok", said, required=False)
