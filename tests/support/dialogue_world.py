"""Hand-made dialogues for the tests of evaluators: an invented town, short ways to say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal

ROWS: dict[str, list[dict[str, Any]]] = {
    "restaurant": [
        {
            "name": "the copper kettle",
            "area": "centre",
            "food": "italian",
            "pricerange": "cheap",
            "phone": "01999111222",
            "address": "12 Mill Lane",
            "postcode": "qx11ab",
        },
        {
            "name": "saffron garden",
            "area": "north",
            "food": "indian",
            "pricerange": "expensive",
            "phone": "01999333444",
            "address": "3 Harbour Road",
            "postcode": "qx42cd",
        },
    ],
    "hotel": [
        {
            "name": "willow lodge",
            "area": "east",
            "type": "guesthouse",
            "stars": "4",
            "pricerange": "moderate",
            "internet": "yes",
            "parking": "no",
            "phone": "01999555666",
            "address": "9 Orchard Street",
            "postcode": "qx77ef",
        }
    ],
    "attraction": [
        {
            "name": "harbour museum",
            "area": "north",
            "type": "museum",
            "entrance fee": "5 pounds",
            "phone": "01999777888",
            "address": "1 Quay Street",
            "postcode": "qx43gh",
        }
    ],
    "train": [
        {
            "trainID": "TR1010",
            "departure": "ashford",
            "destination": "merton",
            "day": "monday",
            "leaveAt": "09:00",
            "arriveBy": "09:50",
            "price": "10.10 pounds",
            "duration": "50 minutes",
        },
        {
            "trainID": "TR2020",
            "departure": "ashford",
            "destination": "merton",
            "day": "tuesday",
            "leaveAt": "11:00",
            "arriveBy": "11:50",
            "price": "10.10 pounds",
            "duration": "50 minutes",
        },
    ],
}
KETTLE, SAFFRON = ROWS["restaurant"]
WILLOW = ROWS["hotel"][0]
MUSEUM = ROWS["attraction"][0]
EARLY, LATE = ROWS["train"]

DATABASE = MultiwozDatabase(ROWS)

TABLE = {"name": "the copper kettle", "day": "friday", "time": "18:30", "people": "4"}


def goal(*parts: DomainGoal) -> Goal:
    return Goal("G1", "test", parts)


def restaurant_goal(
    *,
    inform: Mapping[str, str] | None = None,
    request: tuple[str, ...] = (),
    book: Mapping[str, str] | None = None,
    fail_book: Mapping[str, str] | None = None,
) -> Goal:
    """Wants an Italian restaurant in the centre; books only if `book` is given."""
    part = DomainGoal(
        "restaurant",
        inform={"food": "italian", "area": "centre"} if inform is None else inform,
        book=book or {},
        fail_book=fail_book or {},
        request=request,
        wants_booking=bool(book),
    )
    return goal(part)


BOOK = {"day": "friday", "time": "18:30", "people": "4"}


def said(user: str, system: str, *calls: ToolCall, state: Mapping[str, Any] | None = None) -> Turn:
    """A turn; `dialogue` numbers it."""
    return Turn(0, user, system, calls, state=state)


def dialogue(
    wanted: Goal, *turns: Turn, bookings: Sequence[Booking] | None = None, last_words: str = ""
) -> Dialogue:
    """A dialogue; with `bookings`, these are what a backend holds at the end."""
    numbered = tuple(replace(turn, index=at) for at, turn in enumerate(turns, 1))
    return Dialogue(
        wanted,
        numbered,
        final_bookings=tuple(bookings or ()),
        backend_known=bookings is not None,
        last_words=last_words,
    )


def found(domain: str, *rows: Mapping[str, Any], **constraints: str) -> ToolCall:
    """A look-up and what it returned."""
    return ToolCall(f"find_{domain}", constraints, {"count": len(rows), "results": list(rows)})


def booked(domain: str, reference: str = "AB12CD34", **slots: str) -> ToolCall:
    """A booking that was made."""
    return ToolCall(f"book_{domain}", slots, {"reference": reference, **slots})


def booking(domain: str, reference: str = "AB12CD34", **slots: str) -> Booking:
    return Booking(domain, reference, slots)


def backend(wanted: Goal | None = None) -> MultiwozBackend:
    """A fresh backend over the town."""
    return MultiwozBackend(DATABASE, wanted)


def refused(domain: str, why: str = "no table is free", **slots: str) -> ToolCall:
    return ToolCall(f"book_{domain}", slots, error=why)
