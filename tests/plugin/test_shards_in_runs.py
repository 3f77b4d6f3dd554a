"""A run cut into shards, and their results made one again."""

import json

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import read_results, strip_times
from tests.plugin.conftest import WITHOUT_XDIST, Suite, apart

BOT = """
import pytest

@pytest.mark.goals("demo", limit=4, seed=1)
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
    for number, passed in ((1, 3), (2, 1), (3, 1)):
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


@pytest.mark.parametrize("processes", WITHOUT_XDIST, indirect=True)
def test_shards_make_the_whole_run(suite: Suite, processes: list[str]) -> None:
    cut = cut_in(suite, *processes)

    assert merge(cut, "3", "1", "2") == 0

    found, whole = (read_results(cut.path / f"{name}.json") for name in ("all", "whole"))
    assert strip_times(found)["dialogues"] == strip_times(whole)["dialogues"]


@pytest.mark.thorough
def test_shards_by_the_times_of_an_earlier_run(cut: pytest.Pytester) -> None:
    whole = json.loads((cut.path / "whole.json").read_text(encoding="utf-8"))
    for number, entry in enumerate(whole["dialogues"]):
        for turn in entry["turns"]:
            turn["latency_s"] = 60.0 if number == 0 else 0.001
    (cut.path / "times.json").write_text(json.dumps(whole), encoding="utf-8")

    given = ["--todeval-times=times.json"]
    apart(cut, "--todeval-shard=1/2", *given).assert_outcomes(passed=2)
    apart(cut, "--todeval-shard=2/2", *given).assert_outcomes(passed=3)


@pytest.mark.parametrize("shard", ["0/2", "3/2", "2", "a/b", "1/0"])
def test_what_is_no_shard(suite: Suite, shard: str) -> None:
    result = apart(suite(BOT), f"--todeval-shard={shard}")

    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--todeval-shard: got *expected N/OF, such as 2/5*"])
