"""What a tool is for, by its name: the weakest evidence, asked last."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

LONGEST = 200
"""Characters of a name that are read."""
REMEMBERED = 512
"""Names that are remembered: a bot calls the same few tools."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
ACTIONS = ("action", "operation", "intent", "command", "method", "verb")
"""Arguments by which a tool of many uses is told what to do."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


BOOKS = _set(
    "book books booking bookings reserve reserves reservation reservations rsvp order orders "
    "purchase purchases buy buys schedule schedules appointment appointments enroll enrol enrolls "
    "enrollment checkout rent rents hire hires ticket tickets"
)
"""Words of names of tools that book, and of what they book."""
VERBS = _set("book reserve buy purchase order make create place")
"""Those of which a name that begins with one leaves no doubt: `book_available_room`."""
NOT_ALONE = _set("ticket tickets")
"""Those that need a verb: `create_ticket`."""
FIRST = _set("schedule schedules rent hire")
"""Those that book only as the first word: a `train_schedule` is a timetable."""
MAKES = _set("make create place add submit new issue complete finalize finalise do start confirm")
"""Verbs that need a word of `BOOKS`: `make_appointment`."""
IN_PASSING = _set("available open price pay payment email send test")
"""Words of `LOOKS` that mean nothing after one of `VERBS`."""
LOOKS = _set(
    "find finds search searches get gets list lists check checks query queries show shows "
    "look looks lookup fetch read view can could is are has have does validate validates "
    "verify verifies quote quotes quotation estimate estimates price prices pricing cost "
    "costs calculate compute available availability availabilities status state history info "
    "information detail details policy policies rule rules terms menu hours review reviews "
    "describe explain preview count track tracking browse filter recommend suggest select "
    "choose sort retrieve load open options option slots candidates report summary log logs "
    "receipt invoice simulate test ask wait monitor notify remind reminder email send pay "
    "payment print export draft inquire enquire"
)
"""Words of tools that book nothing, whatever else stands in the name."""
CANCELS = _set(
    "cancel cancels cancellation delete deletes remove removes void revoke withdraw unbook drop"
)
CHANGES = _set(
    "update updates modify modifies change changes edit edits amend amends reschedule reschedules "
    "rebook rebooks move moves extend postpone shift alter adjust upgrade swap replace"
)
ALWAYS = _set("cancel cancels cancellation unbook reschedule reschedules rebook rebooks")
"""Words that are about a booking even if no word of `BOOKS` stands beside them."""


class Purpose(StrEnum):
    """What a tool's name says that it does."""

    BOOKS = "books"
    CHANGES = "changes"
    CANCELS = "cancels"
    LOOKS = "looks"


def words_of(name: str) -> list[str]:
    """Returns the words of a name in snake, camel or kebab case, in lower case."""
    return [word.lower() for word in _WORD.findall(name[:LONGEST])]


def purpose_of(name: str, arguments: Mapping[str, Any]) -> Purpose | None:
    """Returns what a call is for, by an argument such as `action`, else by the tool's name.

    None if neither tells. A name of two verbs ("search_and_book") does the graver of the two.
    """
    words = words_of(name)
    for key in ACTIONS:
        said = words_of(action) if isinstance(action := arguments.get(key), str) else []
        found = _gravest((*said,)) or (_gravest((*said, *words)) if said else None)
        if found is not None:
            return found
    return _gravest((*words,))


@lru_cache(maxsize=REMEMBERED)
def _gravest(words: tuple[str, ...]) -> Purpose | None:
    found = [_purpose(part) for part in _parts(words)]
    return next((purpose for purpose in Purpose if purpose in found), None)


def _parts(words: tuple[str, ...]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word in ("and", "then", "or"):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _purpose(words: list[str]) -> Purpose | None:
    said = set(words)
    looks = said & LOOKS - (IN_PASSING if said & {*words[:1]} & VERBS else set())
    about = said & BOOKS - (FIRST - {*words[:1]} if not said & MAKES else set())
    if words[:1] and words[0] in LOOKS and words[0] not in VERBS:
        return Purpose.LOOKS
    if about or said & ALWAYS:
        if said & CANCELS:
            return Purpose.CANCELS
        if said & CHANGES:
            return Purpose.CHANGES
    if looks:
        return Purpose.LOOKS
    if about - NOT_ALONE or (about and said & MAKES):
        return Purpose.BOOKS
    return None


def named_in(domain: str, name: str) -> bool:
    """Says whether a tool's name holds a domain: `findHotels`, `hotel_search`, `hoteldb`."""
    own, words = words_of(domain), words_of(name)
    if not own:
        return False
    if len(own) > 1:
        return "".join(own) in "".join(words)
    return any(_of_domain(own[0], word) for word in words)


_OTHERS = _set("training trainer trainee hotelier")
"""Words that begin like a domain and have nothing to do with it."""


def _of_domain(domain: str, word: str) -> bool:
    if word in _OTHERS:
        return False
    return word.startswith(domain) or (len(domain) > 3 and word.endswith((domain, f"{domain}s")))


def any_named(domains: Iterable[str], name: str) -> str | None:
    """Returns the first of some domains that a name holds."""
    return next((domain for domain in domains if named_in(domain, name)), None)
