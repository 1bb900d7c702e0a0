"""Frames: one captured image and every coordinate space it takes part in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Literal

from openvenus.action import SCALE, Point, clamp_point
from openvenus.errors import StaleFrame

Rotation = Literal[0, 90, 180, 270]


@dataclass(frozen=True, slots=True)
class Frame:
    """A capture of the screen, or its geometry alone when no image was asked for.

    Four spaces meet here: image pixels (`width` x `height`), [0, 1000] over the whole image,
    the device's input units (`device_width` x `device_height`, offset by `origin`), and the
    pixels of a resized copy that a model sees. Rotation is already applied in the image: it
    says how the device is held, and a changed rotation makes a frame stale.
    """

    id: str
    width: int
    """Image width in pixels."""
    height: int
    """Image height in pixels."""
    device_width: float
    """Width of the imaged area in device input units (CSS pixels, dp, X11 pixels)."""
    device_height: float
    origin: tuple[float, float] = (0.0, 0.0)
    """Input coordinates of the image's top left corner; negative on a left-hand monitor."""
    rotation: Rotation = 0
    pixel_ratio: float = 1.0
    """Image pixels per device unit as the device declares it."""
    image: bytes | None = None
    """The encoded image, or None for a frame that only carries geometry."""
    media_type: str = "image/png"

    def to_image(self, point: Point) -> tuple[float, float]:
        """[0, 1000] to image pixels, clamped to [0, width-1] x [0, height-1]."""
        return (
            min(max(point.x / SCALE * self.width, 0.0), self.width - 1),
            min(max(point.y / SCALE * self.height, 0.0), self.height - 1),
        )

    def to_device(self, point: Point) -> tuple[float, float]:
        """[0, 1000] to device input units, on the imaged area's last pixel or unit at most."""
        w, h = self.device_width, self.device_height
        return (
            self.origin[0] + min(point.x / SCALE * w, _last(w, self.width)),
            self.origin[1] + min(point.y / SCALE * h, _last(h, self.height)),
        )

    def from_image(self, x: float, y: float) -> Point:
        """Image pixels to [0, 1000], clamped to the frame."""
        return clamp_point(x / self.width * SCALE, y / self.height * SCALE)

    def from_device(self, x: float, y: float) -> Point:
        """Device input units to [0, 1000], clamped to the frame."""
        return clamp_point(
            (x - self.origin[0]) / self.device_width * SCALE,
            (y - self.origin[1]) / self.device_height * SCALE,
        )

    def from_model(self, x: float, y: float, size: tuple[int, int]) -> Point:
        """Pixels of a resized copy of `size` (width, height) to [0, 1000], clamped."""
        return clamp_point(x / size[0] * SCALE, y / size[1] * SCALE)

    def to_model(self, point: Point, size: tuple[int, int]) -> tuple[float, float]:
        """[0, 1000] to pixels of a resized copy of `size` (width, height), clamped."""
        return (
            min(max(point.x / SCALE * size[0], 0.0), size[0] - 1),
            min(max(point.y / SCALE * size[1], 0.0), size[1] - 1),
        )

    def same_geometry(self, other: Frame) -> bool:
        """Whether a point of this frame still means the same place on the other."""
        return (
            abs(self.device_width - other.device_width) < 0.5
            and abs(self.device_height - other.device_height) < 0.5
            and self.origin == other.origin
            and self.rotation == other.rotation
            and abs(self.pixel_ratio - other.pixel_ratio) < 1e-6
        )

    def require_geometry(self, other: Frame) -> None:
        """Raise `StaleFrame` unless `same_geometry(other)`; the message says what changed."""
        if not self.same_geometry(other):
            raise StaleFrame(
                f"the screen was {self._geometry()} when the action was decided, "
                f"and is {other._geometry()} now",
                hint="look again and decide on the new screen",
            )

    def digest(self) -> str | None:
        """SHA-256 of the image bytes in hex, or None without an image."""
        return hashlib.sha256(self.image).hexdigest() if self.image is not None else None

    def without_image(self) -> Frame:
        """The same geometry without the image bytes."""
        return replace(self, image=None)

    def _geometry(self) -> str:
        return (
            f"{self.device_width:g}x{self.device_height:g} at {self.origin}, "
            f"rotation {self.rotation}, ratio {self.pixel_ratio:g}"
        )


def _last(size: float, pixels: int) -> float:
    """The greatest input coordinate that is on the screen: of its last pixel or last unit."""
    return max(0.0, size - min(1.0, size / max(1, pixels)))
