"""Keys and text."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from openvenus.action import MODIFIERS
from openvenus.device.web._call import ask
from openvenus.errors import ActionFailed, DeviceFault, UnsupportedAction

if TYPE_CHECKING:
    from openvenus.device.web._device import WebDevice

_KEYSTROKES = 64
"""Texts up to this length are typed key by key where the keyboard has all their characters."""
_BY_KEYS = {"date", "time", "datetime-local", "month", "week", "number"}
"""Fields whose parts only take keystrokes."""
_SEVERAL_LINES = {"textarea", "rich", "frame"}
_DATE, _TIME = r"\d{4,}-\d\d-\d\d", r"\d\d:\d\d(:\d\d(\.\d{1,3})?)?"
_FORMS = {
    "date": re.compile(_DATE),
    "time": re.compile(_TIME),
    "datetime-local": re.compile(f"{_DATE}[T ]{_TIME}"),
    "month": re.compile(r"\d{4,}-\d\d"),
    "week": re.compile(r"\d{4,}-W\d\d"),
}
"""How the whole value of a field is written, whatever the locale shows."""
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
            await self._stroke(self._device.page.keyboard.down(name), key)
            self._held.append(name)

    async def up(self, keys: tuple[str, ...]) -> None:
        """Release keys."""
        for key in keys:
            name = _name(key)
            await self._stroke(self._device.page.keyboard.up(name), key)
            if name in self._held:
                self._held.remove(name)

    async def chord(self, keys: tuple[str, ...]) -> None:
        """Press keys together: modifiers first, released in reverse order."""
        ordered = [k for k in keys if k in MODIFIERS] + [k for k in keys if k not in MODIFIERS]
        if len(keys) == 1 and len(keys[0]) == 1 and not keys[0].isascii():
            # No key of the keyboard has this character; it is entered as text.
            await self._ask(self._device.page.keyboard.insert_text(keys[0]))
            return
        chord = "+".join(_name(k) for k in ordered)
        await self._stroke(self._device.page.keyboard.press(chord), "+".join(keys))

    async def type(self, text: str, *, clear: bool) -> None:
        """Enter text where the focus is.

        Raises:
            ActionFailed: nothing that takes text has the focus.
        """
        focus = await self._focus()
        if not focus["editable"]:
            # The page may give the focus a moment after the click.
            await asyncio.sleep(0.03)
            focus = await self._focus()
        if not focus["editable"]:
            raise ActionFailed(f"{focus['what']} has the focus, which takes no text")
        if "\n" in text and focus["kind"] not in _SEVERAL_LINES:
            # The browser would make spaces of them, and the text another one.
            raise ActionFailed(f"{focus['what']} has one line only, and the text has several")
        if focus["kind"] in _FORMS:
            if await self._whole_value(text, focus, clear=clear) or not text:
                return
        elif clear and (focus["length"] or focus["kind"] == "number"):
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

    async def _whole_value(self, text: str, focus: dict[str, Any], *, clear: bool) -> bool:
        """Give a date or time its value at once, where the text is one; else ready it for keys.

        Its parts take keys in the order of the locale, beginning with the one that was pressed.
        """
        whole = _FORMS[focus["kind"]].fullmatch(text) is not None
        if whole or clear:
            got = await self._device.call("setValue", text if whole else "", focus["in"])
            if whole and not got:
                raise ActionFailed(f"{text!r} is no {focus['kind']}")
        if not whole and text:
            await self._device.call("firstPart", None, focus["in"])
        return whole

    async def _focus(self) -> dict[str, Any]:
        """What has the focus, also inside frames of other origins; `in` is the frame or None."""
        focus: dict[str, Any] = await self._device.call("focus", None)
        if focus.get("frame"):
            inner = await self._device.frames.focused(focus["frame"])
            if inner is not None:
                return inner[1] | {"in": inner[0]}
        return focus | {"in": None}

    async def release(self) -> None:
        """Let go of all held keys."""
        held, self._held = self._held, []
        for name in reversed(held):
            await self._ask(self._device.page.keyboard.up(name))

    async def _stroke(self, call: Awaitable[None], keys: str) -> None:
        try:
            await self._ask(call)
        except DeviceFault as e:
            if "Unknown key" in e.message:
                raise UnsupportedAction(f"the keyboard of a web page has no {keys!r}") from e
            raise

    async def _ask(self, call: Awaitable[None]) -> None:
        await ask(call, self._device.options.deadline, "typing")


def _name(key: str) -> str:
    if key in _PHONE_KEYS or key == "Back":
        raise UnsupportedAction(f"a web page has no key {key!r}")
    return key
