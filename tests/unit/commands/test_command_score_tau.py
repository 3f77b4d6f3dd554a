"""`todeval score --format tau-bench` from file to table and results file."""

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.goal import Goal
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.worlds.service_desk.domain import load_service_desk
from pytest_todeval.worlds.tau2 import package
from tests.conftest import Todeval
from tests.support.library_world import bot, call, user
from tests.support.tau2_world import lending_desk, task

STOP = user("Bye. ###STOP###")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "desk.json"


def solved(goal: Goal) -> list[dict[str, Any]]:
    """A trajectory that makes the gold actions and says the outputs."""
    made = [message for action in goal.raw["actions"] for message in call(action, "?")]
    return [user("Hello."), *made, bot(" ".join(goal.raw["outputs"])), STOP]


def idle() -> list[dict[str, Any]]:
    return [user("Hello."), bot("Goodbye."), STOP]


def entry(place: int, traj: list[dict[str, Any]], reward: float, **info: Any) -> dict[str, Any]:
    return {"task_id": place, "reward": reward, "info": info, "traj": traj}


def changing() -> list[tuple[int, Goal]]:
    """Tasks that a bot that does nothing fails, and that no terminating tool ends."""
    goals = load_service_desk()[0]
    names = {action["name"] for goal in goals for action in goal.raw["actions"]}
    ending = {name for name in names if "transfer" in name or "hand" in name or "escalate" in name}
    return [
        (place, goal)
        for place, goal in enumerate(goals)
        if not goal.raw["trivial"]
        and goal.raw["actions"]
        and not ending & {action["name"] for action in goal.raw["actions"]}
    ]


def run(file: Path, *options: str) -> int:
    return main(["score", str(file), "--format", "tau-bench", *options])


def test_table_and_results_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place, goal), (other, second), *_ = changing()
    entries = [
        entry(place, solved(goal), 1.0),
        entry(place, idle(), 0.0),
        entry(other, solved(second), 0.0),
        entry(other, [], 0.0, error="no key"),
    ]
    file.write_text(json.dumps(entries))
    out = file.with_name("out.json")
    assert run(file, "--domain", "service_desk", "--json", str(out)) == 0
    table = capsys.readouterr().out
    assert "desk.json (tau-bench): 4 dialogues (2 passed, 1 failed, 1 infrastructure)" in table
    assert "note: the stored reward is met in 2 of 3\n" in table
    assert f"note: {second.id} trial 0: stored 0, now 1: " in table
    assert "note: scored against service_desk " in table
    assert "note: pass^1 = 0.750 (95% interval " in table
    assert "; 1 task; 1 with fewer trials left out)" in table
    assert "left out of pass^k: 1 infrastructure" in table
    found = read_results(out)
    rate = found["summary"]["metrics"]
    assert rate["reward"] == {"hits": None, "total": 3, "rate": pytest.approx(2 / 3)}
    assert rate["stored_reward"]["rate"] == pytest.approx(1 / 3)
    pass_2 = cast("dict[str, Any]", rate["pass^2"])
    low, high = pass_2.pop("interval")
    assert pass_2 == {"hits": None, "total": 1, "rate": 0.0, "left_out": 1}
    assert low == 0 < high < 1
    assert found["environment"]["metrics"]["reward"] == "tau-bench 1"
    assert set(found["environment"]["goal_sets"]) == {"service_desk", "service_desk/db"}
    first = found["dialogues"][0]
    assert first["metrics"]["reward"] in (0.0, 1.0)
    assert first["verdicts"]["reward_actions"]["metric_set"] == "tau-bench"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "needs --domain"),
        (("--domain", "multiwoz"), "are not tasks over tools and tables|MultiWOZ|takes no option"),
        (("--domain", "service_desk", "--booked", "x"), "--booked cannot be combined"),
        (("--domain", "service_desk", "--data", "x"), "--data cannot be combined"),
        (("--domain", "airline", "--tau-home", "nowhere"), "git clone"),
    ],
)
def test_what_cannot_be_scored(
    file: Path, options: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(json.dumps([entry(0, idle(), 0.0)]))
    assert run(file, *options) != 0
    assert re.search(why, capsys.readouterr().err)


def test_tau_options_mean_nothing_to_other_formats(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("")
    assert main(["score", str(file), "--format", "autotod", "--tau-home", "x"]) != 0
    assert "--tau-home cannot be combined with --format autotod" in capsys.readouterr().err


def test_one_trial_of_each_has_an_interval_too(file: Path) -> None:
    file.write_text(json.dumps([entry(0, idle(), 0.0)]))
    out = file.with_name("out.json")
    assert run(file, "--domain", "service_desk", "--json", str(out)) == 0
    assert "interval" in read_results(out)["summary"]["metrics"]["pass^1"]


def test_names_from_a_file_do_nothing_to_a_terminal(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = call({"name": "\x1b[2Jx\ud800", "kwargs": {}}, "?")
    file.write_text(json.dumps([entry(0, [user("Hello."), *made, STOP], 0.0)]))
    assert run(file, "--domain", "service_desk") == 0
    assert r"(\x1b[2Jx\ud800)" in capsys.readouterr().out


def test_the_file_that_is_scored_is_not_written_over(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps([entry(0, idle(), 0.0)])
    file.write_text(text)
    link = file.with_name("link.json")
    link.symlink_to(file)
    for out in (file, link):
        assert run(file, "--domain", "service_desk", "--json", str(out)) != 0
        assert "would replace a file that is read" in capsys.readouterr().err
    assert file.read_text() == text


def test_tau2s_results_from_file_to_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, todeval: Todeval
) -> None:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    home = lending_desk(tmp_path / "tau2")
    words = [{"role": "assistant", "content": "Hi!"}, {"role": "user", "content": "###STOP###"}]
    runs = [
        {"task_id": "t1", "trial": trial, "termination_reason": reason, "messages": words}
        for trial, reason in enumerate(("user_stop", "user_stop", "timeout"))
    ]
    runs[0]["reward_info"] = {"reward": 0.0, "reward_breakdown": {"DB": 0.0}}
    file, out = tmp_path / "runs.json", tmp_path / "out.json"
    info = {"environment_info": {"domain_name": "mock"}}
    file.write_text(json.dumps({"info": info, "tasks": [task("DB")], "simulations": runs}))
    options = ["--tau2-home", str(home), "--json", str(out)]
    table = todeval("score", file, "--format", "tau2", *options).out
    assert "runs.json (tau2): 3 dialogues (2 failed, 1 infrastructure)" in table
    assert "note: the stored reward is met in 1 of 1\nnote: by part: DB 1 of 1\n" in table
    assert "note: pass^2 = 0.000" in table
    metrics = read_results(out)["summary"]["metrics"]
    assert metrics["reward_db"]["total"] == 2
    assert metrics["pass^2"]["total"] == 1
    printed = todeval("score", file, "--format", "tau2", "--tau-home", home, code=2).err
    assert "--tau-home cannot be combined with --format tau2" in printed
