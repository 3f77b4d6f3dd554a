"""What is made of a run that ended once it was decided: never a sample of fixed size in silence."""

from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results
from pytest_todeval.runs.reports.schema import SequentialEntry
from tests.conftest import Todeval
from tests.support.dialogue_world import dialogue, restaurant_goal

EARLY: SequentialEntry = {
    "seed": "7",
    "goals": 2,
    "of": 4,
    "decided": True,
    "not_played": ["t[2]", "t[3]"],
}
WHOLE: SequentialEntry = {**EARLY, "goals": 2, "of": 2, "not_played": []}
TOLD = "the run ended once it was decided, after 2 of 4 goals"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, how_far in (("early", EARLY), ("whole", WHOLE)):
        entries = [
            dialogue_entry(
                dialogue(restaurant_goal(request=("phone",)), Turn(1, "u", "s")),
                test=f"t[{number}]",
                outcome=Outcome.PASSED,
                metrics={"booking": Verdict("booking", True, "so")},
            )
            for number in range(2)
        ]
        found = results(entries, environment(sequential=[how_far]))
        write_results(tmp_path / f"{name}.json", found)
    return tmp_path


@pytest.mark.parametrize("name", ["early", "whole"])
@pytest.mark.parametrize(
    "command",
    [
        ["report"],
        ["gate", "booking >= 0.5"],
        ["gate", "booking >= 0.5", "--markdown"],
        ["merge", "--json", "all.json"],
    ],
)
def test_figures_come_with_how_far_it_went(
    files: Path,
    todeval: Todeval,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    command: list[str],
) -> None:
    monkeypatch.chdir(files)
    told = todeval(command[0], f"{name}.json", *command[1:]).out
    assert (TOLD in told) is (name == "early")


def test_it_is_not_compared_with_another_unless_that_is_asked_for(
    files: Path, todeval: Todeval
) -> None:
    early, whole = files / "early.json", files / "whole.json"
    assert "the later run ended once it was" in todeval("compare", whole, early, code=2).err
    assert "the earlier run ended once it was" in todeval("compare", early, whole, code=2).err
    assert "the later run ended" in todeval("compare", whole, early, "--force").out
    assert "ended" not in todeval("compare", whole, whole).out


def test_it_becomes_no_baseline(files: Path, todeval: Todeval) -> None:
    base = files / "base.json"
    assert TOLD in todeval("baseline", "update", files / "early.json", base, code=2).err
    assert not base.exists()
    todeval("baseline", "update", files / "whole.json", base)


def test_history_says_so(files: Path, todeval: Todeval) -> None:
    history = files / "history.sqlite"
    assert TOLD in todeval("history", "add", history, files / "early.json").out
