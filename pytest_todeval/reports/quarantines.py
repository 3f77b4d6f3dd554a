"""What became of the goals in quarantine (marker `flaky_goal`)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.reports.schema import DialogueEntry, Summary
from pytest_todeval.reports.summary_schema import QuarantineSummary

__all__ = ["QUARANTINES", "quarantine_lines", "quarantine_summary"]

QuarantineField = Literal["quarantined", "quarantine_over"]
QUARANTINES: tuple[QuarantineField, ...] = ("quarantined", "quarantine_over")
"""The fields of an entry that tell of one: it holds, or has ended."""
LISTED = 20


def quarantine_summary(
    entries: Iterable[DialogueEntry], field: QuarantineField
) -> dict[str, QuarantineSummary]:
    """By goal, what became of the dialogues that have this field."""
    found: dict[str, QuarantineSummary] = {}
    for entry in entries:
        if field in entry:
            held = entry[field]
            each = found.setdefault(
                entry["goal"],
                {"passed": 0, "played": 0, "reason": held["reason"], "until": held["until"]},
            )
            each["passed"] += entry["outcome"] == Outcome.PASSED
            each["played"] += entry["outcome"] in (Outcome.PASSED, Outcome.FAILED)
    return dict(sorted(found.items()))


def quarantine_lines(summary: Summary) -> Iterator[str]:
    """The goals in quarantine with passed/played, and those whose quarantine is over."""
    held = summary.get("quarantined", {})
    if held:
        yield f"  quarantined: {_goals(held)}, which cannot fail the run:"
        yield from _listed(held, "until")
    over = summary.get("quarantine_over", {})
    if over:
        yield f"  quarantine is over: {_goals(over)}, which can fail the run again:"
        yield from _listed(over, "ended on")


def _goals(found: Mapping[str, QuarantineSummary]) -> str:
    return f"{len(found)} goal{'' if len(found) == 1 else 's'}"


def _listed(found: Mapping[str, QuarantineSummary], when: str) -> Iterator[str]:
    for name, each in list(found.items())[:LISTED]:
        steady = each["passed"] == each["played"] > 1 and when == "until"
        told = "; passed every time: remove the marker" if steady else ""
        reason = " ".join(each["reason"].split())
        yield (
            f"    {name} {each['passed']}/{each['played']}, {when} {each['until']}: {reason}{told}"
        )
    if len(found) > LISTED:
        yield f"    and {len(found) - LISTED} more"
