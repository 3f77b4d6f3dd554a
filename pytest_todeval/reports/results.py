"""The results file: one entry per dialogue, read by everything downstream. See docs/results.md.

The shape is in `reports.schema`, the file itself in `reports.results_file`.
"""

import json
import math
import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.reports.plain import plain, plain_text
from pytest_todeval.reports.results_file import read_results, write_results
from pytest_todeval.reports.schema import (
    JSON,
    SCHEMA,
    BookingEntry,
    DialogueEntry,
    DriftEntry,
    EnvironmentEntry,
    MetricSummary,
    MetricValue,
    Results,
    ScoreEntry,
    Summary,
    ToolCallEntry,
    TurnEntry,
    UsageEntry,
    VerdictEntry,
)

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
    from pytest_todeval.core.verdict import Score, Verdict

__all__ = [
    "Results",
    "dialogue_entry",
    "environment",
    "merge",
    "read_results",
    "results",
    "strip_times",
    "write_results",
]

STANDARD_METRICS = ("inform", "success", "booking", "reward")
DIFFERS = "(differs)"
"""A setting that the merged runs do not share."""


def dialogue_entry(
    dialogue: "Dialogue",
    *,
    test: str,
    outcome: Outcome,
    metrics: "Mapping[str, Verdict | MetricValue] | None" = None,
    scores: "Mapping[str, Sequence[Score]] | None" = None,
    rules: Mapping[str, object] | None = None,
    drift: Sequence[DriftEntry] | None = None,
) -> DialogueEntry:
    """One dialogue as its entry in the results file; whatever it holds comes out as plain JSON.

    `metrics` (verdicts, numbers or None, by name) is added to the dialogue's own verdicts and wins
    over them. `scores` holds one `Score` per turn, or one for the whole dialogue. `rules` is by
    rule: what was found in each turn, in the rule evaluator's own shape (dataclasses allowed).
    `drift`, where the recorded user played: the turns that were answered otherwise then.
    """
    measured: dict[str, Verdict | MetricValue] = {**dialogue.verdicts, **(metrics or {})}
    entry: DialogueEntry = {
        "test": plain_text(test),
        "goal": plain_text(dialogue.goal.name),
        "trial": dialogue.trial,
        "outcome": outcome.value,
        "stop_reason": dialogue.stop_reason.value,
        "detail": plain_text(dialogue.detail),
        "metrics": {
            **dict.fromkeys(STANDARD_METRICS, None),
            **{plain_text(name): _metric(value) for name, value in measured.items()},
        },
        "verdicts": {
            plain_text(name): _verdict(value)
            for name, value in measured.items()
            if not isinstance(value, bool | int | float | None)
        },
        "scores": {
            plain_text(n): [_score(s) for s in found] for n, found in (scores or {}).items()
        },
        "rules": cast("dict[str, JSON]", plain(rules or {})),
        "bookings": [_booking(booking) for booking in dialogue.bookings],
        "backend_known": dialogue.backend_known,
        "turns": [_turn(turn) for turn in dialogue.turns],
        "last_words": plain_text(dialogue.last_words),
        "usage": _total_usage(turn.usage for turn in dialogue.turns),
    }
    if drift is not None:
        entry["drift"] = [_drift(each) for each in drift]
    return entry


def _drift(drift: DriftEntry) -> DriftEntry:
    was, now = plain_text(drift["was"]), plain_text(drift["now"])
    return {"turn": drift["turn"], "was": was, "now": now}


def _metric(value: "Verdict | MetricValue") -> MetricValue:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    return value.metric


def _verdict(verdict: "Verdict") -> VerdictEntry:
    return {
        "passed": verdict.passed,
        "reason": plain_text(verdict.reason),
        "turns": list(verdict.turns),
        "basis": verdict.basis,
        "applicable": verdict.applicable,
        "version": verdict.version,
    }


def _score(score: "Score") -> ScoreEntry:
    return {
        "value": score.value,
        "reason": plain_text(score.reason),
        "unscored": None if score.unscored is None else plain_text(score.unscored),
        "turn": score.turn,
        "scale": list(score.scale),
    }


def _booking(booking: "Booking") -> BookingEntry:
    return {
        "domain": plain_text(str(booking.domain)),
        "reference": plain_text(str(booking.reference)),
        "slots": cast("dict[str, JSON]", plain(booking.slots)),
    }


def _turn(turn: "Turn") -> TurnEntry:
    return {
        "user": plain_text(turn.user),
        "system": plain_text(turn.system),
        "tool_calls": [_tool_call(call) for call in turn.tool_calls],
        "state": plain(turn.state),
        "retrieved": [plain(item) for item in turn.retrieved],
        "latency_s": round(turn.latency, 6),
        "usage": None if turn.usage is None else _total_usage([turn.usage]),
    }


def _tool_call(call: "ToolCall") -> ToolCallEntry:
    return {
        "name": plain_text(str(call.name)),
        "arguments": plain(call.arguments),
        "result": plain(call.result),
        "error": None if call.error is None else plain_text(str(call.error)),
    }


def _total_usage(usages: "Iterable[Usage | None]") -> UsageEntry:
    known = [usage for usage in usages if usage is not None]
    return {
        "prompt_tokens": sum(usage.prompt_tokens for usage in known),
        "completion_tokens": sum(usage.completion_tokens for usage in known),
        "cost": math.fsum(usage.cost for usage in known),
    }


