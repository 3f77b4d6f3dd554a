"""Two runs over the same goals: exact chances, intervals, and how often they err."""

import random
from math import comb
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.errors import UsageError
from pytest_todeval.statistics.paired import (
    PairedDifference,
    difference_of,
    holm,
    sign_flip,
)


def flips(broke: int, mended: int, same: int) -> PairedDifference:
    pairs = [(1.0, 0.0)] * broke + [(0.0, 1.0)] * mended + [(1.0, 1.0)] * same
    return difference_of({str(number): pair for number, pair in enumerate(pairs)})


def test_of_single_trials_it_is_mcnemars_exact_test() -> None:
    found = flips(broke=9, mended=2, same=40)

    expected = sum(comb(11, each) for each in range(9, 12)) / 2**11
    assert found.worse == pytest.approx(expected)
    assert found.better == pytest.approx(sum(comb(11, each) for each in range(2, 12)) / 2**11)
    assert found.mean == pytest.approx(-7 / 51)


def test_every_choice_of_signs_of_a_few_goals() -> None:
    # of 8 choices of signs, 3 + 2 + 1 = 6 and 3 + 2 - 1 = 4 are at least 4
    assert sign_flip([3, 2, -1]) == 2 / 8
    assert sign_flip([]) == sign_flip([0, 0]) == 1
    assert sign_flip([0.1 + 0.2, -0.3]) == 3 / 4
    assert sign_flip([1 / 3] * 560 + [-1 / 3] * 440) == pytest.approx(
        sum(comb(1000, heads) for heads in range(560, 1001)) / 2**1000
    )


def test_signs_of_trials_are_all_tried_and_of_many_goals_sampled() -> None:
    draw = random.Random(1)
    sizes = [draw.choice([0.25, 0.5, 0.75, 1]) * draw.choice([1, -1]) for _ in range(14)]
    many = [draw.gauss(0.1, 1) for _ in range(400)]

    def exact(values: list[float]) -> float:
        total = sum(values) - 1e-12
        signs = range(2 ** len(values))
        sums = (
            sum(abs(v) * (1 if s >> n & 1 else -1) for n, v in enumerate(values)) for s in signs
        )
        return float(sum(each >= total for each in sums) / 2 ** len(values))

    assert sign_flip(sizes) == pytest.approx(exact(sizes))
    normal = 1 - NormalDist(0, sum(each**2 for each in many) ** 0.5).cdf(sum(many))
    assert sign_flip(many) == pytest.approx(normal, abs=0.02)


def test_a_run_of_few_goals_in_which_nothing_flipped_is_not_sure() -> None:
    few, many = flips(0, 0, 10), flips(0, 0, 1000)

    assert (few.worse, few.mean) == (1, 0)
    assert few.interval.low < -0.1
    assert -0.005 < many.interval.low < 0
    assert few.detectable > many.detectable


def test_a_loss_that_is_said_to_be_found_is_found_four_times_of_five() -> None:
    same, needed = flips(0, 0, 60), None
    for broken in range(61):  # each goal breaks, or not, and nothing else flips
        if flips(broken, 0, 60 - broken).worse <= 0.05:
            needed = broken
            break

    assert needed == 5
    loss = same.detectable
    found = sum(comb(60, n) * loss**n * (1 - loss) ** (60 - n) for n in range(needed, 61))
    assert 0.75 <= found <= 0.9


def test_goals_that_are_needed() -> None:
    found = flips(broke=6, mended=4, same=90)

    needed = found.goals_needed(0.05)

    assert needed is not None
    assert needed > 100
    again = flips(broke=6 * needed // 100, mended=4 * needed // 100, same=90 * needed // 100)
    assert again.interval.low == pytest.approx(-0.05, abs=0.005)
    assert flips(5, 0, 95).goals_needed(0.05) is None


def test_no_goals_have_no_difference() -> None:
    with pytest.raises(UsageError, match="no goals that are in both runs"):
        difference_of({})


def test_holm() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == {
        "a": pytest.approx(0.03),
        "c": pytest.approx(0.06),
        "b": pytest.approx(0.06),
    }
    assert holm({}) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=6))
