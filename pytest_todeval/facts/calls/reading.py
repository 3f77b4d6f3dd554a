"""The one reader of tool calls: what each did, for the simulated user and the metrics alike.

What counts is, in this order: the bookings that a backend tells of before and after the turn; the
call's result; the tool's name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.facts.calls.results import (
    Says,
    books_by_itself,
    reference_in,
    said_by,
    values_in,
)
from pytest_todeval.facts.calls.rows import data_of, identity, is_empty, row_named, rows_in
from pytest_todeval.facts.calls.wishes import agrees
from pytest_todeval.facts.hearing import normal_text, said_in_full
from pytest_todeval.nlu.tool_names import Purpose, any_named, purpose_of

DOMAINS = ("restaurant", "hotel", "attraction", "train", "taxi", "hospital", "police")
"""Domains that a tool's name may hold besides those of the goal."""


RECENT = 128
"""Calls that are remembered: the user, the metrics and the reports read the same ones."""


class CallOutcome(StrEnum):
    """What a tool call did."""

    BOOKED = "booked"
    REFUSED = "refused"
    """A booking, or a change of one, was tried and not made."""
    CHANGED = "changed"
    """A booking made before was changed."""
    CANCELLED = "cancelled"
    LOOKED_UP = "looked up"
    """Nothing of the kind: it found, checked, quoted, or did something else."""


@dataclass(frozen=True, slots=True)
class CallFact:
    """One tool call, and what it did."""

    call: ToolCall
    what: CallOutcome
    domain: str | None = None
    """None if neither name nor arguments tell."""
    rows: tuple[Mapping[str, Any], ...] = ()
    """Every mapping in its result, outer ones first; none of a call that failed."""
    reference: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    """What was booked, changed or refused: the arguments, overruled by the result."""

    @property
    def tried(self) -> bool:
        """Says whether it was to book something, successful or not."""
        return self.what in (CallOutcome.BOOKED, CallOutcome.REFUSED)

    @property
    def booking(self) -> Booking | None:
        """Returns the booking that it made; None if it made none."""
        if self.what is not CallOutcome.BOOKED:
            return None
        return Booking(self.domain or "", self.reference, self.slots)


def read_turn(turn: Turn, goal: Goal) -> tuple[CallFact, ...]:
    """Returns what the tool calls of a turn did, in order."""
    facts = [_read(_CallOf(call, goal)) for call in turn.tool_calls]
    return tuple(facts if turn.booked is None else _corrected(facts, turn))


class _CallOf:
    """A call in a dialogue over a goal; the same only if both are."""

    __slots__ = ("call", "goal")

    def __init__(self, call: ToolCall, goal: Goal) -> None:
        self.call = call
        self.goal = goal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CallOf) and (self.call is other.call and self.goal is other.goal)

    def __hash__(self) -> int:
        return hash((id(self.call), id(self.goal)))


@lru_cache(maxsize=RECENT)
def _read(asked: _CallOf) -> CallFact:
    call, goal = asked.call, asked.goal
    result = data_of(call.result)
    rows = () if call.error is not None else tuple(rows_in(result))
    what, domain = _deed(call, result), _domain(call, goal)
    if what is CallOutcome.LOOKED_UP:
        return CallFact(call, what, domain, rows)
    reference = reference_in(result) or reference_in(call.arguments)
    return CallFact(call, what, domain, rows, reference, values_in(call.arguments, result))


_DONE = {
    Purpose.BOOKS: CallOutcome.BOOKED,
    Purpose.CHANGES: CallOutcome.CHANGED,
    Purpose.CANCELS: CallOutcome.CANCELLED,
}


def _deed(call: ToolCall, result: Any) -> CallOutcome:
    purpose = purpose_of(call.name, call.arguments)
    if purpose is None and call.error is None and books_by_itself(result):
        return CallOutcome.BOOKED
    if purpose is None or purpose is Purpose.LOOKS:
        return CallOutcome.LOOKED_UP
    says = Says.REFUSED if call.error is not None else said_by(result)
    if says is Says.REFUSED:
        return CallOutcome.LOOKED_UP if purpose is Purpose.CANCELS else CallOutcome.REFUSED
    return CallOutcome.LOOKED_UP if says is Says.PENDING else _DONE[purpose]


def _domain(call: ToolCall, goal: Goal) -> str | None:
    known = [part.domain for part in goal.domains]
    told = call.arguments.get("domain")
    if isinstance(told, str) and told.lower() in {*map(str.lower, known), *DOMAINS}:
        return next((domain for domain in known if domain.lower() == told.lower()), told.lower())
    return any_named((*known, *DOMAINS), call.name) or _by_slots(call.arguments, goal)


def _by_slots(arguments: Mapping[str, Any], goal: Goal) -> str | None:
    shared = {
        part.domain: len(arguments.keys() & {*part.inform, *part.book}) for part in goal.domains
    }
    best = max(shared.values(), default=0)
    closest = [domain for domain, count in shared.items() if count == best]
    return closest[0] if len(closest) == 1 else None


def _corrected(facts: Sequence[CallFact], turn: Turn) -> Iterator[CallFact]:
    """The calls as the backend's bookings show them: one that booked nothing was a look-up."""
    made = {id(fact): booking for fact, booking in _makers(facts, turn.booked or ())}
    for fact in facts:
        booking = made.get(id(fact))
        if booking is not None:
            what = CallOutcome.CHANGED if fact.what is CallOutcome.CHANGED else CallOutcome.BOOKED
            yield replace(
                fact,
                what=what,
                domain=booking.domain or fact.domain,
                reference=booking.reference,
                slots={**values_in(fact.call.arguments, fact.call.result), **booking.slots},
            )
        elif fact.what in (CallOutcome.BOOKED, CallOutcome.CHANGED) or (
            fact.what is CallOutcome.CANCELLED and not turn.cancelled
        ):
            yield replace(fact, what=CallOutcome.LOOKED_UP, reference="", slots={})
        else:
            yield fact


