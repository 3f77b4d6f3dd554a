"""The table of an arena: each bot's strength with its interval, its games, and Elo beside it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_todeval.statistics.arena.bradley_terry import Strengths, strengths
from pytest_todeval.statistics.arena.elo import EloSpread, elo_spread
from pytest_todeval.statistics.arena.games import Games, Outings, Said, records
from pytest_todeval.statistics.resampling import Interval, bootstrap

SAMPLES = 500


@dataclass(frozen=True, slots=True)
class RankedBot:
    """One bot."""

    bot: str
    rating: float
    """Bradley and Terry's, on Elo's scale; the mean of all bots is 1000."""
    interval: Interval | None
    place: tuple[int, int]
    """From the best to the worst place that the interval leaves it: 1 is the first."""
    record: Outings
    elo: EloSpread


@dataclass(frozen=True, slots=True)
class Standings:
    """All bots, the best one first."""

    bots: tuple[RankedBot, ...]
    strengths: Strengths
    goals: int
    games: int


def standings(by_goal: Mapping[str, Games], *, samples: int = SAMPLES, seed: int = 0) -> Standings:
    """The standings after the games over these goals; the bootstrap draws goals."""
    games: Counter[Said] = Counter()
    for found in by_goal.values():
        games.update(found)
    fitted = strengths(games)
    intervals = bootstrap(
        list(by_goal.values()),
        lambda sample: {**strengths(sample).ratings},
        number=samples,
        seed=seed,
    )
    spread = elo_spread(list(games.elements()), seed=seed)
    ranked = sorted(fitted.ratings, key=lambda bot: (-fitted.ratings[bot], bot))
    kept = records(games)
    bots = tuple(
        RankedBot(
            bot,
            fitted.ratings[bot],
            intervals.get(bot),
            _place(bot, intervals),
            kept[bot],
            spread[bot],
        )
        for bot in ranked
    )
    return Standings(bots, fitted, len(by_goal), sum(games.values()))


def _place(bot: str, intervals: Mapping[str, Interval | None]) -> tuple[int, int]:
    own = intervals.get(bot)
    others = [each for name, each in intervals.items() if name != bot]
    if own is None:
        return 1, len(others) + 1
    above = sum(each is not None and each.low > own.high for each in others)
    below = sum(each is not None and each.high < own.low for each in others)
    return 1 + above, 1 + len(others) - below
