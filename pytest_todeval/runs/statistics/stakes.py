"""Bets on the mean of values from 0 to 1, by which a run may be asked after every goal.

Why they do no harm is told in `runs.statistics.sequential`.
"""

import math
from collections import Counter

EARLY = 0.025
"""How likely bets win so much that they show something that is not so."""
GAMES = 20
STEPS = 40
"""Of a bisection."""


class Stakes:
    """What bets have won that the mean of values from 0 to 1 is more than a bound.

    If the mean is the bound or less, the expected capital is never more than 1.
    """

    def __init__(self, bound: float, goals: int) -> None:
        """`goals`: how many there will be at most. Bets too small to win by then are not made."""
        self._bound = bound
        self._fractions = _fractions(bound, goals)
        self._games = [1.0] * len(self._fractions)
        self._seen: Counter[float] = Counter()

    def take(self, share: float) -> None:
        """The next value."""
        self._seen[share] += 1
        if self._bound > 0:
            gain = share / self._bound - 1
            pairs = zip(self._games, self._fractions, strict=True)
            self._games = [game * (1 + fraction * gain) for game, fraction in pairs]

    @property
    def capital(self) -> float:
        """Of 1 at the start; infinite if a bound of 0 was passed."""
        if self._bound <= 0:
            return math.inf if any(self._seen) else 1.0
        return math.fsum(self._games) / len(self._games) if self._games else 1.0

    @property
    def shown(self) -> float:
        """Returns the bound that the mean is shown to lie above, by the same bets: 0 if none."""
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._won(middle) else (low, middle)
        return low

    def _won(self, bound: float) -> bool:
        """Says whether the capital would be great enough, had the bound been this one."""
        gains = [(share / bound - 1, times) for share, times in self._seen.items()]
        logs = (
            math.fsum(times * math.log1p(fraction * gain) for gain, times in gains)
            for fraction in self._fractions
        )
        enough = math.log(len(self._fractions) / EARLY)
        games = [each - enough for each in logs]
        return max(games) >= 0 or math.fsum(map(math.exp, games)) >= 1


def _fractions(bound: float, goals: int) -> list[float]:
    """Of the most that can be bet: those that can win enough in so many goals, if well chosen."""
    every = [(place + 0.5) / GAMES for place in range(GAMES)]
    if not 0 < bound < 1:
        return every
    needed = -math.log(EARLY) / max(1, goals)
    return [each for each in every if _growth(each, bound) >= needed] or every[-1:]


def _growth(fraction: float, bound: float) -> float:
    """By how much the logarithm of the capital grows with a goal, if this bet is the best one."""
    rate = bound + (1 - bound) * fraction
    return rate * math.log(rate / bound) + (1 - rate) * math.log((1 - rate) / (1 - bound))
