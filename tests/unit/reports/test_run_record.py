"""What the reporting process collects: progress on long runs, outcomes, summary lines."""

import json
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import (
    BackendError,
    JudgeFault,
    OracleFault,
    SimulatorFault,
    UsageError,
)
from pytest_todeval.integration.case import LEFT_OUT, Case
from pytest_todeval.integration.explain import explain_comparison
from pytest_todeval.integration.outcomes import decide
from pytest_todeval.integration.record import PROGRESS_EVERY, Run, _goal_set
from pytest_todeval.integration.reporter import Reporter
from pytest_todeval.integration.settings import Settings
from pytest_todeval.runs.reports.results import dialogue_entry, merge
from pytest_todeval.runs.reports.schema import Results
from pytest_todeval.runs.reports.terminal import (
    different_data_lines,
    drift_lines,
    summary_lines,
)
from pytest_todeval.worlds.files.world import FileWorld
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

GOAL = Goal("G1", "demo", ())
NUMBERS = count()
"""Of tests: each is run once."""


def payload(outcome: Outcome, **verdicts: bool) -> dict[str, Any]:
    """What the report of a test carries."""
    found = {name: Verdict(name, passed, "because") for name, passed in verdicts.items()}
    dialogue = Dialogue(GOAL, verdicts=found, detail="why")
    entry = dialogue_entry(dialogue, test=f"t::x{next(NUMBERS):04}", outcome=outcome)
    return {
        "entry": entry,
        "goal_set": {"demo": "abc"},
        "definitions": {"inform": "online 1"},
        "prompts": {},
        "about": {},
        "rules": {},
        "idle_rules": {},
        "played_by": "User with Bot",
        "drift": [],
        "unused": [],
        "not_held_back": [],
    }


def report(outcome: Outcome) -> pytest.TestReport:
    """A test report as it arrives from a worker."""
    extra: dict[str, Any] = {"todeval": payload(outcome)}
    return pytest.TestReport("t::x", ("t", 1, "x"), {}, "passed", None, "call", **extra)


def test_progress_is_told_when_due_and_not_before() -> None:
    now = [0.0]
    run = Run(clock=lambda: now[0])
    run.take(payload(Outcome.PASSED))
    run.take(payload(Outcome.FAILED))
    assert run.progress() is None
    now[0] = PROGRESS_EVERY
    assert run.progress() == "2 dialogues so far: 1 failed, 1 passed"
    assert run.progress() is None


def test_summary_names_rates_and_every_fault() -> None:
    run = Run()
    for _ in range(3):
        run.take(payload(Outcome.PASSED, inform=True))
    run.take(payload(Outcome.FAILED, inform=False))
    run.take(payload(Outcome.ORACLE_FAULT))
    lines = summary_lines(run.results(Settings()), run.played_by)
    assert lines[0] == "5 dialogues (User with Bot): 3 passed, 1 failed, 1 oracle_fault"
    assert lines[1].split() == ["inform", "3", "of", "4", "75.0", "%"]
    assert lines[2].strip() == "oracle_fault: demo/G1: why"


def test_one_name_for_different_data_is_told_and_none_takes_the_others_place() -> None:
    files = []
    for prints in ("ab", "ba"):
        run = Run()
        for each in prints:
            found = payload(Outcome.PASSED)
            found["entry"]["test"] = each
            found["goal_set"], found["definitions"] = {"demo": each}, {"reward": f"tau-{each}"}
            run.take(found)
        files.append(run.results(Settings()))
        (line,) = different_data_lines(run.goal_sets)
        assert line.strip().startswith("demo is different data in this run (a, b)")
    assert files[0] == files[1]
    about = files[0]["environment"]
    assert (about["goal_sets"], about["metrics"]) == ({"demo": "a, b"}, {"reward": "tau-a, tau-b"})
    with pytest.raises(UsageError, match="goal set 'demo'"):
        merge([files[0], {**files[0], "environment": {**about, "goal_sets": {"demo": "a"}}}])


