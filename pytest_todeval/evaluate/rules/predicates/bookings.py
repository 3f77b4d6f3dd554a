"""Predicates over bookings: made, claimed, told."""

import re
from collections.abc import Iterable, Sequence

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import is_known_code
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.reading import CallOutcome
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.dialogue import Evidence, TurnFacts
from pytest_todeval.facts.hearing import normal_text
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.values.normalise import normalise


@predicate
def claims_booking(view: View, domain: str | None = None) -> Found:
    """The bot says that it has booked."""
    claims = view.facts.acts(Act.BOOKED, domain)
    return yes("says it is booked") if claims else no("claims no booking")


@predicate
def booking_made(view: View, domain: str | None = None) -> Found:
    """A booking is made in this turn, as the calls show."""
    if not view.evidence.books_visibly:
        return unknown("no booking calls were reported")
    made = [b for b in view.facts.made if domain in (None, b.domain)]
    return yes(f"books {_words(made[0])}") if made else no("books nothing")


@predicate
def booking_missing(view: View) -> Found:
    """The bot says that it has booked, though no such booking was made by then."""
    claims = view.facts.acts(Act.BOOKED)
    if not claims:
        return unknown("claims no booking")
    known = _made_until(view.evidence, view.index)
    if known is None:
        return unknown("neither backend nor calls tell what is booked")
    changed = (CallOutcome.CHANGED, CallOutcome.CANCELLED)
    if view.facts.made or any(fact.what in changed for fact in view.facts.calls):
        return no("what it says is booked is booked, or was changed")
    numbers = {booking.reference for booking in known}
    recalled = any(told.value in numbers for told in view.facts.acts(Act.REFERENCE))
    for claim in claims:
        if recalled and not claim.sentence:
            continue  # only the number says that it is booked, and it is that of a booking
        if not any(claim.domain in (None, "", b.domain) or not b.domain for b in known):
            what = f"the {claim.domain}" if claim.domain else "it"
            real = "the backend holds no such booking"
            if not view.evidence.verified:
                real = "no reported call made such a booking"
            return yes(f"says {what} is booked, but {real}")
    return no("what it says is booked is booked")


@predicate
def booking_untold(view: View) -> Found:
    """A booking is made, but the bot says so neither in this turn nor in the next."""
    if not view.facts.made or view.evidence.bookings is None:
        return unknown("books nothing")
    soon = [facts for facts in view.evidence.turns if view.index <= facts.index <= view.index + 1]
    for booking in view.facts.made:
        if not view.facts.acts(Act.BOOKED) and not any(_tells(facts, booking) for facts in soon):
            return yes(f"books {_words(booking)}, but does not say so")
    return no("says what it books")


def _tells(facts: TurnFacts, booking: Booking) -> bool:
    if facts.acts(Act.BOOKED, booking.domain):
        return True
    phone = str(booking.slots.get("phone") or "") if booking.domain == "taxi" else ""
    if phone and says_value(facts.text, "phone", phone):
        return True
    return bool(booking.reference) and says_value(facts.text, "reference", booking.reference)


@predicate
def wrong_reference(view: View) -> Found:
    """The bot tells a reference number that no booking has, or an earlier one's for a new one."""
    told = [heard.value for heard in view.facts.acts(Act.REFERENCE) if heard.value]
    told = [value for value in told if not _in_a_name(view, value)]
    if not told:
        return unknown("tells no reference number")
    known = _made_until(view.evidence, view.index)
    if known is None or any(not booking.reference for booking in known):
        return unknown("nothing tells the reference numbers")
    real = {normalise("reference", booking.reference) for booking in known}
    for value in told:
        if normalise("reference", value) not in real and not _is_part(view, value, real):
            actual = ", ".join(booking.reference for booking in known)
            why = f"the booking has {actual}" if actual else "nothing is booked"
            return yes(f"tells reference {value}, but {why}")
    wrong = _of_the_new_booking(view, told, known) or _crosswise(view.facts.text, known)
    return wrong or no("the reference it tells is that of the booking")


def _in_a_name(view: View, value: str) -> bool:
    """Whether a value is a word of a venue's name: "Caf\u00e9 1912"."""
    known = [name for names in view.evidence.vocabulary.names.values() for name in names]
    known += filter(None, map(identity, view.evidence.rows_until(view.index)))
    return any(value.lower() in str(name).lower().split() for name in known)


