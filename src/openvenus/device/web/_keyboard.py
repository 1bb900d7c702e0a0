"""Keys and text."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from openvenus.action import MODIFIERS
from openvenus.device.web._call import ask
from openvenus.errors import ActionFailed, UnsupportedAction

if TYPE_CHECKING:
    from openvenus.device.web._device import WebDevice

_KEYSTROKES = 64
"""Texts up to this length are typed key by key where the keyboard has all their characters."""
_BY_KEYS = {"date", "time", "datetime-local", "month", "week", "number"}
"""Fields whose parts only take keystrokes."""
_PHONE_KEYS = {
    "HomeScreen", "Recent", "Menu", "Power", "VolumeUp", "VolumeDown", "VolumeMute",
    "MediaPlayPause", "MediaNext", "MediaPrevious",
}  # fmt: skip


class Keyboard:
    """The keyboard of one device; knows what is held down."""

    def __init__(self, device: WebDevice) -> None:
        self._device = device
        self._held: list[str] = []

    async def down(self, keys: tuple[str, ...]) -> None:
        """Press keys and keep them down."""
        for key in keys:
            name = _name(key)
            await self._ask(self._device.page.keyboard.down(name))
            self._held.append(name)

    async def up(self, keys: tuple[str, ...]) -> None:
        """Release keys."""
        for key in keys:
            name = _name(key)
            await self._ask(self._device.page.keyboard.up(name))
            if name in self._held:
                self._held.remove(name)

    async def chord(self, keys: tuple[str, ...]) -> None:
        """Press keys together: modifiers first, released in reverse order."""
        ordered = [k for k in keys if k in MODIFIERS] + [k for k in keys if k not in MODIFIERS]
        await self._ask(self._device.page.keyboard.press("+".join(_name(k) for k in ordered)))

    async def type(self, text: str, *, clear: bool) -> None:
        """Enter text where the focus is.

        Raises:
            ActionFailed: nothing that takes text has the focus.
        """
        focus = await self._device.call("focus", None)
        if not focus["editable"]:
            # The page may give the focus a moment after the click.
            await asyncio.sleep(0.03)
            focus = await self._device.call("focus", None)
        if not focus["editable"]:
            raise ActionFailed(f"{focus['what']} has the focus, which takes no text")
        if clear and focus["length"]:
            select_all = "Meta+A" if sys.platform == "darwin" else "Control+A"
            await self._ask(self._device.page.keyboard.press(select_all))
            await self._ask(self._device.page.keyboard.press("Delete"))
        keyboard = self._device.page.keyboard
        plain = text.isascii() and text.isprintable()
        if text and (focus["kind"] in _BY_KEYS or (plain and len(text) <= _KEYSTROKES)):
            await self._ask(keyboard.type(text))
        elif "\n" in text and focus["kind"] in ("rich", "frame"):
            # A rich editor makes paragraphs of Enter, and would swallow inserted newlines.
            for number, line in enumerate(text.split("\n")):
                if number:
                    await self._ask(keyboard.press("Enter"))
                if line:
                    await self._ask(keyboard.insert_text(line))
        elif text:
            await self._ask(keyboard.insert_text(text))

    async def release(self) -> None:
        """Let go of all held keys."""
        held, self._held = self._held, []
        for name in reversed(held):
            await self._ask(self._device.page.keyboard.up(name))

    async def _ask(self, call: object) -> None:
        await ask(call, self._device.options.deadline, "typing")  # type: ignore[arg-type]


def _name(key: str) -> str:
    if key in _PHONE_KEYS or key == "Back":
        raise UnsupportedAction(f"a web page has no key {key!r}")
    return key
