"""pass^k: the closed form, ragged trials, faults left out, and the interval's limits."""

import math
from itertools import combinations

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.statistics.pass_k import (
    Trial,
    every_pass_k,
    pass_k,
    tally,
    trial_of,
)


def by_counting(n: int, c: int, k: int) -> float:
    """The share of draws of k trials in which every one succeeds."""
    draws = list(combinations([True] * c + [False] * (n - c), k))
    return sum(all(draw) for draw in draws) / len(draws)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_equals_counting_all_draws(k: int) -> None:
    successes = [(4, 0), (4, 1), (4, 2), (4, 3), (4, 4), (6, 5)]
    expected = sum(by_counting(n, c, k) for n, c in successes) / len(successes)
    assert pass_k(successes, k).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_any_of_k_equals_counting_all_draws(k: int) -> None:
    successes = [(n, c) for n in range(4, 8) for c in range(n + 1)]
    draws = [list(combinations([True] * c + [False] * (n - c), k)) for n, c in successes]
    expected = sum(sum(map(any, each)) / len(each) for each in draws) / len(draws)
    assert pass_k(successes, k, any_of=True).value == pytest.approx(expected, abs=1e-12)


def test_any_of_k_has_an_interval_and_a_name_of_its_own() -> None:
    *_, found = every_pass_k([(2, 1), (2, 0), (1, 1)])
    assert (found.name, found.value, found.tasks, found.left_out) == ("pass@2", 0.5, 2, 1)
    assert 0 < found.low < 0.5 < found.high < 1
    assert found.definition == "pass-at-k 1"
    assert str(found).startswith("pass@2 = 0.500 (95% interval ")


def test_tasks_with_fewer_trials_are_left_out_and_counted() -> None:
    found = every_pass_k([(2, 2), (1, 0), (0, 0)])
    assert [(each.value, each.tasks, each.left_out) for each in found[:2]] == [
        (0.5, 2, 1),
        (1, 1, 2),
    ]
    assert str(found[1]).startswith("pass^2 = 1.000 (95% interval ")
    assert str(found[1]).endswith("to 1.000; 1 task; 2 with fewer trials left out)")


def test_no_trials_at_all() -> None:
    assert every_pass_k([]) == every_pass_k([(0, 0)]) == ()


def test_tasks_that_all_agree_leave_room_for_one_that_does_not() -> None:
    """0 of 10, and one task more that succeeds, has weight w where its likelihood ratio,
    11^11 w ((1 - w) / 10)^10, is exp(-z^2 / 2) with z = 1.96; worked out by hand.
    """
    none, all_of_them = pass_k([(1, 0)] * 10, 1), pass_k([(1, 1)] * 10, 1)
    w = none.high
    assert 11 * math.log(11) + math.log(w) + 10 * math.log((1 - w) / 10) == pytest.approx(
        -1.92073, abs=1e-5
    )
    assert 10 * w > 1 - w  # the greater of its two solutions
    assert (none.low, all_of_them.high) == (0.0, 1.0)
    assert all_of_them.low == pytest.approx(1 - w)


def test_more_trials_per_task_narrow_the_interval() -> None:
    single, fourfold = pass_k([(1, 1), (1, 0)] * 10, 1), pass_k([(4, 3), (4, 1)] * 10, 1)
    assert single.value == fourfold.value == 0.5
    assert fourfold.high - fourfold.low < single.high - single.low


def test_faults_and_missing_results_are_left_out_and_counted() -> None:
    found = tally(
        [
            Trial("a", True, Outcome.PASSED),
            Trial("a", False, Outcome.FAILED),
            Trial("a", False, Outcome.INFRASTRUCTURE),
            Trial("b", True, Outcome.SIMULATOR_FAULT),
            Trial("c", None, Outcome.FAILED),
        ]
    )
    assert found.successes == {"a": (2, 1), "b": (0, 0), "c": (0, 0)}
    assert found.left_out == {"infrastructure": 1, "no result": 1, "simulator_fault": 1}


def test_a_dialogue_as_a_trial() -> None:
    goal = Goal("1", "library", ())
    failed = Dialogue(goal, verdicts={"reward": Verdict("reward", False, "")})
    broken = Dialogue(goal, fault=Outcome.INFRASTRUCTURE)
    idle = Dialogue(goal, verdicts={"reward": Verdict("reward", True, "", applicable=False)})
    assert trial_of(failed, "reward") == Trial("library/1", False, Outcome.FAILED)
    assert trial_of(broken, "reward") == Trial("library/1", None, Outcome.INFRASTRUCTURE)
    assert trial_of(idle, "reward").success is None
