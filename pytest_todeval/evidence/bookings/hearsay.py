"""Refusals that are none of the user's: supposed, general, other people's, or of something else."""

import re
from dataclasses import replace

from pytest_todeval.core.claim import Act, Factuality
from pytest_todeval.evidence.bookings.deed import SaidDeed, singular
from pytest_todeval.evidence.bookings.objects import head_part
from pytest_todeval.evidence.bookings.words import THINGS
from pytest_todeval.evidence.text.phrases import Phrase
from pytest_todeval.evidence.text.triggers import OTHERS, word_set

_SUPPOSED = re.compile(
    r"(?<![^ ])(?:if|unless|should|in case|whenever|lest|in the event)(?![^ ])"
    r"(?!.*(?<![^ ])(?:i|we) (?:have |just |already )*(?:tried|asked|rang|called|checked)(?![^ ]))"
)
"""Opens what may happen; what the bot has tried did happen."""
_MAY = re.compile(
    r"(?<![^ ])(?:would|may|might|could) (?:\w+ ){0,2}?(?:be unable|be refused|be full|be gone"
    r"|have been|be turned|have had to)(?![^ ])"
)
_GENERAL = re.compile(
    r"(?<![^ ])(?:can|is|are|do|does) not (?:be )?(?:\w+ ){0,2}?(?:booked|reserved|rebooked|changed"
    r"|refunded|made|guaranteed|transferred|possible|take|accept|process|make|offer)(?![^ ])"
)
_WAITS = re.compile(
    r"^[^.,;!?]*(?<![^ ])(?:on|to|onto) (?:the|our|their|its|a) (?:waiting list|wait-?list)(?![^ ])"
)
"""As in "You have been added to the waiting list": no place was to be had."""
_BY_OTHERS = re.compile(
    r"(?<![^ ])by (?:a|an|another|the) (?:\w+ )?(?:party|wedding|regular|group|guest|customer"
    r"|couple"
    r"|family|company|school|team|club)(?![^ ])"
)
_NO_BOOKINGS = re.compile(
    r"(?<![^ ])not (?:\w+ )?(?:take|accept|do|need|require) (?:any )?(?:reservations"
    r"|bookings)(?![^ ])"
)
_TURN = re.compile(r"(?<![^ ])(?:but|[;:])(?![^ ])")
_KNOWN = word_set("your you the that this it these those both they NAME i we my our one")
_OWN = word_set("your you yours us our we i")
_NOBODY_WANTS = re.compile(
    r"(?<![^ ])(?:nothing (?:that )?(?:i|we) (?:can|could) not|no (?:problem|trouble|issue"
    r"|difficulty)|without (?:a )?(?:problem|doubt)"
    r"|(?:no|not (?:\w+ )?(?:have|see|find|got)) (?:\w+ ){0,3}?(?:access|record|information|trace"
    r"|sight|details?)|not (?:blocked|gone|full|taken|sold out|fully booked|closed)"
    r"|no longer (?:free|cheap|included) (?:[,-] )?(?:they charge|it costs|you pay|admission)"
    r"|(?:refunds?|changes?|discounts?|pets|dogs|smoking|cash|cards?|walk-ins) (?:is|are) not"
    r"|no (?:\w+ ){0,3}?(?:appointment|booking|reservation|order|slot|ticket)s? (?:\w+ ){0,2}?"
    r"(?:in the (?:system|diary|books?|calendar)|under (?:this|that|your)|recorded|on (?:record"
    r"|file)|(?:has|have|s|is|are|was) been)|(?:are|is) sold (?:at|in|by|through|on)"
    r"|your (?:\w+ )?(?:slot|seat|place|table|room|spot) (?:has|is) (?:been )?(?:claimed|filled)"
    r"|party has booked|have not (?:\w+ )?(?:contacted|placed|submitted|sent))(?![^ ])"
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
    if _SUPPOSED.search(before) or _MAY.search(part):
        return replace(refused, factuality=Factuality.CONDITIONAL)
    if not wanted and _BY_OTHERS.search(part):
        return replace(refused, factuality=Factuality.OF_OTHERS)
    subject = phrase.words[opening:start]
    subject = subject if subject[-1:] and subject[-1] in _SPEAKERS else head_part(subject)
    if not wanted and (_of_somebody(subject) or _in_general(subject, part)):
        return replace(refused, factuality=Factuality.OF_OTHERS)
    return refused


def _of_somebody(subject: list[str]) -> bool:
    """As in "Your friend could not get in", "the previous passenger was turned away"."""
    if not subject or subject[-1] in _SPEAKERS:
        return False
    others = any(word in _PERSONS or singular(word) in _PERSONS for word in subject)
    return others and not ("your" in subject and "party" in subject)


_SPEAKERS = word_set("i we you they it he she")
_PERSONS = OTHERS - word_set(
    """party group couple family people person guests he she his her their members school company
    client clients patient patients"""
)


def _in_general(subject: list[str], part: str) -> bool:
    """As in "Pitches cannot be reserved": of all of a kind."""
    if not subject or not _KNOWN.isdisjoint(subject) or not _OWN.isdisjoint(part.split()):
        return False
    plural = subject[-1].endswith("s") and singular(subject[-1]) in THINGS
    return plural and _GENERAL.search(part) is not None
