"""`todeval export`: a run as tau-bench's and tau2's results, whatever goals were played."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results

GOALS = [Goal(f"lamp-{n}", "lamps", (), (f"You want lamp {n}.",)) for n in range(2)]
CALLED = ToolCall("find_lamp", {"colour": "red"}, "2 lamps")
REFUSED = ToolCall("buy_lamp", {"id": 3}, error="Error: sold out")
TURNS = (
    Turn(1, "A red lamp?", "We have two.", (CALLED,)),
    Turn(2, "I take one.", "They are sold out.", (REFUSED,)),
)


def played(goal: Goal, trial: int = 0, outcome: Outcome = Outcome.PASSED, test: str = "t") -> Any:
    fault = None if outcome is Outcome.PASSED else outcome
    stop = StopReason.USER_DONE if fault in (None, Outcome.FAILED) else StopReason.NETWORK
    dialogue = Dialogue(
        goal, TURNS, stop, fault=fault, detail="why", last_words="Bye.", trial=trial
    )
    return dialogue_entry(dialogue, test=f"{test}[{goal.id}-{trial}]", outcome=outcome)


def export(tmp_path: Path, entries: Sequence[Any], form: str) -> tuple[int, Any]:
    file, out = tmp_path / "results.json", tmp_path / "out.json"
    about = environment(goal_sets={}, metrics={}, settings={}, models={"user": ["m"]})
    write_results(file, results(entries, about))
    code = main(["export", str(file), "--format", form, "-o", str(out)])
    return code, json.loads(out.read_bytes()) if out.exists() else None


def four() -> list[Any]:
    first, second = GOALS
    return [
        played(first),
        played(first, 1, Outcome.FAILED),
        played(second),
        played(second, 1, Outcome.INFRASTRUCTURE),
    ]


def test_any_run_becomes_trajectories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = export(tmp_path, four(), "tau-bench")
    assert code == 0
    assert [(each["task_id"], each["trial"], each["reward"]) for each in found] == [
        *((0, 0, 1.0), (1, 0, 1.0), (0, 1, 0.0), (1, 1, 0.0))
    ]
    first, *_, broken = found
    assert [(m["role"], m["content"]) for m in first["traj"]] == [
        ("system", ""),
        ("user", "A red lamp?"),
        ("assistant", None),
        ("tool", "2 lamps"),
        ("assistant", "We have two."),
        ("user", "I take one."),
        ("assistant", None),
        ("tool", "Error: sold out"),
        ("assistant", "They are sold out."),
        ("user", "Bye. ###STOP###"),
    ]
    (call,) = first["traj"][2]["tool_calls"]
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == (
        "find_lamp",
        {"colour": "red"},
    )
    assert first["traj"][3]["tool_call_id"] == call["id"]
    assert first["info"]["task"]["instruction"] == "You want lamp 0."
    assert (broken["traj"], broken["info"]["error"]) == ([], "infrastructure: why")
    said = capsys.readouterr().out
    assert "4 dialogues of 2 tasks" in said
    assert "1 that say nothing of the bot are written as runs that broke" in said


def test_any_run_becomes_simulations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = export(tmp_path, four(), "tau2")
    assert code == 0
    runs = found["simulations"]
    assert [(r["task_id"], r["trial"], r["termination_reason"]) for r in runs] == [
        ("lamp-0", 0, "user_stop"),
        ("lamp-0", 1, "user_stop"),
        ("lamp-1", 0, "user_stop"),
        ("lamp-1", 1, "infrastructure_error"),
    ]
    rewards = [r["reward_info"] and r["reward_info"]["reward"] for r in runs]
    assert rewards == [1.0, 0.0, 1.0, None]
    assert [task["id"] for task in found["tasks"]] == ["lamp-0", "lamp-1"]
    assert (tmp_path / "out.json").read_text(encoding="utf-8").startswith('{\n "')
    assert (found["info"]["num_trials"], found["info"]["user_info"]["llm"]) == (2, "m")
    (made,) = runs[0]["messages"][1]["tool_calls"]
    assert made["requestor"] == "assistant"
    assert runs[0]["messages"][2]["id"] == made["id"]
    errors = [m["error"] for m in runs[0]["messages"] if m["role"] == "tool"]
    assert errors == [False, True]
    assert runs[0]["messages"][-1]["content"] == "Bye. ###STOP###"
    assert "1 that say nothing of the bot are written as errors" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([], "the file holds no dialogue"),
        ([played(GOALS[0]), played(Goal("x", "chairs", ()))], "the file holds chairs, lamps"),
        ([played(GOALS[0]), played(GOALS[0], test="other")], "was played by other[lamp-0-0] and"),
    ],
)
def test_what_the_formats_cannot_hold_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entries: Sequence[Any], told: str
) -> None:
    code, found = export(tmp_path, entries, "tau-bench")
    assert (code, found) == (2, None)
    assert told in capsys.readouterr().err


def test_the_file_itself_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(tmp_path, four(), "tau2")
    file = str(tmp_path / "results.json")
    before = Path(file).read_bytes()
    assert main(["export", file, "--format", "tau2", "-o", file]) == 2
    assert Path(file).read_bytes() == before
    assert "name another" in capsys.readouterr().err
    assert main(["export", file, "--format", "tau2", "-o", f"{file}/place"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_tasks_of_a_benchmark_need_its_checkout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAU_BENCH_HOME", raising=False)
    goal = Goal("test-3", "tau_bench/airline", (), ("You want a flight.",))
    code, found = export(tmp_path, [played(goal)], "tau-bench")
    assert (code, found) == (2, None)
    assert "--tau-home" in capsys.readouterr().err
