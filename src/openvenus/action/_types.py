"""The action language: every action that a policy can decide, on any device.

Actions are immutable values. Points are in [0, 1000] over the full frame that the action was
decided on; durations are in seconds. Which of them a device can do is the device's to declare.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from openvenus.action._keys import normalise_key
from openvenus.action._point import Point, not_bool

Seconds = Annotated[float, Field(ge=0.0, le=60.0, allow_inf_nan=False), BeforeValidator(not_bool)]
Amount = Annotated[float, Field(gt=0.0, le=50.0, allow_inf_nan=False), BeforeValidator(not_bool)]
Count = Annotated[int, Field(ge=1, le=128), BeforeValidator(not_bool)]
Index = Annotated[int, Field(ge=0), BeforeValidator(not_bool)]
Direction = Literal["up", "down", "left", "right"]
Path = Annotated[tuple[Point, ...], Field(min_length=1, max_length=256)]
Key = str


class BaseAction(BaseModel):
    """What all actions share: frozen, strict about unknown arguments."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Pointed(BaseAction):
    point: Point | None = None
    """Where; None means where the pointer is (only on devices with a pointer)."""


class Click(_Pointed):
    """Press and release the main button (or tap) at a point."""

    type: Literal["click"] = "click"


class DoubleClick(_Pointed):
    """Two clicks in quick succession."""

    type: Literal["double_click"] = "double_click"


class TripleClick(_Pointed):
    """Three clicks in quick succession; selects a line or paragraph in most editors."""

    type: Literal["triple_click"] = "triple_click"


class RightClick(_Pointed):
    """Press and release the secondary button."""

    type: Literal["right_click"] = "right_click"


class MiddleClick(_Pointed):
    """Press and release the middle button."""

    type: Literal["middle_click"] = "middle_click"


class Hover(_Pointed):
    """Move the pointer to a point without pressing."""

    type: Literal["hover"] = "hover"


class LongPress(_Pointed):
    """Press, hold for `seconds`, release."""

    type: Literal["long_press"] = "long_press"
    seconds: Seconds = 0.8


class Drag(BaseAction):
    """Press at `start`, move through `via` to `end`, release."""

    type: Literal["drag"] = "drag"
    start: Point
    end: Point
    via: tuple[Point, ...] = ()
    seconds: Seconds = 0.3


class Swipe(BaseAction):
    """A literal finger path from `start` to `end`; content moves with the finger."""

    type: Literal["swipe"] = "swipe"
    start: Point
    end: Point
    seconds: Seconds = 0.3


class Scroll(BaseAction):
    """Bring content into view. `direction` names the side whose content should appear.

    `down` shows what is below. `amount` is in screen heights (widths for left and right).
    """

    type: Literal["scroll"] = "scroll"
    direction: Direction
    point: Point | None = None
    amount: Amount = 0.5


class Gesture(BaseAction):
    """One to five fingers moving at once: pinch, rotate, two-finger swipe, drawing."""

    type: Literal["gesture"] = "gesture"
    paths: Annotated[tuple[Path, ...], Field(min_length=1, max_length=5)]
    seconds: Seconds = 0.5


class MouseDown(_Pointed):
    """Press the main button and keep it down across steps."""

    type: Literal["mouse_down"] = "mouse_down"


class MouseUp(_Pointed):
    """Release the main button."""

    type: Literal["mouse_up"] = "mouse_up"


class _Keyed(BaseAction):
    keys: Annotated[tuple[Key, ...], Field(min_length=1, max_length=8)]
    """Key names, normalised (`Ctrl`, `control` and `CTRL` are all `Control`)."""

    @field_validator("keys", mode="before")
    @classmethod
    def _normalise(cls, value: Any) -> Any:
        if isinstance(value, str):
            # The plus key itself: "+", or last as in "Control++".
            plus = ("+",) if value == "+" or value.endswith("++") else ()
            rest = value[: -2 if len(value) > 1 else -1] if plus else value
            value = (*(rest.split("+") if rest else ()), *plus)
        if isinstance(value, (list, tuple)):
            return tuple(normalise_key(v) if isinstance(v, str) else v for v in value)
        return value


class KeyDown(_Keyed):
    """Press keys and keep them down across steps; released at the end of the episode."""

    type: Literal["key_down"] = "key_down"


class KeyUp(_Keyed):
    """Release held keys."""

    type: Literal["key_up"] = "key_up"


class Hotkey(_Keyed):
    """Press keys together, as in Control+A, `repeat` times."""

    type: Literal["hotkey"] = "hotkey"
    repeat: Count = 1


class Press(BaseAction):
    """Press one named key or device button: Enter, Back, Home, Recent, VolumeUp, ..."""

    type: Literal["press"] = "press"
    key: Key
    repeat: Count = 1

    @field_validator("key")
    @classmethod
    def _normalise(cls, value: str) -> str:
        return normalise_key(value)


