"""Runs that stop when they are decided: fair bets, no gain by looking, no hold on the order."""

import math
import random
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.statistics.level import level_of
from pytest_todeval.runs.statistics.paired import difference_of, together
from pytest_todeval.runs.statistics.sequential import (
    AT_THE_END,
    SequentialChanges,
    SequentialLevel,
    seen_together,
)
from pytest_todeval.runs.statistics.stakes import EARLY, Stakes

SHARES = st.lists(st.sampled_from((0.0, 0.25, 0.5, 1.0)), max_size=25)


def capital(shares: tuple[float, ...], bound: float, goals: int = 20) -> float:
    stakes = Stakes(bound, goals)
    for share in shares:
        stakes.take(share)
    return stakes.capital


# The bets are fair.


@pytest.mark.parametrize("bound", [0.1, 0.5, 0.85])
@pytest.mark.parametrize("goals", [1, 20, 200])
def test_nobody_can_expect_to_win_if_the_mean_is_the_bound(bound: float, goals: int) -> None:
    expected = math.fsum(
        math.prod(bound if hit else 1 - bound for hit in run) * capital(run, bound, goals)
        for run in product((0.0, 1.0), repeat=8)
    )
    assert expected == pytest.approx(1)


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.5), (0.2, 0.6, 0.2), (0.35, 0.5, 0.15)])
def test_nor_with_values_in_between_and_a_mean_below(chances: tuple[float, ...]) -> None:
    values = dict(zip((0.0, 0.5, 1.0), chances, strict=True))
    mean = sum(value * chance for value, chance in values.items())
    expected = math.fsum(
        math.prod(values[each] for each in run) * capital(run, 0.5)
        for run in product(values, repeat=6)
    )
    assert expected == pytest.approx(1) if mean == 0.5 else expected < 1


def test_nobody_can_expect_to_win_on_differences_if_nothing_changed() -> None:
    """Flips are as likely in one direction as in the other: the goals themselves may differ."""
    flips = (0.1, 0.5, 0.0, 0.3, 0.9)
    expected = 0.0
    for run in product((-1, 0, 1), repeat=len(flips)):
        chance = math.prod(
            flip / 2 if change else 1 - flip for flip, change in zip(flips, run, strict=True)
        )
        expected += chance * capital(tuple(0.5 - change / 2 for change in run), 0.5)
    assert expected == pytest.approx(1)


def test_of_goals_that_passed_by_luck_the_same_bets_are_unfair() -> None:
    """Why the order may not look at the baseline: of two equal runs the second looks worse."""
    expected = 0.0
    for before, now in product(product((0, 1), repeat=4), repeat=2):
        passed = [place for place, each in enumerate(before) if each]
        run = tuple(0.5 - (now[place] - 1) / 2 for place in passed)
        expected += capital(run, 0.5) / 4**4
    assert expected > 1.5


def finding(hits: int, played: int, bound: float, goals: int) -> bool | None:
    """Of a run in which that many passed and nothing was found before: the order has no part."""
    values = [1.0] * hits + [0.0] * (played - hits)
    above, below = Stakes(bound, goals), Stakes(1 - bound, goals)
    for value in values:
        above.take(value)
        below.take(1 - value)
    if above.capital >= 1 / EARLY or below.capital >= 1 / EARLY:
        return above.capital > below.capital
    confidence = 1 - 2 * AT_THE_END
    end = level_of(values, confidence=confidence) if played == goals else None
    return None if end is None else end.reaches(">=", bound)


def chances_of(rate: float, bound: float, goals: int) -> dict[bool | None, float]:
    """How likely a run passes or fails a gate or leaves it open, over all runs of so many goals."""
    found: dict[bool | None, float] = {True: 0.0, False: 0.0, None: 0.0}
    open_ones = {0: 1.0}
    for played in range(1, goals + 1):
        after: dict[int, float] = {}
        for hits, chance in open_ones.items():
            after[hits] = after.get(hits, 0.0) + chance * (1 - rate)
            after[hits + 1] = after.get(hits + 1, 0.0) + chance * rate
        told = {hits: finding(hits, played, bound, goals) for hits in after}
        open_ones = {hits: after[hits] for hits in after if told[hits] is None}
        for hits in after.keys() - open_ones.keys():
            found[told[hits]] += after[hits]
    found[None] = sum(open_ones.values())
    return found


@pytest.mark.parametrize("bound", [0.5, 0.8])
def test_a_gate_errs_in_one_run_of_twenty_at_most(bound: float) -> None:
    at_the_bound, far_below = (chances_of(rate, bound, 30) for rate in (bound, bound - 0.4))
    for wrong in (True, False):
        assert 0 < at_the_bound[wrong] <= EARLY + AT_THE_END
    assert far_below[False] > 0.9
    assert far_below[True] < 1e-4


# Order, ends, scales.


