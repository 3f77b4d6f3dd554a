"""Predicates over what the bot says of the bookings that it makes or has made."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.evaluate.rules.company import PARTY, miscounted
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.predicates.agreement import agrees, says_name
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.evaluate.rules.told_of_booking import told_otherwise
from pytest_todeval.facts.calls.rows import IDENTITIES, identity
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.facts.dialogue import TurnFacts
from pytest_todeval.facts.told_values import numbers_said
from pytest_todeval.nlu.text.sentences import sentences

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COLOURS = "black white red blue green yellow grey gray silver orange purple pink brown gold"
_MAKES = (
    "audi bmw citroen fiat ford honda hyundai jaguar kia lexus mazda mercedes mini nissan opel"
    " peugeot porsche renault saab seat skoda subaru suzuki tesla toyota vauxhall volkswagen volvo"
)
_CARS = tuple(
    re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.I) for words in (_COLOURS, _MAKES)
)
JOURNEY_TIMES = ("leaveAt", "arriveBy")
"""Two times of one train that words tell apart badly ("the 18:45 that is there at 19:20")."""
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(DAYS)})\b", re.I)
_LEAVES = re.compile(
    rf"\b(?:check(?:ing)?[- ]?out|leav\w+|until|till|depart\w*|\w+day to)\b[^.!?\n]{{0,20}}?"
    rf"\b(?P<day>{'|'.join(DAYS)})\b",
    re.I,
)


@predicate
def misstates_booking(view: View) -> Found:
    """The bot tells a value of a booking that it makes, or has made, and booked another one.

    Of the booking of this turn it is every value, who comes and the taxi's car; of an earlier one
    its day.
    """
    made = view.facts.made
    if view.evidence.bookings is None:
        return unknown("nothing tells what is booked")
    if not made:
        return _recalled(view)
    for booking in made:
        if (found := _misplaced(view, booking)) is not None:
            return found
        if (other := told_otherwise(view, booking)) is not None:
            slot, said, real = other
            return yes(f"tells the {slot} as {said!r}; booked is {real!r}")
    told = list(_told_of(view.facts, made))
    for booking, slot, values in told:
        real = booking.slots[slot]
        counted = slot == "people" and PARTY.search(view.facts.text)  # judged as a whole
        own = [real, *_times_of(view, booking)] if slot in JOURNEY_TIMES else [real]
        if not counted and not any(agrees(slot, value, each) for value in values for each in own):
            of = identity(booking.slots) or f"the {booking.domain}"
            return yes(f"tells the {slot} of {of} as {values[0]!r}; booked is {real!r}")
    if not told:
        return unknown("tells nothing of the booking")
    return no("tells what it has booked")


def _times_of(view: View, booking: Booking) -> list[str]:
    """When the train of a booking leaves and arrives, as its row has it."""
    train = booking.domain == "train"
    row = view.evidence.row("train", str(identity(booking.slots))) if train else None
    return [str(row[slot]) for slot in JOURNEY_TIMES if row and given(row.get(slot))]


def _misplaced(view: View, booking: Booking) -> Found | None:
    """What is wrong with who comes, in which car, or the day on which a stay ends."""
    text = view.facts.text
    last = leaving_day(booking.slots)
    for match in _LEAVES.finditer(text) if last else ():
        if match["day"].lower() != last:
            return yes(f"says {match[0]!r}; the stay ends on {last}")
    return _other_party(view, booking) or _other_car(text, booking)


def _recalled(view: View) -> Found:
    """What is wrong with what is said of bookings of earlier turns."""
    earlier = [b for facts in view.evidence.until(view.index - 1) for b in facts.made]
    if not earlier:
        return unknown("has booked nothing")
    for sentence in sentences(view.facts.text):
        named = [b for b in earlier if (name := identity(b.slots)) and says_name(sentence, name)]
        told = [match[0].lower() for match in _WEEKDAY.finditer(sentence)]
        if len(named) != 1 or not told or "?" in sentence:
            continue
        booking = named[0]
        day, last = str(booking.slots.get("day", "")).lower(), leaving_day(booking.slots)
        if day in DAYS and not {day, last} & set(told):
            return yes(f"tells {told[0].title()} of {identity(booking.slots)}; booked is {day!r}")
    return no("tells what it has booked")


def leaving_day(stay: Mapping[str, Any]) -> str:
    """The day on which a stay ends; empty if it is no stay."""
    day, nights = str(stay.get("day", "")).lower(), str(stay.get("stay", ""))
    if day not in DAYS or not nights.isdecimal() or len(nights) > 2:
        return ""
    return DAYS[(DAYS.index(day) + int(nights)) % len(DAYS)]


def _other_party(view: View, booking: Booking) -> Found | None:
    """What is wrong if those whom a text counts are not as many as are booked."""
    people = str(booking.slots.get("people", ""))
    if not people.isdecimal():
        return None
    wrong = miscounted(view.facts.text, int(people), view.evidence.user_said(view.index))
    return yes(f"says {wrong!r}; booked are {people} people") if wrong else None


def _other_car(text: str, booking: Booking) -> Found | None:
    """What is wrong if a text names a colour or make that the car which was ordered has not."""
    car = str(booking.slots.get("type", booking.slots.get("car type", ""))).lower()
    if booking.domain != "taxi" or not car:
        return None
    places = " ".join(str(value) for value in booking.slots.values()).lower()
    for words in _CARS:
        if not words.search(car):
            continue
        for match in words.finditer(text):
            if match[0].lower() not in places:
                return yes(f"tells {match[0]!r} of the car; ordered is a {car}")
    return None


def _told_of(
    facts: TurnFacts, made: Sequence[Booking]
) -> Iterator[tuple[Booking, str, Sequence[str]]]:
    """Booking, slot, and the values told of it; nothing of a slot that two bookings share."""
    for booking in made:
        others = [other for other in made if other is not booking]
        for slot, real in booking.slots.items():
            shared = any(slot in other.slots for other in others)
            if slot in IDENTITIES or shared or not given(real):
                continue
            claims = facts.acts(Act.INFORM, booking.domain)
            values = [str(claim.value) for claim in claims if claim.slot == slot and claim.value]
            if not values and slot in ("people", "stay"):
                values = [str(number) for number in numbers_said(facts.text, slot)]
            if values:
                yield booking, slot, values
