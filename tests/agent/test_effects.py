from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from openvenus.action import Hover, Note, Point, TypeText, Wait
from openvenus.agent._effects import compare, effect_of, feedback_of, short
from openvenus.device import Performed
from openvenus.episode import Dialog, Effect, Observation
from openvenus.screen import ElementTree
from tests.agent.memory import UP, MemoryDevice


async def seen(before: Observation, after: Observation, **performed: Any) -> Effect:
    return effect_of(Performed(**performed), before, after, await compare(before, after))


async def test_the_same_screen_is_no_change_and_another_is_one() -> None:
    device = MemoryDevice()
    before, same = await device.observe(), await device.observe()
    device.count = 7
    other = await device.observe()
    effect = await seen(before, same)
    assert (effect.changed, effect.changes, effect.navigated) == (False, (), False)
    effect = await seen(before, other)
    assert effect.changed is True
    assert effect.changes == ("textbox 'count' now has '7'",)
    assert effect_of(Performed(), before).changed is None


async def test_pixels_tell_where_elements_dont() -> None:
    device = MemoryDevice()
    before = await device.observe()
    device.count = 7
    after = replace(await device.observe(), elements=before.elements)
    effect = await seen(before, after)
    assert effect.changed is True
    assert "pixels changed" in effect.changes[0]
    bare = [replace(o, elements=ElementTree()) for o in (before, before)]
    assert (await seen(*bare)).changed is False
    blind = [replace(o, frame=o.frame.without_image()) for o in bare]
    assert (await seen(*blind)).changed is None


async def test_addresses_tabs_and_dialogs_are_changes_too() -> None:
    before = await MemoryDevice().observe()
    effect = await seen(before, replace(before, url="memory://else"))
    assert (effect.changed, effect.navigated) == (True, True)
    assert effect.changes == ("navigated to memory://else",)
    effect = await seen(before, replace(before, tabs=("a", "b")), new_tab=True)
    assert effect.new_tab
    assert effect.changed is True
    said = Dialog("alert", "Hello")
    effect = await seen(before, replace(before, dialogs=(said,)))
    assert effect.dialogs == (said,)
    assert "Hello" in effect.changes[0]


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (Effect("failed", "it is covered"), "failed: it is covered."),
        (Effect("failed"), "the device gave no reason"),
        (Effect("denied", "rule 3"), "was not allowed: rule 3."),
        (Effect("unsupported", "no wheel"), "was not done: no wheel."),
        (Effect("stale", "resized"), "so it was not done: resized."),
        (Effect("done", changed=False), "changed nothing that can be seen"),
        (Effect("done", "typed 3 of 5", changed=True), "typed 3 of 5."),
        (Effect("done", changed=True), ""),
        (Effect("done", changed=None), ""),
    ],
)
def test_feedback_in_words(effect: Effect, words: str) -> None:
    said = feedback_of(UP, effect)
    assert words in said
    assert bool(said) == bool(words)


def test_waiting_and_noting_need_no_effect() -> None:
    nothing = Effect("done", changed=False)
    assert feedback_of(Wait(), nothing) == feedback_of(Note(text="x"), nothing) == ""
    assert feedback_of(Hover(point=Point(1, 1)), nothing)


def test_long_actions_are_cut() -> None:
    assert len(short(TypeText(text="x" * 5000))) <= 160
