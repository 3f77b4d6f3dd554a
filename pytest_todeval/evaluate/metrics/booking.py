"""Online booking: what the goal asks for stands booked, with every slot right, and no more."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.metrics.choices import bookings_in
from pytest_todeval.evaluate.metrics.inform import (
    Finding,
    end_of,
    informed,
    journey_fault,
    said_to_be_booked,
)
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.calls.wishes import agrees, given, wants
from pytest_todeval.facts.dialogue import Evidence, TurnFacts
from pytest_todeval.facts.doubt import doubted
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.text.speech import asks_to_book
from pytest_todeval.nlu.values.requested import asked_for

SAID_OF_BOOKING = frozenset(
    {Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER_BOOK, Act.REQUEST, Act.NO_OFFER}
)
"""What an answer to a request to book may say of it, whether it is so or not."""


def unwanted(evidence: Evidence) -> Iterator[Finding]:
    """Returns the bookings that stand although the goal does not ask for them."""
    for booking in evidence.bookings or ():
        part = evidence.goal.domain(booking.domain)
        if part is not None and part.refusal:
            continue  # told as such
        if part is None or not part.wants_booking:
            reason = f"booked {booking_words(booking)}, which the goal does not ask for"
            yield Finding(False, reason, booking_turns(evidence, booking), evidence.verified)


def only_said(evidence: Evidence) -> Iterator[Finding]:
    """Returns the bookings that the bot claims, but that nobody asked for and nobody made.

    What is claimed in a turn in which anything was booked may be of that; what seems a booking once
    something has been asked for is its value ("Your tracking number is JD0146").
    """
    idle = {part.domain for part in evidence.goal.domains if not part.wants_booking}
    for facts in evidence.turns if evidence.verified and evidence.bookings is not None else ():
        claimed = {claim.domain for claim in facts.acts(Act.BOOKED) if claim.domain in idle}
        claimed -= {
            part.domain
            for part in evidence.goal.domains
            if asked_for(evidence.user_said(facts.index), part.request)
        }
        made = {each.domain for f in evidence.until(facts.index) for each in f.made}
        standing = {each.domain for each in evidence.bookings or ()}
        for domain in sorted(map(str, claimed - made - standing)) if not facts.made else ():
            reason = f"{domain}: the bot says it is booked, but the backend holds no such booking"
            yield Finding(False, reason, (facts.index,), verified=True)


def booked(evidence: Evidence, part: DomainGoal) -> Finding:
    """Judges whether exactly the booking that a domain's goal asks for stands."""
    standing = bookings_in(evidence, part.domain)
    if not standing:
        none = _none(evidence, part)
        return replace(none, reason=none.reason + _misspelt(evidence, part))
    if len(standing) > 1:
        each = " and ".join(booking_words(booking) for booking in standing)
        reason = f"{part.domain}: booked {len(standing)} times ({each}); the goal asks for one"
        return Finding(False, reason, booking_turns(evidence, *standing), evidence.verified)
    return _right(evidence, part, standing[0])


def _misspelt(evidence: Evidence, part: DomainGoal) -> str:
    """Returns a clause if a booking stands in a domain with nearly this name (a misspelling)."""
    near = get_close_matches(part.domain, {each.domain for each in evidence.bookings or ()}, n=1)
    if not near or evidence.goal.domain(near[0]) is not None:
        return ""
    return f"; one stands in the domain {near[0]!r}: did you mean {part.domain!r}?"


def _none(evidence: Evidence, part: DomainGoal) -> Finding:
    only_said = said_to_be_booked(evidence, part.domain)
    if only_said is not None:
        return only_said
    reason = f"{part.domain}: none was booked"
    unread = None if evidence.bookings is not None else _unread(evidence, part)
    if unread is None:
        how, turns = end_of(evidence)
        return Finding(False, f"{reason}{how}", turns, evidence.verified)
    doubt = doubted(
        unread, "no booking", "it answers a request to book, and nothing else was understood of it"
    )
    return Finding(False, reason, (unread.index,), evidence.verified, doubt)


def _unread(evidence: Evidence, part: DomainGoal) -> TurnFacts | None:
    """Finds the last answer to a booking request that only repeats what is to be booked.

    It neither asks, offers nor refuses as far as was heard: its words may well say that it is done.
    """
    for facts in reversed(evidence.turns):
        about = facts.domain in (None, part.domain) and not facts.echo
        if about and asks_to_book(plain(facts.turn.as_meant)) and _repeats(facts, part):
            understood = any(claim.act in SAID_OF_BOOKING for claim in facts.heard)
            return None if understood or facts.text.rstrip().endswith("?") else facts
    return None


def _repeats(facts: TurnFacts, part: DomainGoal) -> bool:
    return any(
        agrees(claim.slot, part.book[claim.slot], claim.value)
        for claim in facts.acts(Act.INFORM, part.domain)
        if claim.slot and claim.value and claim.slot in part.book
    )


def _right(evidence: Evidence, part: DomainGoal, booking: Booking) -> Finding:
    turns = booking_turns(evidence, booking)
    fault = _slot_fault(evidence, part, booking)
    if fault is not None:
        reason = f"{part.domain}: booked {booking_words(booking)}, {fault}"
        return Finding(False, reason, turns, evidence.verified)
    venue = informed(evidence, part)
    if not venue.ok:
        return Finding(False, venue.reason, venue.turns or turns, evidence.verified)
    reason = f"{part.domain}: booked {booking_words(booking)}, as the goal wants"
    return Finding(True, reason, turns, evidence.verified)


def _slot_fault(evidence: Evidence, part: DomainGoal, booking: Booking) -> str | None:
    if part.domain == "taxi":
        return journey_fault(evidence, part, booking.slots)
    for slot, wanted in part.book.items():
        found = booking.slots.get(slot)
        if not agrees(slot, wanted, found):
            return f"whose {slot} is {found!r}; the goal wants {wanted!r}"
        if not given(found) and wants(slot, wanted) and evidence.bookings is not None:
            return f"which does not say its {slot}; the goal wants {wanted!r}"
    return None


def booking_turns(evidence: Evidence, *bookings: Booking) -> tuple[int, ...]:
    """Returns the turns in which the bookings were made, as far as that is known."""
    references = {booking.reference for booking in bookings}
    if evidence.bookings is None:
        return tuple(t.index for t in evidence.turns if t.acts(Act.BOOKED))
    return tuple(t.index for t in evidence.turns if any(m.reference in references for m in t.made))


def booking_words(booking: Booking) -> str:
    """Describes what was booked, with its reference."""
    reference = f" (reference {booking.reference})" if booking.reference else ""
    return f"{identity(booking.slots) or f'a {booking.domain}'}{reference}"
