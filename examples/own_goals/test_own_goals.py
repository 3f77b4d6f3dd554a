"""Goals of one's own, and goals made up over the same database.

To read what is made up, and to keep some of it:

    todeval goals unfulfillable examples/own_goals/goals.yaml 8 --seed 1
    todeval goals synthetic examples/own_goals/goals.yaml 12 --seed 1 --out more_goals.yaml
"""

from pathlib import Path

import pytest

from pytest_todeval import Dialogue, synthetic, unfulfillable

GOALS = Path(__file__).with_name("goals.yaml")


@pytest.mark.goals(GOALS)
def test_serves_our_goals(dialogue: Dialogue) -> None:
    assert dialogue.success
    assert dialogue.booking


@pytest.mark.goals(synthetic(GOALS, 12, seed=1))
def test_serves_goals_that_nobody_wrote(dialogue: Dialogue) -> None:
    assert dialogue.success
    assert dialogue.booking


@pytest.mark.goals(unfulfillable(GOALS, 8, seed=1))
def test_says_that_there_is_none(dialogue: Dialogue) -> None:
    assert dialogue.refusal
    assert dialogue.success
