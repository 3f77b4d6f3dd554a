"""Two runs over the same goals, goal by goal: is the difference more than chance?

Each goal counts once: its value in a run is the mean over its trials, so that trials of one goal,
which are not independent, make no difference look surer than it is.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.statistics.mean_interval import chance_of_a_mean, mean_interval
from pytest_todeval.runs.statistics.more_goals import first_goals, stretched
from pytest_todeval.runs.statistics.resampling import Interval

Finding = Literal["worse", "better", "no worse", "undecided", "open"]
"""Of one value: `worse`: more than chance, and maybe by what matters; `no worse`: not by as much as
matters; `undecided`: the goals do not tell; `open`: nor did those of a run that ended before its
last goal."""

LEVEL = 0.9
"""Of the interval: its lower end is passed by chance in one of twenty runs."""
POWER = 0.8
SAMPLES = 10_000
DRAWS = 4_000
SMALL = 1e-6
"""Less than this of a value is its own: it is a copy of others."""
MOST = 200_000
"""Sums of signed differences that are added up: a tenth of a second."""
DIGITS = 9
"""Differences that are alike in so many are of one size."""


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


def difference_of(
    values: Mapping[str, tuple[float, float]],
    *,
    span: float = 1.0,
    level: float = LEVEL,
    same_trials: bool = True,
) -> PairedDifference:
    """Of values by goal, in the first run and in the second.

    `span`: the width of the values' scale. `level`: of the interval. `same_trials`: whether each
    goal has as many trials in both. If not, chance makes a few great differences of the one sign
    and many small ones of the other: random signs would err, and the chance is the interval's.
    Raises UsageError without any goal.

    The interval is that of `mean_interval`. So a run of few goals in which nothing flipped does not
    look sure.
    """
    if not values:
        raise UsageError("difference: got no goals that are in both runs")
    differences = [second - first for _, (first, second) in sorted(values.items())]
    goals, total = len(differences), math.fsum(differences)
    shares = [(1 + each / span) / 2 for each in differences]
    low, high = (span * (2 * end - 1) for end in mean_interval(shares, level))
    if same_trials:
        worse, better = sign_flip([-each for each in differences]), sign_flip(differences)
    else:
        worse = chance_of_a_mean(shares, 0.5)
        better = chance_of_a_mean([1 - each for each in shares], 0.5)
    return PairedDifference(
        goals,
        total / goals,
        Interval(low, high, level),
        worse,
        better,
        span * _detectable([each / span for each in differences], level),
    )


def _detectable(differences: Sequence[float], level: float) -> float:
    """Returns the loss that a normal test would find with POWER, if it breaks some goals entirely.

    Such a loss adds to the spread, most of all if nothing flips otherwise. Two goals more, one that
    flipped and one that did not, are counted, so that a few alike do not look as if none ever did.
    """
    goals = len(differences) + 2
    mean = math.fsum(differences) / goals
    spread = (1 + math.fsum(each**2 for each in differences)) / goals - mean**2
    reach = NormalDist().inv_cdf(0.5 + level / 2) + NormalDist().inv_cdf(POWER)
    size = goals + reach**2
    return min(1.0, reach * (reach + math.sqrt(reach**2 + 4 * size * spread)) / (2 * size))


def finding_of(difference: PairedDifference, chance: float, least: float, error: float) -> Finding:
    """Returns what a difference shows: `chance` is that of being worse, corrected for other values.

    `least`: the smallest loss that matters, in units of the value. `error`: how often a finding may
    be wrong; the interval's level goes with it.
    """
    better = difference.better <= error
    if difference.interval.low >= -least:
        return "better" if better else "no worse"
    if chance <= error:
        return "worse"
    return "better" if better else "undecided"


def goals_to_decide(
    differences: Sequence[float], *, span: float, least: float, times: float = 1.0
) -> int | None:
    """How many goals would show it worse, or no worse by what matters, if more are as these.

    `least`: the smallest loss that matters. `times`: how much larger a p-value is made for there
    being other values. None if it takes too many.
    """

    def decided(goals: int) -> bool:
        some = stretched(differences, goals)
        low, _ = mean_interval([(1 + each / span) / 2 for each in some], LEVEL)
        return span * (2 * low - 1) >= -least or times * _as_low(some) <= (1 - LEVEL) / 2

    return first_goals(decided, len(differences))


def _as_low(differences: Sequence[float]) -> float:
    """How likely random signs give as low a sum; of many sizes nearly so, which takes no time."""
    if len({abs(each) for each in differences if each}) < 2:
        return sign_flip([-each for each in differences])
    spread = math.sqrt(math.fsum(each**2 for each in differences))
    return NormalDist().cdf(math.fsum(differences) / spread)


def fact_of(difference: PairedDifference, least: float) -> Finding:
    """What a difference is where nothing is left to chance, and no goal but these is asked of."""
    if difference.mean < -least:
        return "worse"
    return "better" if difference.mean > 0 else "no worse"


def sign_flip(differences: Sequence[float], *, seed: int = 0) -> float:
    """Returns how likely differences of random signs have as great a sum: one-sided.

    Of differences that are all of one size it is McNemar's exact test (1947): a binomial tail. Of
    others it is exact up to MOST sums, as of trials; else signs are drawn.
    """
    rounded = [round(each, DIGITS) for each in differences if round(each, DIGITS)]
    sizes = Counter(map(abs, rounded))
    total = math.fsum(rounded) - 10**-DIGITS / 2
    if (exact := _exactly(sizes, total)) is not None:
        return exact
    draw = random.Random(seed)
    as_great = 0
    for _ in range(SAMPLES):
        found = sum(
            size * (2 * draw.getrandbits(count).bit_count() - count)
            for size, count in sizes.items()
        )
        as_great += found >= total
    return (1 + as_great) / (1 + SAMPLES)


def _exactly(sizes: Mapping[float, int], total: float) -> float | None:
    """By the distribution of the sum, size after size; None if it takes too many sums."""
    sums, added = {0.0: 1.0}, 0
    for size, count in sorted(sizes.items()):
        added += len(sums) * (count + 1)
        if added > MOST:
            return None
        steps = [
            (size * (2 * plus - count), math.comb(count, plus) / 2**count)
            for plus in range(count + 1)
        ]
        after: defaultdict[float, float] = defaultdict(float)
        for found, likely in sums.items():
            for step, chance in steps:
                after[round(found + step, DIGITS)] += likely * chance
        sums = after
    return min(1.0, math.fsum(likely for found, likely in sums.items() if found >= total))


def together(
    chances: Mapping[str, float], differences: Mapping[str, Mapping[str, float]], *, seed: int = 0
) -> dict[str, float]:
    """Returns each p-value, made larger for there being several: the least of them, step by step.

    `differences`: by name and goal, those that the p-values are of. Under random signs of the goals
    values that differ in the same goals look worse together (Westfall and Young 1993, section 2):
    so copies of a value cost nothing, and values that have nothing to do with each other as much as
    with Holm's correction (1979), above which it never goes. How the values hang together is that
    of normal ones with the correlations of the differences; none looks worse than if all the goals
    in which it differs had one sign.
    """
    copies: dict[tuple[float, tuple[tuple[str, float], ...]], list[str]] = {}
    for name in sorted(chances, key=lambda name: (chances[name], name)):
        key = chances[name], tuple(sorted(differences[name].items()))
        copies.setdefault(key, []).append(name)
    ranked = [names[0] for names in copies.values()]
    roots = _roots([differences[name] for name in ranked])
    floors = [0.5 ** sum(map(bool, differences[name].values())) for name in ranked]
    normal, draw = NormalDist(), random.Random(seed)
    least: list[list[float]] = []  # of each draw, the least p-value from each name on
    for _ in range(DRAWS if len(ranked) > 1 else 0):
        drawn = [draw.gauss(0, 1) for _ in ranked]
        lowest, found = 1.0, []
        for root, floor in zip(reversed(roots), reversed(floors), strict=True):
            z = math.fsum(part * each for part, each in zip(root, drawn, strict=False))
            lowest = min(lowest, max(floor, normal.cdf(z)))
            found.append(lowest)
        least.append(found[::-1])
    corrected: dict[str, float] = {}
    largest = 0.0
    for place, names in enumerate(copies.values()):
        own = chances[names[0]]
        most = min(1.0, (len(ranked) - place) * own)
        seen = sum(each[place] <= own for each in least) / DRAWS if least else own
        largest = max(largest, min(most, max(own, seen)))
        corrected |= dict.fromkeys(names, largest)
    return corrected


def _roots(differences: Sequence[Mapping[str, float]]) -> list[list[float]]:
    """Rows of a triangular root of the correlations of differences under random signs (Cholesky).

    Of values that do not differ the row is that of a value by itself.
    """
    sizes = [math.sqrt(math.fsum(each**2 for each in values.values())) for values in differences]
    roots: list[list[float]] = []
    for place, (values, size) in enumerate(zip(differences, sizes, strict=True)):
        row: list[float] = []
        for other in range(place):
            both = values.keys() & differences[other].keys()
            shared = math.fsum(values[goal] * differences[other][goal] for goal in both)
            scale = size * sizes[other]
            known = math.fsum(a * b for a, b in zip(row, roots[other], strict=False))
            rest = (shared / scale if scale else 0.0) - known
            own = roots[other][other]
            row.append(rest / own if own > SMALL else 0.0)
        row.append(math.sqrt(max(0.0, 1 - math.fsum(each**2 for each in row))))
        roots.append(row)
    return roots
