"""Failures by kind: of one results file, or of two side by side."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.failure import FailureKind
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.schema import DialogueEntry, Results, grouped, says_of_bot
from pytest_todeval.runs.reports.table import aligned, listed, named, one_line

BY_OUTCOME: Mapping[str, FailureKind] = {
    Outcome.SIMULATOR_FAULT: FailureKind.USER,
    Outcome.JUDGE_FAULT: FailureKind.JUDGE,
    Outcome.ORACLE_FAULT: FailureKind.ENVIRONMENT,
    Outcome.INFRASTRUCTURE: FailureKind.ENVIRONMENT,
    Outcome.STALE_CASSETTE: FailureKind.ENVIRONMENT,
}
OTHERS = frozenset(BY_OUTCOME.values())
"""Kinds that are not the bot's."""
SHOWN = 3
"""Failures of a kind that are shown."""
MAX_SHOWN = 160
"""Characters of a failure."""
MAX_GOAL = 60
MAX_GOALS = 10


def kinds_of(entry: DialogueEntry) -> tuple[str, ...]:
    """The kinds of what went wrong in a dialogue, the first one first; empty if it passed."""
    return tuple(dict.fromkeys(kind for kind, _ in _failures(entry)))


def failure_lines(runs: Mapping[str, Results]) -> Iterator[str]:
    """Returns a table of one run, or of several side by side; nothing if no dialogue failed.

    A dialogue counts for each of its kinds once; `first` counts the first of it alone. Below are
    the first failures of each kind, and of several runs the tasks that failed in one alone.
    """
    names = list(runs)
    entries = {name: run["dialogues"] for name, run in runs.items()}
    counted = {name: _counted(found) for name, found in entries.items()}
    kinds = [kind for kind in FailureKind if any(counted[name][0][kind] for name in names)]
    if not kinds:
        return
    of = {name: f"{name}: " if len(names) > 1 else "" for name in names}
    head = [f"{of[name]}{part}" for name in names for part in ("dialogues", "first")]
    rows = [
        [kind, *(str(count[kind]) for name in names for count in counted[name])] for kind in kinds
    ]
    yield from aligned([["failed by kind", *head], *rows])
    for name in names:
        yield from _examples(entries[name], of[name])
    if len(names) == 2:
        one, other = names
        yield from _side_by_side(one, other, entries[one], entries[other])


def _counted(entries: Iterable[DialogueEntry]) -> tuple[Counter[str], Counter[str]]:
    found = [kinds for entry in entries if (kinds := kinds_of(entry))]
    every = Counter(kind for kinds in found for kind in kinds)
    return every, Counter(kinds[0] for kinds in found)


def _failures(entry: DialogueEntry) -> Iterator[tuple[str, str]]:
    """Kind and detail of each."""
    if entry["outcome"] in BY_OUTCOME:
        yield BY_OUTCOME[entry["outcome"]], entry["detail"]
        return
    if entry["outcome"] != Outcome.FAILED:
        return
    told: list[Any] = entry["verdicts"].get("reward", {}).get("failures", [])
    yield from ((each["kind"], _placed(each)) for each in told)
    if not told:
        yield FailureKind.OTHER, entry.get("raised") or entry["detail"]


def _placed(failure: Mapping[str, Any]) -> str:
    turn = failure.get("turn")
    return f"{failure['detail']}" + (f" (turn {turn})" if turn is not None else "")


def _examples(entries: Iterable[DialogueEntry], of: str) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for entry in entries:
        for kind, detail in _failures(entry):
            if kind not in OTHERS:
                goal, told = one_line(entry["goal"], MAX_GOAL), one_line(detail, MAX_SHOWN)
                found.setdefault(kind, []).append(f"{goal} trial {entry['trial']}: {told}")
    for kind, lines in sorted(found.items()):
        yield ""
        yield f"{of}{kind}"
        yield from listed([f"  {line}" for line in lines], SHOWN, "  and {} more")


def _side_by_side(
    one: str, other: str, first: Sequence[DialogueEntry], second: Sequence[DialogueEntry]
) -> Iterator[str]:
    """Of the goals that both played, which failed more often in which."""
    here, there = _failed(first), _failed(second)
    both = sorted(here.keys() & there.keys())
    for name, worse in (
        (one, [goal for goal in both if here[goal] > there[goal]]),
        (other, [goal for goal in both if there[goal] > here[goal]]),
    ):
        if worse:
            shown = named([one_line(goal, MAX_GOAL) for goal in worse], MAX_GOALS)
            yield ""
            yield f"failed more often in {name}: {len(worse)} ({shown})"


def _failed(entries: Iterable[DialogueEntry]) -> dict[str, float]:
    """By goal, the share of dialogues that failed, of those that passed or failed."""
    goals = grouped(filter(says_of_bot, entries), lambda entry: entry["goal"])
    return {
        goal: sum(entry["outcome"] == Outcome.FAILED for entry in found) / len(found)
        for goal, found in goals.items()
    }
