"""The order of a run that ends once it is decided, and what is told between its processes."""

from collections.abc import Sequence
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.integration import sequential
from pytest_todeval.integration.case import PAYLOAD, Case
from pytest_todeval.integration.quarantine import Quarantine
from pytest_todeval.integration.sequential import PLAN, PlannedOrder, SequentialRun, planned
from pytest_todeval.integration.settings import Settings
from pytest_todeval.runs.reports.sequential.planned_run import PlannedGoal

TODAY = date.today()


def item(name: str, goal: str | None = None, ends: int | None = None) -> Any:
    """A test, of a goal whose quarantine ends in so many days."""
    held = None if ends is None else Quarantine(("*",), "slow", TODAY + timedelta(ends))
    case = Case(Goal(goal, "own", ()), None, 0, None, held) if goal else None  # type: ignore[arg-type]
    return SimpleNamespace(nodeid=name, callspec=SimpleNamespace(params={"goal": case}))


def names(goals: Sequence[PlannedGoal]) -> list[str]:
    return [goal.name for goal in goals]


def test_goals_are_shuffled_by_the_seed_whatever_the_order_of_the_tests() -> None:
    items = [item(f"t{n}", str(n % 5)) for n in range(10)] + [item("plain")]
    found = planned(items, "seed")
    assert sorted(names(found)) == [f"own/{n}" for n in range(5)]
    assert {goal.name: list(goal.tests) for goal in found}["own/3"] == ["t3", "t8"]
    assert names(planned(items[::-1], "seed")) == names(found)
    assert len({tuple(names(planned(items, str(seed)))) for seed in range(9)}) > 1


def test_goals_in_quarantine_come_last_as_long_as_it_lasts() -> None:
    items = [item("t1", "1", ends=1), item("t2", "2", ends=-1), item("t3", "3")]
    mixed = [item("t4", "4", ends=1), item("t5", "4")]
    found = planned([*items, *mixed], "s")
    assert names(found)[-1] == "own/1"
    assert {goal.name for goal in found if goal.quarantined} == {"own/1"}


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A run with gates; its options are asked for by name."""
    config = SimpleNamespace(options={}, deselected=[])
    config.getoption = lambda name, default: config.options.get(name, default)
    told = SimpleNamespace(pytest_deselected=lambda items: config.deselected.extend(items))
    config.hook = told
    settings = Settings(sequential="s", gates=("success >= 0.5",))
    monkeypatch.setattr(Settings, "of", lambda _: settings)
    return config


def test_dialogues_are_played_in_the_planned_order_after_all_other_tests(config: Any) -> None:
    order = PlannedOrder(config)
    first: Any = SimpleNamespace()
    order.pytest_runtest_logreport(first)
    assert vars(first) == {}
    items = [item(f"t{n}", str(n)) for n in range(6)]
    session: Any = SimpleNamespace(items=[*items, item("plain")])
    order.pytest_collection_finish(session)
    plan = planned(items, "s")
    assert [each.nodeid for each in session.items] == [
        "plain", *(test for goal in plan for test in goal.tests)
    ]  # fmt: skip
    order.pytest_runtest_logreport(first)
    assert vars(first) == {PLAN: [list(goal) for goal in plan]}
    second: Any = SimpleNamespace()
    order.pytest_runtest_logreport(second)
    assert vars(second) == {}, "it is told once"


FAILED = {"outcome": "failed"}


class Run:
    """A planned run that is decided once a test failed."""

    def __init__(self) -> None:
        self.finished: list[tuple[str, Any]] = []
        self.tests, self.ended = ["t0", "t1", "t2"], False

    @property
    def decided(self) -> bool:
        return any(entry == FAILED for _, entry in self.finished)

    @property
    def not_over(self) -> list[str]:
        return [test for test in self.tests if not self.is_over(test)]

    def is_over(self, test: str) -> bool:
        return any(test == done for done, _ in self.finished)

    def finish(self, test: str, entry: Any) -> None:
        self.finished.append((test, entry))

    def end(self) -> None:
        self.ended = True

    def how_far(self, seed: str) -> str:
        return f"as far as this, seed {seed}"

    def findings(self, found: Any) -> tuple[Any, Any]:
        return ["decided"], found


@pytest.fixture
def run(config: Any, monkeypatch: pytest.MonkeyPatch) -> SequentialRun:
    reporter = SimpleNamespace(restored=lambda: [{"test": "t0"}], noted=[])
    reporter.note_sequential = reporter.noted.append
    keeper: Any = SimpleNamespace(reporter=reporter, baseline=None)
    monkeypatch.setattr(sequential, "PlannedRun", lambda *_, **__: Run())
    return SequentialRun(config, keeper)


def report(when: str, **more: Any) -> Any:
    return SimpleNamespace(nodeid="t1", when=when, **more)


def plan_of(run: SequentialRun) -> Any:
    return run._run


def test_without_a_plan_nothing_is_left_out(run: SequentialRun) -> None:
    run.pytest_runtest_logfinish("t0")
    run.pytest_sessionfinish()
    assert run._left_out() == set()
    assert not run._is_left_out("t0")
    assert run.findings({}) == (None, [], None)  # type: ignore[typeddict-item]


def test_once_it_is_decided_what_has_not_begun_is_left_out(run: SequentialRun, config: Any) -> None:
    run.pytest_runtest_logreport(report("call", **{PLAN: [["g", ["t0"], False]]}))
    plan = plan_of(run)
    run.pytest_runtest_logreport(report("setup", **{PLAN: [["h", ["t0"], False]]}))
    assert plan_of(run) is plan, "the first process told it"
    run.pytest_runtest_logfinish("t0")
    assert plan.finished == [("t0", {"test": "t0"})]
    assert run._left_out() == set()
    run.pytest_runtest_logreport(report("call", **{PAYLOAD: {"entry": FAILED}}))
    run.pytest_runtest_logfinish("t1")

    assert run._left_out() == {"t2"}
    assert [run._is_left_out(test) for test in ("t0", "t1", "t2")] == [False, False, True]
    assert run.pytest_runtest_protocol(item("t2"), None) is None, "it has no goal"
    assert run.pytest_runtest_protocol(item("t1", "1"), None) is None
    run.pytest_sessionfinish()
    assert plan.ended
    assert [each.nodeid for each in config.deselected] == ["t2"]
    assert run._keeper.reporter.noted == ["as far as this, seed s"]  # type: ignore[attr-defined]
    found: Any = {"dialogues": []}
    told: tuple[Any, ...] = run.findings(found)
    assert told == ("as far as this, seed s", ["decided"], found)


def test_a_test_whose_process_crashed_is_over(run: SequentialRun) -> None:
    run.pytest_runtest_logreport(report("call", **{PLAN: []}))
    plan = plan_of(run)
    assert plan.finished == []
    run.pytest_runtest_logreport(report("???"))
    assert plan.finished == [("t1", None)]


def test_a_way_to_spread_tests_that_has_its_own_order_is_refused(config: Any) -> None:
    keeper: Any = SimpleNamespace(reporter=SimpleNamespace(restored=list), baseline=None)
    for known in ("no", "load"):
        config.options["dist"] = known
        SequentialRun(config, keeper)
    config.options["dist"] = "loadfile"
    with pytest.raises(pytest.UsageError, match="got --dist=loadfile, which hands tests out"):
        SequentialRun(config, keeper)