@given(SHARES, st.sampled_from((0.3, 0.5, 0.9)), st.randoms(use_true_random=False))
def test_the_order_of_what_was_seen_makes_no_difference(
    shares: list[float], bound: float, draw: random.Random
) -> None:
    mixed = draw.sample(shares, len(shares))
    assert capital(tuple(mixed), bound) == pytest.approx(capital(tuple(shares), bound))


@given(SHARES.filter(bool), st.sampled_from((0.3, 0.5, 0.9)))
def test_a_better_value_never_lowers_the_capital(shares: list[float], bound: float) -> None:
    better = (*shares[:-1], 1.0)
    assert capital(better, bound) >= capital(tuple(shares), bound) * (1 - 1e-9)


@given(SHARES, st.sampled_from((0.3, 0.5, 0.9)))
def test_what_is_shown_is_the_bound_that_the_capital_decides_on(
    shares: list[float], bound: float
) -> None:
    stakes = Stakes(bound, 40)
    for share in shares:
        stakes.take(share)
    assert (stakes.capital >= 1 / EARLY) == (stakes.shown >= bound) or math.isclose(
        stakes.capital, 1 / EARLY
    )


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.sampled_from((">=", "<=", ">", "<")))
def test_the_interval_and_the_finding_agree(hits: list[bool], sign: str) -> None:
    gate = SequentialLevel(sign, 0.7, goals=60)
    for hit in hits:
        gate.take(float(hit))
    ends = gate.level.interval
    assert gate.level.reaches(sign, 0.7) is gate.reached
    assert ends.low <= gate.level.mean <= ends.high


@given(st.lists(st.booleans(), min_size=3, max_size=40))
def test_scores_of_any_scale_are_as_shares_of_it(hits: list[bool]) -> None:
    one = SequentialLevel(">=", 0.5, goals=40)
    other = SequentialLevel(">=", 3, goals=40, scale=(1, 5))
    for hit in hits:
        one.take(float(hit))
        other.take(5.0 if hit else 1.0)
    assert (one.reached, one.goals) == (other.reached, other.goals)
    assert other.level.mean == pytest.approx(1 + 4 * one.level.mean)


def test_a_finding_stays_and_what_comes_after_it_does_not_count() -> None:
    gate = SequentialLevel(">=", 0.5, goals=100)
    for _ in range(20):
        gate.take(1.0)
    decided = gate.goals
    assert gate.reached is True
    assert decided < 20
    for _ in range(80):
        gate.take(0.0)
    gate.end()
    assert (gate.reached, gate.goals) == (True, decided)


def test_of_at_most_and_of_at_least() -> None:
    for sign, reached in ((">=", False), ("<=", True), ("<", True), (">", False)):
        gate = SequentialLevel(sign, 0.5, goals=20)
        for _ in range(20):
            gate.take(0.0)
        assert gate.reached is reached


def test_what_is_open_at_the_end_is_tested_as_a_run_of_fixed_size_at_half_the_error() -> None:
    values = [0.0] + [1.0] * 19
    gate = SequentialLevel(">=", 0.75, goals=20)
    for value in values:
        gate.take(value)
    assert gate.reached is None
    gate.end()
    fixed = level_of(values, confidence=1 - 2 * AT_THE_END)
    assert gate.reached is fixed.reaches(">=", 0.75)
    assert gate.level.interval.low == fixed.interval.low > 0.75


@pytest.mark.parametrize("sign", [">=", ">"])
def test_bounds_at_the_ends_of_the_scale(sign: str) -> None:
    one = SequentialLevel(sign, 1.0, goals=9)
    zero = SequentialLevel(sign, 0.0, goals=9)
    for gate in (one, zero):
        gate.take(1.0)
    assert (one.reached, zero.reached) == (None, True)
    one.take(0.5)
    assert one.reached is False  # a mean over all goals cannot be 1 if one goal is below


def test_no_value_has_no_level() -> None:
    gate = SequentialLevel(">=", 0.5, goals=9)
    for told in (gate.end, lambda: gate.level):
        with pytest.raises(UsageError, match="got no values"):
            told()


# Several values of two runs.


def changes(*names: str, goals: int = 100) -> SequentialChanges:
    return SequentialChanges(dict.fromkeys(names, 1.0), goals=goals, margin=0.05)


def test_a_bot_that_breaks_is_found_out_early() -> None:
    found = changes("passed", "booking")
    for _ in range(100):
        found.take({"passed": -1.0, "booking": 0.0})
    assert found.decided
    assert found.findings == {"passed": "worse", "booking": None}
    assert found.goals < 12
    assert found.interval("passed").high < 0


def test_one_that_never_flips_is_shown_to_be_no_worse() -> None:
    found = changes("passed")
    for _ in range(100):
        found.take({"passed": 0.0})
    assert found.findings == {"passed": "no worse"}
    assert 70 < found.goals < 100
    assert found.interval("passed").low >= -0.05


