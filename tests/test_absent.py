"""What the docs say is not there is not there; what they say is there, is."""

import re
from collections.abc import Callable

import pytest

from pytest_todeval.cli import COMMANDS
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.research.offline.transcripts import FORMATS
from pytest_todeval.worlds.registry import names
from tests.conftest import PROJECT

METHODS = (PROJECT / "docs" / "methods.md").read_text(encoding="utf-8")
THERE, ABSENT = METHODS.split("## What is not there", 1)

STILL_ABSENT: dict[str, Callable[[], bool]] = {
    "Turing test": lambda: not any("turing" in name for name in COMMANDS),
    "the index of the retriever": lambda: not any("index" in name for name in COMMANDS),
    "Multi3WOZ": lambda: not any("multi3woz" in name for name in names()),
    "predictions of SVAG": lambda: "svag" not in FORMATS,
}
"""Each row of the table, by a part of it: whether it is so."""


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"\| (?!what|---)", line)]


def test_each_row_of_what_is_not_there_is_held_against_the_code() -> None:
    assert len(rows(ABSENT)) == len(STILL_ABSENT)
    for row, (part, holds) in zip(rows(ABSENT), STILL_ABSENT.items(), strict=True):
        assert part in row
        assert holds(), f"{part} is there: docs/methods.md says it is not"
    assert "not built" not in METHODS


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`todeval (\w+)", THERE))))
def test_commands_that_the_page_names_exist(command: str) -> None:
    assert command in COMMANDS


def test_all_outcomes_are_counted() -> None:
    numbers = {7: "seven", 8: "eight", 9: "nine"}
    results = (PROJECT / "docs" / "results_file.md").read_text(encoding="utf-8")
    assert f"the {numbers[len(Outcome)]} outcomes" in results
