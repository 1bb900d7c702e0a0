"""What one step of the loop costs without device and policy: `python benchmarks/loop_overhead.py`.

The device and the policy answer at once from memory, so all the time that is left is the
loop's own: history, effect, stuck detection, events, and handing the step to the record.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time

from openvenus.action import Action, Box, Click, Point
from openvenus.agent import Agent, AgentOptions
from openvenus.device import Performed
from openvenus.episode import Decision, Limits, Observation, Task
from openvenus.policy import Situation
from openvenus.screen import Element, ElementTree, Frame

STEPS, ELEMENTS = 300, 50
FRAME = Frame("f", 1280, 800, 1280, 800)


class Instant:
    """A device with a list of elements of which one changes at every step, and a policy."""

    name = "instant"
    actions = frozenset({"click"})

    def __init__(self, elements: int) -> None:
        self._elements = [
            Element(
                f"e{i}", "button", Box(0, i, 100, i + 1), f"Button number {i}", text=f"text {i}",
                tag="button", hint="btn primary", point=Point(50, i / 2), clickable=True,
                color="#112233", background="#ffffff", parent="e0", group=i // 5, depth=6,
            )
            for i in range(elements)
        ]  # fmt: skip
        self._step = 0

    async def open(self, start: str | None) -> None: ...

    async def observe(self, *, image: bool = True) -> Observation:
        self._step += 1
        clock = Element("clock", "textbox", Box(0, 900, 100, 950), "clock", value=str(self._step))
        # New objects at every step, as from a real device.
        fresh = [Element(**{n: getattr(e, n) for n in Element.__slots__}) for e in self._elements]
        return Observation(FRAME, ElementTree([*fresh, clock]), "http://localhost/", "A page")

    async def perform(
        self, action: Action, observation: Observation, *, target: str | None = None
    ) -> Performed:
        return Performed(point=getattr(action, "point", None))

    async def propose(self, situation: Situation) -> Decision:
        return Decision(Click(point=Point(500, 20)), thought="again", target="e20")

    async def release(self) -> None: ...

    async def close(self) -> None: ...


async def measure(elements: int, record: str | None) -> tuple[float, float, float, float]:
    """Milliseconds per step: median overhead, its 95th percentile, and of the whole, with the
    record's thread and the making of the elements, processor time and wall time."""
    world = Instant(elements)
    agent = Agent(world, world, record=record, options=AgentOptions(images=False))
    begun, worked = time.perf_counter(), time.process_time()
    episode = await agent.run_async(Task("measure", limits=Limits(max_steps=STEPS)))
    wall, work = time.perf_counter() - begun, time.process_time() - worked
    assert (episode.outcome, len(episode.steps)) == ("step_limit", STEPS)
    spent = sorted(s.seconds["overhead"] * 1000 for s in episode.steps[10:])
    return (
        statistics.median(spent),
        spent[int(len(spent) * 0.95)],
        work / STEPS * 1000,
        wall / STEPS * 1000,
    )


def main() -> None:
    """Print a table."""
    print(f"{STEPS} steps, milliseconds per step without device and policy (target: under 3)")
    print(
        f"{'elements':>8}  {'recorded':>8}  {'median':>7}  {'p95':>7}  {'all: CPU':>8}  {'wall':>7}"
    )
    for elements in (ELEMENTS, 10 * ELEMENTS):
        for recorded in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                figures = asyncio.run(measure(elements, folder if recorded else None))
            print(
                f"{elements:>8}  {'yes' if recorded else 'no':>8}  {figures[0]:>7.3f}  "
                f"{figures[1]:>7.3f}  {figures[2]:>8.3f}  {figures[3]:>7.3f}"
            )


if __name__ == "__main__":
    main()