def _is_part(view: View, value: str, real: Iterable[str]) -> bool:
    """Whether what was heard is a piece of what the bot tells beside the reference in full.

    It is the beginning of it, or stands in a result as part of a name or number.
    """
    if not any(says_value(view.facts.text, "reference", each) for each in real):
        return False
    heard = normalise("reference", value)
    begins = any(each.startswith(heard) for each in real)
    return begins or is_known_code(view, value)


def _crosswise(text: str, known: Sequence[Booking]) -> Found | None:
    """What is wrong if a sentence names bookings and their references, each beside another's."""
    names = {normal_text(name): b for b in known if (name := identity(b.slots))}
    numbers = {b.reference.lower(): b for b in known if b.reference}
    if len(names) < 2:
        return None
    marks = re.compile("|".join(map(re.escape, (*names, *numbers))))
    for sentence in re.split(r"[.!?]\s|\n", text):
        found = [names.get(m) or numbers[m] for m in marks.findall(normal_text(sentence))]
        kinds = [m in names for m in marks.findall(normal_text(sentence))]
        if len(found) < 4 or kinds != [kinds[0], not kinds[0]] * (len(kinds) // 2):
            continue
        for one, other in zip(found[::2], found[1::2], strict=True):
            if one.reference != other.reference:
                item, number = (one, other) if kinds[0] else (other, one)
                return yes(
                    f"tells reference {number.reference} for {_words(item)}, which has "
                    f"{item.reference}"
                )
    return None


def _of_the_new_booking(view: View, told: Sequence[str], known: Sequence[Booking]) -> Found | None:
    """What is wrong if none of the references told is that of a booking of this turn.

    One that stands in a line with the name of the booking that it is of is told of that one.
    """
    made = [booking for booking in view.facts.made if booking.reference]
    numbers = {normalise("reference", value) for value in told}
    if not made or numbers & {normalise("reference", booking.reference) for booking in made}:
        return None
    if all(any(_beside(view.facts.text, value, each) for each in known) for value in told):
        return None
    new = made[0]
    return yes(
        f"tells reference {told[0]}, which is that of an earlier booking; {_words(new)} has "
        f"{new.reference}"
    )


def _beside(text: str, number: str, booking: Booking) -> bool:
    """Whether a booking's number stands in a line with its name."""
    name = identity(booking.slots)
    if not name or normalise("reference", booking.reference) != normalise("reference", number):
        return False
    lines = (normal_text(line) for line in text.splitlines())
    return any(normal_text(name) in line and normal_text(number) in line for line in lines)


@predicate
def reference_untold(view: View) -> Found:
    """A booking of a venue or train stands at the end, but its reference is told in no turn."""
    standing = view.evidence.bookings
    if not view.facts.made or standing is None:
        return unknown("books nothing")
    numbers = {booking.reference for booking in standing}
    made = [booking for booking in view.facts.made if booking.reference in numbers - {""}]
    made = [booking for booking in made if identity(booking.slots)]
    if not made:
        return unknown("no booking of this turn stands with a reference at the end")
    later = [facts.text for facts in view.evidence.turns if facts.index >= view.index]
    for booking in made:
        if not any(says_value(text, "reference", booking.reference) for text in later):
            return yes(
                f"books {_words(booking)}, but never tells its reference {booking.reference}"
            )
    return no("the reference is told")


def _made_until(evidence: Evidence, index: int) -> list[Booking] | None:
    """What was booked by a turn; None if nothing tells.

    If the backend was asked in each turn, or calls that book are seen, they date each booking.
    Others that the backend holds at the end count for every turn.
    """
    made = [booking for facts in evidence.until(index) for booking in facts.made]
    if evidence.bookings is None:
        return None
    dated = [booking for facts in evidence.turns for booking in facts.made]
    return made + [b for b in evidence.bookings if not any(_same(b, other) for other in dated)]


def _same(one: Booking, other: Booking) -> bool:
    return one.reference == other.reference and (bool(one.reference) or one == other)


def _words(booking: Booking) -> str:
    return identity(booking.slots) or f"a {booking.domain}"
