"""tau-bench's tasks, played by the agenda user against a bot that waits for what it says."""

import sys
from pathlib import Path

import pytest

from pytest_todeval.worlds.tau_bench.world import TauBenchWorld
from tests.conftest import PROJECT


@pytest.mark.parametrize(("domain", "least"), [("retail", 111), ("airline", 48)])
def test_the_agenda_user_says_what_the_gold_actions_take(
    domain: str, least: int, tau_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(PROJECT / "benchmarks"))
    from tau_steps import play  # type: ignore[import-not-found]

    world = TauBenchWorld(domain, tau_home)
    reasons = {goal.id: play(world, goal, "plain")[1] for goal in world.load().goals}
    sys.modules.pop("tau_steps")
    assert sum(not why for why in reasons.values()) >= least, reasons
