"""Agreement beyond chance: (observed - by chance) / (1 - by chance), for several ideas of chance.

Each takes the rows of `Ratings.rows` and weights over its scale. It is None if it has no value:
nothing was rated twice, or chance alone would agree always.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from operator import mul

from pytest_todeval.research.agreement.ratings import Row, Rows
from pytest_todeval.research.agreement.weights import Weights

Matrix = Sequence[Sequence[float]]
"""Counts by the grades of two raters."""


def observed(rows: Rows, weights: Weights) -> float | None:
    """The share of pairs of ratings of one item that agree, averaged over items rated twice."""
    total, items = 0.0, 0
    for row, times in rows.items():
        counts = _counts(row, len(weights))
        rated = sum(counts)
        if rated < 2:
            continue
        agreeing = math.fsum(
            count * (math.fsum(map(mul, counts, weights[grade])) - 1)
            for grade, count in enumerate(counts)
            if count
        )
        total += times * agreeing / (rated * (rated - 1))
        items += times
    return total / items if items else None


def gwet(rows: Rows, weights: Weights) -> float | None:
    """AC1, or AC2 with weights (Gwet 2008): chance is a random grade by a rater who is unsure.

    Between -1 and 1. The number of grades is that of the declared scale.
    """
    shares = _shares(rows, len(weights))
    size = len(weights)
    unsure = math.fsum(share * (1 - share) for share in shares)
    by_chance = math.fsum(map(math.fsum, weights)) * unsure / (size * (size - 1))
    return _beyond(observed(rows, weights), by_chance)


def randolph(rows: Rows, weights: Weights) -> float | None:
    """Randolph's free-marginal kappa (2005), which is Brennan and Prediger's (1981).

    Chance is a grade of the declared scale drawn at random.
    """
    by_chance = math.fsum(map(math.fsum, weights)) / len(weights) ** 2
    return _beyond(observed(rows, weights), by_chance)


def fleiss(rows: Rows, weights: Weights) -> float | None:
    """Fleiss' kappa (1971): chance draws from what all raters gave, taken together."""
    shares = _shares(rows, len(weights))
    return _beyond(observed(rows, weights), _drawn(shares, shares, weights))


def cohen(rows: Rows, weights: Weights) -> float | None:
    """Cohen's kappa (1960; weighted 1968): chance draws from what each of the two gave.

    Of more than two raters, the mean over pairs (Light 1971) that have a value.
    """
    raters = len(next(iter(rows), ()))
    found = [
        value
        for one, other in combinations(range(raters), 2)
        if (value := _kappa(table(rows, one, other, len(weights)), weights)) is not None
    ]
    return math.fsum(found) / len(found) if found else None


def krippendorff(rows: Rows, weights: Weights) -> float | None:
    """Krippendorff's alpha (2004), over items rated at least twice.

    Chance draws two of all ratings without putting the first one back. Equal weights make it
    nominal, quadratic ones that of an interval scale.
    """
    size = len(weights)
    totals = given(rows, size)
    agreeing = 0.0
    for row, times in rows.items():
        counts = _counts(row, size)
        rated = sum(counts)
        if rated < 2:
            continue
        for grade, count in enumerate(counts):
            same = math.fsum(map(mul, counts, weights[grade])) - 1
            agreeing += times * count * same / (rated - 1)
    ratings = math.fsum(totals)
    if ratings < 2:
        return None
    drawn = math.fsum(
        one * (math.fsum(map(mul, totals, weights[grade])) - 1) for grade, one in enumerate(totals)
    )
    return _beyond(agreeing / ratings, drawn / (ratings * (ratings - 1)))


def given(rows: Rows, size: int) -> list[float]:
    """Returns how often each grade was given, in items rated at least twice."""
    totals = [0.0] * size
    for row, times in rows.items():
        counts = _counts(row, size)
        if sum(counts) > 1:
            for grade, count in enumerate(counts):
                totals[grade] += times * count
    return totals


def table(rows: Rows, one: int, other: int, size: int) -> Matrix:
    """Returns how often two raters, by their places, gave which grades; items that both rated."""
    counts = [[0.0] * size for _ in range(size)]
    for row, times in rows.items():
        first, second = row[one], row[other]
        if first is not None and second is not None:
            counts[first][second] += times
    return counts


def _kappa(counts: Matrix, weights: Weights) -> float | None:
    total = math.fsum(map(math.fsum, counts))
    if not total:
        return None
    agreeing = math.fsum(
        count * weights[one][other]
        for one, line in enumerate(counts)
        for other, count in enumerate(line)
    )
    first = [math.fsum(line) / total for line in counts]
    second = [math.fsum(line) / total for line in zip(*counts, strict=True)]
    return _beyond(agreeing / total, _drawn(first, second, weights))


def _beyond(found: float | None, by_chance: float) -> float | None:
    if found is None or math.isclose(by_chance, 1, abs_tol=1e-12):
        return None
    return (found - by_chance) / (1 - by_chance)


def _drawn(one: Sequence[float], other: Sequence[float], weights: Weights) -> float:
    return math.fsum(
        share * math.fsum(map(mul, other, weights[grade])) for grade, share in enumerate(one)
    )


def _shares(rows: Rows, size: int) -> list[float]:
    """Of each grade, averaged over the items; an item rated once counts as well."""
    shares, items = [0.0] * size, 0
    for row, times in rows.items():
        counts = _counts(row, size)
        rated = sum(counts)
        for grade, count in enumerate(counts):
            shares[grade] += times * count / rated
        items += times
    return [share / items for share in shares] if items else shares


def _counts(row: Row, size: int) -> list[int]:
    return [row.count(grade) for grade in range(size)]
