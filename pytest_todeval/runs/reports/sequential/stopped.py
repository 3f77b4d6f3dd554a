"""What a results file says of a run that ended once it was decided."""

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_todeval.runs.reports.schema import DialogueEntry, EnvironmentEntry, SequentialEntry
from pytest_todeval.runs.reports.table import counted

LEANING = "rates are of what was played, and lean towards what ended it"


def stopped_early(about: EnvironmentEntry) -> str | None:
    """Returns how far a run went that did not play all its goals; None of another."""
    for each in about.get("sequential", ()):
        if each["not_played"]:
            how = "ended once it was decided" if each["decided"] else "was broken off"
            return f"{how}, after {each['goals']} of {each['of']} goals"
    return None


def stopped_lines(about: EnvironmentEntry) -> Iterator[str]:
    """Returns the same for a summary."""
    if (told := stopped_early(about)) is not None:
        yield f"  the run {told}: {LEANING}"


def sequential_line(answer: str, entry: SequentialEntry, played: Sequence[DialogueEntry]) -> str:
    """After how many goals the run was decided, and what that saved."""
    goals, left = entry["goals"], len(entry["not_played"])
    if not entry["decided"]:
        return f"sequential: broken off after {goals} of {entry['of']} goals, before a decision"
    if not left and goals == entry["of"]:
        return f"sequential: {answer}, with all {goals} goals played"
    calls = sum(map(_calls, played)) / len(played) * left if played else 0
    saved = f", about {calls:,.0f} calls of models" if calls else ""
    if not left:
        return f"sequential: {answer} after {goals} of {entry['of']} goals; all others had begun"
    why = ", as more would hardly show a value to be worse" if answer == "undecided" else ""
    return (
        f"sequential: {answer} after {goals} of {entry['of']} goals{why}; "
        f"{counted(left, 'dialogue')} not played{saved}"
    )


def _calls(entry: DialogueEntry) -> int:
    """Returns what our own users, bots and judges asked of models."""
    lanes: dict[str, Any] = entry.get("calls", {})
    return sum(spent["calls"] for spent in lanes.values())
