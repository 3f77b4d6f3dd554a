"""A run that ends as soon as its gates and its baseline are decided."""

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.schema import Results, SequentialEntry
from tests.plugin.conftest import Suite, apart, run

BOT = """
import os
import pytest
from pytest_todeval import synthetic

@pytest.mark.goals(synthetic("demo", 30, seed=1))
def test_books(dialogue, goal):
    assert int(goal.id[-1], 16) >= int(os.environ.get("BROKEN", 0))

def test_other():
    pass
"""
SEQUENTIAL = "--todeval-sequential=7"
GATE = "--todeval-gate=passed >= 0.6"
JSON = "--todeval-json=now.json"


@pytest.fixture
def gated(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("BROKEN", raising=False)
    return suite(BOT)


def found_in(pytester: pytest.Pytester) -> Results:
    return read_results(pytester.path / "now.json")


def how_far(pytester: pytest.Pytester) -> SequentialEntry:
    (found,) = found_in(pytester)["environment"]["sequential"]
    return found


def played_in(pytester: pytest.Pytester) -> set[str]:
    return {entry["test"] for entry in found_in(pytester)["dialogues"]}


def test_a_run_that_is_decided_plays_no_more(gated: pytest.Pytester, processes: list[str]) -> None:
    result = apart(gated, *processes, SEQUENTIAL, GATE, JSON)

    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "sequential: passed after 9 of 30 goals; * dialogues not played",
            "passed: all gates hold",
            "passed >= 0.6 *1.000 *passed after 9 goals",
        ]
    )
    told, played = how_far(gated), played_in(gated)
    assert (told["decided"], told["goals"], told["of"]) == (True, 9, 30)
    assert len(played) >= 9
    if "-n2" not in processes:  # with it, how many others were under way is chance
        assert len(played) == 9
    assert played.isdisjoint(told["not_played"])
    assert len(played) + len(told["not_played"]) == 30
    # the test without a dialogue is never left out
    result.assert_outcomes(passed=len(played) + 1, deselected=30 - len(played))
    if len(played) < 30:
        result.stdout.fnmatch_lines(["  the run ended once it was decided, after 9 of 30 goals: *"])


@pytest.mark.thorough
def test_the_order_is_that_of_the_seed(gated: pytest.Pytester) -> None:
    apart(gated, "-n0", SEQUENTIAL, GATE, JSON)
    alone = played_in(gated)
    apart(gated, "-n2", SEQUENTIAL, GATE, JSON)
    assert alone <= played_in(gated)
    apart(gated, "-n0", "--todeval-sequential=8", GATE, JSON)
    assert not alone <= played_in(gated)


@pytest.mark.thorough
def test_a_run_that_fails_ends_early(
    gated: pytest.Pytester, processes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "16")

    result = apart(gated, *processes, SEQUENTIAL, GATE, "--todeval-gate=booking >= 0.1")

    assert result.ret == 10
    result.stdout.fnmatch_lines(
        ["sequential: failed after 5 of 30 goals*", "passed >= 0.6 *failed after 5 goals"]
    )
    if "-n2" not in processes:
        assert result.parseoutcomes()["failed"] == 5


@pytest.mark.thorough
def test_a_run_is_undecided_after_its_last_goal(
    gated: pytest.Pytester, processes: list[str]
) -> None:
    gate = "--todeval-gate=passed >= 0.97"
    result = apart(gated, *processes, SEQUENTIAL, gate, "--todeval-undecided=fail")

    assert result.ret == 11
    result.stdout.fnmatch_lines(
        ["sequential: undecided, with all 30 goals played", "passed >= 0.97*undecided: *"]
    )
    result.assert_outcomes(passed=31)


