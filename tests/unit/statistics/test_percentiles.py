"""P50 and P90, against the definition and against numpy."""

import random

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.statistics.percentiles import Percentiles, percentiles


def by_definition(values: list[float], percent: int) -> float:
    """The least value that at least so many of 100 do not exceed."""
    return min(v for v in values if 100 * sum(w <= v for w in values) >= percent * len(values))


def draws() -> list[list[float]]:
    chance = random.Random(3)
    return [
        [round(chance.uniform(0, 5), chance.choice((0, 3))) for _ in range(length)]
        for length in (1, 2, 3, 4, 5, 9, 10, 11, 19, 20, 99, 100, 101)
    ]


def test_they_are_the_nearest_rank() -> None:
    for values in draws():
        found = percentiles(values)
        assert found == Percentiles(
            len(values), by_definition(values, 50), by_definition(values, 90), max(values)
        )


def test_numpy_calls_them_inverted_cdf() -> None:
    numpy = pytest.importorskip("numpy")
    for values in draws():
        wanted = numpy.percentile(values, [50, 90], method="inverted_cdf")
        found = percentiles(values)
        assert [found.p50, found.p90] == wanted.tolist()


def test_no_value_has_no_percentile() -> None:
    with pytest.raises(UsageError, match="got no numbers"):
        percentiles([])
