"""Devices and policies that live in memory, for the tests of the loop."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import cache

from PIL import Image

from openvenus.action import Action, Box, Click, Finish, Point
from openvenus.device import Performed
from openvenus.episode import Decision, Dialog, Observation, ParseFailure, Step
from openvenus.errors import DeviceFault
from openvenus.policy import Situation
from openvenus.screen import Element, ElementTree, Frame

Answer = Decision | ParseFailure


@cache
def picture(shade: int) -> bytes:
    """A small PNG."""
    out = io.BytesIO()
    Image.new("RGB", (64, 48), (shade % 256, 40, 90)).save(out, "PNG")
    return out.getvalue()


class MemoryDevice:
    """A counter with buttons: a click on the left half counts up, elsewhere does nothing."""

    def __init__(self, *, name: str = "memory", elements: int = 3) -> None:
        self._name = name
        self.actions_done: list[Action] = []
        self.targets: list[str | None] = []
        self.observed = 0
        self.opened: list[str | None] = []
        self.released = 0
        self.closed = 0
        self.count = 0
        self.extra_elements = elements
        self.answers: dict[int, Performed] = {}
        """What to answer to the n-th action instead of doing it."""
        self.before_observe: Callable[[int], Awaitable[None]] | None = None
        self.before_perform: Callable[[int], Awaitable[None]] | None = None
        self.dialogs: tuple[Dialog, ...] = ()
        self.alive = True

    @property
    def name(self) -> str:
        return self._name

    @property
    def actions(self) -> frozenset[str]:
        return frozenset({"click", "type", "scroll", "hotkey"})

    async def open(self, start: str | None) -> None:
        self.opened.append(start)

    async def observe(self, *, image: bool = True) -> Observation:
        self.observed += 1
        if self.before_observe is not None:
            await self.before_observe(self.observed)
        if not self.alive:
            raise DeviceFault("the counter is broken")
        frame = Frame(
            f"f{self.observed}", 64, 48, 64, 48, image=picture(self.count) if image else None
        )
        elements = [
            Element(
                f"e{i}", "button", Box(10 * i, 0, 10 * i + 8, 50), f"button {i}", clickable=True,
                enabled=True, point=Point(10 * i + 4, 25),
            )
            for i in range(self.extra_elements)
        ]  # fmt: skip
        elements.append(
            Element("count", "textbox", Box(0, 60, 100, 90), "count", value=str(self.count))
        )
        return Observation(frame, ElementTree(elements), "memory://counter", dialogs=self.dialogs)

    async def perform(
        self, action: Action, observation: Observation, *, target: str | None = None
    ) -> Performed:
        self.actions_done.append(action)
        self.targets.append(target)
        number = len(self.actions_done)
        if self.before_perform is not None:
            await self.before_perform(number)
        if not self.alive:
            raise DeviceFault("the counter is broken")
        if number in self.answers:
            return self.answers[number]
        point = getattr(action, "point", None)
        if isinstance(action, Click) and point is not None and point.x < 500:
            self.count += 1
        return Performed("done", point=point)

    async def release(self) -> None:
        self.released += 1

    async def close(self) -> None:
        self.closed += 1


class ScriptedPolicy:
    """Gives the answers it was told to, in order; the last one again and again."""

    def __init__(self, *answers: Answer | Action | Exception) -> None:
        self._answers = list(answers)
        self.situations: list[Situation] = []
        self.before: Callable[[int], Awaitable[None]] | None = None
        self.closed = 0

    @property
    def name(self) -> str:
        return "scripted"

    async def propose(self, situation: Situation) -> Answer:
        self.situations.append(situation)
        if self.before is not None:
            await self.before(len(self.situations))
        answer = self._answers[min(len(self.situations), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, (Decision, ParseFailure)):
            return answer
        return Decision(answer)

    async def close(self) -> None:
        self.closed += 1


class CountingBatchPolicy:
    """Clicks until the counter shows three, then finishes; counts its calls."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.singles = 0
        self.error: Exception | None = None
        self.drop_one = False

    @property
    def name(self) -> str:
        return "counting"

    def decide(self, situation: Situation) -> Answer:
        shown = next(e.value for e in situation.observation.elements if e.id == "count")
        return Decision(Finish(answer=shown) if int(shown) >= 3 else UP)

    async def propose(self, situation: Situation) -> Answer:
        self.singles += 1
        return self.decide(situation)

    async def propose_many(self, situations: Sequence[Situation]) -> Sequence[Answer]:
        self.batches.append(len(situations))
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        answers = [self.decide(s) for s in situations]
        return answers[1:] if self.drop_one else answers

    async def close(self) -> None:
        return None


UP = Click(point=Point(40, 25))
"""Counts up."""
IDLE = Click(point=Point(900, 900))
"""Does nothing."""
FINISH = Finish(answer="done")


async def forever(_: int) -> None:
    """Never ends."""
    await asyncio.Event().wait()


def timeless(step: Step) -> Step:
    """A step without its durations, and without image bytes, for comparisons."""
    observation = replace(step.observation, frame=step.observation.frame.without_image())
    return replace(step, seconds={}, started=0.0, observation=observation)
