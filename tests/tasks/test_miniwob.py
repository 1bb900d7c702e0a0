"""MiniWoB++ in a real browser: seeded starts, clocks, rewards."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from openvenus.action import Click, Point
from openvenus.device.web import WebDevice
from openvenus.episode import Observation, Task
from openvenus.errors import TaskError
from openvenus.tasks.miniwob import MiniwobEnvironment, MiniwobSuite, page_facts

pytestmark = pytest.mark.asyncio(loop_scope="module")
SUITE = MiniwobSuite()


class Counted(WebDevice):
    """A page that counts the calls it gets."""

    opened = 0
    asked = 0

    async def open(self, start: str | None) -> None:
        """Count and open."""
        self.opened += 1
        await super().open(start)

    async def evaluate(self, js: str, arg: Any = None) -> Any:
        """Count and evaluate."""
        self.asked += 1
        return await super().evaluate(js, arg)


def counted(page: WebDevice) -> Counted:
    page.__class__ = Counted
    assert isinstance(page, Counted)
    return page


def look(seen: Observation) -> list[tuple[object, ...]]:
    """What could be told apart by a policy."""
    return [
        (e.role, e.name, e.text, e.value, e.hint, e.checked, e.selected, e.focused, e.visible,
         round(e.box.left), round(e.box.top), round(e.box.right), round(e.box.bottom))
        for e in seen.elements
    ]  # fmt: skip


async def click(page: WebDevice, name: str) -> None:
    seen = await page.observe(image=False)
    (target,) = [e for e in seen.elements if name in (e.name, e.text) and e.role == "button"]
    await page.perform(Click(point=target.point), seen, target=target.id)


@pytest.mark.timeout(300)
async def test_every_page_starts_and_says_what_to_do(page: WebDevice) -> None:
    environment = SUITE.environment()
    said: dict[str, str] = {}
    for name in SUITE.tasks:
        task = await environment.reset(page, SUITE.task(name, 5))
        assert task.instruction == " ".join(task.instruction.split()) != "", name
        assert not await environment.ended(page), name
        said[name] = task.instruction
        if name in page_facts().reusable:
            await environment.reset(page, SUITE.task(name, 6))
            again = await environment.reset(page, SUITE.task(name, 5))
            assert again.instruction == task.instruction, name
    assert len(set(said.values())) > 90


WORN = (
    "choose-list", "click-checkboxes", "click-dialog-2", "click-tab-2", "email-inbox",
    "enter-text", "login-user", "navigate-tree", "search-engine", "simon-says", "use-slider",
)  # fmt: skip


@pytest.mark.parametrize("name", WORN)
async def test_the_same_elements_after_other_episodes(page: WebDevice, name: str) -> None:
    environment = SUITE.environment()
    await environment.reset(page, SUITE.task(name, 11))
    first = look(await page.observe(image=False))
    rng = random.Random(name)
    for seed in (12, 13):
        await environment.reset(page, SUITE.task(name, seed))
        for _ in range(4):
            seen = await page.observe(image=False)
            places = [e.point for e in seen.elements if e.point is not None]
            await page.perform(Click(point=rng.choice(places)), seen)
    await page.perform(Click(point=Point(999, 999)), await page.observe(image=False))
    await environment.reset(page, SUITE.task(name, 11))
    assert look(await page.observe(image=False)) == first


async def test_scaffolding_is_not_seen(page: WebDevice) -> None:
    environment = SUITE.environment()
    await environment.reset(page, SUITE.task("click-test", 1))
    await click(page, "Click Me!")
    await environment.reset(page, SUITE.task("click-test", 2))
    seen = await page.observe(image=False)
    texts = " ".join(f"{e.name} {e.text} {e.hint}" for e in seen.elements).lower()
    assert "click me!" in texts
    for word in ("reward", "time left", "episodes done", "click-canvas", "start"):
        assert word not in texts


async def test_a_page_that_keeps_nothing_is_started_in_one_call(page: WebDevice) -> None:
    device = counted(page)
    environment = SUITE.environment()
    assert "click-test" in page_facts().reusable
    await environment.reset(device, SUITE.task("click-test", 1))
    device.opened = device.asked = 0
    await environment.reset(device, SUITE.task("click-test", 2))
    assert (device.opened, device.asked) == (0, 1)


async def test_a_page_that_keeps_something_is_loaded_anew(page: WebDevice) -> None:
    device = counted(page)
    environment = SUITE.environment()
    assert "simon-says" not in page_facts().reusable
    for seed in (1, 2):
        await environment.reset(device, SUITE.task("simon-says", seed))
    assert device.opened == 2


async def test_success(page: WebDevice) -> None:
    environment = SUITE.environment()
    task = await environment.reset(page, SUITE.task("click-test", 1))
    assert task.instruction == "Click the button."
    await asyncio.sleep(1.0)
    await click(page, "Click Me!")
    assert await environment.ended(page)
    verdict = await environment.verdict(page)
    assert (verdict.result, verdict.reward) == ("success", 1.0)
    assert verdict.details["raw_reward"] == 1.0
    assert verdict.details["full"] is True
    # Decayed by the published ten seconds, although the clock is lifted.
    assert 0.0 <= verdict.details["reward"] < 0.91


async def test_failure(page: WebDevice) -> None:
    environment = SUITE.environment()
    task = await environment.reset(page, SUITE.task("click-test-2", 1))
    await click(page, "TWO" if "ONE" in task.instruction else "ONE")
    assert await environment.ended(page)
    verdict = await environment.verdict(page)
    assert (verdict.result, verdict.reward) == ("failure", -1.0)
    assert verdict.details["full"] is False


async def test_not_ended_is_worth_nothing(page: WebDevice) -> None:
    environment = SUITE.environment()
    await environment.reset(page, SUITE.task("click-test", 1))
    verdict = await environment.verdict(page)
    assert (verdict.result, verdict.reward) == ("failure", 0.0)
    assert verdict.details["reason"] == "not ended"


async def test_a_page_that_was_left(page: WebDevice) -> None:
    environment = SUITE.environment()
    await environment.reset(page, SUITE.task("click-test", 1))
    await page.open("about:blank")
    assert not await environment.ended(page)
    assert (await environment.verdict(page)).details["reason"] == "the task's page was left"
    task = await environment.reset(page, SUITE.task("click-test", 1))
    assert task.instruction == "Click the button."


@pytest.mark.parametrize("clock", ["published", "lifted"])
async def test_clocks(page: WebDevice, clock: Any) -> None:
    environment = MiniwobEnvironment(clock=clock)
    await environment.reset(page, SUITE.task("click-test", 1))
    await page.evaluate("() => { core.EPISODE_MAX_TIME = 300; }")
    task = await environment.reset(page, SUITE.task("click-test", 2))
    assert task.provenance["published_seconds"] == 0.3
    assert task.provenance["clock"] == clock
    await asyncio.sleep(0.6)
    assert await environment.ended(page) is (clock == "published")
    if clock == "published":
        verdict = await environment.verdict(page)
        assert (verdict.reward, verdict.details["reason"]) == (-1.0, "timed out")


async def test_a_page_that_needs_its_time_out_keeps_it(page: WebDevice) -> None:
    environment = SUITE.environment()
    task = await environment.reset(page, SUITE.task("hover-shape", 1))
    assert task.provenance["clock"] == "published"


async def test_fields_where_a_page_gives_them(page: WebDevice) -> None:
    environment = SUITE.environment()
    task = await environment.reset(page, SUITE.task("email-inbox-nl-turk", 1))
    assert set(task.provenance["fields"]) >= {"by"}
    assert task.provenance["fields"]["by"] in task.instruction


async def test_other_tasks_are_refused(page: WebDevice) -> None:
    with pytest.raises(TaskError, match="not a MiniWoB"):
        await SUITE.environment().reset(page, Task("Do it", id="other"))


async def test_a_missing_page_is_told(page: WebDevice) -> None:
    task = Task("", start="data:text/html,<p>x", provenance={"suite": "miniwob", "task": "x"})
    with pytest.raises(TaskError, match="did not stay open"):
        await SUITE.environment().reset(page, task)
