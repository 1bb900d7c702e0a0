"""Advantages and the curriculum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.learn.online._credit import Credit, assign_advantages
from openvenus.learn.online._curriculum import Curriculum
from openvenus.learn.online._samples import EpisodeSample, StepSample
from openvenus.policy.embedded import Choice

TRAJECTORY_ONLY = Credit(step_weight=0.0, floor=1e-6)


def episode(reward: float, *states: int, valid: bool = True) -> EpisodeSample:
    steps = [StepSample(arrays=None, choice=Choice(0), state=s) for s in states]  # type: ignore[arg-type]
    return EpisodeSample("t", 1, steps, reward=reward, valid=valid)


def test_every_step_of_an_episode_shares_its_advantage() -> None:
    group = [episode(1, 1, 2), episode(0, 1, 3)]
    assert assign_advantages(group, TRAJECTORY_ONLY)
    assert [s.advantage for s in group[0].steps] == pytest.approx([1, 1])
    assert [s.advantage for s in group[1].steps] == pytest.approx([-1, -1])


def test_a_device_fault_leaves_the_group() -> None:
    """Scored as 0 it would have moved the others; invalid, it moves nothing."""
    group = [episode(1, 1), episode(0, 1), episode(0, 1, valid=False)]
    assert assign_advantages(group, TRAJECTORY_ONLY)
    assert group[0].steps[0].advantage == pytest.approx(1)
    assert group[2].steps[0].advantage == 0


@pytest.mark.parametrize("rewards", [(1, 1, 1), (0, 0, 0)])
def test_a_group_without_difference_teaches_nothing(rewards: tuple[float, ...]) -> None:
    assert not assign_advantages([episode(r, 1) for r in rewards], Credit())


def test_failing_sooner_is_not_better() -> None:
    """Costs per step alone would teach to end a hopeless episode as soon as possible."""
    group = [episode(0, 1), episode(0, 1, 2, 3)]
    for e in group:
        for s in e.steps:
            s.penalty = 0.02
    assert not assign_advantages(group, Credit())


def test_of_two_successes_the_shorter_is_better() -> None:
    group = [episode(1, 1), episode(1, 1, 2, 3)]
    for e in group:
        for s in e.steps:
            s.penalty = 0.02
    assert assign_advantages(group, Credit())
    assert group[0].steps[0].advantage > group[1].steps[0].advantage


def test_a_group_of_one_valid_episode_teaches_nothing() -> None:
    assert not assign_advantages([episode(1, 1), episode(0, 1, valid=False)], Credit())


def test_the_same_state_compares_what_was_done_there() -> None:
    """Both passed state 2; what was done there decided, and the step level sees it."""
    group = [episode(1, 1, 2), episode(0, 1, 2), episode(0, 1, 5)]
    assign_advantages(group, Credit(step_weight=1.0, floor=1e-6))
    with_steps = [e.steps[1].advantage for e in group]
    assign_advantages(group, TRAJECTORY_ONLY)
    plain = [e.steps[1].advantage for e in group]
    assert with_steps[0] > plain[0] and with_steps[1] < plain[1]
    assert with_steps[2] == pytest.approx(plain[2])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_trajectory_advantages_sum_to_zero(rewards: list[float]) -> None:
    group = [episode(r, 1) for r in rewards]
    assign_advantages(group, Credit(step_weight=0.0))
    assert sum(e.steps[0].advantage for e in group) == pytest.approx(0, abs=1e-6)


def test_the_curriculum_prefers_what_is_neither_certain_nor_hopeless() -> None:
    curriculum = Curriculum(("easy", "middle", "hopeless"))
    for i in range(400):
        curriculum.record("easy", 1)
        curriculum.record("middle", i % 2)
        curriculum.record("hopeless", 0)
    weights = [curriculum.weight(t) for t in curriculum.tasks]
    assert weights[1] > 4 * weights[0] and weights[0] > weights[2] > 0
    rng = np.random.default_rng(0)
    drawn = [curriculum.draw(rng) for _ in range(300)]
    assert drawn.count("middle") > 200 and set(drawn) <= set(curriculum.tasks)


def test_the_posterior_forgets() -> None:
    curriculum = Curriculum(("t",))
    for _ in range(200):
        curriculum.record("t", 0)
    for _ in range(100):
        curriculum.record("t", 1)
    assert curriculum.progress["t"].rate > 0.8
