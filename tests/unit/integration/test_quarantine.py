"""What the marker `flaky_goal` takes, which goals it names, and when it ends."""

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.case import Case
from pytest_todeval.integration.markers import quarantines
from pytest_todeval.integration.quarantine import (
    Quarantine,
    excuse,
    quarantine_entry,
    quarantine_of,
    quarantined,
    require_goals,
)
from tests.unit.integration.test_markers import marked

GOALS = [Goal("A[1]", "own", ()), Goal("A2", "own", ()), Goal("B1", "other", ())]


def held(*goals: str, **given: Any) -> Quarantine:
    return quarantined(*goals, **{"reason": "slow", "until": "2027-01-31", **given})


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("own/A[1]", ["A[1]"]),
        ("A[1]", ["A[1]"]),
        ("own/*", ["A[1]", "A2"]),
        ("?[12]", ["A2", "B1"]),
        ("a2", []),
        ("A", []),
    ],
)
def test_names_ids_and_patterns(given: str, names: list[str]) -> None:
    assert [goal.id for goal in GOALS if held(given).holds(goal)] == names


def test_the_nearest_marker_wins() -> None:
    near = pytest.mark.flaky_goal("A2", reason="near  and\ndear", until="2027-01-31")
    far = pytest.mark.flaky_goal("*", reason="far", until="2027-01-31")
    found = quarantines(marked(near, far))

    why = [quarantine_of(goal, found) for goal in GOALS]
    assert [each and each.reason for each in why] == ["far", "near and dear", "far"]
    assert quarantines(marked()) == ()
    assert quarantine_of(GOALS[0], ()) is None


def test_its_last_day_is_part_of_it() -> None:
    today = date.today()
    tomorrow, yesterday = today + timedelta(days=1), today - timedelta(days=1)
    assert not held("A2", until=str(tomorrow)).over
    assert held("A2", until=str(yesterday)).over


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"until": "2027-02-31"}, r"got until='2027-02-31' \(day is .*\), expected the last day"),
        ({"until": "2027-W01-1"}, "got until='2027-W01-1', expected the last day .* YYYY-MM-DD"),
        ({"until": "31.01.2027"}, "got until='31.01.2027' .*such as '2027-01-31'"),
        ({"until": date(2027, 1, 31)}, "got until=datetime.date.*as text YYYY-MM-DD"),
        ({"until": None}, "got until=None"),
        ({"reason": " "}, "got reason=' ', expected why it is flaky"),
        ({"raeson": "slow"}, "no argument 'raeson': did you mean 'reason'"),
    ],
)
def test_slips_in_its_arguments(given: dict[str, Any], told: str) -> None:
    kept: dict[str, Any] = {"reason": "slow", "until": "2027-01-31"}
    if "raeson" in given:
        kept.pop("reason")
    with pytest.raises(UsageError, match=told):
        quarantines(marked(pytest.mark.flaky_goal("A2", **{**kept, **given})))


@pytest.mark.parametrize("goals", [(), ("",), (7,), ("A2", None)])
def test_what_is_no_goal(goals: tuple[Any, ...]) -> None:
    with pytest.raises(UsageError, match="expected names, ids or patterns of goals"):
        held(*goals)


@pytest.mark.parametrize("given", [{"reason": "slow"}, {"until": "2027-01-31"}])
def test_reason_and_end_are_needed(given: dict[str, str]) -> None:
    mark = pytest.mark.flaky_goal("A2", **given)
    with pytest.raises(UsageError, match=r"It takes: flaky_goal\(\*goals, reason, until\)"):
        quarantines(marked(mark))


def test_a_goal_that_there_is_not() -> None:
    require_goals([held("A2", "B*")], GOALS, "test_it")
    with pytest.raises(UsageError, match=r"of test_it: none of its 3 goals is 'own/a2'; did you"):
        require_goals([held("A2", "own/a2")], GOALS, "test_it")
    with pytest.raises(UsageError, match="is 'X\\*'; expected a name such as 'own/A"):
        require_goals([held("X*")], GOALS, "test_it")


@pytest.mark.parametrize(
    ("days", "failed", "outcome", "when", "told"),
    [
        (1, True, Outcome.FAILED, "call", "own/A2 is in quarantine until {}: slow"),
        (1, True, Outcome.INFRASTRUCTURE, "call", ""),
        (1, False, Outcome.PASSED, "call", "own/A2 is in quarantine until {}: slow; it passed: if"),
        (1, False, Outcome.PASSED, "setup", ""),
        (1, False, Outcome.FAILED, "call", ""),
        (
            -1,
            True,
            Outcome.FAILED,
            "call",
            "own/A2 counts again: its quarantine ended on {} (slow)",
        ),
        (-1, True, Outcome.INFRASTRUCTURE, "call", ""),
        (-1, False, Outcome.PASSED, "call", ""),
    ],
)
def test_what_a_report_tells_of_a_goal_in_quarantine(
    days: int, failed: bool, outcome: Outcome, when: str, told: str
) -> None:
    until = date.today() + timedelta(days)
    case = Case(GOALS[1], None, 0, None, Quarantine(("A2",), "slow", until))  # type: ignore[arg-type]

    def report(case: Case, *, runxfail: bool = False, known: Outcome | None = outcome) -> Any:
        config = SimpleNamespace(option=SimpleNamespace(runxfail=runxfail))
        callspec = SimpleNamespace(params={"goal": case})
        item: Any = SimpleNamespace(callspec=callspec, config=config, stash={})
        made: Any = SimpleNamespace(
            failed=failed, passed=not failed, when=when, sections=[], outcome="as before"
        )
        excuse(item, made, known)
        return made

    found = report(case)
    parts = [getattr(found, "wasxfail", ""), *(text for _, text in found.sections)]
    assert "".join(parts).startswith(told.format(until))
    assert bool("".join(parts)) is bool(told)
    assert (found.outcome == "skipped") is (failed and days > 0 and bool(told))
    for other in (
        report(case._replace(quarantine=None)),
        report(case, runxfail=True),
        report(case, known=None),
    ):
        assert (other.outcome, other.sections, hasattr(other, "wasxfail")) == (
            "as before",
            [],
            False,
        )


def test_the_results_file_says_what_is_in_quarantine() -> None:
    case = Case(GOALS[1], None)  # type: ignore[arg-type]
    assert quarantine_entry(None) == quarantine_entry(case) == {}
    today = date.today()
    held = case._replace(quarantine=Quarantine(("A2",), "slow", today + timedelta(1)))
    told = {"reason": "slow", "until": str(today + timedelta(1))}
    assert quarantine_entry(held) == {"quarantined": told}
    over = case._replace(quarantine=Quarantine(("A2",), "slow", today - timedelta(1)))
    assert list(quarantine_entry(over)) == ["quarantine_over"]
