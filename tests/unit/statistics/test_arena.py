"""Strengths from games: known ones are recovered, the published order comes out."""

import math
import random
from collections import Counter
from itertools import combinations

import pytest

from pytest_todeval.research.arena.bradley_terry import SCALE, strengths
from pytest_todeval.research.arena.elo import elo_spread
from pytest_todeval.research.arena.games import Said, records
from pytest_todeval.research.arena.standings import standings

TRUE = {"a": 1080.0, "b": 1020.0, "c": 980.0, "d": 920.0}


def played(draw: random.Random, tie: float, one: str, other: str) -> Said:
    first, second = (math.exp((TRUE[bot] - 1000) / SCALE) for bot in (one, other))
    level = tie * math.sqrt(first * second)
    place = draw.random() * (first + second + level)
    if place < level:
        return Said(one, other, tie=True)
    return Said(one, other) if place < level + first else Said(other, one)


def season(seed: int, goals: int, tie: float = 0.4) -> dict[str, Counter[Said]]:
    draw = random.Random(seed)
    return {
        str(goal): Counter(played(draw, tie, *pair) for pair in combinations(TRUE, 2))
        for goal in range(goals)
    }


def together(by_goal: dict[str, Counter[Said]]) -> Counter[Said]:
    return sum(by_goal.values(), Counter())


def test_known_strengths_are_recovered() -> None:
    found = strengths(together(season(1, 4000)))

    assert found.ratings == pytest.approx(TRUE, abs=10)
    assert found.tie == pytest.approx(0.4, abs=0.03)
    first, second = math.exp(80 / SCALE), math.exp(-80 / SCALE)
    level = 0.4 * math.sqrt(first * second)
    expected = (first + level / 2) / (first + second + level)
    assert found.wins("a", "d") == pytest.approx(expected, abs=0.01)
    assert found.wins("a", "d") + found.wins("d", "a") == pytest.approx(1)


def test_the_fit_is_where_expected_points_equal_those_won() -> None:
    games = Counter({Said("a", "b"): 30, Said("b", "a"): 10, Said("a", "b", tie=True): 8})

    found = strengths(games)

    # 34 of 48 points, but for half a win and half a loss against a mean bot
    assert found.wins("a", "b") == pytest.approx(34 / 48, abs=0.01)


@pytest.mark.thorough
def test_intervals_cover_at_their_level() -> None:
    runs = [standings(season(seed, 60), samples=100, seed=seed) for seed in range(15)]

    covered = [
        each.interval.low <= TRUE[each.bot] <= each.interval.high
        for run in runs
        for each in run.bots
        if each.interval is not None
    ]

    assert len(covered) == 60
    # 95 % of 60 are 57; bots of one run are not independent
    assert sum(covered) >= 52


def test_a_bot_that_never_lost_has_a_strength_and_nobody_none() -> None:
    found = strengths({Said("a", "b"): 5})

    assert 1000 < found.ratings["a"] < 2000
    assert found.ratings["a"] + found.ratings["b"] == pytest.approx(2000)
    assert strengths({}).ratings == {}


def test_bots_that_were_always_level_are_equal() -> None:
    found = strengths({Said("a", "b", tie=True): 7})

    assert found.ratings == pytest.approx({"a": 1000, "b": 1000})
    assert found.tie > 2
    assert found.wins("a", "b") == 0.5


PUBLISHED = {
    "one": (1237, 216, 35),
    "two": (861, 581, 46),
    "three": (743, 707, 38),
    "four": (708, 718, 62),
    "five": (659, 785, 44),
    "six": (591, 840, 57),
    "seven": (265, 1217, 6),
}
"""Wins, losses and ties of seven models after 248 games of each two (TD-Eval, table 4)."""


def table_with_these_totals() -> Counter[Said]:
    """Pairs of which only the totals are published: any table with them has the same fit."""
    ties = {name: each[2] for name, each in PUBLISHED.items()}
    wins = {name: each[0] for name, each in PUBLISHED.items()}
    share = {pair: ties[pair[0]] * ties[pair[1]] / 288 for pair in combinations(PUBLISHED, 2)}
    for _ in range(3000):
        for name in PUBLISHED:
            of = [pair for pair in share if name in pair]
            factor = ties[name] / sum(share[pair] for pair in of)
            share |= {pair: share[pair] * factor for pair in of}
    worth = dict.fromkeys(PUBLISHED, 1.0)
    for _ in range(3000):
        for name in PUBLISHED:
            met = sum(
                (248 - share[one, other]) / (worth[one] + worth[other])
                for one, other in share
                if name in (one, other)
            )
            worth[name] = wins[name] / met
    table: Counter[Said] = Counter()
    for (one, other), level in share.items():
        for winner, loser in ((one, other), (other, one)):
            won = (248 - level) * worth[winner] / (worth[one] + worth[other])
            table[Said(winner, loser)] = won  # type: ignore[assignment]
        table[Said(one, other, tie=True)] = level  # type: ignore[assignment]
    return table


def test_the_published_counts_give_the_published_order() -> None:
    table = table_with_these_totals()
    assert {
        bot: tuple(round(each) for each in (found.wins, found.losses, found.ties))
        for bot, found in records(table).items()
    } == PUBLISHED

    found = strengths(table)

    assert sorted(found.ratings, key=found.ratings.__getitem__, reverse=True) == list(PUBLISHED)
    for bot, (won, _, level) in PUBLISHED.items():
        points = sum(found.wins(bot, other) for other in PUBLISHED if other != bot) * 248
        assert points == pytest.approx(won + level / 2, abs=1)


def test_elo_hangs_on_the_order_and_bradley_terry_does_not() -> None:
    games = list(together(season(2, 50)).elements())
    spread = elo_spread(games, orders=30)

    assert spread["a"].most - spread["a"].least > 20
    assert spread["a"].least <= spread["a"].mean <= spread["a"].most
    assert strengths(Counter(games)) == strengths(Counter(reversed(games)))


def test_standings_say_which_places_are_open() -> None:
    close = {str(goal): Counter([Said("a", "b"), Said("b", "a")]) for goal in range(20)}
    clear = {str(goal): Counter([Said("a", "b")] * 2) for goal in range(20)}

    assert [each.place for each in standings(close, samples=50).bots] == [(1, 2), (1, 2)]
    found = standings(clear, samples=50)
    assert [(each.bot, each.place) for each in found.bots] == [("a", (1, 1)), ("b", (2, 2))]
    assert (found.goals, found.games) == (20, 40)
    assert found.bots[0].record.wins == 40
