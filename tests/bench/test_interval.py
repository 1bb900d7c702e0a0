"""The Wilson interval against published values and by its properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openvenus.bench import wilson_interval


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I, method 3 (score).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_values(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 2_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_holds_the_rate_and_mirrors(counts: tuple[int, int]) -> None:
    k, n = counts
    low, high = wilson_interval(k, n)
    assert 0.0 <= low <= k / n <= high <= 1.0
    mirrored = wilson_interval(n - k, n)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)


@given(st.integers(0, 50), st.integers(0, 50))
def test_more_trials_are_surer(successes: int, failures: int) -> None:
    few = wilson_interval(successes, successes + failures)
    many = wilson_interval(10 * successes, 10 * (successes + failures))
    assert many[1] - many[0] <= few[1] - few[0] + 1e-12


def test_nothing_is_known_without_trials() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (0, -1)])
def test_impossible_counts(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes of"):
        wilson_interval(successes, trials)
