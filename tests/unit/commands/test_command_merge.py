"""`todeval merge` of shards: what is missing of the whole run, and what is there twice."""

from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results
from tests.support.dialogue_world import dialogue, restaurant_goal, said

TALK = dialogue(restaurant_goal(), said("Hello!", "Hello."))


def shard(
    folder: Path,
    number: int,
    of: int,
    planned: int,
    there: int,
    *,
    tests: str = "ab",
    name: str = "",
) -> str:
    """A shard's results file: how many dialogues it planned, and how many are in it."""
    entries = [
        dialogue_entry(TALK, test=f"t[{number}-{n}]", outcome=Outcome.PASSED) for n in range(there)
    ]
    shards = {f"{number}/{of}": {"planned": [planned], "collection": [tests]}}
    path = folder / f"{name or number}.json"
    write_results(path, results(entries, environment(shards=shards)))
    return str(path)


def merge(folder: Path, *files: str) -> int:
    return main(["merge", *files, "--json", str(folder / "all.json")])


def test_a_whole_run_lacks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [shard(tmp_path, number, 3, 2, 2) for number in (1, 2, 3)]

    assert merge(tmp_path, *files) == 0

    told = capsys.readouterr().out
    assert "missing" not in told
    assert "several files" not in told


def test_gaps_and_repeats_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [shard(tmp_path, 1, 3, 3, 3), shard(tmp_path, 2, 3, 2, 1)]

    assert merge(tmp_path, *files, shard(tmp_path, 1, 3, 3, 3, name="again")) == 1

    told = capsys.readouterr().out
    assert "missing: shard 3/3: no file" in told
    assert "missing: shard 2/3: 1 of 2 dialogues" in told
    assert "3 dialogues stand in several files and were kept once" in told
    assert (tmp_path / "all.json").exists()


def test_shards_of_other_runs_do_not_make_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = shard(tmp_path, 1, 3, 1, 1)

    assert merge(tmp_path, first, shard(tmp_path, 2, 2, 1, 1)) == 2
    assert "shards of different runs: 1/3, 2/2" in capsys.readouterr().err
    assert merge(tmp_path, first, shard(tmp_path, 3, 3, 1, 1, tests="cd")) == 2
    assert "cut from different tests" in capsys.readouterr().err
