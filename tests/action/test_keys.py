from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.action import MODIFIERS, Hotkey, KeyDown, Press, normalise_key
from openvenus.action._keys import _BY_LOWER
from openvenus.errors import InvalidAction


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("ctrl", "Control"),
        ("CTRL", "Control"),
        ("Control_L", "Control"),
        ("cmd", "Meta"),
        ("Super_L", "Meta"),
        ("option", "Alt"),
        ("return", "Enter"),
        ("ESC", "Escape"),
        (" ", "Space"),
        ("Page_Down", "PageDown"),
        ("up", "ArrowUp"),
        ("f5", "F5"),
        ("volume_up", "VolumeUp"),
        ("app_switch", "Recent"),
        ("Home", "Home"),
        ("home_screen", "HomeScreen"),
        ("a", "a"),
        ("A", "A"),
        ("ß", "ß"),
        ("中", "中"),
        ("+", "+"),
        (" Enter ", "Enter"),
    ],
)
def test_every_spelling_means_one_key(name: str, key: str) -> None:
    assert normalise_key(name) == key


@pytest.mark.parametrize("name", ["", "  ", "F25", "F0", "Hyper", "\n", "\x00", "ab", "Enter!"])
def test_unknown_keys_are_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        normalise_key(name)
    assert repr(name) in caught.value.message
    assert caught.value.hint


@given(st.sampled_from(sorted(_BY_LOWER)))
def test_a_normal_name_is_its_own_normal_name(name: str) -> None:
    key = normalise_key(name)
    assert normalise_key(key) == key
    assert normalise_key(key.lower()) == normalise_key(key.upper()) == key or len(key) == 1


def test_modifiers_are_keys() -> None:
    assert all(normalise_key(name) == name for name in MODIFIERS)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("ctrl+a", ("Control", "a")),
        ("Ctrl+Shift+Tab", ("Control", "Shift", "Tab")),
        ("enter", ("Enter",)),
        ("+", ("+",)),
        ("ctrl++", ("Control", "+")),
        ("ctrl+shift++", ("Control", "Shift", "+")),
    ],
)
def test_one_text_names_several_keys(text: str, keys: tuple[str, ...]) -> None:
    assert Hotkey(keys=text).keys == keys  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["ctrl+", "+a", "ctrl+++", "ctrl a"])
def test_half_a_hotkey_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction):
        Hotkey(keys=text)  # type: ignore[arg-type]


def test_actions_normalise_their_keys() -> None:
    assert Press(key="ESC").key == "Escape"
    assert KeyDown(keys=("shift",)) == KeyDown(keys=("Shift",))