def test_goals_to_come_are_idle_once_they_would_hardly_find_a_value_worse() -> None:
    """Not if it goes down."""
    steady, worse = changes("passed"), changes("passed")
    told = []
    for goal in range(100):
        steady.take({"passed": 0.0})
        worse.take({"passed": -1.0 * (goal % 8 == 0)})
        told.append(steady.idle)
        assert worse.decided or not worse.idle
    assert told.index(True) in range(30, 60)
    assert steady.findings == {"passed": "no worse"}
    assert worse.findings == {"passed": "worse"}


def test_before_the_test_after_the_last_goal_nothing_is_idle() -> None:
    found = changes("passed", goals=20)
    for goal in range(20):
        found.take({"passed": 0.0})
        assert not found.idle or goal < 19
    assert not found.decided


def test_nothing_is_idle_of_which_nothing_was_seen() -> None:
    found = changes("passed", "rare", goals=100)
    for _ in range(60):
        found.take({"passed": 0.0})
    assert not found.idle


def test_values_that_fall_together_help_one_another() -> None:
    capitals = {"passed": 60.0, "booking": 50.0, "politeness": 1.0}
    assert seen_together(capitals) == {
        "passed": pytest.approx(61 / 2),
        "booking": pytest.approx(51 / 2),
        "politeness": 1.0,
    }
    assert seen_together({"passed": 60.0, "booking": 50.0}) == {"passed": 55.0, "booking": 50.0}


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=5))
def test_together_is_the_least_mean_over_all_groups(capitals: list[float]) -> None:
    named = {str(place): each for place, each in enumerate(capitals)}
    found = seen_together(named)
    for name in named:
        groups = (
            [other for other, chosen in zip(named, bits, strict=True) if chosen]
            for bits in product((0, 1), repeat=len(named))
        )
        means = [
            sum(named[each] for each in group) / len(group) for group in groups if name in group
        ]
        assert found[name] == pytest.approx(min(means))


@given(
    st.lists(
        st.tuples(*[st.one_of(st.none(), st.sampled_from((-1.0, -0.5, 0.0, 1.0)))] * 2),
        min_size=1,
        max_size=12,
    )
)
def test_at_the_end_values_are_tested_as_ever_at_half_the_error(
    run: list[tuple[float | None, float | None]],
) -> None:
    found = changes("one", "other", goals=len(run))
    for row in run:
        found.take({n: d for n, d in zip(("one", "other"), row, strict=True) if d is not None})
    if found.decided:
        return
    taken = {
        name: {str(at): (0.0, d) for at, row in enumerate(run) if (d := row[place]) is not None}
        for place, name in enumerate(("one", "other"))
    }
    pairs = {name: each for name, each in taken.items() if each}
    found.end(pairs)
    fixed = {name: difference_of(each) for name, each in pairs.items()}
    chances = together(
        {name: each.worse for name, each in fixed.items()},
        {n: {goal: now - was for goal, (was, now) in each.items()} for n, each in pairs.items()},
    )
    for name, chance in chances.items():
        if found.findings[name] == "worse":
            assert chance <= AT_THE_END


def test_at_the_end_chance_and_interval_are_those_of_a_run_of_fixed_size() -> None:
    """So few goals that nothing is found before; `booking` falls clearly, `passed` a little."""
    found = changes("booking", "passed", goals=8)
    rows = [(-1.0, -0.5), (-1.0, 0.0), (-1.0, 0.0), (-1.0, 0.25), (-1.0, 0.0), (-1.0, 0.0)]
    for booking, passed in rows:
        found.take({"booking": booking, "passed": passed})
    assert found.findings == {"booking": None, "passed": None}
    pairs = {
        name: {str(at): (0.0, row[place]) for at, row in enumerate(rows)}
        for place, name in enumerate(("booking", "passed"))
    }
    found.end(pairs)

    level = 1 - 2 * AT_THE_END
    fixed = {name: difference_of(each, level=level) for name, each in pairs.items()}
    chances = together(
        {name: each.worse for name, each in fixed.items()},
        {n: {goal: now - was for goal, (was, now) in each.items()} for n, each in pairs.items()},
    )
    for name, each in fixed.items():
        assert found.chance(name) == pytest.approx(min(1, 2 * chances[name]))
        assert found.interval(name).low == each.interval.low
        assert found.interval(name).high == each.interval.high
    assert found.chance("booking") < 0.1 < found.chance("passed")


def test_every_order_of_a_few_goals_comes_to_the_same_capital() -> None:
    run = (-1.0, -1.0, 0.5, 0.0)
    ends = set()
    for order in permutations(run):
        found = changes("passed", goals=4)
        for difference in order:
            found.take({"passed": difference})
        ends.add(str(found.interval("passed")))
    assert len(ends) == 1
