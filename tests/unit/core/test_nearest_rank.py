"""P50 and P90, against the definition and against numpy."""

import random

import pytest

from pytest_todeval.core.latency import nearest_rank


def by_definition(values: list[float], percent: int) -> float:
    """The least value that at least so many of 100 do not exceed."""
    return min(v for v in values if 100 * sum(w <= v for w in values) >= percent * len(values))


def draws() -> list[list[float]]:
    chance = random.Random(3)
    return [
        sorted(round(chance.uniform(0, 5), chance.choice((0, 3))) for _ in range(length))
        for length in (1, 2, 3, 4, 5, 9, 10, 11, 19, 20, 99, 100, 101)
    ]


def test_they_are_the_nearest_rank() -> None:
    for values in draws():
        for percent in (50, 90):
            assert nearest_rank(values, percent) == by_definition(values, percent)


def test_numpy_calls_them_inverted_cdf() -> None:
    numpy = pytest.importorskip("numpy")
    for values in draws():
        wanted = numpy.percentile(values, [50, 90], method="inverted_cdf")
        assert [nearest_rank(values, 50), nearest_rank(values, 90)] == wanted.tolist()
