"""One dialogue as its entry in the results file; whatever it holds comes out as plain JSON."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from pytest_todeval.core.notation import notation
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.reports.plain import plain, plain_text
from pytest_todeval.reports.schema import (
    JSON,
    BookingEntry,
    ClaimEntry,
    DialogueEntry,
    DomainGoalEntry,
    DriftEntry,
    ExampleEntry,
    GoalEntry,
    MetricValue,
    ScoreEntry,
    ToolCallEntry,
    TurnEntry,
    UsageEntry,
    VerdictEntry,
)

if TYPE_CHECKING:
    from pytest_todeval.core.claim import Claim
    from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
    from pytest_todeval.core.example import Example
    from pytest_todeval.core.goal import DomainGoal, Goal
    from pytest_todeval.core.verdict import Score, Verdict

__all__ = [
    "STANDARD_METRICS",
    "dialogue_entry",
    "rule_entries",
    "score_entries",
    "timeless",
    "verdict_entry",
]

STANDARD_METRICS = ("inform", "success", "booking", "reward")
"""Those that every entry has, if only as null."""

TIMES = frozenset({"seconds", "latency_s"})
"""The fields in which two runs of the same thing may differ."""


def dialogue_entry(
    dialogue: "Dialogue",
    *,
    test: str,
    outcome: Outcome,
    metrics: "Mapping[str, Verdict | MetricValue] | None" = None,
    scores: "Mapping[str, Sequence[Score]] | None" = None,
    rules: Mapping[str, object] | None = None,
    drift: Sequence[DriftEntry] | None = None,
    calls: Mapping[str, object] | None = None,
    raised: str = "",
    trivial: str = "",
) -> DialogueEntry:
    """One dialogue as its entry in the results file; whatever it holds comes out as plain JSON.

    `metrics` (verdicts, numbers or None, by name) is added to the dialogue's own verdicts and wins
    over them. `scores` holds one `Score` per turn, or one for the whole dialogue. `rules` is by
    rule: what was found in each turn, in the rule evaluator's own shape (dataclasses allowed).
    `drift`, where the recorded user played: the turns that were answered otherwise then. `calls`,
    where our own users, judges and bots asked models: by lane, what it took
    (`llm.usage.plain_totals`). `raised`: what the test raised, in a line. `trivial`: why a bot
    that does nothing passes the goal.
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
            plain_text(name): verdict_entry(value)
            for name, value in measured.items()
            if not isinstance(value, bool | int | float | None)
        },
        "scores": score_entries(scores or {}),
        "rules": rule_entries(rules or {}),
        "bookings": [_booking(booking) for booking in dialogue.final_bookings],
        "backend_known": dialogue.backend_known,
        "turns": [_turn(turn) for turn in dialogue.turns],
        "last_words": plain_text(dialogue.last_words),
        "usage": _total_usage(turn.usage for turn in dialogue.turns),
        "goal_record": _goal(dialogue.goal),
        "fault": None if dialogue.fault is None else dialogue.fault.value,
    }
    if dialogue.last_calls:
        entry["last_calls"] = [_tool_call(call) for call in dialogue.last_calls]
    if drift is not None:
        entry["drift"] = [_drift(each) for each in drift]
    if calls:
        entry["calls"] = cast("dict[str, JSON]", plain(calls))
    if dialogue.notes:
        entry["notes"] = [plain_text(note) for note in dialogue.notes]
    if raised:
        entry["raised"] = plain_text(raised)
    if trivial:
        entry["trivial"] = plain_text(trivial)
    return entry


def score_entries(scores: "Mapping[str, Sequence[Score]]") -> dict[str, list[ScoreEntry]]:
    """Scores by name as the file holds them."""
    return {plain_text(name): [_score(score) for score in found] for name, found in scores.items()}


def rule_entries(rules: Mapping[str, object]) -> dict[str, JSON]:
    """What was found by rule as the file holds it."""
    return cast("dict[str, JSON]", plain(rules))


def verdict_entry(verdict: "Verdict") -> VerdictEntry:
    """A verdict as the file holds it."""
    entry: VerdictEntry = {
        "passed": None if verdict.doubt else verdict.passed,
        "reason": plain_text(verdict.reason),
        "turns": list(verdict.turns),
        "basis": verdict.basis,
        "applicable": verdict.applicable,
        "version": verdict.version,
        "metric_set": verdict.metric_set,
    }
    if verdict.doubt:
        entry["doubt"] = plain_text(verdict.doubt)
    return entry


