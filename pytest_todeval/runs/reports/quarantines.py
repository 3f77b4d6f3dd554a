"""What became of the goals in quarantine (marker `flaky_goal`)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.schema import DialogueEntry, Summary, says_of_bot
from pytest_todeval.runs.reports.summary_schema import QuarantineSummary
from pytest_todeval.runs.reports.table import counted, listed, one_line

QuarantineField = Literal["quarantined", "quarantine_over"]
QUARANTINES: tuple[QuarantineField, ...] = ("quarantined", "quarantine_over")
"""The fields of an entry that tell of one: it holds, or has ended."""
LISTED, MORE = 20, "    and {} more"


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
            each["played"] += says_of_bot(entry)
    return dict(sorted(found.items()))


def quarantine_lines(summary: Summary) -> Iterator[str]:
    """Returns the goals in quarantine with passed/played, and those whose quarantine is over."""
    held = summary.get("quarantined", {})
    if held:
        yield f"  quarantined: {counted(len(held), 'goal')}, which cannot fail the run:"
        yield from listed(list(_told(held, "until")), LISTED, MORE)
    over = summary.get("quarantine_over", {})
    if over:
        yield f"  quarantine is over: {counted(len(over), 'goal')}, which can fail the run again:"
        yield from listed(list(_told(over, "ended on")), LISTED, MORE)


def _told(found: Mapping[str, QuarantineSummary], when: str) -> Iterator[str]:
    for name, each in found.items():
        steady = each["passed"] == each["played"] > 1 and when == "until"
        told = "; passed every time: remove the marker" if steady else ""
        played = f"{each['passed']}/{each['played']}"
        yield f"    {name} {played}, {when} {each['until']}: {one_line(each['reason'])}{told}"
