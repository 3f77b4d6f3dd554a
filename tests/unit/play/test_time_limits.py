"""How long a turn and a dialogue may take, and which setting says so."""

from typing import Any

import pytest

from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.play.time_limits import TimeLimits

SLOW = ModelSettings("slow", timeout=120)


@pytest.mark.parametrize(
    ("marker", "options", "models", "seconds", "by"),
    [
        ({}, {}, [], (30, 300), ""),
        ({}, {}, [ModelSettings("quick", timeout=10)], (30, 300), ""),
        ({}, {}, [ModelSettings("quick", timeout=10), SLOW], (125, 1250), "of model slow"),
        ({}, {}, [ModelSettings("even", timeout=25)], (30, 300), ""),
        ({}, {}, [ModelSettings("longer", timeout=26)], (31, 310), "of model longer"),
        ({}, {"turn": 5}, [SLOW], (5, 300), "--todeval-turn-timeout=5"),
        ({"turn_timeout": 7}, {"turn": 5}, [SLOW], (7, 300), "todeval(turn_timeout=7)"),
        ({}, {"turn": 60, "dialogue": 90}, [], (60, 90), "--todeval-turn-timeout=60"),
        ({"dialogue_timeout": 80}, {"dialogue": 90}, [], (30, 80), ""),
    ],
)
def test_the_nearest_setting_says_how_long(
    marker: dict[str, Any],
    options: dict[str, float],
    models: list[ModelSettings],
    seconds: tuple[float, float],
    by: str,
) -> None:
    limits = TimeLimits(**options).of(12, PlaySettings(**marker), models)
    assert limits.max_turns == 12
    assert (limits.turn_timeout, limits.dialogue_timeout) == seconds
    assert by in limits.turn_timeout_by
    assert bool(by) == bool(limits.turn_timeout_by)
