"""What a turn's words say: as somebody has told already, else as the rules hear it now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.facts.hearing import Found, hear, normal_text
from pytest_todeval.nlu.kinds.codes import code_in
from pytest_todeval.nlu.text.manner import unmannered
from pytest_todeval.nlu.vocabulary import Vocabulary

RULES = "rules"
"""`Turn.claims_by` of claims that the rules heard: they are heard anew each time."""
MAX_TEXT = 8000
"""Characters of one turn's text that are listened to."""

SHORTEST = 4
"""Characters of a reference that stands in no text by chance."""
SHOWN = 200
"""Characters of a reply that a claim quotes."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What an ear heard in a turn."""

    claims: tuple[DialogueAct, ...]
    by: str
    """Who heard it, for `Turn.claims_by`."""
    notes: tuple[str, ...] = ()
    """What was left out, and in what two ears disagree, each in a sentence."""


def claims_in(
    turn: Turn,
    vocabulary: Vocabulary,
    *,
    domain: str | None,
    found: Sequence[Found] = (),
) -> tuple[DialogueAct, ...]:
    """Returns what the bot says in a turn.

    The turn's own claims if the bot reported them or a model heard them, also if there are none;
    else what the rules hear, and that a booking stands that the backend has since this turn if its
    reference is told. `domain` is what the user talks about; `found` all rows that tools
    have returned so far, whose names need no guessing.
    """
    if turn.claims is not None and turn.claims_by != RULES:
        return turn.claims
    text = unmannered(turn.system[:MAX_TEXT])
    said = turn.as_meant[:MAX_TEXT]
    heard = hear(text, normal_text(text), vocabulary, domain=domain, user_said=said, found=found)
    return (*heard, *_confirmed(turn, text, heard))


def _confirmed(turn: Turn, text: str, heard: Sequence[DialogueAct]) -> Iterator[DialogueAct]:
    """That a booking stands whose reference is told, if nothing for sure was heard of it.

    What was heard of it with a doubt stands beside: it is sure now.
    """
    for booking in turn.booked or ():
        same = [claim for claim in heard if claim.domain in (None, booking.domain)]
        sure = any(
            c.act in (Act.BOOKED, Act.BOOKING_FAILED) and c.holds and not c.doubt for c in same
        )
        code = code_in(booking.reference, text) if len(booking.reference) >= SHORTEST else None
        if code is None or sure:
            continue
        yield DialogueAct(Act.BOOKED, booking.domain, sentence=text[:SHOWN])
        if not any(claim.act is Act.REFERENCE for claim in same):
            yield DialogueAct(Act.REFERENCE, booking.domain, "reference", booking.reference)
