"""Names of keys and device buttons, one spelling each."""

from __future__ import annotations

from openvenus.errors import InvalidAction

_CANONICAL = (
    "Control Alt Shift Meta Enter Tab Escape Backspace Delete Insert Space Home End PageUp "
    "PageDown ArrowUp ArrowDown ArrowLeft ArrowRight CapsLock NumLock ScrollLock PrintScreen "
    "Pause ContextMenu Back HomeScreen Recent Menu Power VolumeUp VolumeDown VolumeMute "
    "MediaPlayPause MediaNext MediaPrevious ControlOrMeta"
).split() + [f"F{i}" for i in range(1, 25)]

_ALIASES = {
    "ctrl": "Control", "ctl": "Control", "control_l": "Control", "control_r": "Control",
    "option": "Alt", "opt": "Alt", "alt_l": "Alt", "alt_r": "Alt", "altgr": "Alt",
    "shift_l": "Shift", "shift_r": "Shift",
    "cmd": "Meta", "command": "Meta", "win": "Meta", "windows": "Meta", "super": "Meta",
    "super_l": "Meta", "super_r": "Meta",
    "ctrlorcmd": "ControlOrMeta", "mod": "ControlOrMeta",
    "return": "Enter", "kp_enter": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert",
    "spacebar": "Space", "space": "Space", " ": "Space",
    "pgup": "PageUp", "page_up": "PageUp", "prior": "PageUp",
    "pgdn": "PageDown", "pgdown": "PageDown", "page_down": "PageDown", "next": "PageDown",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
    "back_space": "Backspace", "print": "PrintScreen", "caps_lock": "CapsLock",
    "home_screen": "HomeScreen", "recents": "Recent", "app_switch": "Recent",
    "recent_apps": "Recent", "volume_up": "VolumeUp", "volume_down": "VolumeDown",
    "mute": "VolumeMute", "volume_mute": "VolumeMute", "play_pause": "MediaPlayPause",
    "go_back": "Back",
}  # fmt: skip

_BY_LOWER = {name.lower(): name for name in _CANONICAL} | _ALIASES

MODIFIERS: frozenset[str] = frozenset({"Control", "Alt", "Shift", "Meta", "ControlOrMeta"})


def normalise_key(name: str) -> str:
    """One canonical name for a key.

    A single printable character is its own name; everything else is looked up without
    regard to case.

    Raises:
        InvalidAction: no key has this name.
    """
    if len(name) == 1 and name != " " and name.isprintable():
        return name
    found = _BY_LOWER.get(name.strip().lower() or name)
    if found is None:
        raise InvalidAction(
            f"unknown key {name!r}",
            hint="use one character, F1-F24, or a name such as Enter, Tab, Control, ArrowUp, Back",
        )
    return found
