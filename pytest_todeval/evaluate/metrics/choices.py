"""Finds which venue, train or journey a dialogue settled on in each domain, and what is true of
it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.facts.calls.reading import CallOutcome
from pytest_todeval.facts.calls.results import values_in
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.dialogue import MAX_TEXT, Evidence, TurnFacts
from pytest_todeval.facts.hearing import normal_text, said_in_full
from pytest_todeval.nlu.multiwoz_slots import is_multiwoz
from pytest_todeval.nlu.values.normalise import normalise_name, same_name
from pytest_todeval.nlu.values.requested import asked_for


@dataclass(frozen=True)
class Choice:
    """What the dialogue settled on in one domain: booked, or offered last."""

    what: str
    """The name or id, or words for what has none: "the taxi"."""
    verb: str
    """`booked` or `offered`."""
    values: Mapping[str, Any]
    """What is known of it: its row, else the booking's slots or the reported arguments."""
    turns: tuple[int, ...] = ()
    verified: bool = True
    """Whether `values` are facts of a database or backend."""
    exists: bool = True
    """False if a database was asked and has no such venue or train."""


def choices(evidence: Evidence, part: DomainGoal) -> list[Choice]:
    """Returns what was booked in a domain; else what was offered last (several if none was
    picked).
    """
    booked = bookings_in(evidence, part.domain)
    offered = list(_offered(evidence, part))
    vague = evidence.bookings is None and not any(identity(b.slots) for b in booked)
    if booked and not (vague and offered):
        return [_of_booking(evidence, booking) for booking in booked]
    return offered or _reported(evidence, part)


def bookings_in(evidence: Evidence, domain: str) -> list[Booking]:
    """Returns what stands booked in a domain: by fact if known, else by what the bot claims."""
    known = evidence.bookings
    found = claimed_bookings(evidence) if known is None else known
    return [booking for booking in found if booking.domain.lower() == domain.lower()]


def claimed_bookings(evidence: Evidence) -> list[Booking]:
    """Returns the bookings that the bot claims and has not taken back; a repeated claim counts
    once.
    """
    found: list[Booking] = []
    for facts in evidence.turns:
        for claim in facts.heard:
            domain = claim.domain or facts.domain or ""
            if claim.act is not Act.BOOKED:
                continue
            if claim.factuality is Factuality.DENIED:
                found = _taken_back(found, facts, claim)
            elif claim.holds:
                booking = _claimed(evidence, facts, claim, domain)
                known = _same_booking(found, booking)
                if known is not None:
                    found.remove(known)
                    reference = known.reference or booking.reference
                    booking = Booking(domain, reference, {**booking.slots, **known.slots})
                found.append(booking)
    return found


def _claimed(evidence: Evidence, facts: TurnFacts, claim: DialogueAct, domain: str) -> Booking:
    references = [h.value for h in facts.acts(Act.REFERENCE, domain) if h.value]
    offered = [claim.of] if claim.of else evidence.offers(facts, domain)
    name = offered[0] if len(offered) == 1 else None
    slots = _told_of(facts, domain, name)
    if name:
        slots["trainID" if domain == "train" else "name"] = name
    return Booking(domain, references[0] if references else "", slots)


def _told_of(facts: TurnFacts, domain: str, name: str | None) -> dict[str, str]:
    """Returns what a turn says about an item, or about nothing in particular."""
    told = [h for h in facts.acts(Act.INFORM, domain) if h.slot and h.value]
    mine = [h for h in told if not h.of or name is None or same_item(name, h.of)]
    return {str(h.slot): str(h.value) for h in mine}


def _same_booking(found: Sequence[Booking], booking: Booking) -> Booking | None:
    """Finds the booking that a claim repeats: the one with the same reference, else one where
    either has none.
    """
    same = [each for each in found if each.domain == booking.domain]
    numbered = [each for each in same if each.reference == booking.reference]
    vague = [each for each in same if not each.reference or not booking.reference]
    return next(iter((*numbered, *vague)), None)


def _taken_back(found: Sequence[Booking], facts: TurnFacts, claim: DialogueAct) -> list[Booking]:
    """Returns the bookings claimed before this turn that are left after it denies one."""
    domain = claim.domain or facts.domain or ""
    if facts.acts(Act.BOOKED, domain):
        return list(found)  # "Not the hotel, but the table is booked": settled within the turn
    names = [identity(booking.slots) for booking in found]
    other = claim.of and not any(name and same_item(name, claim.of) for name in names)
    return [booking for booking in found if booking.domain != domain or other]


