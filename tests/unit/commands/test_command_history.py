"""`todeval history`: runs kept in one file, and shown over time."""

import re
import sqlite3
import subprocess
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.commands.history import BRANCHES
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.history.lines import history_lines
from pytest_todeval.runs.reports.history.store import KeptRun, keep_run, kept_runs
from pytest_todeval.runs.reports.results import (
    Results,
    dialogue_entry,
    environment,
    results,
    write_results,
)
from tests.conftest import Todeval
from tests.support.dialogue_world import dialogue, restaurant_goal, said

TALK = dialogue(restaurant_goal(request=("phone",)), said("Hello!", "Hello."))


def run(passed: int, *, goals: int = 10, trials: int = 1, bot: str = "HotelBot") -> Results:
    entries = []
    for number in range(goals):
        for trial in range(trials):
            entry = dialogue_entry(
                TALK,
                test=f"t[{number}-{trial}]",
                outcome=Outcome.PASSED if number < passed else Outcome.FAILED,
                metrics={"booking": Verdict("booking", number < passed, "so")},
                bot=bot,
            )
            entries.append({**entry, "goal": f"test/g{number}", "trial": trial})
    return results(entries, environment())  # type: ignore[arg-type]


def add(folder: Path, found: Results, *options: str) -> int:
    write_results(folder / "r.json", found)
    return main(["history", "add", str(folder / "h.sqlite"), str(folder / "r.json"), *options])


def test_runs_are_kept_once_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for passed, version in ((8, "v1"), (9, "v2"), (9, "v2 again")):
        assert add(tmp_path, run(passed), "--branch", "main", "--version", version) == 0
    assert "the run is there already" in capsys.readouterr().out

    assert main(["history", "show", str(tmp_path / "h.sqlite"), "--metric", "booking"]) == 0

    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("2 runs")
    assert told[2].split() == ["booking", "0.800", "0.900", "0.900", "▁█"]
    assert [line.split()[2:] for line in told[-2:]] == [
        ["main", "v2", "HotelBot", "0.900"],
        ["main", "v1", "HotelBot", "0.800"],
    ]


def test_a_goal_counts_once_whatever_its_trials(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    keep_run(path, run(5, trials=3), at="2026-01-01T00:00:00", branch="main", version="v1")

    (found,) = kept_runs(path)

    assert found.values["booking"] == (0.5, 10)


def test_several_bots_are_runs_of_their_own(tmp_path: Path, todeval: Todeval) -> None:
    both = run(9)["dialogues"] + run(2, bot="Other")["dialogues"]
    add(tmp_path, results(both, environment()), "--branch", "main", "--version", "v1")
    path = str(tmp_path / "h.sqlite")

    assert [each.bot for each in kept_runs(Path(path))] == ["HotelBot", "Other"]
    assert "HotelBot" not in todeval("history", "show", path, "--bot", "Other").out
    assert (
        "bots: HotelBot, Other" in todeval("history", "show", path, "--bot", "Nobody", code=2).err
    )


def test_changes_are_named_with_their_run() -> None:
    runs = [
        KeptRun(n, f"day {n:02}", "main", f"c{n}", "B", {"booking": (0.9 if n < 9 else 0.6, 50)})
        for n in range(18)
    ]

    told = list(history_lines(runs, ["booking"]))

    assert "booking fell from 0.900 to 0.600 with run 9 (day 09, main c9)" in told
    assert len([line for line in told if line.startswith(("0 ", "17 "))]) == 2


def test_branches_and_bots_have_lines_of_their_own() -> None:
    runs = [
        KeptRun(n, f"day {n:02}", ("main", "try")[n % 2], "c", "B", {"booking": (0.9 - n % 2, 50)})
        for n in range(20)
    ]
    other = KeptRun(20, "day 20", "main", "c", "Other", {"booking": (0.5, 50)})

    told = list(history_lines(runs, ["booking"]))

    assert [line.split()[:5] for line in told[2:4]] == [
        ["booking,", "main", "0.900", "0.900", "0.900"],
        ["booking,", "try", "-0.100", "-0.100", "-0.100"],
    ]
    assert not [line for line in told if "fell" in line or "rose" in line]
    lines = list(history_lines([*runs, other], ["booking"]))
    assert lines[4].split()[:4] == ["booking,", "main,", "Other", "0.500"]


def test_of_many_branches_the_last_are_shown() -> None:
    runs = [KeptRun(n, "day", f"b{n}", "c", "B", {"booking": (0.9, 50)}) for n in range(30)]

    told = list(history_lines(runs, ["booking"]))

    assert [line.split()[1] for line in told[2:22]] == [f"b{n}" for n in range(10, 30)]
    assert told[22] == "and 10 lines of earlier runs: choose with --branch, --bot"


def test_the_branch_and_the_version_are_those_of_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_HEAD_REF", "")
    monkeypatch.setenv("GITHUB_REF_NAME", "feature")

    add(tmp_path, run(8))

    (found,) = kept_runs(tmp_path / "h.sqlite")
    assert found.branch == "feature"


def test_else_they_are_those_of_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in BRANCHES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "init", "-q", "-b", "trunk"], check=True)
    add(tmp_path, run(8))
    assert capsys.readouterr().out.endswith("h.sqlite: added unknown unknown\n")
    subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    add(tmp_path, run(9))
    assert re.search(r": added trunk [0-9a-f]{12}\n$", capsys.readouterr().out)
    monkeypatch.setenv("PATH", str(tmp_path))
    add(tmp_path, run(7))
    assert capsys.readouterr().out.endswith("h.sqlite: added unknown unknown\n")


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"text that is no database", "not a history"), (None, "no history at")],
)
def test_what_is_no_history(
    tmp_path: Path, todeval: Todeval, content: bytes | None, told: str
) -> None:
    path = tmp_path / "h.sqlite"
    if content is not None:
        path.write_bytes(content)

    assert told in todeval("history", "show", path, code=2).err


def test_another_programs_database_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "h.sqlite"
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE theirs (x)")
    file.commit()
    file.close()

    assert add(tmp_path, run(3)) == 2

    assert "expected 1: it is no history" in capsys.readouterr().err


def test_a_run_without_verdicts_on_the_bot_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(1, goals=1)
    found["dialogues"][0]["outcome"] = "infrastructure"

    assert add(tmp_path, found) == 2

    assert "nothing to keep" in capsys.readouterr().err


def test_an_unknown_value_is_told_with_the_known_ones(tmp_path: Path, todeval: Todeval) -> None:
    add(tmp_path, run(3))

    printed = todeval("history", "show", tmp_path / "h.sqlite", "--metric", "bookng", code=2).err
    assert "did you mean 'booking'" in printed


def test_an_empty_file_is_shown_as_no_history_and_stays_empty(
    tmp_path: Path, todeval: Todeval
) -> None:
    empty = tmp_path / "empty.sqlite"
    empty.touch()

    printed = todeval("history", "show", empty, code=2).err
    assert "empty.sqlite is empty; `todeval history add` puts runs there" in printed
    assert empty.stat().st_size == 0


def test_one_run_is_told_in_the_singular(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    keep_run(path, run(5), at="2026-01-01T00:00:00", branch="main", version="a")

    assert next(iter(history_lines(kept_runs(path), ["booking"]))) == "1 run, 2026-01-01T00:00:00"
