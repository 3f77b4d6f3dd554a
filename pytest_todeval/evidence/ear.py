"""What a turn's words say: as somebody has told already, else as the rules hear it now."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_todeval.core.claim import Claim
from pytest_todeval.core.dialogue import Turn
from pytest_todeval.evidence.names.hearing import Found, hear, normal_text
from pytest_todeval.language.manner import unmannered
from pytest_todeval.language.vocabulary import Vocabulary

RULES = "rules"
"""`Turn.claims_by` of claims that the rules heard: they are heard anew each time."""
MAX_TEXT = 8000
"""Characters of one turn's text that are listened to."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What an ear heard in a turn."""

    claims: tuple[Claim, ...]
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
) -> tuple[Claim, ...]:
    """What the bot says in a turn.

    The turn's own claims if the bot reported them or a model heard them, also if there are none;
    else what the rules hear. `domain` is what the user talks about; `found` all rows that tools
    have returned so far, whose names need no guessing.
    """
    if turn.claims is not None and turn.claims_by != RULES:
        return turn.claims
    text = unmannered(turn.system[:MAX_TEXT])
    said = turn.as_meant[:MAX_TEXT]
    return hear(text, normal_text(text), vocabulary, domain=domain, user_said=said, found=found)
