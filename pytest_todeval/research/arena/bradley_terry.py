"""Strengths of bots from their games, whatever the games' order: Bradley and Terry 1952.

Ties are modelled after Davidson 1970: of two bots of strengths p and q, the first wins with
p / (p + q + v sqrt(pq)), and the two are level with v sqrt(pq) over the same sum. The logarithm
of the likelihood is concave in the logarithms of strengths and v, so Newton's steps find its top.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_todeval.research.arena.games import Games

PRIOR = 0.5
"""Wins, and as many losses, of each bot against one of mean strength that plays nobody else; if
there are ties, as many games of equal bots that are level and that are not. So bots that never
lost, or were always level, have a strength, too."""
ROUNDS = 50
CLOSE = 1e-9
LONGEST_STEP = 1.0
SCALE = 400 / math.log(10)
MEAN = 1000.0

Pairs = Mapping[tuple[int, int], list[float]]
"""By two bots: how often the first won, the second won, and they were level."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """What each bot is worth."""

    ratings: dict[str, float]
    """On Elo's scale: 400 more are odds of ten to one, their mean is 1000."""
    tie: float
    """Davidson's v: of two equal bots, the odds of a tie to a win of one of them."""

    def wins(self, one: str, other: str) -> float:
        """Returns how likely the first is preferred to the second, ties counting half."""
        odds = math.exp((self.ratings[one] - self.ratings[other]) / SCALE / 2)
        return (odds + self.tie / 2) / (odds + 1 / odds + self.tie)


def strengths(games: Games) -> Strengths:
    """Returns the most likely strengths of those that played."""
    bots, worth, ties, _ = _fitted(games)
    logs = worth[: len(bots)]
    mean = math.fsum(logs) / len(logs) if logs else 0.0
    ratings = {bot: MEAN + SCALE * (log - mean) for bot, log in zip(bots, logs, strict=True)}
    return Strengths(ratings, math.exp(worth[-1]) if ties else 0.0)


def deviations(games: Games, goals: int) -> dict[str, float]:
    """Of each rating, its standard deviation by how steep the likelihood is at its top.

    So it is great after few games, whoever won them. `goals`: over how many the games were: several
    games over one goal count as one.
    """
    bots, worth, _, pairs = _fitted(games)
    share = min(1.0, goals / max(1, sum(games.values())))
    fewer = {pair: [share * each for each in seen] for pair, seen in pairs.items()}
    _, bend = _slope_and_bend(fewer, worth, len(bots))
    found = {}
    for place, bot in enumerate(bots):
        contrast = [-1 / len(bots)] * len(bots) + [0.0] * (len(worth) - len(bots))
        contrast[place] += 1
        solved = _solved(contrast, bend)
        found[bot] = SCALE * math.sqrt(
            math.fsum(a * b for a, b in zip(contrast, solved, strict=True))
        )
    return found


def _fitted(games: Games) -> tuple[list[str], list[float], bool, Pairs]:
    """The bots, the logarithms of their strengths and, if there are ties, of Davidson's v."""
    bots = sorted({bot for said in games for bot in (said.winner, said.loser)})
    place = {bot: number for number, bot in enumerate(bots)}
    pairs: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for said, times in sorted(games.items()):
        one, other = place[said.winner], place[said.loser]
        pair = pairs[min(one, other), max(one, other)]
        pair[2 if said.tie else int(one > other)] += times
    ties = sum(pair[2] for pair in pairs.values()) > 0
    worth = [0.0] * (len(bots) + ties)
    for _ in range(ROUNDS if bots else 0):
        step = _solved(*_slope_and_bend(pairs, worth, len(bots)))
        longest = max(map(abs, step))
        shortened = min(1.0, LONGEST_STEP / longest) if longest else 1.0
        worth = [each + shortened * moved for each, moved in zip(worth, step, strict=True)]
        if longest < CLOSE:
            break
    return bots, worth, ties, pairs


def _slope_and_bend(
    pairs: Pairs, worth: list[float], bots: int
) -> tuple[list[float], list[list[float]]]:
    """Returns the likelihood's gradient, and its second derivatives with the sign turned."""
    size = len(worth)
    slope = [0.0] * size
    bend = [[0.0] * size for _ in range(size)]
    for bot in range(bots):
        won = 1 / (1 + math.exp(-worth[bot]))
        slope[bot] += PRIOR - 2 * PRIOR * won
        bend[bot][bot] += 2 * PRIOR * won * (1 - won)
    if size > bots:
        level = 1 - 2 / (2 + math.exp(worth[-1]))
        slope[-1] += PRIOR - 2 * PRIOR * level
        bend[-1][-1] += 2 * PRIOR * level * (1 - level)
    for (one, other), seen in pairs.items():
        # what each outcome adds to the exponent, by the places in `worth`
        outcomes = [{one: 1.0}, {other: 1.0}, {one: 0.5, other: 0.5, size - 1: 1.0}]
        if size == bots:
            outcomes.pop()
        weights = [
            math.exp(sum(part * worth[at] for at, part in each.items()) - max(worth[:bots]))
            for each in outcomes
        ]
        shares = [weight / sum(weights) for weight in weights]
        games = sum(seen)
        touched = sorted({at for each in outcomes for at in each})
        expected = {
            at: sum(share * each.get(at, 0.0) for share, each in zip(shares, outcomes, strict=True))
            for at in touched
        }
        for at in touched:
            slope[at] += sum(
                times * each.get(at, 0.0) for times, each in zip(seen, outcomes, strict=False)
            )
            slope[at] -= games * expected[at]
            for by in touched:
                both = sum(
                    share * each.get(at, 0.0) * each.get(by, 0.0)
                    for share, each in zip(shares, outcomes, strict=True)
                )
                bend[at][by] += games * (both - expected[at] * expected[by])
    return slope, bend


def _solved(right: list[float], left: list[list[float]]) -> list[float]:
    """Returns the solution of a system of linear equations whose matrix is positive definite."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(left, right, strict=True)]
    for at in range(size):
        for below in range(at + 1, size):
            share = rows[below][at] / rows[at][at]
            for column in range(at, size + 1):
                rows[below][column] -= share * rows[at][column]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(rows[at][column] * found[column] for column in range(at + 1, size))
        found[at] = (rows[at][size] - rest) / rows[at][at]
    return found
