"""What tool calls came to: bookings made and cancelled, by tools of any name."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import Booking, ToolCall
from pytest_todeval.core.goal import Goal

__all__ = ["as_booking", "booking_made", "cancelled", "domain_of", "is_booking_call"]

_BOOKS = {"book", "booking", "reserve", "reservation", "order", "buy", "purchase"}
_LOOKS = {"find", "search", "get", "list", "check", "query", "show", "look", "lookup", "cancel"}
_REFERENCES = ("reference", "confirmation", "bookingid", "bookingnumber", "orderid", "ref")
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")
_REFERENCE_IN_TEXT = re.compile(r"\b(?=[A-Z0-9]*\d)[A-Z0-9]{5,12}\b")
_WENT_WRONG = re.compile(r"\b(?:fail|sorry|error|unable|unavailable|not|cannot|can't|no)", re.I)


def is_booking_call(call: ToolCall) -> bool:
    """Whether a tool, by its name, books something: `book_hotel`, `makeReservation`, ..."""
    words = {word.lower() for word in _WORD.findall(call.name[:200])}
    return bool(words & _BOOKS) and not words & _LOOKS


def booking_made(call: ToolCall, goal: Goal) -> Booking | None:
    """The booking that a call made; None where it is no booking call or did not succeed.

    A booking call whose result was not reported counts as made, with its arguments as its slots.
    """
    if not is_booking_call(call) or call.error is not None or not _succeeded(call.result):
        return None
    result = call.result if isinstance(call.result, Mapping) else {}
    slots = {**call.arguments, **result}
    return Booking(
        domain_of(call, goal) or "",
        _reference(call.result),
        {str(slot): str(value) for slot, value in slots.items() if not _is_reference(str(slot))},
    )


def _succeeded(result: Any) -> bool:
    if isinstance(result, Mapping):
        return not result.get("error") and result.get("success", True) not in (False, "false")
    if isinstance(result, str):
        return not _WENT_WRONG.search(result[:1000])
    return result is not False


def _reference(result: Any) -> str:
    if isinstance(result, Mapping):
        return next((str(v) for k, v in result.items() if _is_reference(str(k))), "")
    found = _REFERENCE_IN_TEXT.search(result[:1000]) if isinstance(result, str) else None
    return found[0] if found else ""


def _is_reference(slot: str) -> bool:
    squeezed = re.sub("[^a-z]", "", slot.lower())
    return squeezed == "ref" or any(word in squeezed for word in _REFERENCES[:-1])


def cancelled(call: ToolCall) -> set[str]:
    """The references that a call cancelled."""
    if call.error is not None or "cancel" not in call.name.lower():
        return set()
    return {str(value) for value in call.arguments.values()}


def domain_of(call: ToolCall, goal: Goal) -> str | None:
    """The domain a call is about: from its name, a `domain` argument, or the slots it shares."""
    name = call.name.lower()
    known = [part.domain for part in goal.domains]
    others = ("restaurant", "hotel", "attraction", "train", "taxi", "hospital", "police")
    for domain in (*known, *others):
        if domain.lower() in name or call.arguments.get("domain") == domain:
            return domain
    return _by_slots(call.arguments, goal)


def _by_slots(arguments: Mapping[str, Any], goal: Goal) -> str | None:
    shared = {
        part.domain: len(arguments.keys() & {*part.inform, *part.book}) for part in goal.domains
    }
    best = max(shared.values(), default=0)
    closest = [domain for domain, count in shared.items() if count == best]
    return closest[0] if len(closest) == 1 else None


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


def standing(made: Iterable[Booking], calls: Sequence[ToolCall]) -> tuple[Booking, ...]:
    """The bookings made that no later call cancelled."""
    gone = {reference for call in calls for reference in cancelled(call)}
    return tuple(booking for booking in made if booking.reference not in gone)
