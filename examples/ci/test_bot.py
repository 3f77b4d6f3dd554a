"""80 goals that book something: of fewer than 71, none could show that a bot is no worse."""

import pytest

from pytest_todeval import Dialogue, synthetic


@pytest.mark.goals(synthetic("demo", 150, seed=3), booking=True, limit=80)
def test_serves_the_user(dialogue: Dialogue) -> None:
    assert dialogue.success
    assert dialogue.booking
