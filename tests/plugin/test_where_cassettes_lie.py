"""Cassettes lie at the project's anchor, whatever pytest's root; their path says whose they are."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin.conftest import apart, recorded_once, recordings
from tests.plugin.test_cassettes_in_runs import CONFTEST, TEST

pytestmark = pytest.mark.thorough


@pytest.fixture
def recorded(pytester: pytest.Pytester, kept: dict[Path, bytes]) -> pytest.Pytester:
    """Three tests with a cassette each."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    with recorded_once(kept, pytester.path) as first:
        if first:
            apart(pytester, "--todeval-record=missing").assert_outcomes(passed=3)
            (pytester.path / "asked.txt").unlink()
    return pytester


def todeval(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest_todeval.cli", "cassettes", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


def test_an_option_with_a_space_moves_no_cassette(recorded: pytest.Pytester) -> None:
    elsewhere = recorded.path.parent / "other data" / "world"
    elsewhere.mkdir(parents=True)
    (elsewhere / "results.json").touch()
    result = apart(recorded, "--todeval-json", str(elsewhere / "results.json"))
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines([f"rootdir: {recorded.path.parent}*"])


def test_an_option_with_a_space_records_at_the_same_place(
    recorded: pytest.Pytester, kept: dict[Path, bytes]
) -> None:
    for path in kept:
        (recorded.path / path).unlink()
    elsewhere = recorded.path.parent / "other data" / "world"
    elsewhere.mkdir(parents=True, exist_ok=True)
    result = apart(
        recorded,
        "--todeval-record=missing",
        f"--todeval-json={elsewhere / 'results.json'}",
        str(elsewhere.parent),
        ".",
    )
    result.assert_outcomes(passed=3)
    assert recordings(recorded.path).keys() == kept.keys()


def test_a_renamed_test_whose_cassette_was_moved_replays_and_is_no_orphan(
    recorded: pytest.Pytester,
) -> None:
    (recorded.path / "test_bot.py").write_text(TEST.replace("test_it", "test_that"))
    for path in recordings(recorded.path):
        place = recorded.path / path
        place.rename(place.with_name(place.name.replace("test_it", "test_that")))
    result = apart(recorded)
    result.assert_outcomes(passed=3)
    result.stdout.no_fnmatch_line("orphans: *")
    listing = apart(recorded, "--collect-only", "-q").stdout.str()
    assert "0 cassettes" in todeval("prune", "--yes", given=listing).stdout
    assert len(recordings(recorded.path)) == 3


def test_rename_moves_the_cassettes_of_a_test(recorded: pytest.Pytester) -> None:
    (recorded.path / "test_bot.py").rename(recorded.path / "test_new.py")
    result = apart(recorded, "-k", "DEMO001")
    result.assert_outcomes(errors=1, deselected=2)
    result.stdout.fnmatch_lines(["*recorded elsewhere: *", "*todeval cassettes rename *"])
    done = todeval("rename", "test_bot.py", "test_new.py")
    assert done.returncode == 0, done.stderr
    assert "3 cassettes" in done.stdout
    apart(recorded).assert_outcomes(passed=3)
    assert all(b"test_new.py::test_it" in content for content in recordings(recorded.path).values())


def test_rename_overwrites_nothing(recorded: pytest.Pytester) -> None:
    before = recordings(recorded.path)
    refused = todeval(
        "rename", "test_bot.py::test_it[demo/DEMO001]", "test_bot.py::test_it[demo/DEMO002]"
    )
    assert refused.returncode != 0
    assert "already exists" in refused.stderr
    assert recordings(recorded.path) == before


def test_cassettes_of_an_earlier_place_are_found(
    recorded: pytest.Pytester, kept: dict[Path, bytes]
) -> None:
    package = recorded.path / "bot"
    package.mkdir()
    for name in ("conftest.py", "test_bot.py"):
        (recorded.path / name).rename(package / name)
    (package / "pyproject.toml").write_text("[project]\nname = 'bot'\n")
    (recorded.path / "cassettes" / "bot").mkdir()
    for path in kept:
        new = recorded.path / "cassettes" / "bot" / "test_bot"
        new.mkdir(exist_ok=True)
        (recorded.path / path).rename(new / path.name)
    apart(recorded, "--rootdir=.", "bot").assert_outcomes(passed=3)
    apart(recorded, "--todeval-record=rewrite", "--rootdir=.", "bot")
    assert not (package / "cassettes").exists()


def test_an_option_names_the_folder(recorded: pytest.Pytester, kept: dict[Path, bytes]) -> None:
    (recorded.path / "cassettes").rename(recorded.path / "kept here")
    apart(recorded, "--todeval-cassettes=kept here").assert_outcomes(passed=3)
