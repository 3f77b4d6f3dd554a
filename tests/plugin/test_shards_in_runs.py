"""A run cut into shards, and their results made one again."""

import json

import pytest

from pytest_todeval.cli import main
from pytest_todeval.reports.results import read_results, strip_times
from tests.plugin.conftest import Suite, apart

BOT = """
import pytest

@pytest.mark.goals("demo", limit=7, seed=1)
def test_talks(dialogue):
    assert dialogue.success

def test_other():
    pass
"""


@pytest.fixture
def cut(suite: Suite) -> pytest.Pytester:
    """Three shards' results beside those of the whole run."""
    return cut_in(suite, "-p", "no:xdist")


def cut_in(suite: Suite, *processes: str) -> pytest.Pytester:
    pytester = suite(BOT)
    apart(pytester, "--todeval-json=whole.json")
    for number, passed in ((1, 4), (2, 2), (3, 2)):
        result = apart(
            pytester,
            *processes,
            f"--todeval-shard={number}/3",
            f"--todeval-json={number}.json",
        )
        result.assert_outcomes(passed=passed)
    return pytester


def merge(pytester: pytest.Pytester, *names: str) -> int:
    files = [str(pytester.path / f"{name}.json") for name in names]
    return main(["merge", *files, "--json", str(pytester.path / "all.json")])


def test_shards_make_the_whole_run(suite: Suite, processes: list[str]) -> None:
    cut = cut_in(suite, *processes)

    assert merge(cut, "3", "1", "2") == 0

    found, whole = (read_results(cut.path / f"{name}.json") for name in ("all", "whole"))
    assert strip_times(found)["dialogues"] == strip_times(whole)["dialogues"]


def test_what_is_missing_and_what_is_there_twice_is_named(
    cut: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cut.path / "2.json"
    short = json.loads(path.read_text(encoding="utf-8"))
    short["dialogues"].pop()
    (cut.path / "short.json").write_text(json.dumps(short), encoding="utf-8")
    capsys.readouterr()

    assert merge(cut, "1", "short", "1b") == 2
    (cut.path / "1b.json").write_bytes((cut.path / "1.json").read_bytes())
    capsys.readouterr()
    assert merge(cut, "1", "short", "1b") == 1

    told = capsys.readouterr().out
    assert "missing: shard 3/3: no file" in told
    assert "missing: shard 2/3: 1 of 2 dialogues" in told
    assert "3 dialogues stand in several files and were kept once" in told


@pytest.mark.thorough
def test_shards_of_other_runs_do_not_make_one(
    cut: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    apart(cut, "--todeval-shard=2/2", "--todeval-json=half.json")
    apart(cut, "--todeval-shard=2/3", "--todeval-limit=5", "--todeval-json=fewer.json")
    capsys.readouterr()

    assert merge(cut, "1", "half") == 2
    assert "shards of different runs: 1/3, 2/2" in capsys.readouterr().err
    assert merge(cut, "1", "fewer") == 2
    assert "cut from different tests" in capsys.readouterr().err


@pytest.mark.thorough
def test_shards_by_the_times_of_an_earlier_run(cut: pytest.Pytester) -> None:
    whole = json.loads((cut.path / "whole.json").read_text(encoding="utf-8"))
    for number, entry in enumerate(whole["dialogues"]):
        for turn in entry["turns"]:
            turn["latency_s"] = 60.0 if number == 0 else 0.001
    (cut.path / "times.json").write_text(json.dumps(whole), encoding="utf-8")

    given = ["--todeval-times=times.json"]
    apart(cut, "--todeval-shard=1/2", *given).assert_outcomes(passed=2)
    apart(cut, "--todeval-shard=2/2", *given).assert_outcomes(passed=6)


@pytest.mark.parametrize("shard", ["0/2", "3/2", "2", "a/b", "1/0"])
def test_what_is_no_shard(suite: Suite, shard: str) -> None:
    result = apart(suite(BOT), f"--todeval-shard={shard}")

    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--todeval-shard: got *expected N/OF, such as 2/5*"])
