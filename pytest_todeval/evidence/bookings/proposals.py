"""Whether a clause offers to book: "Shall I book it?", "I can reserve that for you"."""

import re
from collections.abc import Sequence

from pytest_todeval.core.claim import Act, Factuality
from pytest_todeval.evidence.bookings.deed import SaidDeed

_ABOUT = re.compile(
    r"\b(?:book(?:ed|ing|ings)?|reserv(?:e|ed|ation|ations|ing)|tables?|rooms?|seats?"
    r"|slots?|availability|openings?|accommodate|tickets?|purchase|work for you|stay there"
    r"|(?:shall|should|may|can|could) i (?:\w+ )?(?:secure|take|make|put you)\b|crack on"
    r"|the same (?:one|room|table|seat|slot|again)|(?:card|another one)"
    r" (?:\w+ )?we (?:can|could) try"
    r"|make (?:a|that|the)|order(?:ed)?|appointment|go ahead|proceed|check ?out|hold (?:it"
    r"|that|the|a)"
    r"|put (?:you|it|that) (?:down|in|through)|sign you up|enrol you|arrange (?:it|that|a"
    r"|the)|lock (?:it|that) in"
    r"|confirm (?:it|that|this|the (?:order|booking))|schedule (?:it|that|a|the|you)"
    r"|place (?:it|the|that|your|an))\b"
)
_AGREED = re.compile(
    r"\b(?:(?:shall|should) i|(?:want|like|need|wish) me to|(?:shall"
    r"|should) we)(?: (?:confirm|book|order"
    r"|reserve|(?:stick|put|pop|pencil|slot|squeeze|fit) you "
    r"(?:in|down)[^?]{0,40}|do (?:that|it|so|this)"
    r"|go ahead|proceed)(?: now| then| for you)?)? ?[?.!]*$"
)
"""An offer that says no more than "Shall I?"."""
_WORD = re.compile(
    r"\b(?:(?:just )?say (?:the word|yes|so)|give me (?:the|a) (?:go-?ahead|nod|green light"
    r"|thumbs up)"
    r"|let me know if (?:you (?:would|want|wish)|i (?:should|can|may)"
    r"|that works)[^.?!]{0,40}\b(?:book\w*|reserv\w+|order\w*|go ahead|arrange\w*|secure\w*"
    r"|place|hold))\b"
)
_OFFERING = re.compile(
    r"\b(?:i|we) (?:can|could|would (?:gladly|happily|be (?:happy|glad|delighted"
    r"|more than happy|pleased) to|love to)"
    r"|am (?:\w+ )?(?:happy|glad|ready|able|delighted) to|are (?:\w+ )?(?:happy|glad|ready"
    r"|able|delighted) to|will (?:gladly|happily))\b"
)
_IF_YOU = re.compile(
    r"\bif (?:you|that|this|it)\b|\bwould you like\b|\bonce you\b|\bas soon as you\b"
    r"|\bwhen you\b|\bjust\b"
)
_WILL = re.compile(r"\b(?:i|we) (?:will|would)\b")


def offers_booking(text: str) -> bool:
    """Whether a plain clause that asks is about booking, or only says "Shall I?"."""
    return _ABOUT.search(text) is not None or _AGREED.search(text) is not None


def offers_in_passing(text: str, done: Sequence[SaidDeed], sentence: str) -> bool:
    """Whether a plain clause that does not ask offers to book all the same."""
    if _AGREED.search(text) or _WORD.search(text):
        return True
    near = any(
        deed.act is Act.BOOKED and deed.factuality in (Factuality.FUTURE, Factuality.CONDITIONAL)
        for deed in done
    )
    if not near:
        return False
    return bool(_OFFERING.search(text) or (_WILL.search(text) and _IF_YOU.search(sentence)))
