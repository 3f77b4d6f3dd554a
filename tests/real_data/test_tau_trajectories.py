"""Real trajectories of gpt-4o on airline tasks: rewards and hashes equal tau-bench's own."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.evaluate.metrics.reward import is_done
from pytest_todeval.research.offline.trajectories.reading import Trajectory, read_trajectories
from pytest_todeval.research.offline.trajectories.replaying import Replayed, replay
from pytest_todeval.research.offline.trajectories.scoring import score_trajectories
from pytest_todeval.runs.statistics.pass_k import every_pass_k, tally, trial_of
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld
from tests.support.tau_world import tau_bench_goals

STATUS = {
    "user_stop": StopReason.USER_DONE,
    "transfer": StopReason.SYSTEM_DONE,
    "max_steps": StopReason.TURN_LIMIT,
}


@pytest.fixture(scope="module")
def airline(tau_home: Path) -> ToolDomain:
    return TauBenchWorld("airline", tau_home).tool_domain()


@pytest.fixture(scope="module")
def stored(shared_data: Path) -> Path:
    return shared_data / "tau_bench" / "airline" / "trajectories_gpt-4o.json"


def played(trajectories: Sequence[Trajectory], domain: ToolDomain) -> list[Replayed]:
    return [
        replay(one, Goal(f"test-{one.task_id}", domain.name, (), raw=one.task or {}), domain)
        for one in trajectories
    ]


@pytest.fixture(scope="module")
def replayed(stored: Path, airline: ToolDomain) -> list[Replayed]:
    return played(read_trajectories(stored), airline)


def hash_of(one: Replayed) -> str | None:
    """Of the tables at scoring; None if the dialogue did not come to its end."""
    if one.backend is None or not is_done(one.dialogue, one.backend):
        return None
    return one.backend.state_hash()


def test_every_reward_status_and_hash(stored: Path, replayed: Sequence[Replayed]) -> None:
    expected = json.loads(stored.with_suffix(".expected.json").read_text(encoding="utf-8"))
    assert [
        (one.dialogue.reward.value, one.dialogue.stop_reason, hash_of(one)) for one in replayed
    ] == [(e["recomputed_reward"], STATUS[e["status"]], e["data_hash"]) for e in expected]
    assert len(replayed) == 50


def test_the_scored_file(stored: Path, airline: ToolDomain, tau_home: Path) -> None:
    goals = tau_bench_goals(tau_home, "airline", "test")
    scored = score_trajectories(stored, airline, goals)
    assert scored.data["tau_bench/airline/db"].startswith("4587e6b48ad2")
    assert "the stored reward is met in 50 of 50" in scored.notes
    assert not any("scored as the file has them" in note for note in scored.notes)
    assert {d.goal.id for d in scored.dialogues} == {goal.id for goal in goals.goals}


def test_a_failed_dialogue_says_why(replayed: Sequence[Replayed]) -> None:
    """Each reward of 0 has its cause: no end, a record that differs, or an output not said."""
    for one in replayed:
        if not one.dialogue.reward:
            reason = one.dialogue.reward.reason
            known = ("did not come to its end", ": expected ", "never said: ")
            assert any(cause in reason for cause in known), reason


def test_four_trials(tau_home: Path, airline: ToolDomain) -> None:
    path = tau_home / "historical_trajectories" / "gpt-4o-airline.json"
    if not path.is_file():
        pytest.skip("this checkout of tau-bench has no historical trajectories")
    trajectories = read_trajectories(path)
    dialogues = [one.dialogue for one in played(trajectories, airline)]
    assert [d.reward.value for d in dialogues] == [one.reward for one in trajectories]
    trials = tally(trial_of(dialogue, "reward") for dialogue in dialogues)
    assert {n for n, _ in trials.successes.values()} == {4}
    found = every_pass_k(list(trials.successes.values()))
    assert [round(each.value, 3) for each in found[:4]] == [0.42, 0.273, 0.22, 0.2]
    assert all(each.low < each.value < each.high for each in found)
