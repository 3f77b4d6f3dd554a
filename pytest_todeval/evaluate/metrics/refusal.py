"""Judges refusal: of what cannot be had, the bot says so and books nothing.

For parts of a goal that nothing meets (`DomainGoal.refusal`): unrealistic and unfulfillable wishes
after clem:todd (Chalamalasetti et al. 2025, 5.3 and A.7.2). The paper counts what is booked as the
goal has it; here a table for -2 is no success, whoever books it.
"""

from collections.abc import Iterator

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.metrics.booking import booking_turns, booking_words
from pytest_todeval.evaluate.metrics.choices import bookings_in
from pytest_todeval.evaluate.metrics.inform import Finding, end_of
from pytest_todeval.facts.dialogue import Evidence, TurnFacts
from pytest_todeval.facts.doubt import doubted
from pytest_todeval.nlu.text.plain import plain

REFUSES = (Act.NO_OFFER, Act.BOOKING_FAILED)


def refused(evidence: Evidence, part: DomainGoal) -> Finding:
    """Judges whether the bot said that nothing meets the wish in a domain, and booked nothing
    there.
    """
    made = next(made_all_the_same(evidence, part), None)
    if made is not None:
        return made
    claimed = next(_about(evidence, part, Act.BOOKED), None)
    if claimed is not None:
        reason = f"{part.domain}: the bot says it is booked, though nothing meets the goal"
        return Finding(False, reason, (claimed.index,), evidence.verified)
    said = next((facts for act in REFUSES for facts in _about(evidence, part, act)), None)
    if said is not None:
        reason = f"{part.domain}: the bot said that it cannot be had, and booked nothing"
        return Finding(True, reason, (said.index,), evidence.verified)
    return _unsaid(evidence, part)


def made_all_the_same(evidence: Evidence, part: DomainGoal) -> Iterator[Finding]:
    """Returns the bookings that stand in a domain where nothing meets the goal."""
    for booking in bookings_in(evidence, part.domain):
        reason = f"{part.domain}: booked {booking_words(booking)}, though nothing meets the goal"
        yield Finding(False, reason, booking_turns(evidence, booking), evidence.verified)


def _about(evidence: Evidence, part: DomainGoal, act: Act) -> Iterator[TurnFacts]:
    """Returns the turns that say something of this kind about the domain."""
    for facts in evidence.turns:
        told = [claim.domain or facts.domain for claim in facts.acts(act)]
        if part.domain in told or (told and facts.domain == part.domain):
            yield facts


def _unsaid(evidence: Evidence, part: DomainGoal) -> Finding:
    how, turns = end_of(evidence)
    reason = f"{part.domain}: the bot never said that it cannot be had{how}"
    unread = next((facts for facts in evidence.turns if _may_refuse(facts, part)), None)
    if unread is None:
        return Finding(False, reason, turns, evidence.verified)
    doubt = doubted(unread, "no refusal", "it repeats a wish, and nothing was understood of it")
    return Finding(False, reason, (unread.index,), evidence.verified, doubt)


def _may_refuse(facts: TurnFacts, part: DomainGoal) -> bool:
    """Says whether a reply may be a refusal: it repeats a wish, and only values were understood."""
    if facts.echo or any(claim.act is not Act.INFORM for claim in facts.heard):
        return False
    said = f" {plain(facts.text)} "
    return any(plain(value) in said for value in (*part.inform.values(), *part.book.values()))
