"""How many goals would decide what these do not, if more of them came out as these did."""

from collections.abc import Callable, Sequence

MOST = 100
"""Times the goals of the run: nobody plays more."""


def stretched(values: Sequence[float], goals: int) -> list[float]:
    """So many values of which each is as frequent as among these."""
    ranked = sorted(values)
    return [ranked[(2 * place + 1) * len(ranked) // (2 * goals)] for place in range(goals)]


def first_goals(decided: Callable[[int], bool], goals: int) -> int | None:
    """Returns the least number of goals above `goals` that decides; None if it takes too many."""
    low, high = goals, goals + 1
    while not decided(high):
        low, high = high, 2 * high
        if high > MOST * goals:
            return None
    while high - low > 1 + low // 50:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high
