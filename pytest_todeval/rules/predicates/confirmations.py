"""Predicates over what the bot says of the bookings that it makes or has made."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.claim import Act
from pytest_todeval.core.dialogue import Booking
from pytest_todeval.evidence.calls.rows import IDENTITIES, identity
from pytest_todeval.evidence.calls.wishes import given
from pytest_todeval.evidence.dialogue import TurnFacts
from pytest_todeval.evidence.values.told import numbers_said
from pytest_todeval.language.times import find_times
from pytest_todeval.nlu.sentences import sentences
from pytest_todeval.rules.company import PARTY, miscounted
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.predicates.agreement import agrees, says_name
from pytest_todeval.rules.quantities import NUMBER, number_of
from pytest_todeval.rules.registry import predicate
from pytest_todeval.rules.told_of_booking import told_otherwise

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
_BOOKINGS = re.compile(
    rf"\b(?:you(?:.ve| have)(?: now)?(?: got)?|that makes(?: it)?|that.s|there are|in total|all)"
    rf" (?P<n>{NUMBER})(?: \w+)? (?:bookings|reservations)\b",
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
_COUNTED = ("people", "stay")
JOURNEY_TIMES = ("leaveAt", "arriveBy")
"""Two times of one train that words tell apart badly ("the 18:45 that is there at 19:20")."""
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(DAYS)})\b", re.I)
_PICKS_UP = re.compile(
    r"\b(?:pick(?:s|ed|ing)?(?: you)? up|collects?|collecting|be ready|leav(?:es?|ing)|sets? off"
    r"|depart(?:s|ing)?|comes?|outside)\b",
    re.I,
)
_SETS_DOWN = re.compile(
    r"\b(?:have|has|get|gets|take|takes|bring|brings|drop|drops) you\b|\b(?:arriv\w+|be there"
    r"|there by|drop(?:s|ped)? off)\b",
    re.I,
)
_DROPS = re.compile(
    r"\b(?:drops? you(?: off)?|takes? you|taking you|brings? you|driv(?:es?|ing) you|drop-?off)"
    r"(?: is)? (?:at|to|outside|over to|in front of) (?P<place>[^.,;!?\n]{3,60})",
    re.I,
)
_NO_PLACE = re.compile(r"\b(?:there|destination|it|where|door|your|time)\b", re.I)
_THINGS = {
    "restaurant": re.compile(r"\byour table\b|\benjoy your (?:meal|dinner|lunch)\b", re.I),
    "hotel": re.compile(r"\byour (?:room|stay)\b", re.I),
    "train": re.compile(r"\byour (?:seats?|train|tickets?)\b", re.I),
    "taxi": re.compile(r"\byour (?:taxi|cab|ride)\b", re.I),
}
_LEAVES = re.compile(
    rf"\b(?:check(?:ing)?[- ]?out|leav\w+|until|till|depart\w*|\w+day to)\b[^.!?\n]{{0,20}}?"
    rf"\b(?P<day>{'|'.join(DAYS)})\b",
    re.I,
)
_PART_OF_DAY = re.compile(
    r"\b(?:in the|for|at|\w+day) (?P<part>morning|lunch|afternoon|dinner|evening|breakfast)\b", re.I
)
_HOURS = {
    "breakfast": (4, 12), "morning": (3, 12), "lunch": (10, 16), "afternoon": (11, 19),
    "dinner": (15, 24), "evening": (15, 24),
}  # fmt: skip
"""Part of a day -> hours from and to which a time may be called so."""
_MEAL = re.compile(r"\b(?P<part>breakfast|lunch|dinner)\b", re.I)
_SOON = re.compile(r"\b(?:tomorrow|tonight|next week)\b", re.I)
_PENDING = re.compile(
    r"\b(?:they(?:.ll| will) (?:let (?:us|you|me) know|confirm|get back|tell us)|awaiting|pending"
    r"|provisional(?:ly)?|tentative(?:ly)?|subject to (?:confirmation|availability|approval)"
    r"|(?:put|sent|passed|submitted|forwarded)(?: in| on)? (?:your|the|a) request|request number"
    r"|whether they can|waiting for (?:them|the \w+|confirmation)|not (?:yet )?(?:been )?confirmed"
    r"|still (?:has|needs?|have) to (?:be )?confirm\w*)\b",
    re.I,
)
"""What tells of a booking as of a request that nobody has granted yet."""
_UNDONE = re.compile(
    r"\b(?:reservation|booking|table|room|tickets?|seats?|taxi)s? (?:\w+ ){0,3}?(?:has(?:n.t| not)"
    r"|have(?:n.t| not)|did(?:n.t| not)|was(?:n.t| not)|were(?:n.t| not)|could(?:n.t| not))"
    r" (?:been |be )?(?:gone? through|go through|work|booked|made|saved|confirmed|recorded)"
    r"|\b(?:reservation|booking|tickets?) (?:\w+ ){0,3}?(?:was|were|has been|have been|got)"
    r" (?:cancelled|canceled|lost|dropped|deleted|refused|rejected|declined)\b",
    re.I,
)
_ELSE = re.compile(r"\b(?:instead|another|other|different|alternative|try|change|move|if)\b", re.I)
"""Beside a day: it is none of the booking's own."""


