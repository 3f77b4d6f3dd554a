"""Refusals that are none of the user's: supposed, general, other people's, or of something else."""

import re
from dataclasses import replace

from pytest_todeval.core.claim import Act, Factuality
from pytest_todeval.evidence.bookings.deed import SaidDeed, singular
from pytest_todeval.evidence.bookings.objects import head_part
from pytest_todeval.evidence.bookings.words import THINGS
from pytest_todeval.evidence.text.phrases import Phrase
from pytest_todeval.language.patterns import word_set

_SUPPOSED = re.compile(r"(?<![^ ])(?:if|unless)(?![^ ])(?!.*(?<![^ ])i (?:just )*rang(?![^ ]))")
"""Opens what may happen; what the bot has tried did happen."""
_GENERAL = re.compile(
    r"(?<![^ ])can not (?:be )?(?:\w+ ){0,2}?(?:booked|reserved|rebooked|guaranteed)(?![^ ])"
)
_WAITS = re.compile(r"^[^.,;!?]*(?<![^ ])(?:on|to) (?:the|our) (?:waiting list|wait-?list)(?![^ ])")
"""As in "You have been added to the waiting list": no place was to be had."""
_NO_BOOKINGS = re.compile(
    r"(?<![^ ])not (?:\w+ )?(?:take|accept|do) (?:any )?(?:reservations|bookings)(?![^ ])"
)
_TURN = re.compile(r"(?<![^ ])(?:but|[;:])(?![^ ])")
_KNOWN = word_set("your you the that this it these those both they NAME i we my our one")
_NOBODY_WANTS = re.compile(
    r"(?<![^ ])(?:no (?:problem|trouble|issue|difficulty)|(?:no|not (?:\w+ )?(?:have|see|find"
    r"|got)) (?:\w+ ){0,3}?(?:access|record|information|trace|sight|details?)|(?:refunds?|changes?"
    r"|discounts?|pets|dogs|smoking|cash|cards?|walk-ins) (?:is|are) not"
    r"|no (?:\w+ ){0,3}?(?:appointment|booking|reservation|order|slot"
    r"|ticket)s? (?:\w+ ){0,2}?(?:in the (?:system|diary|books?|calendar)|under (?:this|that|your)"
    r"|recorded|on (?:record|file)|(?:has|have|s|is|are|was) been)|(?:are|is) sold (?:at|in|by"
    r"|through|on)|party has booked)(?![^ ])"
)
"""Looks like a refusal, and says that none is needed, known of or meant."""


def of_the_user(refused: SaidDeed, phrase: Phrase, start: int, *, wanted: bool) -> SaidDeed | None:
    """A refusal with what the words around it make of it; None if it is none at all.

    `start`: index of its first word; `wanted`: the user has just asked for a booking.
    """
    if refused.act is Act.BOOKED and refused.factuality is Factuality.ASSERTED:
        waits = _WAITS.search(phrase.text[phrase.offset(phrase.opening(start)) :])
        return replace(refused, act=Act.BOOKING_FAILED) if waits else refused
    if refused.act is not Act.BOOKING_FAILED or refused.factuality is not Factuality.ASSERTED:
        return refused
    opening, closing = phrase.opening(start), phrase.closing(start + 1)
    part = phrase.text[phrase.offset(opening) : phrase.offset(closing)]
    if _NOBODY_WANTS.search(part) or (not wanted and _NO_BOOKINGS.search(part)):
        return None
    before = _TURN.split(phrase.text[: phrase.offset(start)])[-1]
    if _SUPPOSED.search(before):
        return replace(refused, factuality=Factuality.CONDITIONAL)
    subject = phrase.words[opening:start]
    subject = subject if subject[-1:] and subject[-1] in _SPEAKERS else head_part(subject)
    if not wanted and (_in_general(subject, part)):
        return replace(refused, factuality=Factuality.OF_OTHERS)
    return refused


_SPEAKERS = word_set("i we you they it he she")


def _in_general(subject: list[str], part: str) -> bool:
    """As in "Pitches cannot be reserved": of all of a kind."""
    if not subject or not _KNOWN.isdisjoint(subject):
        return False
    plural = subject[-1].endswith("s") and singular(subject[-1]) in THINGS
    return plural and _GENERAL.search(part) is not None
