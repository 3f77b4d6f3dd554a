"""Every goal of the demo world becomes a test."""

import pytest

from pytest_todeval import Dialogue, Judge


@pytest.mark.goals("demo")
def test_does_what_the_user_wants(dialogue: Dialogue, judge: Judge) -> None:
    assert dialogue.success  # the right place, and every question answered rightly
    assert dialogue.booking  # booked what the goal asks for, in the backend
    assert judge.turns(dialogue).policy_compliance >= 4  # in every turn, not on average