def _makers(
    facts: Sequence[CallFact], made: Iterable[Booking]
) -> Iterator[tuple[CallFact, Booking]]:
    """For each booking the call that made it, as far as one can have."""
    left = [fact for fact in facts if fact.call.error is None]
    for booking in made:
        likely = max(left, key=lambda fact: _likeness(fact, booking), default=None)
        if likely is not None and _likeness(likely, booking) > (0, 0, 0, 0):
            left.remove(likely)
            yield likely, booking


def _likeness(fact: CallFact, booking: Booking) -> tuple[int, int, int, int]:
    """Returns how well a call fits a booking: reference, what it seems to do, domain, slots."""
    purpose = purpose_of(fact.call.name, fact.call.arguments)
    if purpose is Purpose.LOOKS:
        return (0, 0, 0, 0)
    known = (fact.reference, reference_in(fact.call.result))
    referred = bool(booking.reference) and booking.reference in known
    books = fact.what in (CallOutcome.BOOKED, CallOutcome.CHANGED)
    values = values_in(fact.call.arguments, None)
    shared = sum(s in booking.slots and agrees(s, v, booking.slots[s]) for s, v in values.items())
    return (referred, books or purpose is not None, fact.domain == booking.domain, shared)


def standing(facts: Iterable[CallFact]) -> tuple[Booking, ...]:
    """Returns what stands booked after some calls: made, changed since, and not cancelled."""
    booked: list[Booking] = []
    for fact in facts:
        if fact.booking is not None:
            booked.append(fact.booking)
        at = _meant(booked, fact)
        if at is not None and fact.what is CallOutcome.CANCELLED:
            del booked[at]
        elif at is not None and fact.what is CallOutcome.CHANGED:
            old = booked[at]
            booked[at] = replace(old, slots={**old.slots, **fact.slots})
    return tuple(booked)


def _meant(booked: Sequence[Booking], fact: CallFact) -> int | None:
    """Returns the place of the booking that a change or cancellation is about: by its reference,
    else the last one of the domain.
    """
    values = {str(value) for value in fact.call.arguments.values()} | {fact.reference}
    numbered = [at for at, each in enumerate(booked) if each.reference and each.reference in values]
    if numbered:
        return numbered[-1]
    if fact.reference and any(each.reference for each in booked):
        return None  # of another booking, which nobody has seen
    alike = [at for at, each in enumerate(booked) if fact.domain in (None, each.domain)]
    return alike[-1] if alike else None


def as_booking(found: Booking | Mapping[str, Any]) -> Booking:
    """A booking of any backend: a `Booking`, or a mapping with `domain`, `reference` and slots."""
    if isinstance(found, Booking):
        return found
    slots = found.get("slots")
    rest = slots if isinstance(slots, Mapping) else found
    return Booking(
        str(found.get("domain", "")),
        str(found.get("reference", "")),
        {str(k): str(v) for k, v in rest.items() if k not in ("domain", "reference", "slots")},
    )


@dataclass(frozen=True)
class SeenCalls:
    """What the calls of one turn show about one domain."""

    calls: tuple[CallFact, ...] = ()

    @cached_property
    def rows(self) -> list[Mapping[str, Any]]:
        """Everything found that has a name or id."""
        return [row for fact in self.calls for row in fact.rows if identity(row) is not None]

    @property
    def made(self) -> CallFact | None:
        """Returns the last booking made or changed."""
        done = [
            fact for fact in self.calls if fact.what in (CallOutcome.BOOKED, CallOutcome.CHANGED)
        ]
        return done[-1] if done else None

    @property
    def booked(self) -> Mapping[str, str] | None:
        """Returns the slots of the last booking that was made or changed."""
        return None if self.made is None else self.made.slots

    @property
    def refused(self) -> bool:
        """Says whether a booking was refused, and none made after it."""
        tried = [fact for fact in self.calls if fact.tried]
        return bool(tried) and tried[-1].what is CallOutcome.REFUSED

    @property
    def found_nothing(self) -> bool:
        """Says whether the last call was a look-up whose result is, or holds, an empty list."""
        last = self.calls[-1] if self.calls else None
        if last is None or last.what is not CallOutcome.LOOKED_UP or last.call.error is not None:
            return False
        return not any(map(identity, last.rows)) and is_empty(last.call.result)

    @property
    def reference(self) -> str:
        """Returns that of the last booking made."""
        return "" if self.made is None else self.made.reference

    def row(self, name: str) -> Mapping[str, Any] | None:
        """Returns the row of a venue or train, or None."""
        return row_named(self.rows, name)

    def named(self, text: str) -> list[str]:
        """The venues or trains found whose name or id stands in a text, in the text's order."""
        normal = normal_text(text)
        names = dict.fromkeys(str(identity(row)) for row in self.rows)
        found = [name for name in names if said_in_full(normal, name)]
        return sorted(found, key=lambda name: f" {normal} ".find(f" {normal_text(name)} "))


def seen_of(facts: Iterable[CallFact], domain: str) -> SeenCalls:
    """Returns what some calls show about one domain; calls that are about another are left out."""
    return SeenCalls(tuple(fact for fact in facts if fact.domain in (None, domain)))
