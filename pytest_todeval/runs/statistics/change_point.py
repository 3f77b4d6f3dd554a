"""Where a series of numbers changed its level: optimal partitioning (Jackson et al. 2005).

Of all ways to cut the series into levels, the one with the least sum of squares is taken, each
cut costing what noise alone would seldom earn. The noise is measured between neighbours, so that
the changes themselves do not count as noise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

LEAST = 3
"""Numbers on each level."""
PRICE = 5.0
"""Of a cut: so many variances of the noise for each logarithm of the length. Of 100 series without
a change, at most 5 of 6 numbers each have one, 3 of 25, and 1 of 100."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """From this number on, the level is another."""

    place: int
    """0-based: the first number of the new level."""
    before: float
    after: float
    """The means of the two levels."""


def change_points(values: Sequence[float], goals: Sequence[int] = ()) -> list[ChangePoint]:
    """All changes of level, in their order. `goals`: of how many goals each number is the mean.

    A number that hardly ever moves has as much noise as one goal of them all is worth.
    """
    if not values:
        return []
    noise = max(_variance(values), _least(len(values), goals))
    edges = _edges(values, PRICE * noise * math.log(len(values)))
    means = [math.fsum(values[low:high]) / (high - low) for low, high in pairwise(edges)]
    return [
        ChangePoint(edge, means[number], means[number + 1])
        for number, edge in enumerate(edges[1:-1])
    ]


def _least(runs: int, goals: Sequence[int]) -> float:
    """Returns the variance of a mean over so many goals of which one, in all the runs, came out
    otherwise; without their number, of a hundred.
    """
    several = math.fsum(goals) / len(goals) if goals else 100.0
    return 1 / (several**2 * runs)


def _variance(values: Sequence[float]) -> float:
    """Of the noise: half the mean square of neighbours' differences, without the largest few."""
    squares = sorted((other - one) ** 2 for one, other in pairwise(values))
    kept = squares[: math.ceil(0.95 * len(squares))]
    return math.fsum(kept) / (2 * len(kept)) if kept else 0.0


def _edges(values: Sequence[float], price: float) -> list[int]:
    """Returns where the levels of the cheapest cutting begin, and the end."""
    sums = [0.0, *accumulate(values)]
    squares = [0.0, *accumulate(value**2 for value in values)]
    cheapest, before = [-price], [0]
    for end in range(1, len(values) + 1):
        best = (math.inf, 0)
        for start in range(end - LEAST + 1):
            if start in range(1, LEAST):
                continue
            total = sums[end] - sums[start]
            spread = squares[end] - squares[start] - total**2 / (end - start)
            best = min(best, (cheapest[start] + spread + price, start))
        cheapest.append(best[0])
        before.append(best[1])
    edges = [len(values)]
    while edges[0]:
        edges.insert(0, before[edges[0]])
    return edges