def test_corrected_chances_are_no_smaller_and_keep_their_order(chances: dict[str, float]) -> None:
    found = holm(chances)

    assert all(chances[name] <= found[name] <= 1 for name in chances)
    ranked = sorted(chances, key=chances.__getitem__)
    assert [found[name] for name in ranked] == sorted(found.values())


@given(
    st.lists(st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 0.5, 1])), min_size=1),
    st.booleans(),
)
def test_runs_turned_round(pairs: list[tuple[float, float]], same: bool) -> None:
    found = difference_of({str(n): p for n, p in enumerate(pairs)}, same_trials=same)
    turned = difference_of({str(n): (b, a) for n, (a, b) in enumerate(pairs)}, same_trials=same)

    assert turned.mean == pytest.approx(-found.mean)
    assert turned.worse == pytest.approx(found.better, abs=0.03)
    assert turned.interval.low == pytest.approx(-found.interval.high)
    assert found.interval.low <= found.mean <= found.interval.high or len(pairs) < 5


def run_of(draw: random.Random, goals: int, trials: int, loss: float) -> PairedDifference:
    """Goals that pass nine times of ten or once; the second run passes less often by `loss`."""
    values = {}
    for goal in range(goals):
        likely = 0.9 if draw.random() < 0.7 else 0.1
        now = max(0.0, likely - loss)
        values[str(goal)] = (
            sum(draw.random() < likely for _ in range(trials)) / trials,
            sum(draw.random() < now for _ in range(trials)) / trials,
        )
    return difference_of(values)


@pytest.mark.parametrize(
    ("trials", "runs"), [(1, 300), pytest.param(3, 100, marks=pytest.mark.thorough)]
)
def test_alarms_where_nothing_changed_are_as_rare_as_said(trials: int, runs: int) -> None:
    draw = random.Random(trials)
    found = [run_of(draw, 60, trials, 0) for _ in range(runs)]

    # one in twenty is to be expected at most; the rest is three standard errors
    most = 0.05 * runs + 3 * (0.05 * 0.95 * runs) ** 0.5
    assert sum(each.worse <= 0.05 for each in found) <= most
    assert sum(each.interval.low > 0 for each in found) <= most


def share(draw: random.Random, likely: float, trials: int) -> float:
    return sum(draw.random() < likely for _ in range(trials)) / trials


@pytest.mark.parametrize(("before", "now"), [(1, 4), (4, 1)])
def test_a_run_of_fewer_trials_raises_no_alarms(before: int, now: int) -> None:
    draw = random.Random(before)
    likely = 0.95 if before < now else 0.05
    found = [
        difference_of(
            {str(g): (share(draw, likely, before), share(draw, likely, now)) for g in range(20)},
            same_trials=False,
        )
        for _ in range(200)
    ]

    # 10 of 200 are to be expected at most; random signs give 24
    assert sum(each.worse <= 0.05 for each in found) <= 10
    assert all((each.worse <= 0.05) == (each.interval.high < 0) for each in found)


@pytest.mark.parametrize("goals", [33, 50, 100])
def test_a_steady_bot_is_not_said_to_be_no_worse_too_soon(goals: int) -> None:
    wrong = sum(
        comb(goals, broke) * 0.05**broke * 0.95 ** (goals - broke)
        for broke in range(goals)
        if flips(broke, 0, goals - broke).interval.low >= -0.05
    )

    assert wrong <= 0.05
    assert flips(0, 0, 80).interval.low >= -0.05


def test_a_loss_of_twenty_points_is_found_in_200_goals() -> None:
    draw = random.Random(5)

    assert sum(run_of(draw, 200, 1, 0.2).worse <= 0.05 for _ in range(20)) >= 18
