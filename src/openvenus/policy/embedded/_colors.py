"""Names of colours, so that "the red one" can be compared with #e01010."""

from __future__ import annotations

import colorsys
from functools import lru_cache

NAMES: tuple[str, ...] = (
    "black", "gray", "white", "red", "orange", "yellow", "green", "cyan", "blue", "purple",
    "magenta", "pink", "brown", "olive",
)  # fmt: skip
"""The basic colours that are told apart."""

_SYNONYMS = {
    "grey": "gray", "silver": "gray", "crimson": "red", "maroon": "red", "gold": "yellow",
    "lime": "green", "teal": "cyan", "aqua": "cyan", "turquoise": "cyan", "navy": "blue",
    "violet": "purple", "indigo": "purple", "fuchsia": "magenta",
}  # fmt: skip


def color_word(word: str) -> str | None:
    """The basic colour that a (lower-case) word names, or None."""
    return word if word in NAMES else _SYNONYMS.get(word)


@lru_cache(maxsize=4096)
def color_names(hex_color: str) -> frozenset[str]:
    """Basic colours that people would call #rrggbb; several where the borders are blurred."""
    if len(hex_color) != 7 or hex_color[0] != "#":
        return frozenset()
    r, g, b = (int(hex_color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    h *= 360
    if v < 0.15:
        return frozenset({"black"})
    if s < 0.15:
        return frozenset({"white"}) if v > 0.9 else frozenset({"gray"})
    names = set()
    for low, high, name in (
        (345, 360, "red"), (0, 15, "red"), (16, 45, "orange"), (46, 70, "yellow"),
        (71, 165, "green"), (150, 200, "cyan"), (195, 262, "blue"), (255, 302, "purple"),
        (290, 335, "magenta"), (305, 355, "pink"),
    ):  # fmt: skip
        if low <= h <= high:
            names.add(name)
    if 0 <= h <= 50 and v < 0.75:
        names.add("brown")
    if 45 <= h <= 80 and v < 0.6:
        names.add("olive")
    if s < 0.6 and v > 0.8 and (h > 320 or h < 15):
        names.add("pink")
    return frozenset(names)