class TypeText(BaseAction):
    """Enter text, byte for byte, where the focus is (or at `point`, focused first).

    `clear` empties the field first; `submit` presses Enter afterwards.
    """

    type: Literal["type"] = "type"
    text: Annotated[str, Field(max_length=100_000)]
    point: Point | None = None
    clear: bool = False
    submit: bool = False


class Select(BaseAction):
    """Choose options of a native list, which a screenshot can't show.

    The list is the one under `point`, or the focused one. Options are given by `index`
    (0-based) or by visible `label`; exactly one of the two.
    """

    type: Literal["select"] = "select"
    point: Point | None = None
    index: tuple[Index, ...] | None = None
    label: tuple[str, ...] | None = None

    @field_validator("index", "label", mode="before")
    @classmethod
    def _as_tuple(cls, value: Any) -> Any:
        return (value,) if isinstance(value, (int, str)) else value

    @model_validator(mode="after")
    def _one_way(self) -> Select:
        if (self.index is None) == (self.label is None):
            raise ValueError("select needs exactly one of index and label")
        return self


def _plain_name(name: str) -> str:
    if name in {"", ".", ".."} or any(c in name for c in "/\\\0"):
        raise ValueError("must be one plain file name, without a folder")
    return name


FileName = Annotated[str, Field(max_length=255), AfterValidator(_plain_name)]


class Upload(BaseAction):
    """Give a file of the run's workspace to the file chooser that is open."""

    type: Literal["upload"] = "upload"
    name: FileName


class Download(BaseAction):
    """Keep the download that has started under a plain name in the run's workspace."""

    type: Literal["download"] = "download"
    name: FileName


class Launch(BaseAction):
    """Open an app (by name or package) or a URL."""

    type: Literal["launch"] = "launch"
    target: Annotated[str, Field(min_length=1, max_length=8192)]


class Switch(BaseAction):
    """Go on with another of several devices (or tabs), by its name."""

    type: Literal["switch"] = "switch"
    device: Annotated[str, Field(min_length=1, max_length=255)]


class Wait(BaseAction):
    """Let time pass, at most a minute."""

    type: Literal["wait"] = "wait"
    seconds: Seconds = 1.0


class Note(BaseAction):
    """Keep a text in working memory for later steps."""

    type: Literal["note"] = "note"
    text: Annotated[str, Field(min_length=1, max_length=20_000)]


class AskUser(BaseAction):
    """Ask the person: a question, a log-in, a CAPTCHA, a confirmation."""

    type: Literal["ask_user"] = "ask_user"
    question: Annotated[str, Field(min_length=1, max_length=20_000)]


class Answer(BaseAction):
    """Reply to a question of the person without ending the task."""

    type: Literal["answer"] = "answer"
    text: Annotated[str, Field(max_length=100_000)]


class Refuse(BaseAction):
    """Say that the task can't or must not be done; in grounding, that no target exists."""

    type: Literal["refuse"] = "refuse"
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class Finish(BaseAction):
    """Claim the end of the task. A claim only: whether it is true is for the verifier."""

    type: Literal["finish"] = "finish"
    answer: Annotated[str, Field(max_length=100_000)] = ""
    status: Literal["success", "failure"] = "success"


SimpleAction = Annotated[
    Click
    | DoubleClick
    | TripleClick
    | RightClick
    | MiddleClick
    | Hover
    | LongPress
    | Drag
    | Swipe
    | Scroll
    | Gesture
    | MouseDown
    | MouseUp
    | KeyDown
    | KeyUp
    | Hotkey
    | Press
    | TypeText
    | Select
    | Upload
    | Download
    | Launch
    | Switch
    | Wait
    | Note
    | AskUser
    | Answer
    | Refuse
    | Finish,
    Field(discriminator="type"),
]

TERMINAL: frozenset[str] = frozenset({"finish", "refuse"})
"""Types that end an episode."""


class Sequence(BaseAction):
    """Two to 32 actions done one after another without looking in between.

    A terminal action may only come last; execution stops at the first failure.
    """

    type: Literal["sequence"] = "sequence"
    actions: Annotated[tuple[SimpleAction, ...], Field(min_length=2, max_length=32)]

    @model_validator(mode="after")
    def _terminal_last(self) -> Sequence:
        for i, action in enumerate(self.actions[:-1]):
            if action.type in TERMINAL:
                raise ValueError(f"action {i + 1} of the sequence is {action.type}, not the last")
        return self


Action = Annotated[
    Click
    | DoubleClick
    | TripleClick
    | RightClick
    | MiddleClick
    | Hover
    | LongPress
    | Drag
    | Swipe
    | Scroll
    | Gesture
    | MouseDown
    | MouseUp
    | KeyDown
    | KeyUp
    | Hotkey
    | Press
    | TypeText
    | Select
    | Upload
    | Download
    | Launch
    | Switch
    | Wait
    | Note
    | AskUser
    | Answer
    | Refuse
    | Finish
    | Sequence,
    Field(discriminator="type"),
]
"""Any action; the `type` field tells which."""
