"""How long something takes: the 50th and the 90th percentile (AutoEval-ToD, section 3.2).

The paper does not say which percentile it takes. Here it is the nearest rank, one of the values
measured, as in `dialogue.latency`: numpy calls it `inverted_cdf`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_todeval.core.latency import nearest_rank
from pytest_todeval.errors import UsageError


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Of so many values, in their unit."""

    count: int
    p50: float
    p90: float
    most: float


def percentiles(values: Sequence[float]) -> Percentiles:
    """The percentiles of the values, in any order. Raises UsageError without any."""
    if not values:
        raise UsageError("percentiles: got no numbers, expected at least one")
    ranked = sorted(values)
    p50, p90 = (nearest_rank(ranked, percent) for percent in (50, 90))
    return Percentiles(len(ranked), p50, p90, ranked[-1])