def environment(
    *,
    goal_sets: Mapping[str, str] | None = None,
    metrics: Mapping[str, str] | None = None,
    settings: Mapping[str, object] | None = None,
) -> EnvironmentEntry:
    """What a run's numbers rest on; every definition and fingerprint that a comparison must know.

    `goal_sets`: fingerprint by name of the set. `metrics`: definition and version by metric name,
    e.g. `{"inform": "multiwoz-corpus 1"}`. `settings`: the effective settings.
    """
    from importlib.metadata import version

    return {
        "todeval": version("pytest-todeval"),
        "python": platform.python_version(),
        "goal_sets": dict(goal_sets or {}),
        "metrics": dict(metrics or {}),
        "settings": cast("dict[str, JSON]", plain(settings or {})),
    }


def results(entries: Iterable[DialogueEntry], environment: EnvironmentEntry) -> Results:
    """The whole file from its entries, whatever order or process they came from."""
    ordered = _ordered(entries)
    return {
        "schema": SCHEMA,
        "environment": environment,
        "dialogues": ordered,
        "summary": _summary(ordered),
    }


def _ordered(entries: Iterable[DialogueEntry]) -> list[DialogueEntry]:
    """By test and trial; entries that share both (the same test run twice) by their content."""
    entries = list(entries)
    shared = Counter((entry["test"], entry["trial"]) for entry in entries)

    def order(entry: DialogueEntry) -> tuple[str, int, str]:
        key = entry["test"], entry["trial"]
        tie = json.dumps(_timeless(entry), sort_keys=True) if shared[key] > 1 else ""
        return (*key, tie)

    return sorted(entries, key=order)


def _summary(entries: Sequence[DialogueEntry]) -> Summary:
    outcomes = Counter(entry["outcome"] for entry in entries)
    counted = [e for e in entries if e["outcome"] in (Outcome.PASSED, Outcome.FAILED)]
    names = dict.fromkeys([*STANDARD_METRICS, *sorted({n for e in entries for n in e["metrics"]})])
    return {
        "dialogues": len(entries),
        "outcomes": {outcome.value: outcomes[outcome.value] for outcome in Outcome},
        "metrics": {name: _rate([e["metrics"].get(name) for e in counted]) for name in names},
    }


def _rate(values: Sequence[MetricValue]) -> MetricSummary:
    applicable = [value for value in values if value is not None]
    yes_no = all(isinstance(value, bool) for value in applicable)
    return {
        "hits": sum(value is True for value in applicable) if yes_no else None,
        "total": len(applicable),
        "rate": math.fsum(applicable) / len(applicable) if applicable else None,
    }


def merge(parts: Iterable[Results]) -> Results:
    """Several results files as one; the order of the parts makes no difference.

    An entry that stands in several parts is kept once. Raises UsageError where two parts hold
    different results for one test and trial, or define a metric or a goal set differently: such
    numbers are not comparable.
    """
    parts = list(parts)
    if not parts:
        raise UsageError("nothing to merge: give at least one results file")
    found: dict[tuple[str, int], DialogueEntry] = {}
    for entry in (entry for part in parts for entry in part["dialogues"]):
        key = entry["test"], entry["trial"]
        if found.setdefault(key, entry) != entry:
            raise UsageError(
                f"cannot merge: {key[0]} (trial {key[1]}) has different results in two files; "
                "keep the one that counts"
            )
    return results(found.values(), _merged_environment([part["environment"] for part in parts]))


def _merged_environment(parts: Sequence[EnvironmentEntry]) -> EnvironmentEntry:
    return {
        "todeval": _joined(part["todeval"] for part in parts),
        "python": _joined(part["python"] for part in parts),
        "goal_sets": _agreed("goal set", [part["goal_sets"] for part in parts]),
        "metrics": _agreed("metric", [part["metrics"] for part in parts]),
        "settings": _shared([part["settings"] for part in parts]),
    }


def _joined(values: Iterable[str]) -> str:
    return ", ".join(sorted({single for value in values for single in value.split(", ")}))


def _agreed(kind: str, parts: Sequence[Mapping[str, str]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for name, value in sorted((name, value) for part in parts for name, value in part.items()):
        if merged.setdefault(name, value) != value:
            raise UsageError(
                f"cannot merge: {kind} {name!r} is {merged[name]!r} in one file and {value!r} in "
                "another; results of different definitions are not comparable"
            )
    return merged


def _shared(parts: Sequence[Mapping[str, JSON]]) -> dict[str, JSON]:
    names = sorted({name for part in parts for name in part})
    values = {name: [part.get(name, DIFFERS) for part in parts] for name in names}
    return {
        name: found[0] if all(value == found[0] for value in found) else DIFFERS
        for name, found in values.items()
    }


def strip_times(results: Results) -> Results:
    """A copy without latencies, the only values in which two runs of the same thing may differ."""
    return {**results, "dialogues": [_timeless(entry) for entry in results["dialogues"]]}


def _timeless(entry: DialogueEntry) -> DialogueEntry:
    turns: list[TurnEntry] = [{**turn, "latency_s": 0.0} for turn in entry["turns"]]
    return {**entry, "turns": turns}
