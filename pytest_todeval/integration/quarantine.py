"""Goals in quarantine (marker `flaky_goal`): played, judged and told, but they fail no run."""

from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.integration.case import PAYLOAD, PLAYED, Case, case_of
from pytest_todeval.integration.terminal import add_section
from pytest_todeval.shown import in_line

if TYPE_CHECKING:
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.runs.reports.schema import QuarantineEntry

MARKER = "flaky_goal"
PATTERN = frozenset("*?[")


class Quarantine(NamedTuple):
    """One marker `flaky_goal`: which goals, why, and for how long."""

    goals: tuple[str, ...]
    """Names or ids, or patterns of them."""
    reason: str
    until: date
    """The last day on which it holds."""

    @property
    def over(self) -> bool:
        """Says whether its goals count again, by the day of this machine's clock."""
        return date.today() > self.until

    def holds(self, goal: "Goal") -> bool:
        return any(_names(each, goal.name, goal.id) for each in self.goals)


def quarantined(*goals: str, reason: str, until: str) -> Quarantine:
    """Returns what the arguments of a marker mean. Raises UsageError on a wrong one."""
    wrong = [each for each in goals if not isinstance(each, str) or not each.strip()]
    if not goals or wrong:
        got = repr(wrong[0]) if wrong else "no goal"
        raise UsageError(
            f"marker {MARKER}: got {got}, expected names, ids or patterns of goals, such as "
            "'demo/DEMO012' or 'DEMO01*'"
        )
    if not isinstance(reason, str) or not reason.strip():
        raise UsageError(f"marker {MARKER}: got reason={reason!r}, expected why it is flaky")
    return Quarantine(goals, " ".join(reason.split()), _day(until))


def _day(until: object) -> date:
    why = ""
    try:
        day = date.fromisoformat(str(until))
        if str(day) == until:
            return day
    except ValueError as error:
        why = f" ({error})"
    raise UsageError(
        f"marker {MARKER}: got until={until!r}{why}, expected the last day of the quarantine as "
        "text YYYY-MM-DD, such as '2027-01-31'"
    )


def _names(given: str, name: str, id: str) -> bool:
    return given in (name, id) or (
        not PATTERN.isdisjoint(given) and (fnmatchcase(name, given) or fnmatchcase(id, given))
    )


def require_goals(quarantines: Iterable[Quarantine], goals: Sequence["Goal"], test: str) -> None:
    """Refuses a marker that names no goal of a test's goal sets: nothing would be in quarantine."""
    for each in quarantines:
        for given in each.goals:
            if not any(_names(given, goal.name, goal.id) for goal in goals):
                raise UsageError(
                    f"marker {MARKER} of {test}: none of its {len(goals)} goals is {given!r}; "
                    f"{_meant(given, goals)}"
                )


def _meant(given: str, goals: Sequence["Goal"]) -> str:
    known = [name for goal in goals for name in (goal.name, goal.id)]
    folded = {name.lower(): name for name in known}
    near = get_close_matches(given.lower(), folded, n=1)
    if near:
        return f"did you mean {folded[near[0]]!r}?"
    return f"expected a name such as {known[0]!r}, its id, or a pattern"


def quarantine_of(goal: "Goal", quarantines: Iterable[Quarantine]) -> Quarantine | None:
    """Returns the first that names the goal: that of the nearest marker."""
    return next((each for each in quarantines if each.holds(goal)), None)


def quarantine_entry(case: Case | None) -> "dict[str, QuarantineEntry]":
    """What the results file says of a case in quarantine: `quarantined`, or that it is over."""
    held = None if case is None else case.quarantine
    if held is None:
        return {}
    name = "quarantine_over" if held.over else "quarantined"
    return {name: {"reason": held.reason, "until": str(held.until)}}


def excuse(item: pytest.Item, report: pytest.TestReport, outcome: Outcome | None = None) -> None:
    """Has a report tell an expected failure, if the bot failed a goal that is in quarantine.

    A test that passed is told as one that was expected to fail. What others spoiled, a broken test
    and what fails after the dialogue stay as they are, and so does all with `--runxfail`.
    `outcome`: of the dialogue, if it was not played in this run.
    """
    case = case_of(item)
    if outcome is None and PLAYED in item.stash and PAYLOAD in report.__dict__:
        outcome = item.stash[PLAYED].outcome
    if case is None or case.quarantine is None or item.config.option.runxfail:
        return
    held = case.quarantine
    if held.over:
        if report.failed and outcome is Outcome.FAILED:
            told = f"{case.goal.name} counts again: its quarantine ended on {held.until}"
            add_section(report, "quarantine", f"{told} ({held.reason})")
        return
    told = f"{in_line(case.goal.name)} is in quarantine until {held.until}: {held.reason}"
    if report.failed and outcome is Outcome.FAILED:
        report.outcome = "skipped"
        report.wasxfail = told
    elif report.when == "call" and report.passed and outcome is Outcome.PASSED:
        report.wasxfail = f"{told}; it passed: if it does so every time, remove the marker"
