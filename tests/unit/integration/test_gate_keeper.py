"""What gates and a baseline make of a run: its exit code, and what is told below it."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.integration.case import Case
from pytest_todeval.integration.gates import GateKeeper
from pytest_todeval.integration.record import Run
from pytest_todeval.integration.settings import Settings
from pytest_todeval.runs.reports.baseline import baseline_of
from pytest_todeval.runs.reports.results import Results, write_results
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World
from tests.unit.integration.test_resume import payload

OK, FAILED, INTERRUPTED = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, 2


def results(*outcomes: Outcome) -> Results:
    run = Run()
    for number, outcome in enumerate(outcomes):
        found = payload(number, outcome)
        found["entry"]["metrics"] = {"success": outcome is Outcome.PASSED}
        run.take(found)
    return run.results(Settings())


Keeper = Callable[..., GateKeeper]


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keeper:
    def kept(found: Results | None, *gates: str, **settings: Any) -> GateKeeper:
        monkeypatch.setattr(Settings, "of", lambda _: Settings(gates=gates, **settings))
        config: Any = SimpleNamespace(invocation_params=SimpleNamespace(dir=tmp_path, args=()))
        config.pluginmanager = None
        reporter: Any = SimpleNamespace(results=lambda: found)
        return GateKeeper(config, reporter)

    return kept


def code(keeper: GateKeeper, exitstatus: int, *failed: str) -> int:
    for nodeid in failed:
        keeper.pytest_runtest_logreport(SimpleNamespace(failed=True, nodeid=nodeid))  # type: ignore[arg-type]
    session: Any = SimpleNamespace(exitstatus=exitstatus)
    keeper.pytest_sessionfinish(session, exitstatus)
    return int(session.exitstatus)


def told(keeper: GateKeeper) -> list[str]:
    lines: list[str] = []
    terminal: Any = SimpleNamespace(section=lambda name, sep: lines.append(name))
    terminal.write_line = lines.append
    keeper.pytest_terminal_summary(terminal)
    return lines


GOOD, BAD = Outcome.PASSED, Outcome.FAILED
OTHER = "test_other.py::test"


@pytest.mark.parametrize(
    ("good", "gate", "undecided", "ended", "other", "becomes"),
    [
        (19, "success >= 0.1", "pass", FAILED, False, OK),
        (19, "success >= 0.1", "pass", FAILED, True, FAILED),
        (2, "success >= 0.8", "pass", FAILED, False, 10),
        (2, "success >= 0.8", "pass", FAILED, True, 10),
        (19, "success >= 0.8", "pass", FAILED, False, OK),
        (19, "success >= 0.8", None, FAILED, False, 11),
        (20, "success >= 0.9", None, OK, False, OK),
        (19, "turns <= 9", None, FAILED, False, 1),
        (19, "turns <= 9", "later", FAILED, False, OK),
        (19, "success >= 0.8", "fail", FAILED, False, 11),
        (19, "sucess >= 0.9", "pass", FAILED, False, pytest.ExitCode.USAGE_ERROR),
        (2, "success >= 0.9", "pass", INTERRUPTED, False, INTERRUPTED),
    ],
)
def test_gates_and_not_single_dialogues_decide_if_a_run_fails(
    keeper: Keeper,
    good: int,
    gate: str,
    undecided: str | None,
    ended: int,
    other: bool,
    becomes: int,
) -> None:
    kept = keeper(results(*[GOOD] * good, *[BAD] * (20 - good)), gate, undecided=undecided)
    failed = [f"test_bot.py::test_it[own/{number}]" for number in range(good, 20)]
    assert code(kept, ended, *failed, *[OTHER] * other) == becomes
    assert told(kept)[:1] == ([] if ended == INTERRUPTED else ["gates"])


def test_a_test_that_is_broken_or_not_collected_fails_a_run_whose_gates_hold(
    keeper: Keeper,
) -> None:
    found = results(*[GOOD] * 19, Outcome.TEST_ERROR)
    test = "test_bot.py::test_it[own/19]"
    assert code(keeper(found, "success >= 0.1"), FAILED, test) == FAILED
    kept = keeper(results(*[GOOD] * 9), "success >= 0.1")
    report: Any = SimpleNamespace(failed=True, nodeid="test_gone.py")
    kept.pytest_collectreport(report)
    assert code(kept, FAILED) == FAILED
    other = keeper(results(*[GOOD] * 9), "success >= 0.1")
    passed: Any = SimpleNamespace(failed=False, nodeid="test_here.py")
    other.pytest_collectreport(passed)
    other.pytest_runtest_logreport(passed)
    assert code(other, OK) == OK


def test_a_run_without_dialogues_is_left_to_pytest(keeper: Keeper) -> None:
    kept = keeper(None, "success >= 0.9")
    assert code(kept, FAILED, OTHER) == FAILED
    assert told(kept) == []


def session(*goals: str, fingerprint: str = "abc") -> Any:
    made = [Goal(goal, "own", ()) for goal in goals]
    cases = [Case(each, GoalSet("own", tuple(made), fingerprint, World())) for each in made]
    plain = SimpleNamespace(callspec=SimpleNamespace(params={}))
    held = [SimpleNamespace(callspec=SimpleNamespace(params={"goal": case})) for case in cases]
    return SimpleNamespace(items=[plain, *held])


def test_a_baseline_stands_beside_the_gates(keeper: Keeper, tmp_path: Path) -> None:
    file = tmp_path / "kept" / "baseline.json"
    file.parent.mkdir()
    goals = 20
    write_results(file, baseline_of(results(*[GOOD] * goals)))
    worse = keeper(results(*[BAD] * goals), baseline=str(file))
    worse.pytest_collection_finish(session("1", "2"))
    tests = [f"test_bot.py::test_it[own/{number}]" for number in range(goals)]
    assert code(worse, FAILED, *tests) == 10
    lines = told(worse)
    assert lines[1].startswith("failed: ")
    assert f"baseline {Path('kept', 'baseline.json')}:" in lines
    same = keeper(results(*[GOOD] * goals), "success >= 0.1", baseline=str(file))
    assert code(same, OK) == OK
    assert "baseline" in " ".join(told(same)[2:])

    with pytest.raises(pytest.UsageError, match=r"baseline update RESULTS kept"):
        same.pytest_collection_finish(session("1", fingerprint="xyz"))
    keeper(None, "success >= 0.1").pytest_collection_finish(session("1", fingerprint="xyz"))
    with pytest.raises(pytest.UsageError, match="--todeval-baseline: "):
        keeper(None, baseline=str(tmp_path / "none.json"))


def test_gates_are_told_though_the_run_cannot_be_held_against_its_baseline(
    keeper: Keeper, tmp_path: Path
) -> None:
    file = tmp_path / "baseline.json"
    found = results(*[GOOD] * 12)
    kept = baseline_of(found)
    kept["environment"]["goal_sets"] = {"own": "xyz"}
    write_results(file, kept)
    keeping = keeper(found, "success >= 0.1", baseline=str(file))
    assert code(keeping, OK) == pytest.ExitCode.USAGE_ERROR
    lines = told(keeping)
    assert lines[-1].startswith("gates: ")
    assert any("success >= 0.1" in line for line in lines[1:-1])


@pytest.mark.parametrize(
    ("outcomes", "kept"),
    [((BAD, GOOD), BAD), ((GOOD, BAD), GOOD), ((Outcome.INFRASTRUCTURE, BAD, GOOD), BAD)],
)
def test_of_a_test_that_is_run_again_the_first_that_passed_or_failed_counts(
    outcomes: tuple[Outcome, ...], kept: Outcome
) -> None:
    run = Run()
    for outcome in outcomes:
        run.take(payload(1, outcome))
    run.take(payload(2, GOOD))

    assert [entry["outcome"] for entry in run.entries] == [kept, GOOD]
    assert run.again == len(outcomes) - 1