@predicate
def misstates_booking(view: View) -> Found:
    """The bot tells a value of a booking that it makes, or has made, and booked another one.

    Of the booking of this turn it is every value, who comes, what it is for, the taxi's car, way
    and time, and that it is made; of an earlier one its day, and that it stands.
    """
    made = view.facts.made
    if view.evidence.bookings is None:
        return unknown("nothing tells what is booked")
    if not made:
        return _recalled(view)
    if (pending := _PENDING.search(view.facts.text)) is not None:
        return yes(f"says {pending[0]!r} of what it has booked")
    every = [b for facts in view.evidence.until(view.index) for b in facts.made]
    many = {len(every), sum(bool(b.reference) for b in every), len(view.evidence.bookings)}
    if (match := _BOOKINGS.search(view.facts.text)) and int(number_of(match["n"])) not in many:
        return yes(f"says {match[0]!r}; there are {len(every)}")
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
    """What is wrong with who comes, in which car, beside which day, or where a car waits."""
    text = view.facts.text
    day = str(booking.slots.get("day", booking.slots.get("pickup_day", ""))).lower()
    for match in _BESIDE.finditer(text):
        if day in DAYS and match["day"].lower() == day:
            return yes(f"tells the day as {match[0]!r}; booked is {day!r}")
    last = leaving_day(booking.slots)
    for match in _LEAVES.finditer(text) if last else ():
        if match["day"].lower() != last:
            return yes(f"says {match[0]!r}; the stay ends on {last}")
    if (wrong := _other_party(view, booking) or _other_car(text, booking)) is not None:
        return wrong
    if (wrong := _other_part(view, booking)) is not None:
        return wrong
    return _other_thing(view, booking) or _other_way(text, booking)


def _other_part(view: View, booking: Booking) -> Found | None:
    """What is wrong with the part of the day, or with a day told from today on."""
    text, slots = view.facts.text, booking.slots
    time = str(slots.get("time") or slots.get("leaveAt") or slots.get("arriveBy") or "")
    soon, part = _SOON.search(text), _PART_OF_DAY.search(text)
    said = view.evidence.user_said(view.index).lower()
    if part is None and booking.domain == "restaurant":
        part = next(
            (
                m
                for s in sentences(text)
                if "?" not in s
                and (m := _MEAL.search(s))
                and m[0].lower() not in str(identity(booking.slots)).lower()
            ),
            None,
        )
        part = part if part and part[0].lower() not in said else None
    if soon and str(slots.get("day", "")).lower() in DAYS and soon[0].lower() not in said:
        return yes(f"says {soon[0]!r}; booked is {slots['day']!r}")
    if part and time[:2].isdecimal():
        first, last = _HOURS[part["part"].lower()]
        if not first <= int(time[:2]) < last:
            return yes(f"says {part[0]!r}; booked is {time}")
    return None


def _other_thing(view: View, booking: Booking) -> Found | None:
    """What is wrong if a table is told of where a room was booked, and the like."""
    known = {b.domain for facts in view.evidence.until(view.index) for b in facts.made}
    told = " ".join(s for s in sentences(view.facts.text) if not s.endswith("?"))
    for domain, things in _THINGS.items():
        match = things.search(told) if booking.domain in _THINGS else None
        if match and domain not in known and not _asked(view, domain):
            return yes(f"says {match[0]!r}; booked is a {booking.domain}")
    return None


def _asked(view: View, domain: str) -> bool:
    """Whether the goal has a domain at all: its table may be spoken of before it is booked."""
    return view.evidence.goal.domain(domain) is not None


def _other_way(text: str, booking: Booking) -> Found | None:
    """What is wrong with where a taxi starts and goes, and when it does."""
    if booking.domain != "taxi":
        return None
    start, end = (str(booking.slots.get(slot, "")) for slot in ("departure", "destination"))
    waits, drops = _WAITS.search(text), _DROPS.search(text)
    if waits and says_name(waits[0], end) and not says_name(waits[0], start):
        return yes(f"says {waits[0]!r}; the taxi starts at {start!r}")
    place = drops["place"] if drops and end else ""
    if drops and place and not says_name(place, end) and not _NO_PLACE.search(place):
        return yes(f"says {drops[0]!r}; the taxi goes to {end!r}")
    leave, arrive = (str(booking.slots.get(slot, "")) for slot in ("leaveAt", "arriveBy"))
    for sentence in sentences(text):
        times = find_times(sentence)
        up, down = (bool(way.search(sentence)) for way in (_PICKS_UP, _SETS_DOWN))
        if len(times) != 1 or up == down:
            continue
        if up and arrive in times and not leave:
            return yes(f"says {sentence.strip()[:60]!r}; it is to arrive by {arrive}")
        if down and leave in times and not arrive:
            return yes(f"says {sentence.strip()[:60]!r}; it leaves at {leave}")
    return None


def _recalled(view: View) -> Found:
    """What is wrong with what is said of bookings of earlier turns."""
    earlier = [b for facts in view.evidence.until(view.index - 1) for b in facts.made]
    if not earlier:
        return unknown("has booked nothing")
    tried = any(fact.tried or fact.call.error for fact in view.facts.calls)
    undone = _UNDONE.search(view.facts.text)
    if undone and not tried and not view.turn.cancelled:
        return yes(f"says {undone[0]!r}, but what it booked stands")
    for sentence in sentences(view.facts.text):
        named = [b for b in earlier if (name := identity(b.slots)) and says_name(sentence, name)]
        told = [match[0].lower() for match in _WEEKDAY.finditer(sentence)]
        if len(named) != 1 or not told or _ELSE.search(sentence) or "?" in sentence:
            continue
        booking = named[0]
        day, last = str(booking.slots.get("day", "")).lower(), leaving_day(booking.slots)
        if day in DAYS and not {day, last} & set(told) and not _BESIDE.search(sentence):
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
            if not values and slot in _COUNTED:
                values = [str(number) for number in numbers_said(facts.text, slot)]
            if values:
                yield booking, slot, values
