"""From results to figures."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.bench import Result, make_plan, make_report, wilson_interval
from openvenus.tasks.miniwob import MiniwobSuite

PLAN = make_plan(MiniwobSuite(), tasks=["click-test", "enter-text"], seeds=4)


def result(task: str, seed: int, success: bool, cause: str = "stuck", steps: int = 2) -> Result:
    return Result(task, seed, success, "" if success else cause, "environment_done",
                  raw_reward=1.0 if success else -1.0, full=success, steps=steps,
                  seconds=1.0)  # fmt: skip


RESULTS = [
    result("click-test", 0, True),
    result("click-test", 1, True),
    result("enter-text", 0, True, steps=4),
    result("enter-text", 1, False, "wrong: reward -1"),
    result("enter-text", 2, False),
    result("enter-text", 3, False),
    result("login-user", 0, True),  # not in the plan
]


def test_figures() -> None:
    report = make_report(PLAN, RESULTS, policy="p", seconds=2.0, fresh=RESULTS[:4])
    assert report.total.episodes == 6
    assert report.total.success == 0.5
    assert report.total.interval == wilson_interval(3, 6)
    assert list(report.total.causes.items()) == [("stuck", 2), ("wrong: reward -1", 1)]
    assert set(report.tasks) == {"click-test", "enter-text"}
    assert report.tasks["enter-text"].success == 0.25
    assert report.tasks["enter-text"].raw_reward == -0.5
    assert report.tasks["enter-text"].steps == 2.5
    assert (report.episodes_per_second, report.steps_per_second) == (2.0, 5.0)


def test_what_machines_read() -> None:
    report = make_report(PLAN, RESULTS, policy="p", seconds=2.0, fresh=RESULTS[:4], workers=3)
    said = json.loads(json.dumps(report.to_dict()))
    assert said["suite"] == "miniwob"
    assert said["policy"] == "p"
    assert said["episodes"] == 6
    assert said["success"] == 0.5
    assert said["interval"] == pytest.approx(list(wilson_interval(3, 6)), abs=1e-6)
    assert said["causes"] == {"stuck": 2, "wrong: reward -1": 1}
    assert said["tasks"]["click-test"]["episodes"] == 2
    assert said["tasks"]["click-test"]["success"] == 1.0
    assert said["tasks"]["click-test"]["interval"][1] == 1.0
    assert (said["steps_per_second"], said["episodes_per_second"]) == (5.0, 2.0)
    assert (said["seeds"], said["seed_offset"], said["workers"]) == (4, 0, 3)
    assert said["full_reward"] == 0.5


def test_nothing_yet() -> None:
    said = make_report(PLAN, []).to_dict()
    assert (said["episodes"], said["success"], said["interval"]) == (0, 0.0, [0.0, 1.0])
    assert said["tasks"] == {}


@given(st.lists(st.tuples(st.sampled_from(["click-test", "enter-text"]), st.integers(0, 3),
                          st.booleans()), unique_by=lambda t: t[:2]))  # fmt: skip
def test_the_whole_is_the_sum_of_the_tasks(rows: list[tuple[str, int, bool]]) -> None:
    report = make_report(PLAN, [result(*row) for row in rows])
    assert report.total.episodes == sum(t.episodes for t in report.tasks.values())
    assert report.total.success * report.total.episodes == pytest.approx(
        sum(t.success * t.episodes for t in report.tasks.values())
    )
    assert sum(report.total.causes.values()) == sum(not success for *_, success in rows)