def timeless(entry: DialogueEntry) -> DialogueEntry:
    """A copy with every time as 0."""
    turns = cast("list[TurnEntry]", _without_times(cast("JSON", entry["turns"])))
    found: DialogueEntry = {**entry, "turns": turns}
    if "calls" in entry:
        found["calls"] = cast("dict[str, JSON]", _without_times(entry["calls"]))
    return found


def _without_times(value: JSON) -> JSON:
    """What a bot or tool handed over may have fields of these names, too: it is left as it is."""
    if isinstance(value, list):
        return [_without_times(item) for item in value]
    if not isinstance(value, dict):
        return value
    theirs = ("tool_calls", "user_calls", "state", "retrieved")
    return {
        name: 0.0 if name in TIMES else item if name in theirs else _without_times(item)
        for name, item in value.items()
    }


def _drift(drift: DriftEntry) -> DriftEntry:
    was, now = plain_text(drift["was"]), plain_text(drift["now"])
    return {"turn": drift["turn"], "was": was, "now": now}


def _metric(value: "Verdict | MetricValue") -> MetricValue:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    return value.metric


def _score(score: "Score") -> ScoreEntry:
    entry: ScoreEntry = {
        "value": score.value,
        "reason": plain_text(score.reason),
        "unscored": None if score.unscored is None else plain_text(score.unscored),
        "turn": score.turn,
        "scale": list(score.scale),
        "definition": plain_text(score.definition),
    }
    if len(score.samples):
        entry["samples"] = [
            {"by": plain_text(each.by), "value": each.value, "reason": plain_text(each.reason)}
            for each in score.samples
        ]
    return entry


def _goal(goal: "Goal") -> GoalEntry:
    entry: GoalEntry = {
        "id": plain_text(goal.id),
        "source": plain_text(goal.source),
        "message": [plain_text(sentence) for sentence in goal.message],
        "domains": [_domain_goal(part) for part in goal.domains],
        "solution": plain_text(goal.solution),
        "published": goal.published,
    }
    if goal.opening:
        entry["opening"] = [_turn(turn) for turn in goal.opening]
    if goal.hearing:
        entry["hearing"] = [_example(example) for example in goal.hearing]
    return entry


def _example(example: "Example") -> ExampleEntry:
    means = [plain_text(notation(claim)) for claim in example.means]
    return {"says": plain_text(example.says), "means": means}


def _domain_goal(part: "DomainGoal") -> DomainGoalEntry:
    return {
        "domain": plain_text(part.domain),
        "inform": _slots(part.inform),
        "fail_inform": _slots(part.fail_inform),
        "book": _slots(part.book),
        "fail_book": _slots(part.fail_book),
        "request": [plain_text(slot) for slot in part.request],
        "wants_booking": part.wants_booking,
    }


def _slots(slots: Mapping[str, str]) -> dict[str, str]:
    return {plain_text(slot): plain_text(str(value)) for slot, value in slots.items()}


def _booking(booking: "Booking") -> BookingEntry:
    return {
        "domain": plain_text(str(booking.domain)),
        "reference": plain_text(str(booking.reference)),
        "slots": cast("dict[str, JSON]", plain(booking.slots)),
    }


def _turn(turn: "Turn") -> TurnEntry:
    entry: TurnEntry = {
        "user": plain_text(turn.user),
        "system": plain_text(turn.system),
        "tool_calls": [_tool_call(call) for call in turn.tool_calls],
        "state": plain(turn.state),
        "retrieved": [plain(item) for item in turn.retrieved],
        "latency_s": round(turn.latency, 6),
        "usage": None if turn.usage is None else _total_usage([turn.usage]),
    }
    if turn.spans:
        entry["spans"] = [
            {"name": plain_text(str(name)), "seconds": _seconds(took)} for name, took in turn.spans
        ]
    if turn.user_calls:
        entry["user_calls"] = [_tool_call(call) for call in turn.user_calls]
    if turn.booked is not None:
        entry["booked"] = [_booking(booking) for booking in turn.booked]
    if turn.cancelled:
        entry["cancelled"] = [_booking(booking) for booking in turn.cancelled]
    if turn.claims is not None:
        entry["heard"] = [_claim(claim) for claim in turn.claims]
        entry["heard_by"] = plain_text(turn.claims_by)
    return entry


def _claim(claim: "Claim") -> ClaimEntry:
    entry: ClaimEntry = {"claim": plain_text(notation(claim))}
    if claim.doubt:
        entry["doubt"] = plain_text(claim.doubt)
    return entry


def _seconds(took: float) -> float:
    return round(took, 6) if math.isfinite(took) else 0.0


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
