"""80 goals that book something: of fewer than 71, none could show that a bot is no worse."""

from typing import Any

import pytest

from pytest_todeval import synthetic


@pytest.mark.goals(synthetic("demo", 150, seed=3), booking=True, limit=80)
def test_serves_the_user(dialogue: Any) -> None:
    assert dialogue.success
    assert dialogue.booking
