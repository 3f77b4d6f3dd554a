"""Values told where those of a booking were due, by what is known of them and by their kinds."""

import re
from collections.abc import Iterator, Mapping

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.facts.calls.reading import DOMAINS
from pytest_todeval.facts.calls.rows import IDENTITIES
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.nlu.kinds.codes import CODE
from pytest_todeval.nlu.kinds.dates import DATE
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.kinds.words import NAME, WORDS
from pytest_todeval.nlu.names.normal_form import core_name
from pytest_todeval.nlu.slots import Slot
from pytest_todeval.nlu.text.sentences import sentences, stated
from pytest_todeval.nlu.values.answers import AnswerStatus, answer

COMPARED = (CODE, DATE, TIME, NAME, WORDS)
"""Kinds of which another value in a confirmation is no other thing: numbers may count anything."""
_TITLE = r"\b(?:Dr|Mr|Mrs|Ms|Miss|Prof)\b\.? ?"
_PERSON = re.compile(rf"{_TITLE}(?P<name>[A-Z][\w'\u2019-]+)")
MOST = 200
"""Values of a slot that are looked for."""


def told_otherwise(view: View, booking: Booking) -> tuple[str, str, str] | None:
    """Slot, value told and value booked, if a reply tells another value than the booking has.

    The booking's own value is not told, and another one stands there: one that the slot has in
    other rows, results or wishes; for codes, dates and times any of that form which nothing covers;
    for people any with a title. Of the domains of MultiWOZ only names and codes are looked at:
    their other slots are heard (`misstates_booking`).
    """
    told = " ".join(map(stated, sentences(view.facts.text)))
    for slot, real in booking.slots.items():
        name = slot in IDENTITIES
        if not given(real) or (booking.domain in DOMAINS and not name):
            continue
        others = tuple(dict.fromkeys(_known(view, booking.domain, slot)))[:MOST]
        others = tuple(each for each in others if core_name(each) != core_name(str(real)))
        kind = Slot(slot, (str(real), *others))
        if kind.kind not in COMPARED:
            continue
        covered = tuple(_covered(view, booking, slot))
        bare = re.sub(_TITLE, "", str(real))
        found = answer(view.facts.text, kind, bare, others=others, covered=covered)
        if found.told is AnswerStatus.RIGHT:
            continue
        known = kind.kind not in (NAME, WORDS) or found.said in others
        if found.told is AnswerStatus.WRONG and known:
            return slot, found.said, str(real)
        person = _PERSON.search(told) if kind.kind is NAME and not name else None
        if person and person["name"] not in f"{real} {covered}":
            return slot, person[0], str(real)
    return None


def _known(view: View, domain: str, slot: str) -> Iterator[str]:
    """Values that a slot has elsewhere."""
    if slot in IDENTITIES:
        yield from map(str, view.evidence.vocabulary.names.get(domain, ()))
    yield from map(str, view.evidence.vocabulary.values.get(slot, ()))
    for row in view.evidence.rows_until(view.index):
        if isinstance(row.get(slot), str | int):
            yield str(row[slot])


def _covered(view: View, booking: Booking, slot: str) -> Iterator[str]:
    """What else may rightly stand in the reply: other slots, other bookings, other results."""
    made = [each for facts in view.evidence.until(view.index) for each in facts.made]
    for each in made:
        yield each.reference
        yield from (str(v) for s, v in each.slots.items() if each is not booking or s != slot)
    for call in view.turn.tool_calls:
        yield from _leaves(call.result, slot)


def _leaves(result: object, slot: str, depth: int = 4) -> Iterator[str]:
    if isinstance(result, Mapping) and depth:
        for name, value in result.items():
            if name != slot:
                yield from _leaves(value, slot, depth - 1)
    elif isinstance(result, list | tuple) and depth:
        for value in result:
            yield from _leaves(value, slot, depth - 1)
    elif isinstance(result, str | int):
        yield str(result)
