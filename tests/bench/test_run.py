"""Benchmarks in a real browser with scripted policies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from openvenus.action import Click, Wait
from openvenus.bench import BenchSettings, Plan, Result, ResultStore, make_plan, run_suite
from openvenus.device.web import Browser, WebDevice, WebOptions
from openvenus.episode import Decision, Limits, ParseFailure, read_episode
from openvenus.errors import DeviceFault, PolicyFault
from openvenus.policy import Situation
from openvenus.tasks.miniwob import MiniwobSuite

pytestmark = pytest.mark.asyncio(loop_scope="module")
SUITE = MiniwobSuite()
QUICK = BenchSettings(limits=Limits(max_steps=3, step_seconds=30.0), images=False)


class NamedButton:
    """Clicks the button that the instruction names, else the first one."""

    name = "named-button"

    def __init__(self) -> None:
        self.asked = 0

    async def propose(self, situation: Situation) -> Decision | ParseFailure:
        self.asked += 1
        buttons = [e for e in situation.observation.elements if e.role == "button" and e.point]
        named = [e for e in buttons if f" {e.text or e.name}." in situation.task.instruction]
        target = (named or buttons)[0]
        return Decision(Click(point=target.point), target=target.id)

    async def close(self) -> None:
        """Nothing to free."""


class Waits(NamedButton):
    """Never does anything."""

    name = "waits"

    async def propose(self, situation: Situation) -> Decision | ParseFailure:
        return Decision(Wait(seconds=0.0))


class Broken(NamedButton):
    """Fails."""

    name = "broken"

    async def propose(self, situation: Situation) -> Decision | ParseFailure:
        raise PolicyFault("no answer")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    running = await Browser.launch(WebOptions(width=500, height=320, deadline=60.0))
    yield running
    await running.close()


def plan(*tasks: str, seeds: int = 2) -> Plan:
    return make_plan(SUITE, tasks=tasks, seeds=seeds)


async def test_figures_of_a_run(browser: Browser) -> None:
    seen: list[tuple[Result, int, int]] = []
    report = await run_suite(
        SUITE, NamedButton(), plan("click-test-2", "click-checkboxes"), browser.new_device,
        workers=2, settings=QUICK, on_result=lambda *news: seen.append(news),
    )  # fmt: skip
    assert report.policy == "named-button"
    assert report.tasks["click-test-2"].success == 1.0
    assert report.tasks["click-test-2"].full_reward == 1.0
    assert report.tasks["click-test-2"].steps == 1.0
    assert report.tasks["click-checkboxes"].success == 0.0
    assert all(cause.startswith("wrong: reward") for cause in report.total.causes)
    assert sum(report.total.causes.values()) == 2
    assert report.ran == 4
    assert report.steps_per_second > 0 and report.episodes_per_second > 0
    assert [(done, total) for _, done, total in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert all(r.instruction for r in report.results)


async def test_causes_of_the_loop(browser: Browser) -> None:
    report = await run_suite(
        SUITE, Waits(), plan("click-test"), browser.new_device, workers=1, settings=QUICK
    )
    assert report.total.success == 0.0
    assert set(report.total.causes) <= {"step_limit", "stuck"}
    assert report.total.raw_reward == 0.0


async def test_it_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    first = NamedButton()
    with ResultStore(tmp_path, {"a": 1}) as store:
        await run_suite(
            SUITE, first, plan("click-test"), browser.new_device, workers=1, settings=QUICK,
            store=store,
        )  # fmt: skip
    second = NamedButton()
    with ResultStore(tmp_path, {"a": 1}) as store:
        report = await run_suite(
            SUITE, second, plan("click-test", seeds=3), browser.new_device, workers=2,
            settings=QUICK, store=store,
        )  # fmt: skip
    assert (first.asked, second.asked) == (2, 1)
    assert (report.total.episodes, report.ran, report.total.success) == (3, 1, 1.0)


async def test_records_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    report = await run_suite(
        SUITE, NamedButton(), plan("click-test", seeds=1), browser.new_device, workers=1,
        settings=BenchSettings(limits=Limits(max_steps=3)), record=tmp_path,
    )  # fmt: skip
    (result,) = report.results
    assert result.episode is not None
    episode = read_episode(Path(result.episode))
    assert episode.task.instruction == "Click the button."
    assert episode.task.provenance["seed"] == 0
    assert episode.verdict is not None and episode.verdict.result == "success"


async def test_a_device_fault_is_told_and_the_run_goes_on(browser: Browser) -> None:
    made = 0

    async def one_dies() -> WebDevice:
        nonlocal made
        made += 1
        device = await browser.new_device()
        if made == 1:
            await device.page.close()
        return device

    report = await run_suite(
        SUITE, NamedButton(), plan("click-test", seeds=3), one_dies, workers=1, settings=QUICK
    )
    assert report.total.causes == {"device_fault": 1}
    assert report.total.success == pytest.approx(2 / 3)
    assert made == 2


async def test_faults_are_tried_again_by_a_later_run(browser: Browser, tmp_path: Path) -> None:
    with ResultStore(tmp_path, {}) as store:
        report = await run_suite(
            SUITE, Broken(), plan("click-test", seeds=1), browser.new_device, workers=1,
            settings=QUICK, store=store,
        )  # fmt: skip
        assert report.total.causes == {"policy_fault": 1}
        report = await run_suite(
            SUITE, NamedButton(), plan("click-test", seeds=1), browser.new_device, workers=1,
            settings=QUICK, store=store,
        )  # fmt: skip
    assert (report.total.episodes, report.total.success) == (1, 1.0)


async def test_nothing_but_faults_ends_the_run(browser: Browser, tmp_path: Path) -> None:
    with ResultStore(tmp_path, {}) as store, pytest.raises(PolicyFault, match="in a row"):
        await run_suite(
            SUITE, Broken(), plan("click-test", seeds=40), browser.new_device, workers=2,
            settings=QUICK, store=store,
        )  # fmt: skip
    assert 12 <= len(store.results) < 40


async def test_no_device_at_all_is_an_error(browser: Browser) -> None:
    async def none() -> WebDevice:
        raise DeviceFault("the browser does not start")

    with pytest.raises(DeviceFault, match="does not start"):
        await run_suite(SUITE, NamedButton(), plan("click-test"), none, settings=QUICK)
