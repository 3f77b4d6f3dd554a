"""What is or was attempted: "I will book it", "I was able to get it", "I could not book it"."""

import re

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.booking_act import BookingAct, Parts, asked, booking_act_of, thing
from pytest_todeval.nlu.bookings.objects import DETAILS, object_part
from pytest_todeval.nlu.bookings.words import AVAILABLE, STRONG_BASES
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.factuality import asserted
from pytest_todeval.nlu.text.negation import NOBODY
from pytest_todeval.nlu.text.phrases import Group, Phrase

_FINDING = word_set("find sell get offer give take see do sort")


_INABILITY = word_set("unable failed refused declined impossible refuse refuses")


_WITH_IT = word_set(
    """order schedule purchase secure buy arrange confirm process complete finalise finalize
    place do"""
)


_SERVING = word_set("host serve cater treat see")
_ACHIEVED = re.compile(r"(?:liberty of|finished|completed)$")


def attempt(phrase: Phrase, head: int, parts: Parts) -> BookingAct | None:
    """As in "I will book it", "I was able to get you a table", "I could not book it"."""
    words, word = phrase.words, phrase.words[head]
    group = phrase.group(head)
    before = words[group.start - 1] if group.start else ""
    if not _is_verb(group, word, before) and before not in ("i", "we"):
        return None
    rest = words[head + 1 : min(phrase.closing(head + 1), head + 9)]
    if word not in STRONG_BASES and not _object(word, rest):
        return None
    about = thing(object_part(rest)) or thing(rest)
    asking = asked(phrase, head, parts)
    if word == "confirm" and not asking and _confirms(group, before, rest, about):
        said = asserted(phrase, group.start, head + 1)
        return booking_act_of(phrase, Act.BOOKED, said, group, head, about)
    if not asking and _fails(group):
        return _failed(phrase, head, group, before, rest, about)
    found = word not in _FINDING or rest[:1] in (["you"], ["your"], ["it"], ["that"])
    if _achieved(phrase, head, group) and found and before != "you":
        said = asserted(phrase, group.start, head + 1, asks=asking)
        return booking_act_of(phrase, Act.BOOKED, said, group, head, about)
    if word in _FINDING or word in ("hold", "keep", "save"):
        return None
    said = Factuality.ASKED if asking else _intended(phrase, group)
    return booking_act_of(phrase, Act.BOOKED, said, group, head, about)


def _intended(phrase: Phrase, group: Group) -> Factuality:
    """Returns how far words say that something will be booked: "I will book it", "nobody will"."""
    subject = phrase.words[max(0, group.start - 4) : group.start]
    denied = group.negated or not NOBODY.isdisjoint(subject)
    return Factuality.DENIED if denied else Factuality.FUTURE


def _confirms(group: Group, before: str, rest: list[str], about: str) -> bool:
    """Whether "confirm" itself confirms: "I confirm your booking", "I can confirm the table"."""
    if group.bare and before in ("i", "we") and _promises(rest, about):
        return True
    named = rest[:1] == ["your"] or (rest[:1] in (["you"], ["the"]) and bool(about))
    return named and _tells(group)


def _promises(rest: list[str], about: str) -> bool:
    """Says whether "I confirm ..." itself confirms a booking: it is "your" something."""
    what = object_part(rest)
    return "your" in what and (bool(about) or what[-1] not in DETAILS)


def _tells(group: Group) -> bool:
    """As in "I can confirm", "pleased to confirm": tells what is so."""
    return not group.negated and (group.modal == "can" or group.governor in _PLEASED)


_PLEASED = word_set("glad happy pleased delighted pleasure honour")


def _is_verb(group: Group, word: str, before: str) -> bool:
    if word.endswith("ing"):
        return before in ("of", "in", "from", "like", "finished", "completed")
    helped = (
        group.modal
        or group.governor
        or group.words & {"do", "does", "did", "to", "let", "have", "has"}
    )
    return bool(helped) or before in ("me", "us", "i", "we")


def _fails(group: Group) -> bool:
    able = group.modal in ("can", "could", "cannot") or group.governor in (
        "able",
        "possible",
        "managed",
        "manage",
        "allowed",
        "permitted",
    )
    return (group.negated and able) or group.governor in _INABILITY


def _failed(
    phrase: Phrase, head: int, group: Group, before: str, rest: list[str], about: str
) -> BookingAct | None:
    if before in ("you", "guests", "customers", "who"):
        return None
    word = phrase.words[head]
    if word in _FINDING and about not in AVAILABLE and rest[:1] != ["you"] and rest[:1] != ["it"]:
        return None
    if word == "find" and about in ("reservation", "booking", "place"):
        return None
    said = asserted(phrase, group.start, head + 1)
    kept = said if said in (Factuality.CONDITIONAL, Factuality.OF_OTHERS) else Factuality.ASSERTED
    return booking_act_of(phrase, Act.BOOKING_FAILED, kept, group, head, about)


def _achieved(phrase: Phrase, head: int, group: Group) -> bool:
    """As in "managed to book", "took the liberty of reserving"."""
    if group.negated or group.modal:
        return False
    if group.governor == "managed":
        return True
    if group.governor in _PLEASED:
        return not group.words.isdisjoint({"was", "were"})
    if group.governor == "able":
        return bool(group.words & {"was", "were", "been"})
    near = " ".join(phrase.words[max(0, head - 4) : head])
    misspelt = phrase.words[head] == "make" and not group.words.isdisjoint({"have", "has"})
    past = misspelt or "did" in group.words  # "I have make your booking"
    return bool(_ACHIEVED.search(near)) or (past and not group.governor)


def _object(word: str, rest: list[str]) -> bool:
    """Says whether a common verb is said of a booking: "make your reservation", "fit you in"."""
    if not rest:
        return word in ("accommodate", "proceed")
    if word in ("accommodate", "squeeze", "fit", "seat"):
        return True
    if word in _SERVING:
        return rest[0] == "you"
    if rest[0] == "you" and any(w in ("in", "down", "on", "up", "for") for w in rest[1:4]):
        return True
    if rest[0] in ("it", "that", "this") and word in _WITH_IT:
        return True
    return bool(thing(rest))
