"""`todeval cassettes` with cassettes elsewhere: in a folder of one's own, in one of projects."""

import io
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.recording.location import cassette_of
from pytest_todeval.recording.store import read_cassette, write_cassette
from tests.conftest import Todeval
from tests.support.recorded_calls import HEADER, chat

OLD = "bots/hotel/tests/test_old.py::test_books[a b]"
NEW = "bots/hotel/tests/test_new.py::test_books[a b]"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where pytest and the command run: above the project of the tests, which configures pytest."""
    project = tmp_path / "bots" / "hotel"
    (project / "tests").mkdir(parents=True)
    (project / "pytest.ini").touch()
    (project / "tests" / "test_new.py").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=[None, "kept here"], ids=["at the anchor", "in a folder of its own"])
def given(request: pytest.FixtureRequest, here: Path) -> Path | None:
    """What `--todeval-cassettes` names."""
    return None if request.param is None else here / request.param


def place(here: Path, test: str, given: Path | None) -> Path:
    """Where a run looks for the cassette of a test."""
    return cassette_of(here / test.partition("::")[0], test, root=here, given=given)


def folder_of(given: Path | None) -> str:
    return str(given or "bots/hotel/cassettes")


def test_renamed_cassettes_lie_where_a_run_looks_for_them(here: Path, given: Path | None) -> None:
    old = place(here, OLD, given)
    write_cassette(old, replace(HEADER, test=OLD), [chat("hello")])
    file = [test.partition("::")[0] for test in (OLD, NEW)]
    assert main(["cassettes", "rename", *file, folder_of(given)]) == 0
    new = place(here, NEW, given)
    assert read_cassette(new).header.test == NEW
    assert not old.exists()


def test_node_ids_are_relative_to_the_root_of_pytest(
    here: Path, given: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_cassette(place(here, OLD, given), replace(HEADER, test=OLD), [chat("hello")])
    monkeypatch.chdir(here / "bots" / "hotel" / "tests")
    assert main(["cassettes", "rename", OLD, NEW, str(here / folder_of(given))]) == 0
    assert place(here, NEW, given).exists()


def test_prune_leaves_what_a_test_plays(
    here: Path, given: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its header names the test as it was called when it was recorded."""
    played = place(here, NEW, given)
    write_cassette(played, replace(HEADER, test=OLD), [chat("hello")])
    orphan = played.with_name("gone.todeval.jsonl")
    write_cassette(orphan, replace(HEADER, test=OLD), [chat("hello")])
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{NEW}\n1 test collected"))
    assert main(["cassettes", "prune", folder_of(given), "--yes"]) == 0
    assert played.exists()
    assert not orphan.exists()


def test_a_folder_that_is_not_there_says_who_names_it(here: Path, todeval: Todeval) -> None:
    for action in (["list"], ["journals"], ["rename", OLD, NEW]):
        assert "todeval_cassettes" in todeval("cassettes", *action, code=2).err
