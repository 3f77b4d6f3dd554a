"""Elo's ratings, as TD-Eval shows them: each game moves two ratings, so that the order matters."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_todeval.research.arena.games import Said

START = 1000.0
K = 32
SCALE = 400
ORDERS = 100


@dataclass(frozen=True, slots=True)
class EloSpread:
    """A bot's ratings over orders of the same games."""

    mean: float
    least: float
    most: float


def elo(games: Sequence[Said]) -> dict[str, float]:
    """Returns the ratings after these games, in this order; each bot starts at 1000, K is 32."""
    ratings: dict[str, float] = {}
    for said in games:
        one, other = (ratings.setdefault(bot, START) for bot in (said.winner, said.loser))
        expected = 1 / (1 + 10 ** ((other - one) / SCALE))
        moved = K * ((0.5 if said.tie else 1) - expected)
        ratings[said.winner] += moved
        ratings[said.loser] -= moved
    return ratings


def elo_spread(
    games: Sequence[Said], *, orders: int = ORDERS, seed: int = 0
) -> dict[str, EloSpread]:
    """Returns each bot's ratings over random orders of the games."""
    shuffle = random.Random(seed)
    drawn = sorted(games)
    found: dict[str, list[float]] = {}
    for _ in range(orders):
        shuffle.shuffle(drawn)
        for bot, rating in elo(drawn).items():
            found.setdefault(bot, []).append(rating)
    return {
        bot: EloSpread(sum(each) / len(each), min(each), max(each))
        for bot, each in sorted(found.items())
    }
