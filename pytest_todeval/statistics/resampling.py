"""What a number could as well have been: the bootstrap over clusters, and the permutation test."""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

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

    def goals_needed(self, bound: float, mean: float, goals: int) -> int | None:
        """How many goals would leave `bound` outside, if the mean of these holds."""
        distance = abs(mean - bound)
        reach = mean - self.low if mean > bound else self.high - mean
        return math.ceil(goals * (reach / distance) ** 2) if distance else None


class Resamples(Generic[T]):
    """Samples of the same size drawn from clusters with putting back (Efron 1979).

    `clusters`: by cluster, how often each thing is in it. Equal seeds draw equal samples.
    """

    def __init__(self, clusters: Sequence[Mapping[T, int]], *, number: int, seed: int = 0) -> None:
        kinds: Counter[tuple[tuple[T, int], ...]] = Counter(
            tuple(cluster.items()) for cluster in clusters
        )
        self._kinds, self._weights = list(kinds), list(kinds.values())
        self._size, self._number, self._seed = len(clusters), number, seed

    def intervals(
        self,
        statistics: Callable[[Mapping[T, int]], Mapping[str, float | None]],
        level: float = 0.95,
    ) -> dict[str, Interval | None]:
        """The percentile interval of each number; None if a tenth of the samples give no value.

        `statistics`: numbers by name, of one sample; differences can be among them.
        """
        values: dict[str, list[float]] = {}
        draw = random.Random(self._seed)
        for _ in range(self._number):
            for name, value in statistics(self._sample(draw)).items():
                found = values.setdefault(name, [])
                if value is not None:
                    found.append(value)
        return {name: self._interval(sorted(found), level) for name, found in values.items()}

    def _sample(self, draw: random.Random) -> Mapping[T, int]:
        sample: Counter[T] = Counter()
        drawn = Counter(draw.choices(range(len(self._kinds)), self._weights, k=self._size))
        for kind, times in sorted(drawn.items()):
            for thing, count in self._kinds[kind]:
                sample[thing] += times * count
        return sample

    def _interval(self, ranked: Sequence[float], level: float) -> Interval | None:
        if len(ranked) < LEAST_WITH_VALUE * self._number or not ranked:
            return None
        tail = (1 - level) / 2
        return Interval(quantile(ranked, tail), quantile(ranked, 1 - tail), level)


def quantile(ranked: Sequence[float], share: float) -> float:
    """The value below which `share` of the ranked values lie, between two of them if need be."""
    place = share * (len(ranked) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])


def every(
    statistics: Mapping[str, Callable[[Mapping[T, int]], float | None]],
) -> Callable[[Mapping[T, int]], Mapping[str, float | None]]:
    """Several statistics as one, each computed on the same sample."""
    return lambda sample: {name: statistic(sample) for name, statistic in statistics.items()}
