"""What stands in a task's message history counts for its reward, if the agent said it."""

from pathlib import Path

import pytest

from pytest_todeval.worlds.tau2 import package
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.reward import tau2_rewards
from tests.support.tau2_world import dialogue, lending_desk, task


@pytest.mark.parametrize(("role", "counts"), [("assistant", True), ("user", False)])
def test_what_the_agent_said_before_the_dialogue_counts_as_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str, counts: bool
) -> None:
    given = task("COMMUNICATE", communicate_info=["1200"])
    messages = [{"role": role, "content": "$1,200."}, {"role": "assistant", "content": None}]
    given["initial_state"] = {"message_history": messages}
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    backend = Tau2Backend(lending_desk(tmp_path), "mock", given)
    assert bool(tau2_rewards(dialogue("Bye."), backend, given, None)["reward"]) is counts