@pytest.mark.thorough
def test_a_run_beside_its_baseline_ends_once_a_value_is_worse(
    gated: pytest.Pytester, processes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    apart(gated, JSON)
    assert (
        main(["baseline", "update", *(str(gated.path / n) for n in ("now.json", "base.json"))]) == 0
    )
    monkeypatch.setenv("BROKEN", "16")

    result = apart(gated, *processes, SEQUENTIAL, "--todeval-baseline=base.json")

    assert result.ret == 10
    result.stdout.fnmatch_lines(
        ["sequential: failed after * of 30 goals*", "failed: * broke against base.json*"]
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([SEQUENTIAL], "*--todeval-sequential needs what is to be decided: give --todeval-gate*"),
        (["--todeval-sequential=", GATE], "*got nothing, expected any text, such as the commit*"),
        ([SEQUENTIAL, GATE, "--todeval-shard=1/2"], "*a shard cannot tell when the whole run*"),
        (
            [SEQUENTIAL, GATE, "-n2", "--dist=loadfile"],
            "*got --dist=loadfile*expected --dist=load,*",
        ),
    ],
)
def test_what_it_cannot_be_used_with(
    gated: pytest.Pytester, arguments: list[str], told: str
) -> None:
    result = apart(gated, *arguments)

    assert result.ret == 4
    result.stderr.fnmatch_lines([told])


@pytest.mark.thorough
def test_a_run_broken_off_is_not_decided(
    gated: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "8")

    result = run(gated, "-n0", "-x", SEQUENTIAL, GATE, JSON)

    assert result.ret == 1
    result.stdout.fnmatch_lines(["sequential: broken off after * of 30 goals, before a decision"])
    assert how_far(gated)["decided"] is False


@pytest.mark.thorough
def test_a_run_goes_on_in_another_order_and_counts_what_was_played(
    gated: pytest.Pytester, processes: list[str]
) -> None:
    apart(gated, "-n0", SEQUENTIAL, GATE, JSON)
    before = played_in(gated)

    result = apart(gated, *processes, SEQUENTIAL, GATE, JSON, "--todeval-resume")
    result.stdout.fnmatch_lines(["sequential: passed after 9 of 30 goals*"])
    assert before <= played_in(gated)
    if "-n2" not in processes:
        assert len(played_in(gated)) == 9

    harder = "--todeval-gate=passed >= 0.8"
    result = apart(gated, *processes, SEQUENTIAL, harder, JSON, "--todeval-resume")
    result.stdout.fnmatch_lines(["sequential: passed after 18 of 30 goals*"])
    assert before <= played_in(gated)
    assert len(played_in(gated)) >= 18


@pytest.mark.thorough
def test_goals_of_several_tests_and_trials_are_played_together(
    suite: Suite, processes: list[str]
) -> None:
    pytester = suite(
        """
        import pytest
        from pytest_todeval import synthetic

        @pytest.fixture(scope="module")
        def opened(request, tmp_path_factory):
            log = request.config.rootpath / "log"
            with log.open("a") as file: file.write("opened ")
            yield
            with log.open("a") as file: file.write("closed ")

        GOALS = synthetic("demo", 20, seed=1)

        @pytest.mark.goals(GOALS)
        @pytest.mark.trials(2)
        def test_one(dialogue, opened):
            pass

        @pytest.mark.goals(GOALS)
        def test_two(dialogue):
            assert False
        """
    )
    pytester.makepyfile(test_zzz="def test_last():\n    pass\n")

    result = apart(pytester, *processes, SEQUENTIAL, "--todeval-gate=passed >= 0.5", JSON)

    assert result.ret == 0
    told = how_far(pytester)
    entries = found_in(pytester)["dialogues"]
    counted = {entry["goal"] for entry in entries}
    assert told["of"] == 20
    assert len(counted) >= told["goals"]
    if "-n2" not in processes:
        assert len(counted) == told["goals"] < 20
    assert len(entries) >= 3 * told["goals"]
    result.stdout.fnmatch_lines(["passed >= 0.5 *0.667*"])
    log = (pytester.path / "log").read_text().split()
    assert log.count("opened") == log.count("closed") > 0
    result.stdout.no_fnmatch_line("*previous item was not torn down properly*")
