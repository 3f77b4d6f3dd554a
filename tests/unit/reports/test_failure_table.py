"""Failures by kind, of one results file or two side by side."""

from pathlib import Path
from typing import Any

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.failure import Failure, FailureKind
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.entry import dialogue_entry
from pytest_todeval.runs.reports.failures import failure_lines, kinds_of
from pytest_todeval.runs.reports.results import environment, read_results, results, write_results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.stored import dialogue_of
from tests.conftest import Todeval

K = FailureKind


def entry(goal: str, *failures: Failure, outcome: Outcome = Outcome.FAILED) -> DialogueEntry:
    reward = Verdict("reward", not failures, "so", value=float(not failures), failures=failures)
    verdicts = {} if outcome is Outcome.INFRASTRUCTURE else {"reward": reward}
    dialogue = Dialogue(Goal(goal, "desk", ()), detail="why", verdicts=verdicts)
    return dialogue_entry(dialogue, test=goal, outcome=outcome)


def run(*entries: DialogueEntry) -> Results:
    return results(entries, environment())


ARGUMENT = Failure(K.WRONG_ARGUMENT, "day: expected Monday, got Sunday", 2)
OUTPUT = Failure(K.MISSING_OUTPUT, "never said: '10'")
FIRST = run(
    entry("1", ARGUMENT, OUTPUT),
    entry("2", OUTPUT, OUTPUT),
    entry("3", outcome=Outcome.PASSED),
    entry("4", outcome=Outcome.INFRASTRUCTURE),
    entry("5", outcome=Outcome.JUDGE_FAULT),
    entry("6"),
)
SECOND = run(
    entry("1", outcome=Outcome.PASSED), entry("3", ARGUMENT), entry("9", ARGUMENT, ARGUMENT)
)


def test_kinds_are_told_once_and_the_first_one_first() -> None:
    found = {each["test"]: kinds_of(each) for each in FIRST["dialogues"]}
    assert found == {
        "1": ("wrong_argument", "missing_output"),
        "2": ("missing_output",),
        "3": (),
        "4": ("environment",),
        "5": ("judge",),
        "6": ("other",),
    }


def test_a_table_of_one_run() -> None:
    assert list(failure_lines({"one": FIRST})) == [
        "failed by kind  dialogues  first",
        "wrong_argument          1      1",
        "missing_output          2      1",
        "environment             1      1",
        "judge                   1      1",
        "other                   1      1",
        "",
        "missing_output",
        "  desk/1 trial 0: never said: '10'",
        "  desk/2 trial 0: never said: '10'",
        "  desk/2 trial 0: never said: '10'",
        "",
        "other",
        "  desk/6 trial 0: why",
        "",
        "wrong_argument",
        "  desk/1 trial 0: day: expected Monday, got Sunday (turn 2)",
    ]


def test_two_runs_side_by_side() -> None:
    lines = list(failure_lines({"one": FIRST, "two": SECOND}))
    assert lines[:3] == [
        "failed by kind  one: dialogues  one: first  two: dialogues  two: first",
        "wrong_argument               1           1               2           2",
        "missing_output               2           1               0           0",
    ]
    assert "two: wrong_argument" in lines
    assert lines[-3:] == [
        "failed more often in one: 1 (desk/1)",
        "",
        "failed more often in two: 1 (desk/3)",
    ]


def test_nothing_failed() -> None:
    assert not list(failure_lines({"one": run(entry("3", outcome=Outcome.PASSED))}))


def test_failures_are_kept_in_the_file(tmp_path: Path) -> None:
    write_results(tmp_path / "x.json", FIRST)
    first = read_results(tmp_path / "x.json")["dialogues"][0]
    told: Any = first["verdicts"]["reward"]["failures"]
    assert told[0] == {
        "kind": "wrong_argument",
        "detail": "day: expected Monday, got Sunday",
        "turn": 2,
    }
    assert dialogue_of(first).verdicts["reward"].failures == (ARGUMENT, OUTPUT)
    assert "failures" not in FIRST["dialogues"][2]["verdicts"]["reward"]


def test_the_command(tmp_path: Path, todeval: Todeval) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    write_results(one, FIRST)
    write_results(two, SECOND)
    whole = todeval("report", one).out
    assert "\nfailed by kind  dialogues  first\n" in whole
    alone = todeval("report", one, "--failures").out
    assert whole.endswith("\n" + alone)
    assert todeval("report", one, "--failures", two).out.startswith(
        "failed by kind  one: dialogues  one: first  two: "
    )
    assert "one (2): dialogues" in todeval("report", one, "--failures", one).out
    assert main(["report", str(one), "--failures", str(tmp_path / "none.json")]) == 2
    write_results(two, run(entry("3", outcome=Outcome.PASSED)))
    assert todeval("report", two, "--failures").out == "no dialogue failed\n"


def test_results_without_rewards_have_no_table(tmp_path: Path, todeval: Todeval) -> None:
    booking = Verdict("booking", False, "none")
    dialogue = Dialogue(Goal("1", "hotel", ()), verdicts={"booking": booking})
    found = run(dialogue_entry(dialogue, test="a", outcome=Outcome.FAILED))
    write_results(tmp_path / "x.json", found)
    assert "failed by kind" not in todeval("report", tmp_path / "x.json").out
