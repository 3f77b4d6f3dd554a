"""In which interval the mean of all values lies, known from some: empirical likelihood (Owen 1988).

It holds every mean that the values, weighed otherwise, could have with a likelihood ratio that is
not too small. Each bound adds one pseudo-value at its end of the scale, because rare values may not
have been seen (the adjustment of Chen, Variyath and Abraham 2008, with the bound as the point
added). So it allows for skewed values, such as the means of trials that nearly always pass, where
an interval of equal arms errs two or three times as often as it says. Nothing is drawn.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import NormalDist

STEPS = 60
"""Of a bisection: to the last digit."""
Counts = Sequence[tuple[float, int]]


def mean_interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """Of values from 0 to 1; their own mean is in it. There has to be one at least."""
    values = [min(max(each, 0.0), 1.0) for each in values]  # of means that were rounded
    value = math.fsum(values) / len(values)
    deviance = NormalDist().inv_cdf((1 + confidence) / 2) ** 2  # the quantile of chi squared
    low = 1 - _upper([1 - each for each in values], deviance)
    return min(max(low, 0.0), value), max(min(_upper(values, deviance), 1.0), value)


def chance_of_a_mean(values: Sequence[float], bound: float) -> float:
    """How likely values from 0 to 1 have so low a mean, if that of all is `bound`: one-sided.

    It is at most 0.05 if an interval of 90 % ends below the bound.
    """
    counts = _with_one(values)
    if _tilted(counts, 0.0)[0] >= bound:
        return 1.0
    _, deviance = _first(counts, lambda mean, _: mean >= bound)
    return NormalDist().cdf(-math.sqrt(deviance))


def _upper(values: Sequence[float], deviance: float) -> float:
    """Returns the greatest mean at which twice the log of the likelihood ratio is `deviance`."""
    if min(values) == 1:
        return 1.0  # whatever the weights
    return _first(_with_one(values), lambda _, found: found >= deviance)[0]


def _with_one(values: Sequence[float]) -> Counts:
    return sorted(Counter([*values, 1.0]).items())


def _first(counts: Counts, enough: Callable[[float, float], bool]) -> tuple[float, float]:
    """Returns the mean and the deviance of the least tilt at which they are enough.

    The likeliest weights for a mean are as 1 / (1 - tilt x), so only the tilt is to be found. It is
    sought as -log(1 - tilt), in which it stays exact if nearly all weight is on 1.
    """
    near, far = 0.0, 1.0
    while not enough(*_tilted(counts, far)):
        near, far = far, 2 * far
    for _ in range(STEPS):
        middle = (near + far) / 2
        if enough(*_tilted(counts, middle)):
            far = middle
        else:
            near = middle
    return _tilted(counts, far)


def _tilted(counts: Counts, log_tilt: float) -> tuple[float, float]:
    """Mean and deviance of the points, each as often as counted, under tilted weights."""
    rest = math.exp(-log_tilt)
    odds = [(x, count, 1 / (1 - x + rest * x)) for x, count in counts]
    points = sum(count for _, count in counts)
    whole = math.fsum(count * odd for _, count, odd in odds)
    mean = math.fsum(count * odd * x for x, count, odd in odds) / whole
    logs = math.fsum(count * math.log(points * odd / whole) for _, count, odd in odds)
    return mean, max(0.0, -2 * logs)
