"""Every goal of the demo world becomes a test."""

from typing import Any

import pytest


@pytest.mark.goals("demo")
def test_does_what_the_user_wants(dialogue: Any, judge: Any) -> None:
    assert dialogue.success  # the right place, and every question answered rightly
    assert dialogue.booking  # booked what the goal asks for, in the backend
    assert judge.turns(dialogue).policy_compliance >= 4  # in every turn, not on average
