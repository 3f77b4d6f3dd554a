"""What a turn says of a deed that a goal's step wants, as the ear hears it of a booking."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.core.steps import Step
from pytest_todeval.evidence.dialogue import Evidence, TurnFacts
from pytest_todeval.evidence.ear import claims_in
from pytest_todeval.nlu.verbs import as_booking

TOLD = (Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER_BOOK, Act.REQUEST, Act.NO_OFFER)


def said_of(evidence: Evidence, facts: TurnFacts, step: Step) -> Sequence[Claim]:
    """The claims of a turn about a step, and what it asks; a deed that is done is `booked`."""
    text = as_booking(facts.text, step.means)
    user = as_booking(facts.turn.as_meant, step.means)
    turn = replace(facts.turn, system=text, user=user, meant="", claims=None, claims_by="")
    heard = claims_in(turn, evidence.vocabulary, domain=step.kind)
    return [claim for claim in heard if claim.act in TOLD]
