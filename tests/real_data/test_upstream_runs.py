"""Runs with `--todeval-upstream` over tau-bench's tasks: faults, rewards and definitions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.results import merge, read_results
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status
from pytest_todeval.worlds.registry import load

CONFTEST = """
import pytest
from pytest_todeval import ChatSystem

@pytest.fixture(scope="session")
def tod_system():
    return ChatSystem("bot")
"""
TEST = """
import pytest

@pytest.mark.tau_bench("retail", tasks=[0])
def test_serves(dialogue):
    assert dialogue.reward
"""
Answering = Callable[[ChatRequest], Answer]


class Models:
    """Both models; the bot makes the gold actions of the task, and says its outputs."""

    def __init__(self, home: Path) -> None:
        goal = load("tau_bench/retail", settings={"tau-home": home}).goals[0]
        self.actions = [(each["name"], each["kwargs"]) for each in goal.raw["actions"]]
        self.outputs = ", ".join(goal.raw["outputs"])
        self.asked = {"bot": 0, "user": 0}
        self.user = ["I want something.", "Thanks. ###STOP###"]

    def __call__(self, request: ChatRequest) -> Answer:
        side = request.body["model"]
        number = self.asked[side]
        self.asked[side] += 1
        if side == "user":
            return Answer(self.user[number])
        if number < len(self.actions):
            return Answer(None, tool_calls=[self.actions[number]])
        return Answer(f"Done. {self.outputs}")


class Broken(Models):
    """The user's model is out of order from its second message on."""

    def __call__(self, request: ChatRequest) -> Answer:
        if request.body["model"] == "user" and self.asked["user"]:
            return Answer(error=Status(400))
        return super().__call__(request)


def run(
    pytester: pytest.Pytester, home: Path, models: Answering, name: str, *options: str
) -> tuple[Any, str]:
    """The one entry of a run's results, with the file's environment, and what was printed."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_upstream=TEST)
    with StandInServer(models) as server:
        printed = pytester.runpytest_subprocess(
            f"--todeval-tau-home={home}",
            "--todeval-model=user:user,system:bot",
            f"--todeval-base-url={server.base_url}",
            "--todeval-record=live",
            f"--todeval-json={name}.json",
            *options,
        ).stdout.str()
    found = json.loads(Path(f"{name}.json").read_bytes())
    (entry,) = found["dialogues"]
    return (entry, found["environment"]), printed


@pytest.mark.parametrize(
    ("how", "definition"),
    [("counted", "tau-bench upstream 1"), ("scored", "tau-bench upstream scored 1")],
)
def test_a_good_run_is_rewarded_and_says_how(
    pytester: pytest.Pytester, tau_home: Path, how: str, definition: str
) -> None:
    models = Models(tau_home)
    (entry, about), printed = run(pytester, tau_home, models, how, f"--todeval-upstream={how}")
    assert (entry["outcome"], entry["metrics"]["reward"]) == ("passed", 1.0), printed
    assert about["metrics"]["reward"] == definition
    assert about["settings"]["upstream"] == how
    assert f"upstream={how}" in printed
    assert about["users"].keys() == {"TauBenchUser"}
    assert "tau_bench" in about["prompts"]


def test_numbers_so_counted_are_merged_with_no_others(
    pytester: pytest.Pytester, tau_home: Path
) -> None:
    run(pytester, tau_home, Models(tau_home), "theirs", "--todeval-upstream=counted")
    (_, about), _ = run(pytester, tau_home, Models(tau_home), "ours")
    assert about["metrics"]["reward"] == "tau-bench 1"
    files = [read_results(Path(f"{name}.json")) for name in ("theirs", "ours")]
    with pytest.raises(UsageError, match="different definitions are not comparable"):
        merge(files)


def test_a_fault_is_nobodys_here_and_the_bots_upstream(
    pytester: pytest.Pytester, tau_home: Path
) -> None:
    user = "--todeval-user=tau_bench"
    (entry, _), _ = run(pytester, tau_home, Broken(tau_home), "ours", user)
    assert entry["outcome"] in ("simulator_fault", "infrastructure")
    (entry, about), printed = run(
        pytester, tau_home, Broken(tau_home), "theirs", "--todeval-upstream=counted"
    )
    assert (entry["outcome"], entry["metrics"]["reward"]) == ("failed", 0.0), printed
    assert "upstream it counts as reward 0" in entry["detail"]
    assert about["metrics"]["reward"] == "tau-bench upstream 1"


def test_strict_outputs_are_not_upstreams(pytester: pytest.Pytester, tau_home: Path) -> None:
    pytester.makepyfile(test_upstream=TEST)
    found = pytester.runpytest_inprocess("--todeval-upstream=counted", "--todeval-outputs=strict")
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines("*leave out one of the two*")
