"""How far one rater, such as a judge, follows another whom one believes, such as a person.

Each takes the table of counts that `coefficients.table` makes: rows are the grades of the one that
is believed, columns those of the other. It is None if it has no value.
"""

import math
from collections.abc import Callable, Sequence
from operator import mul

from pytest_todeval.research.agreement.coefficients import Matrix


def f1(counts: Matrix) -> float | None:
    """F1 of each grade that either of the two gave, averaged (macro F1)."""
    believed, other = _sums(counts), _sums(_turned(counts))
    found = [
        2 * counts[grade][grade] / (one + two)
        for grade, (one, two) in enumerate(zip(believed, other, strict=True))
        if one + two
    ]
    return math.fsum(found) / len(found) if found else None


def matthews(counts: Matrix) -> float | None:
    """Matthews' correlation coefficient, of several grades (Gorodkin 2004): -1 to 1.

    None if one of the two gave one grade only.
    """
    total = _total(counts)
    believed, other = _sums(counts), _sums(_turned(counts))
    hits = math.fsum(line[grade] for grade, line in enumerate(counts))
    together = math.fsum(map(mul, believed, other))
    spread = (total**2 - math.fsum(map(mul, other, other))) * (
        total**2 - math.fsum(map(mul, believed, believed))
    )
    return (hits * total - together) / math.sqrt(spread) if spread > 0 else None


def spearman(counts: Matrix) -> float | None:
    """Spearman's rank correlation, equal grades sharing their ranks: -1 to 1.

    None if one of the two gave one grade only.
    """
    total = _total(counts)
    if not total:
        return None
    one, other = _ranks(_sums(counts)), _ranks(_sums(_turned(counts)))
    middle = (total + 1) / 2

    def moment(of: Callable[[int, int], float]) -> float:
        return math.fsum(
            count * of(row, column)
            for row, line in enumerate(counts)
            for column, count in enumerate(line)
        )

    spread = moment(lambda row, _: (one[row] - middle) ** 2) * moment(
        lambda _, column: (other[column] - middle) ** 2
    )
    together = moment(lambda row, column: (one[row] - middle) * (other[column] - middle))
    return together / math.sqrt(spread) if spread > 0 else None


def kendall(counts: Matrix) -> float | None:
    """Kendall's tau-b: pairs of items in the same order less those in the other, ties apart.

    -1 to 1; None if one of the two gave one grade only.
    """
    size = len(counts)
    total = _total(counts)
    above = 0.0
    for row in range(size):
        for column in range(size):
            same = math.fsum(math.fsum(line[column + 1 :]) for line in counts[row + 1 :])
            contrary = math.fsum(math.fsum(line[:column]) for line in counts[row + 1 :])
            above += counts[row][column] * (same - contrary)
    pairs = total * (total - 1) / 2
    untied = [
        pairs - math.fsum(one * (one - 1) / 2 for one in sums)
        for sums in (_sums(counts), _sums(_turned(counts)))
    ]
    return above / math.sqrt(untied[0] * untied[1]) if min(untied) > 0 else None


def _ranks(sums: Sequence[float]) -> list[float]:
    """Returns the mean rank of each grade, from how often it was given."""
    ranks, below = [], 0.0
    for count in sums:
        ranks.append(below + (count + 1) / 2)
        below += count
    return ranks


def _total(counts: Matrix) -> float:
    return math.fsum(_sums(counts))


def _sums(counts: Matrix) -> list[float]:
    return [math.fsum(line) for line in counts]


def _turned(counts: Matrix) -> Matrix:
    return list(zip(*counts, strict=True))
