"""Steps in words."""

from __future__ import annotations

import pytest

from openvenus.action import Action, AskUser, Click, Drag, Finish, Point, Press, TypeText, Wait
from openvenus.cli._steps import action_line, step_line
from openvenus.episode import Decision, Effect, Observation, ParseFailure, Step
from openvenus.screen import Frame


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Click(point=Point(114.6, 96.1)), "click at (115, 96)"),
        (TypeText(text='"Zoë"\n', clear=True), r'type "\"Zoë\"\n" clear'),
        (Drag(start=Point(1, 2), end=Point(3, 4)), "drag start [1.0, 2.0] end [3.0, 4.0]"),
        (Press(key="enter"), 'press key "Enter"'),
        (Finish(answer="42"), 'finish "42"'),
        (AskUser(question="Why?"), 'ask_user "Why?"'),
        (Wait(), "wait"),
    ],
)
def test_actions(action: Action, line: str) -> None:
    assert action_line(action) == line


def step(decision: Decision | None, effect: Effect | None = None) -> Step:
    seen = Observation(Frame("f", 10, 10, 10.0, 10.0))
    failure = None if decision is not None else ParseFailure("it is empty")
    return Step(2, seen, decision=decision, failure=failure, effect=effect)


def test_steps() -> None:
    decided = Decision(Click(point=Point(1, 2)), thought="the\nbutton " + "x" * 200)
    assert step_line(step(None)) == "  3. unreadable answer: it is empty"
    line = step_line(step(decided, Effect("done", changed=True, changes=("it is gone",))))
    assert line.startswith("  3. click at (1, 2)  (the button xxx")
    assert line.endswith("…)  -> it is gone")
    assert "\n" not in line
    assert step_line(step(decided, Effect("done", changed=False))).endswith("-> no effect")
    failed = step_line(step(decided, Effect("failed", message="covered")))
    assert failed.endswith("-> failed: covered")
