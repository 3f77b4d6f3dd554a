"""How many goals of real data sets a bot passes by doing nothing."""

import os
import sys
from pathlib import Path

import pytest

from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.trivial import trivial


def found(goal_set: GoalSet) -> set[str]:
    told = {goal.id: trivial(goal, goal_set) for goal in goal_set.goals}
    assert not any(each.untold for each in told.values())
    return {id for id, each in told.items() if each.passes}


@pytest.mark.parametrize(
    ("split", "goals"), [("test", 1000), pytest.param("val", 999, marks=pytest.mark.thorough)]
)
def test_no_goal_of_multiwoz(shared_data: Path, split: str, goals: int) -> None:
    goal_set = registry.load("multiwoz", split=split, settings={"data": shared_data})
    assert len(goal_set.goals) == goals
    assert found(goal_set) == set()


@pytest.mark.parametrize(("domain", "goals", "passed"), [("airline", 50, 19), ("retail", 115, 7)])
def test_tasks_of_tau_bench(tau_home: Path, domain: str, goals: int, passed: int) -> None:
    goal_set = registry.load(f"tau_bench/{domain}", settings={"tau-home": tau_home})
    assert len(goal_set.goals) == goals
    assert len(found(goal_set)) == passed
    again = registry.load(f"tau_bench/{domain}", settings={"tau-home": tau_home})
    assert found(again) == found(goal_set)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="tau2's tools need Python 3.12")
def test_tasks_of_tau2() -> None:
    home = os.environ.get("TAU2_BENCH_HOME")
    if not home:
        pytest.skip("no tau2: set TAU2_BENCH_HOME to a checkout of it")
    goal_set = registry.load("tau2/mock", settings={"tau2-home": Path(home)})
    assert len(goal_set.goals) == 10
    assert found(goal_set) == {"create_task_1_nl_eval"}
