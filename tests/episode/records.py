"""Any record of a run, for hypothesis, and one small run by hand."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from openvenus.action import Box, Click, Point, TypeText
from openvenus.episode import (
    Decision,
    Dialog,
    Effect,
    EffectStatus,
    Episode,
    Limits,
    Observation,
    Outcome,
    ParseFailure,
    Ruling,
    Step,
    Task,
    Usage,
    Verdict,
)
from openvenus.screen import Element, ElementTree, Frame
from tests.action.actions import actions, points

# Pages hold anything a string can, half surrogate pairs included.
texts = st.text(max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=True, width=64)
amounts = st.floats(0, 1e9)
maybe_numbers = st.none() | amounts
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
details = st.dictionaries(texts, json_values, max_size=3)
words = st.lists(texts, max_size=3).map(tuple)
flags = st.none() | st.booleans()

dialogs = st.lists(st.builds(Dialog, texts, texts, texts, texts), max_size=2).map(tuple)
boxes = st.builds(Box, numbers, numbers, numbers, numbers)
elements = st.builds(
    Element,
    id=texts,
    role=texts,
    box=boxes,
    name=texts,
    value=texts,
    kind=texts,
    point=st.none() | points,
    visible=st.booleans(),
    clickable=st.booleans(),
    enabled=st.booleans(),
    checked=flags,
    expanded=flags,
    covered_by=st.none() | texts,
    length=st.integers(0, 9),
    parent=st.none() | texts,
    depth=st.integers(0, 9),
    source=st.sampled_from(["dom", "uiautomator", "atspi", "pixels"]),
    confidence=st.floats(0, 1),
)
trees = st.builds(
    lambda items, truncated: ElementTree(items, truncated=truncated),
    st.lists(elements, max_size=3),
    st.integers(0, 3),
)
frames = st.builds(
    Frame,
    id=texts,
    width=st.integers(0, 9000),
    height=st.integers(0, 9000),
    device_width=amounts,
    device_height=amounts,
    origin=st.tuples(amounts, amounts),
    rotation=st.sampled_from([0, 90, 180, 270]),
    pixel_ratio=st.floats(0.5, 4),
    image=st.none() | st.binary(max_size=20),
    media_type=st.sampled_from(["image/png", "image/jpeg", "image/webp", "image/x-odd"]),
)
observations = st.builds(
    Observation,
    frame=frames,
    elements=trees,
    url=texts,
    title=texts,
    app=texts,
    tabs=words,
    dialogs=dialogs,
    clipboard=st.none() | texts,
    settled=st.booleans(),
    seconds=amounts,
    extra=details,
)
usages = st.none() | st.builds(Usage, st.integers(0, 9999), st.integers(0, 9999))
decisions = st.builds(
    Decision,
    action=actions,
    thought=texts,
    target=st.none() | texts,
    conclusion=texts,
    raw=texts,
    usage=usages,
    seconds=amounts,
    confidence=st.none() | st.floats(0, 1),
    completes=st.none() | st.floats(0, 1),
    logprob=st.none() | st.floats(max_value=0, allow_nan=False, allow_infinity=True),
)
failures = st.builds(ParseFailure, texts, texts, st.none() | st.integers(0, 99), usages, amounts)
rulings = st.builds(
    Ruling,
    st.sampled_from(["allow", "confirm", "deny"]),
    texts,
    texts,
    texts,
    st.none() | texts,
)
effects = st.builds(
    Effect,
    status=st.sampled_from(get_args(EffectStatus)),
    message=texts,
    changed=flags,
    changes=words,
    dialogs=dialogs,
    navigated=st.booleans(),
    new_tab=st.booleans(),
    settled=st.booleans(),
    point=st.none() | points,
    seconds=amounts,
)
durations = st.dictionaries(st.sampled_from(["observe", "propose", "perform"]), amounts)


def steps(decided: st.SearchStrategy[Any] = decisions) -> st.SearchStrategy[Step]:
    return st.builds(
        lambda answer, **rest: Step(
            decision=answer if isinstance(answer, Decision) else None,
            failure=answer if isinstance(answer, ParseFailure) else None,
            **rest,
        ),
        decided | failures,
        index=st.integers(0, 99),
        observation=observations,
        ruling=st.none() | rulings,
        effect=st.none() | effects,
        feedback=texts,
        seconds=durations,
        started=amounts,
    )


tasks = st.builds(
    Task,
    instruction=texts,
    id=texts,
    start=st.none() | texts,
    limits=st.builds(Limits, st.integers(1, 99), amounts, amounts),
    provenance=details,
)
verdicts = st.builds(
    Verdict,
    st.sampled_from(["success", "failure", "unknown"]),
    st.none() | st.floats(0, 1),
    texts,
    st.none() | st.floats(-1, 1),
    words,
    details,
)
episodes = st.builds(
    Episode,
    id=texts,
    task=tasks,
    policy=texts,
    device=texts,
    steps=st.lists(steps(), max_size=3).map(tuple),
    outcome=st.sampled_from(get_args(Outcome)),
    reason=texts,
    answer=texts,
    final=st.none() | observations,
    verdict=st.none() | verdicts,
    notes=words,
    started=amounts,
    ended=maybe_numbers,
    version=texts,
)

NAME = Element("name", "textbox", Box(100, 100, 500, 150), "Name", editable=True, clickable=True)
SECRET = Element(
    "secret", "textbox", Box(100, 200, 500, 250), "Password", kind="password", editable=True
)
SEND = Element("send", "button", Box(100, 300, 200, 350), "Send", clickable=True)
FORM = ElementTree([NAME, SECRET, SEND])
FRAME = Frame("frame-0", 64, 48, 64, 48)


def seen(image: bytes | None = None, tree: ElementTree = FORM) -> Observation:
    frame = Frame("frame-0", 64, 48, 64, 48, image=image)
    return Observation(frame, tree, url="https://example.org/form", title="Form")


def step(index: int, image: bytes | None = None) -> Step:
    """A click on the button (even steps) or a name typed (odd steps)."""
    decision = (
        Decision(TypeText(text=f"Ann {index}"), "The name.", "name")
        if index % 2
        else Decision(Click(point=Point(150, 325)), "Send it.", "send")
    )
    return Step(
        index,
        seen(image),
        decision,
        ruling=Ruling("allow", "no-guard"),
        effect=Effect("done", changed=True, seconds=0.1),
        seconds={"observe": 0.01, "propose": 0.02, "perform": 0.1},
        started=1_700_000_000.0 + index,
    )
