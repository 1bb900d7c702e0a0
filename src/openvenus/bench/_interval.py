"""How sure a success rate is."""

from __future__ import annotations

import math

Z_95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


def wilson_interval(successes: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson score interval of a rate, within [0, 1].

    Unlike the usual `p ± z·sqrt(p(1-p)/n)` it is of use for few trials and for rates of 0 and 1.
    Without trials it is (0, 1): nothing is known.

    Args:
        z: quantile of the normal distribution; the default gives 95 %.

    Raises:
        ValueError: the counts are negative or there are more successes than trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return 0.0, 1.0
    rate = successes / trials
    spread = z * z / trials
    centre = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high
