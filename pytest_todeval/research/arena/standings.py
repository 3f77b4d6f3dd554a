"""The table of an arena: each bot's strength with its interval, its games, and Elo beside it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_todeval.research.arena.bradley_terry import Strengths, deviations, strengths
from pytest_todeval.research.arena.elo import EloSpread, elo_spread
from pytest_todeval.research.arena.games import Games, Outings, Said, records
from pytest_todeval.runs.statistics.resampling import Interval, bootstrap

SAMPLES = 500
NORMAL = 1.96
"""Standard deviations that an interval of 95 % reaches to either side."""


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
    groups: tuple[tuple[str, ...], ...] = ()
    """The bots that met, directly or by others; with several, no place is known."""


def standings(by_goal: Mapping[str, Games], *, samples: int = SAMPLES, seed: int = 0) -> Standings:
    """Returns the standings after the games over these goals; the bootstrap draws goals."""
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
    intervals = {
        bot: _widened(intervals.get(bot), fitted.ratings[bot], sd)
        for bot, sd in deviations(games, len(by_goal)).items()
    }
    met = _islands(games)
    spread = elo_spread(list(games.elements()), seed=seed)
    ranked = sorted(fitted.ratings, key=lambda bot: (-fitted.ratings[bot], bot))
    kept = records(games)
    bots = tuple(
        RankedBot(
            bot,
            fitted.ratings[bot],
            intervals.get(bot),
            (1, len(ranked)) if len(met) > 1 else _place(bot, intervals),
            kept[bot],
            spread[bot],
        )
        for bot in ranked
    )
    return Standings(bots, fitted, len(by_goal), sum(games.values()), met)


def _widened(drawn: Interval | None, rating: float, deviation: float) -> Interval:
    """As wide as the likelihood asks: goals drawn anew show no other winner than those played."""
    low, high = rating - NORMAL * deviation, rating + NORMAL * deviation
    if drawn is None:
        return Interval(low, high)
    return Interval(min(low, drawn.low), max(high, drawn.high), drawn.level)


def _islands(games: Mapping[Said, int]) -> tuple[tuple[str, ...], ...]:
    """Bots that met, directly or by others: ratings of different groups cannot be compared."""
    groups: list[set[str]] = []
    for said in games:
        both = {said.winner, said.loser}
        apart = [group for group in groups if not group & both]
        groups = [*apart, both.union(*(group for group in groups if group & both))]
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _place(bot: str, intervals: Mapping[str, Interval | None]) -> tuple[int, int]:
    own = intervals.get(bot)
    others = [each for name, each in intervals.items() if name != bot]
    if own is None:
        return 1, len(others) + 1
    above = sum(each is not None and each.low > own.high for each in others)
    below = sum(each is not None and each.high < own.low for each in others)
    return 1 + above, 1 + len(others) - below
