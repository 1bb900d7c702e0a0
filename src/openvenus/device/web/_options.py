"""How a browser and its pages are set up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from openvenus.errors import UsageError


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Settings of a browser and the devices made from it.

    Raises:
        UsageError: a value out of its range.
    """

    headless: bool = True
    width: int = 1280
    """Viewport width in CSS pixels, 50 to 8192."""
    height: int = 800
    pixel_ratio: float = 1.0
    """Image pixels per CSS pixel, 1 to 3."""
    locale: str | None = None
    """As "en-US"; None takes the browser's."""
    settle_quiet: float = 0.032
    """Seconds without any change after which a page counts as quiet."""
    settle_bound: float = 1.5
    """Longest wait for a quiet page, in seconds."""
    deadline: float = 10.0
    """Seconds that the browser has for any one answer; a page load gets three times that."""
    max_elements: int = 400
    """Elements listed at most; what is visible and usable goes first."""
    workspace: Path | None = None
    """Folder for the files of `upload` and `download`; None leaves both actions out."""
    chromium: str | None = None
    """Path of the browser; None looks for one."""
    arguments: tuple[str, ...] = ()
    """More command line arguments for the browser."""

    def __post_init__(self) -> None:
        if not (50 <= self.width <= 8192 and 50 <= self.height <= 8192):
            raise UsageError(
                f"a viewport of {self.width}x{self.height} is not possible",
                hint="width and height go from 50 to 8192 CSS pixels",
            )
        if not 1 <= self.pixel_ratio <= 3:
            raise UsageError(f"the pixel ratio {self.pixel_ratio} is not between 1 and 3")
        if self.deadline <= 0 or self.settle_bound < 0:
            raise UsageError("deadline and settle bound must be positive")
