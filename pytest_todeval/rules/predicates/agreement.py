"""Predicates that hold what the bot says and books against what was agreed, said and booked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.core.dialogue import Booking
from pytest_todeval.evidence.calls.reading import Deed
from pytest_todeval.evidence.calls.rows import IDENTITIES, identity
from pytest_todeval.evidence.calls.wishes import given
from pytest_todeval.evidence.dialogue import MAX_TEXT, TurnFacts
from pytest_todeval.evidence.names.hearing import normal_text, said_in_full
from pytest_todeval.evidence.values.told import numbers_said, says_value
from pytest_todeval.language.names import core_name
from pytest_todeval.language.values import same_name, same_value
from pytest_todeval.rules.asides import is_aside
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.quantities import NUMBER, number_of
from pytest_todeval.rules.registry import predicate

_LEFT_OPEN = re.compile(
    r"\b(?:any|either|other|another|different|else|instead|whichever|whatever|you choose|pick"
    r"|surprise|don.?t (?:care|mind)|doesn.?t matter|no preference)\b",
    re.I,
)
"""Words by which the user leaves the choice to the bot, or turns to another one."""
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_BESIDE = re.compile(
    rf"\b(?:the )?(?:eve of|(?:day|night|evening) (?:before|after)) (?P<day>{'|'.join(DAYS)})\b",
    re.I,
)
_WAITS = re.compile(
    r"\b(?:wait\w*|pick(?:s|ed|ing)? (?:you )?up|collect(?:s|ed|ing)? you|meet(?:s|ing)? you)\b"
    r"[^.!?\n]{0,10}\b(?:at|outside|from|in front of|by)\b[^.!?\n]{1,80}",
    re.I,
)
_PARTY = re.compile(
    rf"\b(?P<n>{NUMBER}|an?) (?:adults?|grown-ups?|children|child|kids?|infants?|bab(?:y|ies)"
    r"|toddlers?|seniors?|teenagers?|students?|pensioners?)\b",
    re.I,
)
_COLOURS = "black white red blue green yellow grey gray silver orange purple pink brown gold"
_MAKES = (
    "audi bmw citroen fiat ford honda hyundai jaguar kia lexus mazda mercedes mini nissan opel"
    " peugeot porsche renault saab seat skoda subaru suzuki tesla toyota vauxhall volkswagen volvo"
)
_CARS = tuple(
    re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.I) for words in (_COLOURS, _MAKES)
)
_TOTAL = re.compile(
    r"\b(?:total|altogether|all together|in all|overall)\b[^.!?\n\d]{0,30}"
    r"[\u00a3$\u20ac]?(?P<sum>\d{1,6}(?:\.\d{1,2})?)(?! ?(?:x|\u00d7|\*|times|people|tickets))",
    re.I,
)
ROUNDING = 0.05
_COUNTED = ("people", "stay")
_FIXED = ("phone", "address", "postcode", "entrance fee", "duration", "stars", "area", "pricerange")
"""Slots of which an item has one value."""


@predicate
def misstates_booking(view: View) -> Found:
    """The bot tells a value of the booking that it makes in this turn, and booked another one."""
    made = view.facts.made
    if not made or view.evidence.bookings is None:
        return unknown("books nothing")
    for booking in made:
        if (found := _misplaced(view, booking)) is not None:
            return found
    told = list(_told_of(view.facts, made))
    for booking, slot, values in told:
        real = booking.slots[slot]
        counted = slot == "people" and _PARTY.search(view.facts.text)  # judged as a whole
        if not counted and not any(_agree(slot, value, real) for value in values):
            of = identity(booking.slots) or f"the {booking.domain}"
            return yes(f"tells the {slot} of {of} as {values[0]!r}; booked is {real!r}")
    if not told:
        return unknown("tells nothing of the booking")
    return no("tells what it has booked")


def _misplaced(view: View, booking: Booking) -> Found | None:
    """What is wrong with who comes, in which car, beside which day, or where a car waits."""
    text = view.facts.text
    day = str(booking.slots.get("day", booking.slots.get("pickup_day", ""))).lower()
    for match in _BESIDE.finditer(text):
        if day in DAYS and match["day"].lower() == day:
            return yes(f"tells the day as {match[0]!r}; booked is {day!r}")
    if (wrong := _other_party(view, booking) or _other_car(text, booking)) is not None:
        return wrong
    start, end = (str(booking.slots.get(slot, "")) for slot in ("departure", "destination"))
    waits = _WAITS.search(text) if booking.domain == "taxi" else None
    if waits and _names(waits[0], end) and not _names(waits[0], start):
        return yes(f"says {waits[0]!r}; the taxi starts at {start!r}")
    return None


def _other_party(view: View, booking: Booking) -> Found | None:
    """What is wrong if adults and children that a text counts are not as many as are booked."""
    counted = list(_PARTY.finditer(view.facts.text))
    people = str(booking.slots.get("people", ""))
    if not counted or not people.isdecimal():
        return None
    whole = int(sum(number_of(match["n"]) for match in counted))
    said = view.evidence.user_said(view.index).lower()
    if whole == int(people) or all(match[0].lower() in said for match in counted):
        return None
    return yes(f"tells {' and '.join(m[0] for m in counted)}; booked are {people} people")


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
            if not values and slot in _COUNTED:
                values = [str(number) for number in numbers_said(facts.text, slot)]
            if values:
                yield booking, slot, values


def _agree(slot: str, told: str, real: str) -> bool:
    if same_value(slot, told, real) or same_name(told, real):
        return True
    return says_value(told, slot, real) or says_value(real, slot, told)


@predicate
def books_unoffered(view: View) -> Found:
    """The bot books another venue or train than the one that was offered and agreed on.

    So it is if the user names one of those offered and another is booked, or if what is booked was
    never named before though others were. A user may leave the choice to the bot ("any will do").
    """
    bookings = [booking for booking in view.facts.made if identity(booking.slots)]
    if not bookings:
        return unknown("books no venue or train")
    for booking in bookings:
        name = str(identity(booking.slots))
        offered = _offered(view, booking.domain)
        if _LEFT_OPEN.search(view.facts.turn.as_meant[:MAX_TEXT]) or _was_refused(view, booking):
            continue
        asked = [other for other in offered if _names(view.facts.turn.as_meant, other)]
        if asked and not any(same_name(name, other) for other in asked):
            if not _names(view.facts.turn.as_meant, name):
                return yes(f"books {name!r}; the user asked for {asked[0]!r}")
        elif offered and not _named_before(view, name):
            return yes(f"books {name!r}, which was not offered; offered was {offered[-1]!r}")
    return no("what it books was offered or asked for")


def _offered(view: View, domain: str) -> list[str]:
    earlier = view.evidence.until(view.index - 1)
    return [name for facts in earlier for name in view.evidence.offers(facts, domain)]


def _was_refused(view: View, booking: Booking) -> bool:
    calls = (call for facts in view.evidence.until(view.index) for call in facts.calls)
    return any(call.what is Deed.REFUSED and call.domain == booking.domain for call in calls)


def _names(text: str, name: str) -> bool:
    normal = normal_text(text[:MAX_TEXT])
    return said_in_full(normal, name) or said_in_full(normal, core_name(name))


def _named_before(view: View, name: str) -> bool:
    if _names(view.evidence.user_said(view.index), name):
        return True
    return any(_names(facts.text, name) for facts in view.evidence.until(view.index - 1))


@predicate
def answers_for_another(view: View) -> Found:
    """The bot tells values of another item than those that were offered or asked for."""
    told = [claim for claim in view.facts.acts(Act.INFORM) if claim.of and claim.value]
    looked = bool(view.turn.tool_calls) or not view.evidence.traced
    until = view.index if looked else view.index - 1
    offered = [name for facts in view.evidence.until(until) for name in facts.offers]
    if not told or not offered or not view.evidence.goal.domains:
        return unknown("tells nothing of an item, or has offered none")
    earlier = [facts.text for facts in view.evidence.until(view.index - 1)]
    for claim in told:
        name = str(claim.of)
        if any(same_name(name, other) for other in offered) or _named_before(view, name):
            continue
        if not any(_names(text, name) for text in earlier):
            return yes(f"tells the {claim.slot} of {name!r}; offered was {offered[-1]!r}")
    return no("tells of what was offered or asked for")


@predicate
def misstates_total(view: View) -> Found:
    """The bot tells another total of train tickets than their price times their number."""
    tickets = [b for facts in view.evidence.until(view.index) for b in facts.made]
    tickets = [b for b in tickets if b.domain == "train" and str(b.slots.get("people")).isdecimal()]
    match = _TOTAL.search(view.facts.text)
    if match is None or not tickets:
        return unknown("tells no total of tickets")
    booking = tickets[-1]
    row = view.evidence.row("train", str(identity(booking.slots)))
    price = re.search(r"\d{1,6}(?:\.\d{1,2})?", str((row or {}).get("price", "")))
    if price is None:
        return unknown("nothing tells the price")
    real, told = float(price[0]) * int(booking.slots["people"]), float(match["sum"])
    if abs(real - told) < ROUNDING:
        return no("the total is right")
    return yes(f"tells a total of {told:g} for {booking.slots['people']} tickets; it is {real:g}")


@predicate
def contradicts_itself(view: View) -> Found:
    """The bot tells another value of an item than in an earlier turn.

    Only of slots that have one value (phone, address, stars, ...), and if it is clear of which item
    both are told.
    """
    now = [claim for claim in view.facts.acts(Act.INFORM) if _is_fixed(claim)]
    earlier = [
        (facts, claim)
        for facts in view.evidence.until(view.index - 1)
        for claim in facts.acts(Act.INFORM)
        if _is_fixed(claim)
    ]
    compared = 0
    for claim in now:
        for facts, before in earlier:
            if claim.slot != before.slot or not same_name(str(claim.of), str(before.of)):
                continue
            compared += 1
            if _agree(str(claim.slot), str(claim.value), str(before.value)):
                continue
            if not (is_aside(view, claim) or is_aside(replace(view, facts=facts), before)):
                return yes(
                    f"tells the {claim.slot} of {claim.of} as {claim.value!r}; in turn "
                    f"{facts.index} it was {before.value!r}"
                )
    return no("tells it as before") if compared else unknown("tells nothing again")


def _is_fixed(claim: Claim) -> bool:
    return claim.slot in _FIXED and bool(claim.value) and bool(claim.of)
