"""What dialogues take: turns, seconds, tokens and US dollars; summed up for the results file."""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, cast

from pytest_todeval.core.latency import nearest_rank
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.runs.reports.summary_schema import (
    EffortSummary,
    LatencySummary,
    PercentilesSummary,
    ResolutionSummary,
    SpentSummary,
)

DONE = "done"
"""The name of the resolution by `turns_to_done`: when the user had all it needed."""
SOLVED = "goal_completion"
"""The verdict that AutoEval-ToD counts a goal as resolved by."""
BOT = "system"
"""The lane of a bot that is ours; what another reports of itself stands in `usage`."""
Resolved = tuple[bool, int | None]
"""Whether a dialogue was resolved, and in which turn; None if it never was, or if nothing tells."""
SPENT = ("prompt_tokens", "completion_tokens", "dollars", "flop_dollars")


def effort_summary(entries: Sequence[DialogueEntry]) -> EffortSummary:
    """Returns the means over dialogues that were played, and how efficient these were."""
    played = [entry for entry in entries if entry["turns"]]
    turns = [len(entry["turns"]) for entry in played]
    seconds = [math.fsum(_latencies(entry)) for entry in played]
    done = [entry["turns_to_done"] for entry in played if "turns_to_done" in entry]
    told = sum(len(entry["turns"]) for entry in played if "turns_to_done" in entry)
    lanes = sorted({lane for entry in played for lane in _lanes(entry)})
    return {
        "dialogues": len(played),
        "turns": _mean(turns),
        "seconds": _mean(seconds) if any(seconds) else None,
        "efficiency": sum(turn is not None for turn in done) / told if told else None,
        "spent": {lane: _spent([_lanes(e).get(lane, {}) for e in played]) for lane in lanes},
    }


def latency_summary(entries: Iterable[DialogueEntry]) -> LatencySummary | None:
    """Percentiles of the bot's seconds per turn, and of each span; None if none was measured."""
    entries = list(entries)
    turns = [seconds for entry in entries for seconds in _latencies(entry)]
    if not any(turns):
        return None
    spans: dict[str, list[float]] = {}
    for turn in (turn for entry in entries for turn in entry["turns"]):
        for name, seconds in _spans(turn).items():
            spans.setdefault(name, []).append(seconds)
    return {
        "turn": _percentiles(turns),
        "spans": {name: _percentiles(found) for name, found in sorted(spans.items())},
    }


def resolution_summaries(entries: Sequence[DialogueEntry]) -> dict[str, ResolutionSummary]:
    """Turns to resolution and resolution by turn: by the judge's goal completion, and by `DONE`."""
    found = {
        SOLVED: _solved(entries),
        DONE: [
            (entry["turns_to_done"] is not None, entry["turns_to_done"])
            for entry in entries
            if "turns_to_done" in entry
        ],
    }
    return {name: resolution(each) for name, each in found.items() if each}


def resolution(dialogues: Sequence[Resolved]) -> ResolutionSummary:
    """Turns to resolution, and the share resolved by each turn, up to the last in which one was."""
    resolved = [turn for solved, turn in dialogues if solved]
    turns = [turn for turn in resolved if turn is not None]
    by_turn = range(1, max(turns, default=0) + 1)
    return {
        "total": len(dialogues),
        "resolved": len(resolved),
        "turns": _mean(turns),
        "by_turn": [sum(turn <= last for turn in turns) / len(dialogues) for last in by_turn],
        "unplaced": len(resolved) - len(turns),
    }


def _solved(entries: Sequence[DialogueEntry]) -> list[Resolved]:
    """None if the verdicts mean different things."""
    verdicts = [entry["verdicts"][SOLVED] for entry in entries if SOLVED in entry["verdicts"]]
    if len({each["version"] for each in verdicts}) > 1:
        return []
    return [
        (each["passed"], max(each["turns"], default=None) if each["passed"] else None)
        for each in verdicts
        if each["passed"] is not None and each["applicable"]
    ]


def _latencies(entry: DialogueEntry) -> list[float]:
    return [turn.get("latency_s", 0.0) for turn in entry["turns"]]


def _spans(turn: Mapping[str, Any]) -> dict[str, float]:
    """The seconds of each named part; one that ran several times in the turn is one part."""
    found: dict[str, float] = {}
    for span in turn.get("spans", ()):
        found[span["name"]] = found.get(span["name"], 0.0) + span["seconds"]
    return found


def _percentiles(values: Sequence[float]) -> PercentilesSummary:
    ranked = sorted(values)
    p50, p90 = (nearest_rank(ranked, percent) for percent in (50, 90))
    return {"count": len(ranked), "p50": p50, "p90": p90, "most": ranked[-1]}


def _lanes(entry: DialogueEntry) -> dict[str, Mapping[str, Any]]:
    """What was spent in each lane: of the bot what it reports itself, else what its calls took."""
    lanes: dict[str, Mapping[str, Any]] = {
        lane: cast("Mapping[str, Any]", calls) for lane, calls in entry.get("calls", {}).items()
    }
    usage = entry["usage"]
    tells = any(usage.get(name) for name in ("prompt_tokens", "completion_tokens", "cost"))
    if tells and ("dollars" in usage or BOT not in lanes):
        lanes[BOT] = usage
    return lanes


def dollars_of(entry: DialogueEntry) -> float | None:
    """Returns what a dialogue cost in all lanes; None if that of a lane is not known."""
    spent = [lane.get("dollars") for lane in _lanes(entry).values()]
    return None if None in spent else math.fsum(each for each in spent if each is not None)


def seconds_of(entry: DialogueEntry) -> float:
    """How long a dialogue took: the bot's turns, and what user and judge asked of models."""
    asked: list[Any] = [
        calls.get("seconds") or 0.0
        for lane, calls in entry.get("calls", {}).items()
        if lane != BOT and isinstance(calls, dict)
    ]
    return math.fsum([*_latencies(entry), *asked])


def _spent(calls: Sequence[Mapping[str, Any]]) -> SpentSummary:
    """Means per dialogue; a dialogue without calls in the lane took nothing."""
    means = {name: [each.get(name) if each else 0.0 for each in calls] for name in SPENT}
    return cast(
        "SpentSummary",
        {name: None if None in found else _mean(found) for name, found in means.items()},
    )


def _mean(values: Sequence[Any]) -> float | None:
    return fmean(values) if values else None
