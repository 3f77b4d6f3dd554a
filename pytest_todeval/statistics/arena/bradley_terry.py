"""Strengths of bots from their games, whatever the games' order: Bradley and Terry 1952.

Ties are modelled after Davidson 1970: of two bots of strengths p and q, the first wins with
p / (p + q + v sqrt(pq)), and the two are level with v sqrt(pq) over the same sum. The fit is the
fixed point of Hunter 2004, "MM algorithms for generalized Bradley-Terry models".
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from pytest_todeval.statistics.arena.games import Games

__all__ = ["Strengths", "strengths"]

PRIOR = 0.5
"""Wins, and as many losses, of each bot against one of mean strength that plays nobody else: so a
bot that never lost has a strength, too."""
ROUNDS = 10_000
CLOSE = 1e-8
SCALE = 400 / math.log(10)
MEAN = 1000.0


@dataclass(frozen=True, slots=True)
class Strengths:
    """What each bot is worth."""

    ratings: dict[str, float]
    """On Elo's scale: 400 more are odds of ten to one, their mean is 1000."""
    tie: float
    """Davidson's v: of two equal bots, the odds of a tie to a win of one of them."""

    def wins(self, one: str, other: str) -> float:
        """How likely the first is preferred to the second, ties counting half."""
        odds = math.exp((self.ratings[one] - self.ratings[other]) / SCALE / 2)
        return (odds + self.tie / 2) / (odds + 1 / odds + self.tie)


def strengths(games: Games) -> Strengths:
    """The most likely strengths of those that played."""
    met: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    points: defaultdict[str, float] = defaultdict(float)
    ties = 0.0
    for said, times in sorted(games.items()):
        met[said.winner][said.loser] += times
        met[said.loser][said.winner] += times
        points[said.winner] += times if said.tie else 2 * times
        points[said.loser] += times if said.tie else 0
        ties += times if said.tie else 0
    worth = dict.fromkeys(sorted(met), 1.0)
    tie = 1.0 if ties else 0.0
    for _ in range(ROUNDS):
        fitted = {
            bot: (points[bot] + 2 * PRIOR) / _shares(bot, met[bot], worth, tie) for bot in worth
        }
        mean = math.exp(math.fsum(map(math.log, fitted.values())) / len(fitted)) if fitted else 1
        fitted = {bot: each / mean for bot, each in fitted.items()}
        moved = max((abs(math.log(fitted[bot] / worth[bot])) for bot in worth), default=0)
        worth = fitted
        if ties:
            before, tie = tie, ties / _level(met, worth, tie)
            moved = max(moved, abs(math.log(tie / before)))
        if moved < CLOSE:
            break
    return Strengths({bot: MEAN + SCALE * math.log(each) for bot, each in worth.items()}, tie)


def _shares(
    bot: str, others: defaultdict[str, float], worth: dict[str, float], tie: float
) -> float:
    own = worth[bot]
    return 2 * PRIOR * 2 / (own + 1) + math.fsum(
        times
        * (2 + tie * math.sqrt(worth[other] / own))
        / (own + worth[other] + tie * math.sqrt(own * worth[other]))
        for other, times in others.items()
    )


def _level(
    met: defaultdict[str, defaultdict[str, float]], worth: dict[str, float], tie: float
) -> float:
    """How many ties there would be for each unit of v."""
    return math.fsum(
        times
        * math.sqrt(worth[bot] * worth[other])
        / (worth[bot] + worth[other] + tie * math.sqrt(worth[bot] * worth[other]))
        for bot, others in met.items()
        for other, times in others.items()
        if bot < other
    )
