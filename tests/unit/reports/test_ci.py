"""What a CI shows of a run."""

from pathlib import Path

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.ci import annotations, summary_markdown
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from tests.support.hostile_pages import hostile_pages
from tests.support.page_world import entry_of, mixed_run, run_of

SUITE = "\n\nclass TestIt:\n    pass\n\n\ndef test_books(dialogue):\n    assert dialogue.booking\n"


def test_each_cause_is_told_at_the_line_of_its_test(tmp_path: Path) -> None:
    (tmp_path / "test_hotel.py").write_text(SUITE)
    found = list(annotations(mixed_run(8)["dialogues"], tmp_path))
    assert found[0] == (
        "::error file=test_hotel.py,line=7,title=2 failed%3A booking::hotel: booked Rose House "
        "(reference X1), whose day is 'friday'; the goal wants 'monday' (demo/D000, demo/D004)"
    )
    assert len(found) == 2


@pytest.mark.parametrize("suite", [None, "def broken(:", "x = 1"])
def test_a_test_that_is_not_found_is_told_without_its_line(
    tmp_path: Path, suite: str | None
) -> None:
    if suite is not None:
        (tmp_path / "test_hotel.py").write_text(suite)
    (found,) = annotations([entry_of("A", wrong="no")], tmp_path)
    assert found.startswith("::error file=test_hotel.py,title=1 failed%3A booking::no")


def test_more_causes_than_are_shown_are_counted(tmp_path: Path) -> None:
    entries = [entry_of(f"A{n}", wrong=f"reason {'x' * n}") for n in range(1, 14)]
    found = list(annotations(entries, tmp_path))
    assert len(found) == 11
    assert found[-1] == "::notice::3 more causes stand in the summary"


def test_nothing_that_a_bot_says_commands_the_runner_or_forms_the_summary(tmp_path: Path) -> None:
    for said in hostile_pages("http://example.org"):
        entry = entry_of("A", wrong=said[:3000] or "x")
        (line,) = annotations([entry], tmp_path)
        assert line.count("\n") == 0
        assert "\x1b" not in line
        text = summary_markdown(run_of(entry))
        assert "\n::" not in text
        assert "##vso[" not in text
        assert "<script" not in text.replace("\\<script", "")


def test_the_summary_says_what_failed_what_broke_and_the_cost() -> None:
    before, now = run_of(*(entry_of(f"D{n:03}") for n in range(8))), mixed_run(8)
    text = summary_markdown(now, compare_runs(before, now))
    assert text.startswith("**8 dialogues: 4 failed, 4 passed**")
    assert "| 2 | booking: booked …, whose day is …; the goal wants … | bot |" in text
    assert "- broke (4): " in text
    assert text.endswith("Cost: nothing, no model was asked\n")


def test_what_others_spoiled_is_theirs() -> None:
    text = summary_markdown(run_of(entry_of("A", outcome=Outcome.INFRASTRUCTURE, detail="down")))
    assert "| 1 | down | infrastructure |" in text
