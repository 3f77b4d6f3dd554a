"""What a number could as well have been: the bootstrap over clusters, and the permutation test."""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
LEAST_WITH_VALUE = 0.9
"""Of the resamples: with fewer, a number has no interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From where to where a number lies, with its level (0.95: in 95 of 100 such samples)."""

    low: float
    high: float
    level: float = 0.95

    def __str__(self) -> str:
        """As in `0.41 to 0.63`."""
        return f"{self.low:.2f} to {self.high:.2f}"


def bootstrap(
    clusters: Sequence[Mapping[T, int]],
    statistics: Callable[[Mapping[T, int]], Mapping[str, float | None]],
    *,
    number: int,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Returns the percentile interval of each number over samples that are drawn anew (Efron 1979).

    They are of the same size, drawn from clusters with putting back. `clusters`: by cluster, how
    often each thing is in it. `statistics`: numbers by name, of one sample; differences can be
    among them. None if a tenth of the samples give no value. Equal seeds draw equal samples.
    """
    kinds = Counter(tuple(cluster.items()) for cluster in clusters)
    values: dict[str, list[float]] = {}
    draw = random.Random(seed)
    for _ in range(number):
        drawn = draw.choices(range(len(kinds)), list(kinds.values()), k=len(clusters))
        for name, value in statistics(_sample(list(kinds), Counter(drawn))).items():
            found = values.setdefault(name, [])
            if value is not None:
                found.append(value)
    least, tail = max(1, LEAST_WITH_VALUE * number), (1 - level) / 2
    return {
        name: Interval(quantile(ranked, tail), quantile(ranked, 1 - tail), level)
        if len(ranked := sorted(found)) >= least
        else None
        for name, found in values.items()
    }


def _sample(
    kinds: Sequence[tuple[tuple[T, int], ...]], drawn: Mapping[int, int]
) -> Mapping[T, int]:
    sample: Counter[T] = Counter()
    for kind, times in sorted(drawn.items()):
        for thing, count in kinds[kind]:
            sample[thing] += times * count
    return sample


def quantile(ranked: Sequence[float], share: float) -> float:
    """The value below which `share` of the ranked values lie, between two of them if need be."""
    place = share * (len(ranked) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])


def every(
    statistics: Mapping[str, Callable[[Mapping[T, int]], float | None]],
) -> Callable[[Mapping[T, int]], Mapping[str, float | None]]:
    """Returns several statistics as one, each computed on the same sample."""
    return lambda sample: {name: statistic(sample) for name, statistic in statistics.items()}
