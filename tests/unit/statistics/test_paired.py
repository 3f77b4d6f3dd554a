"""Two runs over the same goals: exact chances, intervals, and how often they err."""

import math
import random
from math import comb
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.statistics.more_goals import stretched
from pytest_todeval.runs.statistics.paired import (
    PairedDifference,
    difference_of,
    finding_of,
    goals_to_decide,
    sign_flip,
    together,
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


@pytest.mark.parametrize(
    ("broke", "mended", "same", "least"),
    [(4, 0, 76, 0.05), (3, 0, 37, 0.05), (6, 4, 90, 0.05), (2, 2, 46, 0.05), (1, 3, 16, 0.05)],
)
def test_goals_that_are_needed_decide_and_two_thirds_of_them_do_not(
    broke: int, mended: int, same: int, least: float
) -> None:
    differences = [-1.0] * broke + [1.0] * mended + [0.0] * same

    def decided(goals: int) -> bool:
        found = difference_of(dict(enumerate(map(_pair, stretched(differences, goals)))))  # type: ignore[arg-type]
        return finding_of(found, found.worse, least, 0.05) in ("worse", "no worse", "better")

    needed = goals_to_decide(differences, span=1.0, least=least)
    assert needed is not None
    assert not decided(len(differences))
    assert decided(needed)
    assert not decided(int(needed / 1.5))


def _pair(difference: float) -> tuple[float, float]:
    return 0.0, difference


def test_a_loss_that_is_the_margin_takes_too_many_goals() -> None:
    assert goals_to_decide([-1.0, 0.0], span=1.0, least=0.5, times=math.inf) is None


def test_no_goals_have_no_difference() -> None:
    with pytest.raises(UsageError, match="no goals that are in both runs"):
        difference_of({})


def test_copies_of_a_value_cost_nothing_and_others_no_more_than_with_holm() -> None:
    one = {str(goal): -1.0 if goal < 5 else 0.0 for goal in range(40)}
    apart = [{str(goal + 5 * n): each for goal, each in enumerate(one.values())} for n in range(4)]
    chances = dict.fromkeys("abcd", 0.03125)

    assert together(chances, dict.fromkeys("abcd", one)) == chances
    others = together(chances, dict(zip("abcd", apart, strict=True)))
    assert all(3.5 * 0.03125 < each <= 4 * 0.03125 for each in others.values())
    steady = dict.fromkeys(one, 0.0)
    assert together({**chances, "e": 1.0}, {**dict.fromkeys("abcd", one), "e": steady}) == {
        **chances,
        "e": 1.0,
    }
    near = {name: {**one, "9": -float(n)} for n, name in enumerate("abcd")}
    assert max(together(chances, near).values()) < 3 * 0.03125
    assert together({}, {}) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=5), st.randoms())
def test_corrected_chances_are_no_smaller_and_keep_their_order(
    chances: dict[str, float], draw: random.Random
) -> None:
    found = together(chances, {n: {g: draw.choice([-1, 0, 1]) for g in "wxyz"} for n in chances})

    for name, chance in chances.items():
        assert chance <= found[name] <= 1
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
