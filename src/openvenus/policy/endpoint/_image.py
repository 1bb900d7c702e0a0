"""The screenshot as a data URL, within the size that a model is to be shown."""

from __future__ import annotations

import base64
import io

from openvenus.screen import Frame


def data_url(frame: Frame, long_edge: int | None) -> str | None:
    """The frame's image as a data URL, or None when the frame has none.

    Args:
        long_edge: greatest width or height in pixels; a larger image is scaled down with its
            proportions kept. None leaves it as it is. Points are in [0, 1000], so scaling
            changes nothing about them.
    """
    if frame.image is None:
        return None
    image, media_type = frame.image, frame.media_type
    if long_edge is not None and max(frame.width, frame.height) > long_edge:
        image, media_type = _scaled(image, long_edge), "image/png"
    return f"data:{media_type};base64,{base64.b64encode(image).decode('ascii')}"


def _scaled(encoded: bytes, long_edge: int) -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(encoded)) as picture:
        factor = long_edge / max(picture.size)
        size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
        out = io.BytesIO()
        picture.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()