def test_a_changed_database_is_different_data(tmp_path: Path) -> None:
    found = []
    for name in ("old", "new"):
        place = tmp_path / name / "db"
        place.mkdir(parents=True)
        (place / "spa_db.json").write_text(json.dumps([{"name": name}]))
        goal_set = GoalSet("own", (GOAL,), "0", FileWorld(tmp_path, database=tmp_path / name))
        item: Any = SimpleNamespace(callspec=SimpleNamespace(params={"goal": Case(GOAL, goal_set)}))
        found.append(_goal_set(item))
    assert [each["own"] for each in found] == ["0", "0"]
    assert found[0]["own/db"] != found[1]["own/db"]


def test_data_that_is_the_same_all_along_is_not_told() -> None:
    assert list(different_data_lines({"demo": {"a"}, "multiwoz": {"a"}})) == []


@pytest.fixture
def reporter(pytestconfig: pytest.Config) -> Reporter:
    return Reporter(pytestconfig)


def test_what_was_collected_is_counted(reporter: Reporter) -> None:
    sets = [GoalSet("demo", (GOAL,), fingerprint, World()) for fingerprint in "ba"]
    cases = [Case(GOAL, goal_set, trial) for goal_set in sets for trial in (0, 1)]
    items: Any = [SimpleNamespace(callspec=SimpleNamespace(params={"goal": c})) for c in cases]
    assert reporter.pytest_report_collectionfinish(items[:3])[0] == (
        "todeval: 3 dialogues over demo (a), demo (b)"
    )
    assert reporter.pytest_report_collectionfinish(items[:1])[0] == (
        "todeval: 1 dialogue over demo (b)"
    )


def skipped(goal: str) -> pytest.TestReport:
    """Of a test whose goal a bot passes by doing nothing."""
    found = pytest.TestReport(f"t::x[{goal}]", ("t", 1, "x"), {}, "skipped", None, "setup")
    found.__dict__[LEFT_OUT] = goal
    return found


class Terminal:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.write_line = self.lines.append

    def section(self, title: str, sep: str) -> None:
        self.lines.append(title)


def test_goals_left_out_are_counted_apart(reporter: Reporter) -> None:
    for found in (skipped("demo/9"), skipped("demo/10"), skipped("demo/9"), report(Outcome.PASSED)):
        reporter.pytest_runtest_logreport(found)
    terminal: Any = Terminal()
    reporter.pytest_terminal_summary(terminal)
    assert terminal.lines[1] == "1 dialogue (User with Bot): 1 passed"
    assert terminal.lines[-1].strip() == (
        "2 of 3 goals were not played (passed by a bot that does nothing, "
        "--todeval-trivial=exclude): demo/9, demo/10"
    )


def test_a_run_whose_goals_are_all_left_out_says_so(reporter: Reporter) -> None:
    reporter.pytest_runtest_logreport(skipped("demo/9"))
    terminal: Any = Terminal()
    reporter.pytest_terminal_summary(terminal)
    assert terminal.lines[:2] == ["dialogues", "no dialogue was played"]
    assert terminal.lines[2].strip().startswith("1 of 1 goals was not played")


def test_a_run_is_summed_up_once(reporter: Reporter, monkeypatch: pytest.MonkeyPatch) -> None:
    sums = []
    real = Run.results

    def results(run: Run, settings: Settings) -> Results:
        sums.append(run)
        return real(run, settings)

    monkeypatch.setattr(Run, "results", results)
    reporter.pytest_runtest_logreport(report(Outcome.PASSED))
    terminal: Any = Terminal()
    first = reporter.results()
    reporter.pytest_terminal_summary(terminal)
    assert reporter.results() is first
    assert len(sums) == 1

    reporter.pytest_runtest_logreport(report(Outcome.FAILED))
    again = reporter.results()
    assert again is not None
    assert len(again["dialogues"]) == len(sums) == 2


