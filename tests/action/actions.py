"""Any action of the language, for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from openvenus.action import (
    TERMINAL,
    Action,
    Answer,
    AskUser,
    Click,
    DoubleClick,
    Download,
    Drag,
    Finish,
    Gesture,
    Hotkey,
    Hover,
    KeyDown,
    KeyUp,
    Launch,
    LongPress,
    MiddleClick,
    MouseDown,
    MouseUp,
    Note,
    Point,
    Press,
    Refuse,
    RightClick,
    Scroll,
    Select,
    Sequence,
    Swipe,
    Switch,
    TripleClick,
    TypeText,
    Upload,
    Wait,
)

# Half a surrogate pair is no text, and the language refuses it.
characters = st.characters(exclude_categories=["Cs"])
texts = st.text(characters, max_size=40)
words = st.text(characters, min_size=1, max_size=40)
coordinates = st.floats(0.0, 1000.0)
points = st.builds(Point, coordinates, coordinates)
places = st.none() | points
seconds = st.floats(0.0, 60.0)
keys = st.sampled_from(["Control", "Shift", "Enter", "ArrowUp", "F12", "a", "é", "+", "Back"])
file_names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1, max_size=40
).filter(lambda name: name not in {".", ".."})


_KEYS = st.lists(keys, min_size=1, max_size=8).map(tuple)
_PATHS = st.lists(points, min_size=1, max_size=6).map(tuple)
_COUNTS = st.integers(1, 128)
_POINTED = [Click, DoubleClick, TripleClick, RightClick, MiddleClick, Hover, MouseDown, MouseUp]

BY_KIND: dict[type, st.SearchStrategy[Any]] = {
    **{kind: st.builds(kind, point=places) for kind in _POINTED},
    LongPress: st.builds(LongPress, point=places, seconds=seconds),
    Drag: st.builds(
        Drag, start=points, end=points, via=st.lists(points, max_size=4).map(tuple), seconds=seconds
    ),
    Swipe: st.builds(Swipe, start=points, end=points, seconds=seconds),
    Scroll: st.builds(
        Scroll,
        direction=st.sampled_from(["up", "down", "left", "right"]),
        point=places,
        amount=st.floats(0.0, 50.0, exclude_min=True),
    ),
    Gesture: st.builds(
        Gesture, paths=st.lists(_PATHS, min_size=1, max_size=5).map(tuple), seconds=seconds
    ),
    KeyDown: st.builds(KeyDown, keys=_KEYS),
    KeyUp: st.builds(KeyUp, keys=_KEYS),
    Hotkey: st.builds(Hotkey, keys=_KEYS, repeat=_COUNTS),
    Press: st.builds(Press, key=keys, repeat=_COUNTS),
    TypeText: st.builds(
        TypeText, text=texts, point=places, clear=st.booleans(), submit=st.booleans()
    ),
    Select: st.builds(
        Select, point=places, index=st.lists(st.integers(0, 99), max_size=3).map(tuple)
    )
    | st.builds(Select, point=places, label=st.lists(texts, max_size=3).map(tuple)),
    Upload: st.builds(Upload, name=file_names),
    Download: st.builds(Download, name=file_names),
    Launch: st.builds(Launch, target=words),
    Switch: st.builds(Switch, device=words),
    Wait: st.builds(Wait, seconds=seconds),
    Note: st.builds(Note, text=words),
    AskUser: st.builds(AskUser, question=words),
    Answer: st.builds(Answer, text=texts),
    Refuse: st.builds(Refuse, reason=words),
    Finish: st.builds(Finish, answer=texts, status=st.sampled_from(["success", "failure"])),
}
simple_actions: st.SearchStrategy[Any] = st.one_of(*BY_KIND.values())

_OPEN = simple_actions.filter(lambda a: a.type not in TERMINAL)
sequences: st.SearchStrategy[Sequence] = st.builds(
    lambda first, last: Sequence(actions=(*first, last)),
    st.lists(_OPEN, min_size=1, max_size=4),
    simple_actions,
)
actions: st.SearchStrategy[Action] = simple_actions | sequences
