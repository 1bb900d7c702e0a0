"""Which variants are run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.bench import Variant, make_plan
from openvenus.errors import UsageError
from openvenus.tasks.miniwob import MiniwobSuite

SUITE = MiniwobSuite()


def test_all_tasks_by_default() -> None:
    plan = make_plan(SUITE, seeds=2)
    assert plan.tasks == SUITE.tasks
    assert len(plan.variants) == 260
    assert {v.seed for v in plan.variants} == {0, 1}


def test_named_tasks_are_sorted_by_task_and_taken_once() -> None:
    plan = make_plan(SUITE, tasks=["enter-text", "click-test", "enter-text"], seeds=2,
                     seed_offset=7)  # fmt: skip
    assert plan.variants == (
        Variant("click-test", 7), Variant("click-test", 8),
        Variant("enter-text", 7), Variant("enter-text", 8),
    )  # fmt: skip


@given(st.integers(1, 400), st.integers(1, 5), st.integers(0, 99))
def test_a_limit_leaves_out_seeds_before_tasks(limit: int, seeds: int, offset: int) -> None:
    plan = make_plan(SUITE, seeds=seeds, seed_offset=offset, limit=limit)
    assert len(plan.variants) == len(set(plan.variants)) == min(limit, 130 * seeds)
    counts = [sum(v.task == t for v in plan.variants) for t in SUITE.tasks]
    assert max(counts) - min(counts) <= 1
    assert all(offset <= v.seed < offset + seeds for v in plan.variants)


def test_mistakes_are_told() -> None:
    with pytest.raises(UsageError, match="click-tost") as e:
        make_plan(SUITE, tasks=["click-tost"])
    assert e.value.hint is not None and "click-test" in e.value.hint
    with pytest.raises(UsageError, match="no task"):
        make_plan(SUITE, tasks=[])
    with pytest.raises(UsageError, match="--seeds is 0"):
        make_plan(SUITE, seeds=0)
    with pytest.raises(UsageError, match="--limit is 0"):
        make_plan(SUITE, limit=0)
    with pytest.raises(UsageError, match="--seed-offset is -1"):
        make_plan(SUITE, seed_offset=-1)
