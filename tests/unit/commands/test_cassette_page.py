"""Cassettes as `todeval view --cassettes` shows them, with their differences."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.commands.cassette_page import ShownCassettes
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.accepting import proposal_path
from pytest_todeval.recording.call import Call
from pytest_todeval.recording.store import write_cassette
from tests.support.recorded_calls import HEADER, chat, dialogue


def write(folder: Path, name: str, *calls: Call, test: str = "") -> Path:
    path = folder / f"{name}.todeval.jsonl"
    write_cassette(path, replace(HEADER, test=test or f"test_a.py::{name}"), calls)
    return path


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Now and before: one of each kind."""
    now, before = tmp_path / "now", tmp_path / "before"
    write(now, "same", *dialogue(2))
    write(before, "same", *dialogue(2))
    write(now, "sub/changed", chat("a room near the park"))
    write(before, "sub/changed", chat("a room near the mill"))
    write(now, "new", chat("x"))
    write(before, "gone", chat("x"))
    write(now, "proposed", chat("old words"))
    write(now, "made", chat("new words"), test="test_a.py::proposed").rename(
        proposal_path(now / "proposed.todeval.jsonl")
    )
    (now / "broken.todeval.jsonl").write_text("{}")
    return now, before


def test_each_is_listed_with_what_has_become_of_it(folders: tuple[Path, Path]) -> None:
    rows = ShownCassettes(*folders).rows()
    assert {row["name"].split(".")[0]: row["change"] for row in rows} == {
        "broken": "broken",
        "gone": "gone",
        "new": "new",
        "proposed": "proposed",
        "same": "same",
        "sub/changed": "changed",
    }
    assert "broken.todeval.jsonl" in rows[0]["why"]
    assert [row["calls"] for row in rows] == [0, 1, 1, 1, 6, 1]
    assert {row["change"] for row in ShownCassettes(folders[0]).rows()} == {
        *("", "broken", "proposed")
    }


def test_one_is_shown_with_its_calls_and_differences(folders: tuple[Path, Path]) -> None:
    shown = ShownCassettes(*folders)
    places = {row["test"]: place for place, row in enumerate(shown.rows()) if "test" in row}
    changed = shown.one(places["test_a.py::sub/changed"])
    assert any("[-mill-]{+park+}" in line for line in changed["differences"])
    assert changed["calls"][0]["said"] == [["user", "a room near the park"]]
    assert changed["calls"][0]["came"] == [["assistant", "re a room near the park"]]
    assert any(
        "[-old-]{+new+}" in e for e in shown.one(places["test_a.py::proposed"])["differences"]
    )
    for name in ("same", "new", "gone"):
        assert shown.one(places[f"test_a.py::{name}"])["differences"] == []
    with pytest.raises(IndexError):
        shown.one(99)


def test_what_is_no_folder_is_refused(folders: tuple[Path, Path]) -> None:
    with pytest.raises(UsageError, match="folders, not files"):
        ShownCassettes(folders[0] / "same.todeval.jsonl")
    with pytest.raises(UsageError, match="no folder"):
        ShownCassettes(folders[0], folders[0] / "none")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [([], "name what to show"), (["--cassettes-before", "x"], "name what to show")],
)
def test_nothing_to_show_is_said(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", *arguments]) == 2
    assert told in capsys.readouterr().err
