"""Small talk and what surrounds it: thanks, farewells, "anything else?"."""

import re
from functools import lru_cache

from pytest_todeval.nlu.names.lexicon import Lexicon

MORE = re.compile(
    r"\b(?:(?:any|some)thing (?:else|more|further)|any (?:other|more|further|additional)\b"
    "|(?:else|more) (?:can )?(?:i|we) (?:can )?(?:help|assist|do)|(?:further|additional|more"
    "|other) (?:assistance|help|questions|information|info)|(?:help|assist) you (?:with|find"
    r"|further|today|any)|(?:be of|need) (?:any )?(?:\w+ )?(?:assistance|help|service)"
    r"|that be all|more (?:information|details|info))\b"
)
FAREWELL = re.compile(
    r"\b(?:good ?-?bye|bye|have (?:a|an) (?:\w+ ){0,3}(?:day|time|trip|stay|evening|night|one"
    "|meal|weekend|visit|afternoon|journey|week|dinner|lunch|travels)|enjoy (?:your|the|yourself"
    "|it)|take care|see you|safe travels|thank you for (?:using|contacting|calling|choosing)"
    r"|thanks for (?:using|contacting|calling|choosing|your))\b"
)


_THANKS = re.compile(
    r"\b(?:thank you|thanks|thankyou|happy|glad|pleasure)\b.{0,20}\b(?:using|contacting|calling"
    r"|choosing|letting|visiting|to help|help(?:ed|ing)|assist\w*|of (?:help|service))\b"
)


def thanks(text: str) -> bool:
    """Thanks for the call: whatever it names ("Cambridge Info Centre") is no value."""
    return _THANKS.search(text) is not None


_ASKS_TO_BOOK = re.compile(
    r"\b(?:(?:put|stick|pop|get|fit|pencil|slot|squeeze|sign|move|switch|bump|add|pick"
    r"|enrol) (?:me|us|him|her|it|\w+) |(?:i|we) will (?:take|have)|grab|snag|secure|lock (?:it"
    "|that)|rebook|can i (?:get in|come in|grab)|can you (?:do|fit|collect|get)"
    r"|can (?:\w+ ){1,2}do|i want (?:the|that|to come)|sort (?:it|that)|do it|confirm|purchase"
    "|buy|make (?:it|that)|book(?:ed|ing)?|reserve|reservation|order|schedule|arrange|enrol"
    r"|enroll|table for|appointment|go ahead)\b"
)


def asks_to_book(text: str) -> bool:
    """Says whether a user's plain words may ask for a booking, or agree to one."""
    text = _NO_BOOKING.sub(" ", text)
    return _ASKS_TO_BOOK.search(text) is not None and (
        "book" in text or _SEARCHES.search(text) is None
    )


_NO_BOOKING = re.compile(
    r"\b(?:no|without(?: a| any)?) (?:booking|reservation|appointment)\b|\bno need to (?:book"
    r"|reserve|order)\b|\b(?:not|never|n't) (?:yet )?(?:(?:need|want|like"
    r"|wish)(?:ing)? )?(?:you )?(?:to )?(?:book|reserve|order|make a (?:booking|reservation))\b"
)


def declines_to_book(text: str) -> bool:
    """Says whether a user's plain words say that nothing is to be booked."""
    return _NO_BOOKING.search(text) is not None and not asks_to_book(text)


_SEARCHES = re.compile(r"\b(?:find|look(?:ing)?|search(?:ing)?|recommend|know|tell|suggest)\b")


def without_names(text: str, known: Lexicon) -> str:
    """Returns a plain text with names of venues replaced: "All Set Cafe" sets nothing."""
    for start, end, entry in known.matches(text):
        if entry.slot == "name" and (len(entry.tokens) > 1 or end - start > 5):
            text = f"{text[:start]}N{'A' * (end - start - 2)}E{text[end:]}"
    return text


_ASKED_BACK = re.compile(
    r"(?:\b(?:did you (?:get|manage|book|make|reserve)|were you able to)\b[^.?!]{0,60}\?|\b(?:is"
    r"|s|am|was|are|were|has|have|did|does)\b[^.?!]{0,60}\b(?:book(?:ed)?|reserved?|confirmed"
    "|registered|scheduled|bought|purchased|got|made|sorted|secured|go through|all set|through"
    r"|arranged|ordered|placed|in the diary)\b[^.?!]{0,40}\?|\b(?:so|now) (?:it"
    r"|that) is (?:all )?(?:booked|reserved|confirmed)\b)"
)
_YES = re.compile(
    "(?:(?:(?:indeed|absolutely|definitely|certainly|sure|yes|yep|yup|yeah) ,? ?(?:it|you|they|we"
    "|i|that) (?:is|are|did|has|have|was|were|do)|(?:you|they|it|we|i) (?:are|is|did|have"
    r"|has) indeed|you are(?: \w+)?(?= ?,)|100|spot on|all done|affirmative|you bet|too right|aye"
    "|all good|done|(?:but )?of course|yes|yep|yeah|yup|indeed|absolutely|certainly|of course"
    r"|sure|correct|right|that is right)\b(?! please| but| if| once| as soon| i (?:can|will"
    "|could))|(?:yes ,? ?)?(?:it|that|they|we|i) (?:certainly |sure |indeed |most certainly "
    "|all )?(?:is|are|has|have|did|does)(?: indeed)?(?= ?(?:[.,!;:]|$)))"
)
_NO = re.compile(
    "(?:no|nope|not yet|not quite|(?:(?:i am|sorry ,?|unfortunately|sadly) )?afraid not"
    "|unfortunately not|sadly not|it (?:is|has|was|did) not|(?:i|we) (?:have|did) not|they (?:did"
    r"|would|could) not)\b"
)


_SUCCESS = re.compile(
    r"\b(?:did|were|was)\b[^.?!]{0,40}\b(?:go through|get|manage|able|succeed|work"
    r"|make it|book|reserve)\b"
)


def asks_success(user_said: str) -> bool:
    """Says whether a user asks if an attempt has worked: "Did it go through?"."""
    return _SUCCESS.search(user_said) is not None


@lru_cache(maxsize=64)
def _asks_back(user_said: str) -> bool:
    """Says whether a user asks if something is booked."""
    return _ASKED_BACK.search(user_said) is not None


def answered(text: str, user_said: str) -> bool | None:
    """Whether a plain sentence says yes or no to the user's "Is it booked?"; None if to nothing."""
    if not _asks_back(user_said):
        return None
    if _NO.match(text):
        return False
    return True if _YES.match(text) and not text.rstrip().endswith("?") else None
