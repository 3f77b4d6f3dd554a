"""Journeys: which place is left and which is reached, which time is whose."""

import re

from pytest_todeval.nlu.names.normal_form import normalise_name

JOURNEYS = frozenset({"train", "taxi", "bus", "flight"})
"""Domains with a departure and a destination."""

_TO_ARRIVE = re.compile(
    r"\b(?:arr|arriv\w*|get(?:s|ting)? (?:you )?(?:there|in|to|into)|reach\w*|be there"
    r"|in time for|drop(?:s|ped)?(?: you)? off|into [a-z ]{3,30})\b"
)
_TO_LEAVE = re.compile(
    r"\b(?:dep|leav\w+|depart\w*|pick(?:s|ed|ing)?(?: you)? up|pickup|pick you|sets? off"
    r"|starts? at|departure|out of)\b"
)
_FROM = re.compile(
    r"\b(?:from|leav(?:es?|ing)|depart(?:s|ing|ure)?|departure (?:is|from|site)"
    r"|picks? you up (?:at|from|in)|picked up (?:at|from)|pick ?up (?:at|from)"
    r"|out of)(?: the| from| is| will be)*$"
)
_TO = re.compile(
    r"\b(?:to|for|arriv(?:es?|ing|al) (?:in|at|to|into)|arriv(?:es?|ing)|into"
    r"|destination(?: is| of)?|heading|reach(?:es|ing)?|arriv\w+(?: there)?(?: at| by"
    r"| on)? \d?\d ?: ?\d\d(?: ?[ap]m)? (?:in|at)|dropp?(?:ed|ing)? (?:you )?off (?:at"
    r"|in)|going to|and)(?: the| in| at)*$"
)
_DETAIL_OF = re.compile(
    r"\b(?:number|phone|address|post ?code|fee|information|details|hours|reservation|booking)"
    r" (?:for|of|about|at)(?: the)?$"
)
_SETS_OFF = re.compile(r"\b(?:from|leav\w+|depart\w+)\b")


def end_of_journey(text: str, start: int, domain: str | None, *, venue: bool) -> str | None:
    """Returns what a place at `start` is: `departure`, `destination`, a venue's `name`, or None."""
    before = text[max(0, start - 40) : start].rstrip()
    if venue and (_DETAIL_OF.search(before) or before.endswith("as for")):
        return "name"
    if domain == "taxi":
        return end_of_ride(text[:start])
    if _FROM.search(before):
        return "departure"
    if _TO.search(before) and (domain in JOURNEYS or not venue):
        after_from = _SETS_OFF.search(text[max(0, start - 120) : start + 120])
        bare_and = before.endswith((" and", " for"))
        return "destination" if not bare_and or after_from or domain == "train" else None
    return "name" if venue else None


_RIDE_FROM = re.compile(r"\b(?:from|leav\w+|depart\w*|pick\w*|collect\w*|waiting)\b")
_RIDE_TO = re.compile(r"\b(?:to(?! pick)|arriv\w+|drop\w*|head\w*|destination|for|reach\w*)\b")


def end_of_ride(before: str) -> str | None:
    """A venue in talk of a taxi is one of its ends: the last verb or preposition tells which."""
    before = before[-120:]
    start, end = _last(_RIDE_FROM, before), _last(_RIDE_TO, before)
    if start < 0 and end < 0:
        return None
    return "departure" if start > end else "destination"


_SENTENCE_END = re.compile(r"[.!?;\n]+(?:\s|$)")
_BETWEEN = re.compile(r"\bbetween\b")


def end_said(text: str, place: str) -> str | None:
    """Returns which end of a ride a text makes of a place when it names it last; None if neither.

    "Between the two" tells no direction.
    """
    wanted = normalise_name(place)
    if not wanted:
        return None
    for sentence in reversed(_SENTENCE_END.split(text)):
        before, named, _ = f" {normalise_name(sentence)} ".rpartition(f" {wanted} ")
        if named and not _BETWEEN.search(before) and (end := end_of_ride(before)):
            return end
    return None


RIDE_PLACE = re.compile(
    r"\b(?:the|your|my) (hotel|guesthouse|restaurant|attraction|museum|college|park"
    r"|cinema|theatre|pool|church|nightclub|airport|gallery)\b"
)


_BOUND = re.compile(
    r"\b(?:after|before|later than|earlier than|closest to|until|between)(?: the)? $"
)
"""What stands before a time that bounds a search and is no train's time."""


def time_slot(text: str, start: int, end: int, domain: str | None) -> str | None:
    """What a time is: `leaveAt`, `arriveBy`, `time` (of a table); None for a search's bound."""
    before = text[max(0, start - 70) : start]
    if _BOUND.search(before):
        return None
    if before.endswith("by ") and not re.search(r"leav\w* by $|up by $", before):
        return "arriveBy"
    arrive = _last(_TO_ARRIVE, before)
    leave = _last(_TO_LEAVE, before)
    if arrive < 0 and leave < 0:
        after = text[end : end + 30]
        if domain in JOURNEYS:
            return "arriveBy" if _TO_ARRIVE.match(after.strip()) else "leaveAt"
        return "time"
    return "arriveBy" if arrive > leave else "leaveAt"


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)
