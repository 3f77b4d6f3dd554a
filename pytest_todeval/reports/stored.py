"""A dialogue back from its entry in a results file, to be judged again without simulating."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from pytest_todeval.core.claim import Claim
from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.example import Example
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import InvalidFile
from pytest_todeval.reports.schema import (
    BookingEntry,
    ClaimEntry,
    DialogueEntry,
    DomainGoalEntry,
    ExampleEntry,
    GoalEntry,
    MetricValue,
    ToolCallEntry,
    TurnEntry,
    UsageEntry,
    VerdictEntry,
)

__all__ = ["dialogue_of"]

E = TypeVar("E", bound=StrEnum)


def dialogue_of(entry: DialogueEntry) -> Dialogue:
    """The dialogue that an entry holds: what `dialogue_entry` makes of it is the same entry.

    Without `goal_record` (a file of an older version) its goal is a name without domains: what is
    judged by the goal cannot be judged then. Raises InvalidFile for a stop reason or a fault that
    this version does not know.
    """
    return Dialogue(
        goal=_goal(entry),
        turns=tuple(_turn(index, turn) for index, turn in enumerate(entry["turns"], 1)),
        stop_reason=_known(StopReason, "stop_reason", entry["stop_reason"], entry),
        fault=_fault(entry),
        detail=entry["detail"],
        last_words=entry["last_words"],
        last_calls=tuple(map(_tool_call, entry.get("last_calls", ()))),
        notes=tuple(entry.get("notes", ())),
        final_bookings=tuple(map(_booking, entry["bookings"])),
        backend_known=entry["backend_known"],
        trial=entry["trial"],
        verdicts={
            name: _verdict(name, found, entry["metrics"].get(name))
            for name, found in entry["verdicts"].items()
        },
    )


def _known(kind: type[E], field: str, value: str, entry: DialogueEntry) -> E:
    try:
        return kind(value)
    except ValueError:
        raise InvalidFile(
            f"{entry['test']} (trial {entry['trial']}): {field} is {value!r}; "
            f"expected one of {', '.join(kind)}"
        ) from None


def _fault(entry: DialogueEntry) -> Outcome | None:
    """What settled the outcome; an older file does not say whether a test or the dialogue did."""
    if "fault" in entry:
        fault = entry["fault"]
        return None if fault is None else _known(Outcome, "fault", fault, entry)
    outcome = _known(Outcome, "outcome", entry["outcome"], entry)
    return None if outcome in (Outcome.PASSED, Outcome.FAILED) else outcome


def _goal(entry: DialogueEntry) -> Goal:
    if "goal_record" not in entry:
        source, _, name = entry["goal"].rpartition("/")
        return Goal(name, source, ())
    record: GoalEntry = entry["goal_record"]
    return Goal(
        id=record["id"],
        source=record["source"],
        domains=tuple(map(_domain_goal, record["domains"])),
        message=tuple(record["message"]),
        solution=record["solution"],
        opening=tuple(_turn(0, turn) for turn in record.get("opening", [])),
        published=record["published"],
        hearing=tuple(map(_example, record.get("hearing", []))),
    )


def _example(entry: ExampleEntry) -> Example:
    return Example(entry["says"], tuple(_parsed(line, "hearing") for line in entry["means"]))


def _domain_goal(part: DomainGoalEntry) -> DomainGoal:
    return DomainGoal(
        domain=part["domain"],
        inform=part["inform"],
        fail_inform=part["fail_inform"],
        book=part["book"],
        fail_book=part["fail_book"],
        request=tuple(part["request"]),
        wants_booking=part["wants_booking"],
    )


def _turn(index: int, turn: TurnEntry) -> Turn:
    state = turn["state"]
    return Turn(
        index=index,
        user=turn["user"],
        system=turn["system"],
        tool_calls=tuple(map(_tool_call, turn["tool_calls"])),
        state=state if isinstance(state, Mapping) else None,
        retrieved=tuple(turn["retrieved"]),
        latency=turn["latency_s"],
        usage=_usage(turn["usage"]),
        spans=tuple((span["name"], span["seconds"]) for span in turn.get("spans", ())),
        user_calls=tuple(map(_tool_call, turn.get("user_calls", ()))),
        booked=tuple(map(_booking, turn["booked"])) if "booked" in turn else None,
        cancelled=tuple(map(_booking, turn.get("cancelled", ()))),
        claims=tuple(map(_claim, turn["heard"])) if "heard" in turn else None,
        claims_by=turn.get("heard_by", ""),
    )


def _claim(entry: ClaimEntry) -> Claim:
    return replace(_parsed(entry["claim"], "heard"), doubt=entry.get("doubt", ""))


def _parsed(line: str, field: str) -> Claim:
    try:
        return parse_claim(line)
    except ValueError as error:
        raise InvalidFile(f"`{field}`: {error}") from None


def _tool_call(call: ToolCallEntry) -> ToolCall:
    arguments = call["arguments"]
    return ToolCall(
        call["name"],
        arguments if isinstance(arguments, Mapping) else {},
        call["result"],
        call["error"],
    )


def _usage(usage: UsageEntry | None) -> Usage | None:
    if usage is None:
        return None
    return Usage(usage["prompt_tokens"], usage["completion_tokens"], usage["cost"])


def _booking(booking: BookingEntry) -> Booking:
    slots = {slot: str(value) for slot, value in booking["slots"].items()}
    return Booking(booking["domain"], booking["reference"], slots)


def _verdict(name: str, found: VerdictEntry, metric: MetricValue) -> Verdict:
    return Verdict(
        name,
        found["passed"] is True,
        found["reason"],
        tuple(found["turns"]),
        found["basis"],
        found["applicable"],
        found["version"],
        found.get("metric_set", "online"),
        value=None if isinstance(metric, bool) else metric,
        doubt=found.get("doubt", ""),
    )
