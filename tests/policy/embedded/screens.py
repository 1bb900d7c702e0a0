"""Small screens for the tests of the embedded policy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from openvenus.action import Box, Point
from openvenus.episode import Decision, Effect, Observation, Step, Task
from openvenus.policy import Situation
from openvenus.screen import Element, ElementTree, Frame


def element(id: str, role: str, x: float, y: float, **more: Any) -> Element:
    """An element of 100 x 40 units at (x, y), clickable unless it is a text."""
    made = Element(
        id=id,
        role=role,
        box=Box(x, y, x + 100, y + 40),
        point=Point(x + 50, y + 20),
        clickable=role != "text",
        editable=role == "textbox",
    )
    return replace(made, **more)


def situation(instruction: str, *elements: Element, history: tuple[Step, ...] = ()) -> Situation:
    """A screen of 500 x 500 device units with these elements."""
    return Situation(
        task=Task(instruction),
        observation=Observation(Frame("f", 500, 500, 500, 500), ElementTree(elements)),
        history=history,
    )


def step(before: Situation, decision: Decision, *, changed: bool = True) -> Step:
    """A step in which the decision was carried out."""
    return Step(
        index=len(before.history),
        observation=before.observation,
        decision=decision,
        effect=Effect("done", changed=changed),
    )