def test_a_run_without_dialogues_says_nothing(reporter: Reporter) -> None:
    odd: Any = [("a", "b", "c"), {"a": 1}, (), None, 7]
    of_another = pytest.TestReport(
        "t::y", ("t", 1, "y"), {}, "passed", None, "call", user_properties=odd
    )
    reporter.pytest_runtest_logreport(of_another)
    terminal: Any = Terminal()
    reporter.pytest_terminal_summary(terminal)
    assert terminal.lines == []


def test_dialogues_that_drifted_are_listed_in_order_and_counted() -> None:
    drift = [
        f"{9 - n % 9} of 9 turns drifted in test t::{n:02}, first turn 1: x" for n in range(12)
    ]
    lines = list(drift_lines(reversed(drift)))
    assert [line.strip() for line in lines[:-1]] == drift[:10]
    assert lines[-1].strip() == "and 2 more dialogues drifted (--todeval-json has them)"
    assert list(drift_lines([])) == []


def test_where_data_lies_is_no_part_of_the_results() -> None:
    settings = Settings(places={"data": "/somewhere"}, limit=3, json="r.json")
    assert Run().results(settings)["environment"]["settings"] == {"limit": "3"}


@pytest.mark.parametrize(
    ("raised", "outcome"),
    [
        (None, Outcome.PASSED),
        (AssertionError(), Outcome.FAILED),
        (pytest.fail.Exception("no"), Outcome.FAILED),
        (JudgeFault(), Outcome.JUDGE_FAULT),
        (SimulatorFault(), Outcome.SIMULATOR_FAULT),
        (OracleFault(), Outcome.ORACLE_FAULT),
        (BackendError(), Outcome.INFRASTRUCTURE),
        (NameError("typo in the test"), Outcome.TEST_ERROR),
    ],
)
def test_each_exception_has_one_owner(raised: BaseException | None, outcome: Outcome) -> None:
    assert decide(Dialogue(GOAL), raised) is outcome


@pytest.mark.parametrize("fault", [outcome for outcome in Outcome if outcome != Outcome.PASSED])
def test_the_dialogues_own_fault_stands_whatever_the_test_says(fault: Outcome) -> None:
    assert decide(Dialogue(GOAL, fault=fault), None) is fault
    assert decide(Dialogue(GOAL, fault=fault), AssertionError()) is fault


def series(*values: float | None) -> ScoreSeries:
    scores = [
        Score("cohesion", value, f"reason {turn}", turn)
        if value is not None
        else Score("cohesion", None, "", turn, unscored=Score.NOT_APPLICABLE)
        for turn, value in enumerate(values, 1)
    ]
    return ScoreSeries("cohesion", scores)


def test_a_bound_is_asked_of_every_turn_not_of_the_mean() -> None:
    assert series(4, 4, 5) >= 4
    assert not series(5, 5, 5, 3) >= 4
    assert series(None, 4) >= 4


def test_what_could_not_be_scored_is_no_pass_and_no_failure() -> None:
    broken = ScoreSeries("cohesion", [Score("cohesion", None, "", 1, unscored="unreadable reply")])
    with pytest.raises(JudgeFault, match="cohesion of turn 1 is unscored: unreadable reply"):
        _ = broken >= 1
    with pytest.raises(JudgeFault, match="no turn to score"):
        _ = ScoreSeries("cohesion", []) >= 1


def test_the_explanation_names_each_turn_that_breaks_the_bound() -> None:
    assert explain_comparison(">=", series(5, 2, None, 1), 4) == [
        "cohesion >= 4 in every turn: not in turn 2, 4",
        "turn 2: 2, reason 2",
        "turn 4: 1, reason 4",
    ]
    assert explain_comparison(">=", 3, 4) is None
    assert explain_comparison("!=", series(1), 1) == [
        "cohesion != 1 in every turn: not in turn 1",
        "turn 1: 1, reason 1",
    ]
    assert explain_comparison("in", series(1), 4) is None


@pytest.mark.parametrize("value", [0.0, 5.1])
def test_a_score_outside_its_scale_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        Score("cohesion", value, "")


def test_a_score_is_a_number_or_says_why_not() -> None:
    with pytest.raises(ValueError, match="either a value or why there is none"):
        Score("cohesion", None, "")
