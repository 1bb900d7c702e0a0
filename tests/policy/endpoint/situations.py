"""A situation with everything in it."""

from __future__ import annotations

import io

from PIL import Image

from openvenus.action import Box, Click, Point, TypeText
from openvenus.episode import Decision, Dialog, Effect, Observation, ParseFailure, Step, Task
from openvenus.policy import Situation
from openvenus.screen import Element, ElementTree, Frame

BUTTON = Element(
    "e7", "button", Box(400, 480, 600, 520), "Save", point=Point(500, 500), clickable=True
)
PASSWORD = Element("e8", "textbox", Box(0, 0, 100, 50), "Password", length=9, focused=True)
OPTION = Element("e9", "option", Box(0, 0, 0, 0), "Berlin", native=True, selected=False)
HIDDEN = Element("e10", "link", Box(0, 1500, 100, 1600), "Imprint", visible=False)


def screenshot(width: int, height: int) -> bytes:
    """A PNG of this size."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (10, 120, 40)).save(out, "PNG")
    return out.getvalue()


def observation(*, size: tuple[int, int] | None = (640, 400)) -> Observation:
    """A page with four elements."""
    w, h = size or (640, 400)
    frame = Frame("f", w, h, w, h, image=screenshot(w, h) if size else None)
    return Observation(
        frame,
        ElementTree([BUTTON, PASSWORD, OPTION, HIDDEN], truncated=5),
        url="http://localhost/form",
        title="A form",
        tabs=("A form", "Help"),
        dialogs=(Dialog("confirm", "Leave?"),),
    )


def situation(*, size: tuple[int, int] | None = (640, 400)) -> Situation:
    """In the middle of an episode."""
    seen = observation(size=size)
    steps = (
        Step(
            0,
            seen,
            Decision(TypeText(text="Ann", point=Point(1, 2)), thought="The name first."),
            effect=Effect("done", changed=True, changes=("textbox 'Name' now has 'Ann'",)),
        ),
        Step(1, seen, failure=ParseFailure("it is not JSON")),
        Step(
            2,
            seen,
            Decision(Click(point=Point(900, 900)), target="e99"),
            effect=Effect("done", changed=False),
        ),
    )
    return Situation(
        task=Task("Save the form for Ann"),
        observation=seen,
        history=steps,
        notes=("Ann is 44",),
        feedback="The last action changed nothing that can be seen.",
        actions=frozenset({"click", "type", "finish", "refuse", "ask_user", "note"}),
        messages=("Use the second address",),
    )
