"""Tasks over tools and tables in whole runs: rewards, trials, trivial goals, who plays."""

import json
from pathlib import Path

import pytest

from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.worlds.tau2 import package
from tests.plugin.conftest import Suite, run
from tests.support.tau2_world import lending_desk, task

DESK = """
import pytest

@pytest.fixture(scope="session")
def tod_system():
    from pytest_todeval.systems import DeskBot
    return DeskBot
"""

NOTHING = """
import pytest

@pytest.fixture(scope="session")
def tod_system():
    return lambda text: "Goodbye."
"""

TEST = """
import pytest

@pytest.mark.goals("service_desk")
def test_helps(dialogue):
    assert dialogue.reward
"""

HEADSET = """
goals:
  - id: no-sound
    message: Your headset plays no sound.
    solution: Switch off the mute key.
"""


def test_the_desk_bot_gets_every_reward(suite: Suite, processes: list[str]) -> None:
    pytester = suite(TEST, DESK)
    result = run(pytester, *processes, "--todeval-json=r.json")
    result.assert_outcomes(passed=24)
    found = read_results(pytester.path / "r.json")
    assert found["summary"]["metrics"]["reward"]["rate"] == 1.0
    assert {entry["metrics"]["reward"] for entry in found["dialogues"]} == {1.0}
    sets = found["environment"]["goal_sets"]
    assert list(sets) == ["service_desk", "service_desk/db"]
    assert len(sets["service_desk/db"]) == 64
    assert sum("trivial" in entry for entry in found["dialogues"]) == 6


def test_a_bot_that_does_nothing_passes_what_the_summary_names(suite: Suite) -> None:
    result = run(suite(TEST, NOTHING))
    result.assert_outcomes(passed=6, failed=18)
    result.stdout.fnmatch_lines(
        ["*6 of 24 goals are passed by a bot that does nothing: *service_desk/wrong-badge*"]
    )


def test_trivial_goals_can_be_left_out(suite: Suite) -> None:
    result = run(suite(TEST, NOTHING), "--todeval-trivial=exclude", "-rs")
    result.assert_outcomes(skipped=6, failed=18)
    result.stdout.fnmatch_lines(
        [
            "*6 of 24 goals were not played (*--todeval-trivial=exclude): *wrong-badge*",
            "*a bot that does nothing passes service_desk/wrong-badge: *",
        ]
    )


def test_a_failed_reward_says_what_differs(suite: Suite) -> None:
    result = run(suite(TEST, NOTHING), "-k", "forgotten-password or password-and")
    result.stdout.fnmatch_lines(["*<reward FAILED: the database is not as expected: *expected*"])


def test_trials_give_pass_k_with_its_interval(suite: Suite) -> None:
    result = run(suite(TEST, DESK), "--todeval-trials=3", "--todeval-limit=2")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(
        [f"  pass^{k} = 1.000 (95% interval 0.* to 1.000; 2 tasks)" for k in (1, 2, 3)]
    )


def test_a_goal_told_in_words_needs_a_model_to_play_it(suite: Suite) -> None:
    pytester = suite(TEST.replace("service_desk", "goals.yaml"), NOTHING)
    (pytester.path / "goals.yaml").write_text(HEADSET)
    result = run(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*goals/no-sound has a message but no domains*--todeval-model=user:*"]
    )


@pytest.mark.parametrize("wrong", ["drop", "Exclude"])
def test_a_wrong_value_of_the_option_stops_the_run(suite: Suite, wrong: str) -> None:
    result = run(suite(TEST, DESK), f"--todeval-trivial={wrong}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--todeval-trivial: got*Known: keep, exclude*"])


CLUMSY = """
import pytest
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval import Utterance
from pytest_todeval.core.outcome import StopReason

class Clumsy:
    def __init__(self, backend, failures):
        self.backend, self.failures = backend, failures

    def respond(self, turn):
        for _ in range(self.failures):
            with pytest.raises(ToolRefused):
                self.backend.call_user("juggle")
        self.failures = 0
        return Utterance("Lend it.") if turn is None else Utterance("", StopReason.USER_DONE)

@pytest.fixture
def tod_system(backend):
    def respond(text):
        backend.call("lend", book="atlas")
        backend.call_user("pack", book="atlas")
        return "Lent."
    return respond
"""

CLUMSY_TEST = """
import pytest
from conftest import Clumsy

@pytest.fixture(params=[9, 10])
def user_simulator(request, backend):
    return Clumsy(backend, request.param)

@pytest.mark.tau2(domain="mock")
def test_lends(dialogue):
    print(dialogue.explain())
    assert dialogue.reward
"""


def test_a_user_whose_own_calls_fail_is_not_the_bots_failure(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "OLDEST", (3, 11))
    home = lending_desk(tmp_path / "tau2")
    lend = {**task("DB"), "user_scenario": {"instructions": "You want the atlas."}}
    (home / "data/tau2/domains/mock/tasks.json").write_text(json.dumps([lend]))
    (home / "data/tau2/domains/mock/policy.md").write_text("Lend what is in.")
    pytester = suite(CLUMSY_TEST, CLUMSY)
    result = run(pytester, f"--todeval-tau2-home={home}", "--todeval-json=r.json", "-s")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["      user's tool: juggle() refused: *", "*1 user: Lend it.*"])
    results = read_results(pytester.path / "r.json")
    assert len(results["environment"]["goal_sets"]["tau2/mock/db"].split("+")) == 2
    ten, nine = results["dialogues"]  # in the order of their names
    assert (nine["outcome"], ten["outcome"]) == ("passed", "simulator_fault")


def test_tasks_on_a_backend_of_ones_own_need_no_tools_of_tau2s(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "OLDEST", (99, 0))  # as on a Python that tau2 does not run on
    home = lending_desk(tmp_path / "tau2")
    lend = {**task("DB"), "user_scenario": {"instructions": "You want the atlas."}}
    (home / "data/tau2/domains/mock/tasks.json").write_text(json.dumps([lend]))
    own = """
import pytest
from pytest_todeval import ScriptedUser

class Own:
    def bookings(self):
        return []

@pytest.fixture
def backend():
    return Own()

@pytest.fixture
def user_simulator():
    return ScriptedUser(["Hello."])

@pytest.fixture
def tod_system():
    return lambda text: "Hello."
"""
    pytester = suite(
        TEST.replace('goals("service_desk")', 'tau2("mock")').replace(
            "dialogue.reward", "dialogue.turns"
        ),
        own,
    )
    run(pytester, f"--todeval-tau2-home={home}").assert_outcomes(passed=1)
