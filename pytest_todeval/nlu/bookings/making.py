"""Verbs that say that a booking was made: "has been booked", "I got you in"."""

from collections.abc import Iterator
from dataclasses import replace

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.attempts import attempt
from pytest_todeval.nlu.bookings.booking_act import (
    BookingAct,
    Parts,
    asked,
    booking_act_of,
    singular,
    subject_of,
    thing,
)
from pytest_todeval.nlu.bookings.objects import (
    PASSIVE,
    active,
    fits,
    head_part,
    is_kept,
    object_part,
    opens,
    stands_alone,
    verbless,
)
from pytest_todeval.nlu.bookings.whose import of_whom
from pytest_todeval.nlu.bookings.words import BASES, MADE, PARTICIPLES, STRONG
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.factuality import factuality
from pytest_todeval.nlu.text.negation import NOBODY
from pytest_todeval.nlu.text.phrases import Group, Phrase
from pytest_todeval.nlu.text.triggers import AUXILIARIES, MODALS


def verbs(phrase: Phrase, parts: Parts) -> Iterator[BookingAct]:
    """Returns what the verbs of a sentence say of bookings."""
    for head, word in enumerate(phrase.words):
        if (word in PARTICIPLES and (deed := making(phrase, head, parts))) or (
            word in BASES and (deed := attempt(phrase, head, parts))
        ):
            yield deed


_MISLEADING = {
    "booked": word_set("up out solid full"),
    "ordered": frozenset({"by", "list"}),
    "sorted": frozenset({"by"}),
    "set": frozenset({"menu", "price", "to"}),
    "saved": frozenset({"as", "in", "to"}),
    "confirmed": frozenset({"with", "whether"}),
    "done": frozenset({"by"}),
    "filled": frozenset({"up"}),
    "paid": frozenset({"back"}),
    "put": frozenset({"off", "together"}),
    "called": frozenset({"NAME", "the", "a"}),
}
_AGENTS = word_set("i we they system it NAME")
_KEPT = word_set("held kept saved")
_CONSENT = word_set("accepted approved granted")
_SCHEDULED = word_set("train flight bus show performance screening")
_GERUNDS = word_set("holding keeping saving expecting")


def making(phrase: Phrase, head: int, parts: Parts) -> BookingAct | None:
    words, word = phrase.words, phrase.words[head]
    if words[head + 1 : head + 2] and words[head + 1] in _MISLEADING.get(word, ()):
        return None
    group = phrase.group(head)
    if group.bare and (shared := _shared(phrase, group)):
        group = shared
    subject = subject_of(phrase, group)
    rest = words[head + 1 : min(phrase.closing(head + 1), head + 9)]
    if word == "scheduled" and rest[:1] == ["to"] and subject[-1:] != ["you"]:
        return None
    if not _made(phrase, head, group, subject, rest):
        return None
    if word in _KEPT and "being" in group.words:
        group = replace(group, words=group.words - {"being"} | {"been"})
    said = factuality(phrase, group, head + 1, asks=asked(phrase, head, parts))
    said = of_whom(group, subject, rest, said)
    about = thing(head_part(subject)) or thing(rest)
    lacks = "without" in phrase.words[: group.start]
    if _cannot(word, group, subject, said) and not lacks:
        return booking_act_of(phrase, Act.BOOKING_FAILED, Factuality.ASSERTED, group, head, about)
    return booking_act_of(phrase, Act.BOOKED, said, group, head, about)


def _shared(phrase: Phrase, group: Group) -> Group | None:
    """Returns the group of "have found it and (booked) a table": one subject for two verbs."""
    words, at = phrase.words, group.start
    if words[at - 1] not in ("and", "but", ","):
        return None
    for place in range(at - 2, -1, -1):
        if words[place] in (";", ".", ":", "?", "!"):
            return None
        if words[place] in ("i", "we"):
            helped = next((w for w in words[place + 1 : place + 4] if w in MODALS), "")
            done = frozenset(words[place + 1 : place + 3]) & AUXILIARIES
            return Group(place + 1, done, False, helped, "", False, False)
    return None


_CHANGED = word_set("moved changed updated amended extended switched")


def _cannot(word: str, group: Group, subject: list[str], said: Factuality) -> bool:
    """As in "could not be booked", "nothing could be reserved"."""
    can = bool(group.words & {"can", "could", "able", "cannot"})
    if word in _CHANGED:
        return False
    nobody = any(word in NOBODY for word in subject)
    return can and (group.negated or nobody) and said is not Factuality.ASKED


def _made(phrase: Phrase, head: int, group: Group, subject: list[str], rest: list[str]) -> bool:
    """Says whether a participle tells of a booking, by what it is said of."""
    word = phrase.words[head]
    if word in _GERUNDS:
        return bool(group.words & {"is", "are", "am"}) and is_kept(rest)
    if group.causative:
        return word in STRONG or fits(word, phrase.words[group.start : head])
    if group.bare and (found := _made_bare(phrase, head, group, subject, rest)) is not None:
        return found
    had = group.words & {"have", "has", "ve", "had"}
    passive = bool(group.words & PASSIVE) and not (had and not group.words & {"been", "being"})
    if word == "taken":
        return rest[:2] == ["care", "of"]
    if passive:
        return _passive(word, subject, rest)
    return word in STRONG or active(word, subject, rest)


def _made_bare(
    phrase: Phrase, head: int, group: Group, subject: list[str], rest: list[str]
) -> bool | None:
    """Returns the same for a participle without an auxiliary; None if it may be a past tense."""
    word, before = phrase.words[head], subject[-1] if subject else ""
    if before == "you" and subject[-2:-1] == ["is"]:
        return "you" in MADE.get(word, "")
    if phrase.is_question(group):
        return _passive(word, subject[1:], rest)
    if opens(phrase, head) and _elliptic(word, rest):
        return True
    if before not in _AGENTS:
        return stands_alone(phrase, group.start - len(subject)) and verbless(word, subject, rest)
    return None


def _elliptic(word: str, rest: list[str]) -> bool:
    """As in "Got you a table": the past tense with "I" left out."""
    return rest[:1] != [] and rest[0] in _OBJECTS and active(word, ["i"], rest)


_OBJECTS = word_set("you your a an the it one two three four five six both")


def _passive(word: str, subject: list[str], rest: list[str]) -> bool:
    if word in STRONG:
        return True
    part = head_part(subject)
    if subject[-1:] == ["you"] and thing(object_part(rest)):
        return True
    if word in _CONSENT and "your" in part and part[-1] not in _DETAILS:
        return True
    if word in _ARRANGED and part and part[-1] not in _DETAILS:
        return singular(part[-1]) not in _SCHEDULED
    if "your" in part and part[-1] not in _DETAILS and not thing(part):
        return "it" in MADE[word]
    return fits(word, subject)


_ARRANGED = word_set(
    """scheduled rescheduled arranged secured organised organized ordered purchased procured
    dispatched despatched effected ticketed pencilled inked snagged bought"""
)
"""Said of whatever can be had, a booking or not."""
_DETAILS = word_set(
    """menu list lists system option options restaurant hotel people you they he she we i
    card email address account details detail identity payment name password phone
    information number choice data mail e-mail postcode membership id"""
)
"""What is the user's and is no booking, though it is confirmed."""
