"""The loop on real pages in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from openvenus.action import Action, Click, Finish, TypeText, Wait
from openvenus.agent import Agent, AgentOptions, AgentPool, Job
from openvenus.device.web import Browser, WebDevice, WebOptions
from openvenus.episode import Decision, Limits, Task, read_episode
from openvenus.policy import Situation

PAGE = """<!doctype html><title>Form</title>
<label>Name <input id=name></label>
<button onclick="document.getElementById('out').textContent =
  'Hello ' + document.getElementById('name').value">Greet</button>
<button>Idle</button>
<button onclick="alert('Careful')">Warn</button>
<button onclick="setTimeout(() => { while (true) {} }, 0)">Hang</button>
<a href="other.html">Other page</a>
<p id=out></p>"""


@pytest.fixture
def start(tmp_path: Path) -> str:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "other.html").write_text("<title>Other</title><h1>There</h1>", encoding="utf-8")
    return (tmp_path / "page.html").as_uri()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    options = WebOptions(width=640, height=400, deadline=3.0)
    running = await Browser.launch(options)
    yield running
    await running.close()


@pytest.fixture
async def device(browser: Browser) -> WebDevice:
    return await browser.new_device()


Move = Action | str | Callable[[Situation], Action]


@dataclass
class ByName:
    """Clicks on what has the name it was told, or does the action it was told."""

    moves: list[Move]
    situations: list[Situation] = field(default_factory=list)
    name: str = "by-name"

    async def propose(self, situation: Situation) -> Decision:
        self.situations.append(situation)
        move = self.moves[min(len(self.situations), len(self.moves)) - 1]
        if not isinstance(move, str):
            return Decision(move(situation) if callable(move) else move)
        element = next(
            e for e in situation.observation.elements if e.name == move and e.point is not None
        )
        return Decision(Click(point=element.point), target=element.id)

    async def close(self) -> None:
        return None


async def asked(policy: ByName, times: int) -> None:
    """Wait until the policy has been asked so often."""
    async with asyncio.timeout(20):
        while len(policy.situations) < times:  # noqa: ASYNC110 (the policy has no event to wait for)
            await asyncio.sleep(0.01)


async def test_effects_of_real_actions(device: WebDevice, start: str, tmp_path: Path) -> None:
    text = "Zoë 漢字 🙂"
    policy = ByName(
        ["Name", TypeText(text=text), "Greet", "Idle", "Idle", "Warn", "Other page", Finish()]
    )
    agent = Agent(device, policy, record=tmp_path / "runs")
    episode = await agent.run_async(Task("Greet", start=start))
    assert episode.outcome == "claimed_done", episode.reason
    effects = [s.effect for s in episode.steps]
    assert [e and e.status for e in effects] == ["done"] * 8
    changes = ["; ".join(e.changes) if e else "" for e in effects]
    assert text in changes[1]
    assert f"Hello {text}" in changes[2]
    # The first click on it moves the focus there, the second does nothing at all.
    assert effects[4] is not None
    assert (effects[4].changed, effects[4].changes) == (False, ())
    assert "changed nothing" in policy.situations[5].feedback
    assert effects[5] is not None
    assert [(d.kind, d.message) for d in effects[5].dialogs] == [("alert", "Careful")]
    assert effects[6] is not None
    assert effects[6].navigated
    assert episode.final is not None
    assert episode.final.title == "Other"
    stored = read_episode(tmp_path / "runs" / episode.id)
    assert [s.decision for s in stored.steps] == [s.decision for s in episode.steps]
    assert all(s.observation.frame.image for s in stored.steps)


async def test_a_page_that_hangs_is_a_device_fault(device: WebDevice, start: str) -> None:
    task = Task("x", start=start, limits=Limits(step_seconds=20))
    episode = await Agent(device, ByName(["Hang", "Greet", "Greet"])).run_async(task)
    assert episode.outcome == "device_fault"
    assert len(episode.steps) in {1, 2}


async def test_a_closed_tab_is_a_device_fault(device: WebDevice, start: str) -> None:
    policy = ByName(["Greet", Wait(seconds=1)])
    running = asyncio.create_task(Agent(device, policy).run_async(Task("x", start=start)))
    await asked(policy, 2)
    await device.page.close()
    episode = await running
    assert episode.outcome == "device_fault"


async def test_an_address_that_isnt_there(device: WebDevice) -> None:
    task = Task("x", start="http://127.0.0.1:9/")
    episode = await Agent(device, ByName(["Greet"])).run_async(task)
    assert episode.outcome == "device_fault"
    assert "127.0.0.1:9" in episode.reason


async def test_cancelled_while_acting(device: WebDevice, start: str) -> None:
    policy = ByName(["Name", TypeText(text="word " * 400)])
    options = AgentOptions(images=False)
    running = asyncio.create_task(
        Agent(device, policy, options=options).run_async(Task("x", start=start))
    )
    await asked(policy, 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    # The device is still good for another episode.
    again = await Agent(device, ByName(["Greet", Finish()])).run_async(Task("x", start=start))
    assert again.outcome == "claimed_done", again.reason


async def test_many_pages_at_once(browser: Browser, start: str) -> None:
    def greet(number: int) -> Job:
        return Job(Task(f"Greet {number}", id=str(number), start=start))

    class Greeter(ByName):
        async def propose(self, situation: Situation) -> Decision:
            done = [s.decision.action.type for s in situation.history if s.decision]
            who = situation.task.id
            if done == ["click", "type", "click"]:
                return Decision(Finish(answer=situation.observation.elements[-1].text))
            moves: list[Move] = ["Name", TypeText(text=who), "Greet"]
            move = moves[len(done)]
            return await ByName([move]).propose(situation)

    options = AgentOptions(images=False)
    async with AgentPool(browser.new_device, Greeter([]), size=3, options=options) as pool:
        episodes = await pool.run(greet(i) for i in range(9))
    assert [e.outcome for e in episodes] == ["claimed_done"] * 9
    assert [e.answer for e in episodes] == [f"Hello {i}" for i in range(9)]
