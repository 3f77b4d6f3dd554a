"""What a turn says of a deed that a goal's step wants, as the ear hears it of a booking."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.steps import Step
from pytest_todeval.facts.dialogue import Evidence, TurnFacts
from pytest_todeval.facts.ear import claims_in
from pytest_todeval.nlu.verbs import as_booking

TOLD = (Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER_BOOK, Act.REQUEST, Act.NO_OFFER)


def acts_about(evidence: Evidence, facts: TurnFacts, step: Step) -> Sequence[DialogueAct]:
    """The claims of a turn about a step, and what it asks; a deed that is done is `booked`."""
    text = as_booking(facts.text, step.means)
    user = as_booking(facts.turn.as_meant, step.means)
    turn = replace(facts.turn, system=text, user=user, meant="", claims=None, claims_by="")
    heard = claims_in(turn, evidence.vocabulary, domain=step.kind)
    return [claim for claim in heard if claim.act in TOLD]
