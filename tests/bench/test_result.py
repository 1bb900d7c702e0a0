"""From episodes to results, and why they failed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from openvenus.bench import Result, Variant, cause_of, result_of
from openvenus.episode import Episode, Outcome, Task, Verdict


def episode(outcome: Outcome, raw: float | None, reason: str = "", **more: Any) -> Episode:
    verdict = None
    if raw is not None:
        verdict = Verdict(
            "success" if raw > 0 else "failure",
            reward=raw,
            details={"raw_reward": raw, "reward": raw / 2, "reason": reason, "full": raw >= 1},
        )
    return Episode(
        "id", Task("Do it"), "p", "d", outcome=outcome, verdict=verdict, started=10.0,
        ended=12.5, **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "raw", "reason", "cause"),
    [
        ("environment_done", -1.0, "", "wrong: reward -1"),
        ("environment_done", 0.0, "", "wrong: reward 0"),
        ("environment_done", -0.25, "", "wrong: reward below 0"),
        ("environment_done", -1.0, "timed out", "timed out"),
        ("environment_done", None, "", "environment_done"),
        ("step_limit", 0.0, "not ended", "step_limit"),
        ("stuck", 0.0, "not ended", "stuck"),
        ("asked_user", 0.0, "not ended", "asked_user"),
        ("device_fault", None, "", "device_fault"),
        ("invalid_output", 0.0, "", "invalid_output"),
    ],
)
def test_causes(outcome: Outcome, raw: float | None, reason: str, cause: str) -> None:
    assert cause_of(episode(outcome, raw, reason)) == cause


def test_what_could_not_be_judged_is_told_apart() -> None:
    unknown = Episode("i", Task("x"), "p", "d", outcome="stuck", verdict=Verdict("unknown"))
    assert cause_of(unknown) == "stuck, not judged"


def test_a_success() -> None:
    result = result_of(Variant("t", 3), episode("environment_done", 0.5), Path("runs/x"))
    assert (result.task, result.seed, result.success, result.cause) == ("t", 3, True, "")
    assert (result.raw_reward, result.reward, result.full) == (0.5, 0.25, False)
    assert (result.seconds, result.instruction, result.episode) == (2.5, "Do it", "runs/x")
    assert Result.from_dict(result.to_dict()) == result


def test_a_fault_without_a_verdict_is_worth_nothing() -> None:
    result = result_of(Variant("t", 0), episode("device_fault", None, ""))
    assert (result.success, result.raw_reward, result.full) == (False, 0.0, False)
    assert result.cause == "device_fault"