def _of_booking(evidence: Evidence, booking: Booking) -> Choice:
    name = identity(booking.slots)
    row = evidence.row(booking.domain, name) if name else None
    turns = tuple(
        facts.index
        for facts in evidence.turns
        for made in facts.made
        if (made.domain, made.reference) == (booking.domain, booking.reference)
    )
    exists = row is not None or not (name and _has_rows(evidence, booking.domain))
    values = {**(row or {}), **booking.slots, "reference": booking.reference}
    what = name or f"the {booking.domain}"
    return Choice(what, "booked", values, turns, evidence.verified, exists)


def _offered(evidence: Evidence, part: DomainGoal) -> Iterator[Choice]:
    turns, names = _last_offer(evidence, part.domain)
    for name in names:
        row = evidence.row(part.domain, name)
        missing = row is None and evidence.has_database and _has_rows(evidence, part.domain)
        values = row if row is not None else _heard_of(evidence, part, name)
        verified = evidence.has_database and (row is not None or missing)
        yield Choice(name, "offered", values, turns, verified, not missing)


def _last_offer(evidence: Evidence, domain: str) -> tuple[tuple[int, ...], list[str]]:
    turns, names = tuple[int, ...](), list[str]()
    for facts in evidence.told:
        names = [n for n in names if _mentions(facts.turn.as_meant, n)] or names
        offered = [
            n
            for n in evidence.offers(facts, domain)
            if not _is_a_detail(evidence, domain, n)
            and not (evidence.domain_of_name(n) is None and _is_answering(evidence, facts, domain))
        ]
        if offered and not (
            set(offered) > set(names) and len(names) == 1 and facts.domain != domain
        ):
            turns, names = (facts.index,), offered
    last_words = evidence.dialogue.last_words
    return turns, [name for name in names if _mentions(last_words, name)] or names


def _is_answering(evidence: Evidence, facts: TurnFacts, domain: str) -> bool:
    """Says whether a turn answers a request of a goal that names its item; what looks like a name
    is then a value.
    """
    part = evidence.goal.domain(domain)
    if part is None or is_multiwoz(domain, (*part.inform, *part.book, *part.request)):
        return False
    return bool(asked_for(facts.turn.as_meant, part.request))


def _is_a_detail(evidence: Evidence, domain: str, name: str) -> bool:
    """Says whether what looks like a name is a detail from the database: "the venue: Tower
    Hall".
    """
    if evidence.row(domain, name) is not None:
        return False
    wanted = normalise_name(name)
    rows = evidence.look_up(domain, {})
    return any(isinstance(v, str) and normalise_name(v) == wanted for r in rows for v in r.values())


def _mentions(text: str, name: str) -> bool:
    return said_in_full(normal_text(text[:MAX_TEXT]), name)


def _has_rows(evidence: Evidence, domain: str) -> bool:
    return bool(evidence.look_up(domain, {}))


def _heard_of(evidence: Evidence, part: DomainGoal, name: str) -> dict[str, str]:
    values = {"trainID" if part.domain == "train" else "name": name}
    for facts in evidence.told:
        if any(same_item(name, offered) for offered in evidence.offers(facts, part.domain)):
            values.update(_told_of(facts, part.domain, name))
    return values


def _reported(evidence: Evidence, part: DomainGoal) -> list[Choice]:
    """Returns, for a domain whose items have no name, the arguments and result of the last call
    about it.
    """
    wanted = {*part.inform, *part.book}
    for facts in reversed(evidence.turns):
        for fact in reversed(facts.calls):
            call = fact.call
            if (
                call.error is None
                and fact.domain == part.domain
                and fact.what is not CallOutcome.REFUSED
            ):
                values = {**values_in({}, call.result), **call.arguments}
                if wanted & values.keys() and not _named(evidence, part.domain):
                    return [Choice(f"the {part.domain}", "reported", values, (facts.index,), False)]
    return []


def _named(evidence: Evidence, domain: str) -> bool:
    """Says whether a domain's items have names or ids, by which a bot must then offer them."""
    return domain == "train" or bool(evidence.vocabulary.names.get(domain))


def same_item(one: str, other: str) -> bool:
    """Says whether two names, or two train ids, mean the same item."""
    if any(char.isdigit() for char in one) and one.upper().startswith("TR"):
        return one.strip().lower() == other.strip().lower()
    return same_name(one, other)
