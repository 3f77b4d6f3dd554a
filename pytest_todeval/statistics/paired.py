"""Two runs over the same goals, goal by goal: is the difference more than chance?

Each goal counts once: its value in a run is the mean over its trials, so that trials of one goal,
which are not independent, make no difference look surer than it is.
"""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from pytest_todeval.errors import UsageError
from pytest_todeval.statistics.resampling import Interval

__all__ = [
    "Finding",
    "PairedDifference",
    "binomial_tail",
    "difference_of",
    "finding_of",
    "holm",
    "sign_flip",
]

Finding = Literal["worse", "better", "no worse", "undecided", "open"]
"""Of one value: `worse`: more than chance, and maybe by what matters; `no worse`: not by as much as
matters; `undecided`: the goals do not tell; `open`: nor did those of a run that ended before its
last goal."""

LEVEL = 0.9
"""Of the interval: its lower end is passed by chance in one of twenty runs."""
POWER = 0.8
SAMPLES = 10_000
EXACT = 14
"""Goals that differ: up to so many, every choice of signs is tried."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The second run less the first."""

    goals: int
    mean: float
    interval: Interval
    worse: float
    """How likely chance alone makes the second run look as much worse, if none is: one-sided."""
    better: float
    """The same, for as much better."""
    detectable: float
    """The smallest difference that a run of this size and these flips finds 4 times of 5."""

    def goals_needed(self, margin: float) -> int | None:
        """How many goals would settle if the second run is worse by `margin`, if the mean holds.

        None if no number would: the mean is the margin itself.
        """
        distance = abs(self.mean + margin)
        above, below = self.interval.high - self.mean, self.mean - self.interval.low
        reach = below if self.mean > -margin else above
        return math.ceil(self.goals * (reach / distance) ** 2) if distance else None


def difference_of(
    values: Mapping[str, tuple[float, float]],
    *,
    span: float = 1.0,
    seed: int = 0,
    level: float = LEVEL,
) -> PairedDifference:
    """Of values by goal, in the first run and in the second.

    `span`: the width of the values' scale. `level`: of the interval. Raises UsageError without any
    goal.

    The interval is Agresti and Min's (2005) for matched pairs: as if two more goals had been seen,
    of which half a one broke, half a one was mended and one was as before. So a run of few goals
    in which nothing flipped does not look sure.
    """
    if not values:
        raise UsageError("difference: got no goals that are in both runs")
    differences = [second - first for _, (first, second) in sorted(values.items())]
    goals, total = len(differences), math.fsum(differences)
    squares = math.fsum(each**2 for each in differences) + span**2
    spread = math.sqrt(max(0.0, squares - total**2 / (goals + 2))) / (goals + 2)
    centre = total / (goals + 2)
    reach = NormalDist().inv_cdf(0.5 + level / 2)
    low, high = (max(-span, min(span, centre + sign * reach * spread)) for sign in (-1, 1))
    return PairedDifference(
        goals,
        total / goals,
        Interval(low, high, level),
        sign_flip([-each for each in differences], seed=seed),
        sign_flip(differences, seed=seed),
        min(span, (reach + NormalDist().inv_cdf(POWER)) * spread),
    )


def finding_of(difference: PairedDifference, chance: float, least: float, error: float) -> Finding:
    """What a difference shows: `chance` is that of being worse, corrected for other values.

    `least`: the smallest loss that matters, in units of the value. `error`: how often a finding may
    be wrong; the interval's level goes with it.
    """
    better = difference.better <= error
    if difference.interval.low >= -least:
        return "better" if better else "no worse"
    if chance <= error:
        return "worse"
    return "better" if better else "undecided"


def sign_flip(differences: Sequence[float], *, seed: int = 0) -> float:
    """How likely differences of random signs have as great a sum: one-sided.

    Of differences that are all of one size it is McNemar's exact test (1947): a binomial tail.
    Else every choice of signs is tried, or, of many goals, a sample of them.
    """
    sizes = [each for each in differences if each]
    if not sizes:
        return 1.0
    if len({round(abs(each), 12) for each in sizes}) == 1:
        return binomial_tail(sum(each > 0 for each in sizes), len(sizes))
    total = math.fsum(sizes) - 1e-12
    if len(sizes) <= EXACT:
        return _exactly([abs(each) for each in sizes], total)
    draw = random.Random(seed)
    bulk = Counter(round(abs(each), 12) for each in sizes)
    as_great = 0
    for _ in range(SAMPLES):
        found = sum(
            size * (2 * draw.getrandbits(count).bit_count() - count) for size, count in bulk.items()
        )
        as_great += found >= total
    return (1 + as_great) / (1 + SAMPLES)


def _exactly(sizes: Sequence[float], total: float) -> float:
    sums: Counter[float] = Counter({0.0: 1})
    for size in sizes:
        after: Counter[float] = Counter()
        for found, times in sums.items():
            after[found + size] += times
            after[found - size] += times
        sums = after
    return float(sum(times for found, times in sums.items() if found >= total) / 2 ** len(sizes))


def binomial_tail(hits: int, tries: int) -> float:
    """How likely `tries` fair coins show at least so many heads."""
    return float(sum(math.comb(tries, each) for each in range(hits, tries + 1)) / 2**tries)


def holm(chances: Mapping[str, float]) -> dict[str, float]:
    """Each p-value, made larger for there being several: Holm 1979."""
    ranked = sorted(chances, key=lambda name: (chances[name], name))
    found: dict[str, float] = {}
    largest = 0.0
    for place, name in enumerate(ranked):
        largest = max(largest, min(1.0, (len(ranked) - place) * chances[name]))
        found[name] = largest
    return found
