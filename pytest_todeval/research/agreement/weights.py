"""How much two different grades agree: 1 for equal ones, down to 0 for the ends of the scale."""

from collections.abc import Callable, Sequence

from pytest_todeval.research.agreement.ratings import Grade

Weights = Sequence[Sequence[float]]
"""By two places on the scale."""


def equal(scale: Sequence[Grade]) -> Weights:
    """Returns only the same grade agrees."""
    return _by(scale, lambda distance: float(distance == 0))


def linear(scale: Sequence[Grade]) -> Weights:
    """Returns what two grades lack falls with their distance."""
    return _by(scale, lambda distance: 1 - distance)


def quadratic(scale: Sequence[Grade]) -> Weights:
    """Returns what two grades lack falls with the square of their distance."""
    return _by(scale, lambda distance: 1 - distance**2)


def ordinal(given: Sequence[float]) -> Weights:
    """Krippendorff's for ranks: what two grades lack rests on how often those between were given.

    `given`: how often each grade was, from the lowest.
    """
    lacks = [
        [
            (sum(given[min(one, other) : max(one, other) + 1]) - (given[one] + given[other]) / 2)
            ** 2
            if one != other
            else 0.0
            for other in range(len(given))
        ]
        for one in range(len(given))
    ]
    most = max(map(max, lacks)) or 1.0
    return [[1 - lack / most for lack in line] for line in lacks]


def _by(scale: Sequence[Grade], worth: Callable[[float], float]) -> Weights:
    """Distances are those of numbers; of labels, their places."""
    values = [grade for grade in scale if isinstance(grade, int | float)]
    if len(values) < len(scale):
        values = list(range(len(scale)))
    width = max(values) - min(values)
    return [[worth(abs(one - other) / width) for other in values] for one in values]
