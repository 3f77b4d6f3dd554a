"""Whether a clause offers to book: "Shall I book it?", "I can reserve that for you"."""

import re
from collections.abc import Sequence

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.booking_act import BookingAct

_ABOUT = re.compile(
    r"\b(?:book(?:ed|ing|ings)?|reserv(?:e|ed|ation|ations)|tables?|rooms?|seats?|slots?|openings?"
    r"|accommodate|tickets?|purchase|work for you|stay there|(?:shall|should|may"
    r"|can) i (?:\w+ )?(?:secure|take|make|put you)\b|crack on|the same (?:one|again)|(?:card"
    r"|another one) (?:\w+ )?we (?:can|could) try|make (?:a|that|the)|order(?:ed)?|appointment"
    r"|go ahead|proceed|check ?out|hold (?:it|that|a)|put (?:you|it) (?:down|in|through)"
    r"|sign you up|enrol you|arrange (?:it|that|a|the)|lock (?:it|that) in|confirm (?:it|that|this"
    r"|the (?:order|booking))|schedule (?:it|that|a|the|you)|place (?:it|the|that|your|an))\b"
)
_AGREED = re.compile(
    r"\b(?:(?:shall|should) i|(?:want|like|wish) me to)(?: (?:confirm|(?:stick|put|pop|pencil|slot"
    r"|squeeze|fit) you (?:in|down)[^?]{0,40}|do (?:that|it|so)|proceed)(?: now)?)? ?[?.!]*$"
)
"""An offer that says no more than "Shall I?"."""
_WORD = re.compile(
    r"\b(?:(?:just )?say (?:the word|yes|so)|give me (?:the|a) (?:go-?ahead|nod|green light"
    "|thumbs up)|let me know if (?:you (?:would|want|wish)|i (?:should|can|may)"
    r"|that works)[^.?!]{0,40}\b(?:book\w*|reserv\w+|order\w*|go ahead|arrange\w*|secure\w*|place"
    r"|hold))\b"
)
_OFFERING = re.compile(
    r"\b(?:i|we) (?:can|could|would (?:be (?:happy|glad|delighted|pleased) to)"
    r"|am (?:\w+ )?(?:happy|glad|ready|able|delighted) to|are (?:\w+ )?(?:happy|glad|ready|able"
    r"|delighted) to)\b"
)
_IF_YOU = re.compile(r"\bif (?:you|that|this|it)\b|\bonce you\b|\bas soon as you\b|\bjust\b")
_WILL = re.compile(r"\b(?:i|we) (?:will|would)\b")


def offers_booking(text: str) -> bool:
    """Says whether a plain clause that asks is about booking, or only says "Shall I?"."""
    return _ABOUT.search(text) is not None or _AGREED.search(text) is not None


def offers_in_passing(text: str, done: Sequence[BookingAct], sentence: str) -> bool:
    """Says whether a plain clause that does not ask offers to book all the same."""
    if _WORD.search(text):
        return True
    near = any(
        deed.act is Act.BOOKED and deed.factuality in (Factuality.FUTURE, Factuality.CONDITIONAL)
        for deed in done
    )
    if not near:
        return False
    return bool(_OFFERING.search(text) or (_WILL.search(text) and _IF_YOU.search(sentence)))
