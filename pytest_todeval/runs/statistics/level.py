"""Whether a value reaches a bound: known from some goals, so that it passes, fails or is open."""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.statistics.mean_interval import mean_interval
from pytest_todeval.runs.statistics.more_goals import first_goals, stretched
from pytest_todeval.runs.statistics.resampling import Interval

CONFIDENCE = 0.9
"""Of the interval: each of its ends is passed by chance in one of twenty runs."""
LONG = 2000
"""Goals, above which the exact interval takes long, and differs from the other by little."""
STEPS = 50
"""Of a bisection: to the last digits."""


@dataclass(frozen=True, slots=True)
class Level:
    """A mean over goals, with its interval."""

    goals: int
    mean: float
    interval: Interval

    def reaches(self, sign: str, bound: float) -> bool | None:
        """Whether the mean of all goals that could be played is `sign` (`>=`, `<`, ...) `bound`.

        None if the interval holds the bound, so that these goals do not decide it.
        """
        low, high = self.interval.low, self.interval.high
        if sign in (">=", ">"):
            return True if low >= bound else False if high < bound else None
        return True if high <= bound else False if low > bound else None


def level_of(
    values: Sequence[float],
    scale: tuple[float, float] = (0.0, 1.0),
    *,
    confidence: float = CONFIDENCE,
) -> Level:
    """Of one value for each goal: the mean over its trials. Raises UsageError without any.

    If each is at an end of the scale, such as a verdict's, the interval is exact (Clopper and
    Pearson 1934), and errs no more often than it says. Else it is that of `mean_interval`. So ten
    goals that all passed do not show a rate of 1.
    """
    if not values:
        raise UsageError("level: got no values")
    low, high = scale
    width = high - low
    shares = [(value - low) / width for value in values]
    if len(shares) <= LONG and all(share in (0, 1) for share in shares):
        ends = _exact(round(math.fsum(shares)), len(shares), confidence)
    else:
        ends = mean_interval(shares, confidence)
    mean = low + width * math.fsum(shares) / len(shares)
    interval = Interval(low + width * ends[0], low + width * ends[1], confidence)
    return Level(len(shares), mean, interval)


def goals_to_decide(
    values: Sequence[float], sign: str, bound: float, scale: tuple[float, float] = (0.0, 1.0)
) -> int | None:
    """How many goals would decide if their mean reaches a bound, if more come out as these did.

    None if it takes too many, such as of a mean that is the bound.
    """

    def decided(goals: int) -> bool:
        return level_of(stretched(values, goals), scale).reaches(sign, bound) is not None

    return first_goals(decided, len(values))


def reachable(goals: int, sign: str, bound: float, scale: tuple[float, float]) -> bool:
    """Says whether so many goals could show a mean to reach a bound: if each is at its best."""
    best = scale[1] if sign in (">=", ">") else scale[0]
    return level_of([best] * goals, scale).reaches(sign, bound) is True


def goals_to_reach(sign: str, bound: float, scale: tuple[float, float]) -> int | None:
    """Returns the least number of goals that could; None if it takes more than a thousand."""
    return next((n for n in range(1, 1001) if reachable(n, sign, bound, scale)), None)


def _exact(hits: int, tries: int, confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _where(lambda rate: _at_least(hits, tries, rate) - tail)
    if hits == tries:
        return low, 1.0
    return low, _where(lambda rate: _at_least(hits + 1, tries, rate) - (1 - tail))


def _where(rising: Callable[[float], float]) -> float:
    """Returns where a rising function of a rate is 0."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def _at_least(hits: int, tries: int, rate: float) -> float:
    """Returns how likely so many hits or more are."""
    hit, miss = math.log(rate), math.log1p(-rate)
    whole = math.lgamma(tries + 1)
    return math.fsum(
        math.exp(
            whole
            - math.lgamma(each + 1)
            - math.lgamma(tries - each + 1)
            + each * hit
            + (tries - each) * miss
        )
        for each in range(hits, tries + 1)
    )


def chances(goals: int, bound: float) -> list[tuple[float, float, float]]:
    """How likely a gate `>= bound` on a verdict passes and fails, by the true rate of a bot.

    A row for each percent: the rate, how likely so many goals pass it, and how likely they fail it.
    """
    passes = _least(goals, lambda hits: _told(hits, goals, bound) is True)
    no_failure = _least(goals, lambda hits: _told(hits, goals, bound) is not False)
    rates = [percent / 100 for percent in range(1, 100)]
    return [
        (rate, _at_least(passes, goals, rate), 1 - _at_least(no_failure, goals, rate))
        for rate in rates
    ]


def _told(hits: int, goals: int, bound: float) -> bool | None:
    return level_of([1.0] * hits + [0.0] * (goals - hits)).reaches(">=", bound)


def _least(goals: int, holds: Callable[[int], bool]) -> int:
    """Returns the fewest hits with which it holds, which it then does with all more."""
    return bisect_left(range(goals + 1), True, key=holds)
