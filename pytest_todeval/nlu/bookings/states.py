"""How things stand once something is booked: "Lash lift: locked in", "you are in the diary"."""

import re
from collections.abc import Iterator, Sequence

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.nlu.bookings.booking_act import (
    BookingAct,
    Parts,
    asked,
    booking_act_of,
    subject_of,
    thing,
)
from pytest_todeval.nlu.bookings.objects import PASSIVE, head_part
from pytest_todeval.nlu.bookings.patterns import patterns
from pytest_todeval.nlu.bookings.whose import of_whom
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.factuality import factuality
from pytest_todeval.nlu.text.phrases import NAME, Group, Phrase

_STANDING = PASSIVE | word_set("stand stands has have had goes went gone find finds got")
_PRONOUNS = word_set("it that this everything all both which they these those you he she")
_NOT_BOOKED = word_set(
    """card email mail message link address account details detail identity name password phone
    information number menu website price prices offer restaurant hotel venue place museum station
    what who where there i we question feedback"""
)
"""What may be settled, or stand on a list, without being a booking."""


def settled(phrase: Phrase, parts: Parts) -> Iterator[BookingAct]:
    """Returns what a sentence says by telling the state of a booking."""
    for match, of_any in _matches(phrase):
        start = phrase.index(match.start())
        end = phrase.index(max(match.start(), match.end() - 1)) + 1
        if start and phrase.words[start - 1] in ("left", "remaining"):
            continue  # "4 museums left in the list"
        group = phrase.group(start)
        subject = subject_of(phrase, group)
        if not (_stands(group, subject) or _is_fragment(phrase, group, subject)):
            continue
        if not of_any and not (group.words & PASSIVE and thing(head_part(subject))):
            continue
        rest = phrase.words[end : min(phrase.closing(end), end + 8)]
        said = factuality(phrase, group, end, asks=asked(phrase, start, parts))
        said = of_whom(group, subject, rest, said)
        yield booking_act_of(phrase, Act.BOOKED, said, group, end - 1, thing(subject))


def _matches(phrase: Phrase) -> Iterator[tuple[re.Match[str], bool]]:
    """Returns where a state is told, and whether it may be told of anything."""
    for kind in ("settled", "settled_thing"):
        for match in patterns(kind).found(phrase.text, phrase.known):
            yield match, kind == "settled"


def _stands(group: Group, subject: Sequence[str]) -> bool:
    """Says whether a verb of being says it of something that can be booked, or of the user."""
    if group.words.isdisjoint(_STANDING) or not subject:
        return False
    head = (head_part(subject) or [""])[-1]
    if head in _PRONOUNS or head == NAME or "you" in subject[-1:]:
        return True
    return head not in _NOT_BOOKED


def _is_fragment(phrase: Phrase, group: Group, subject: Sequence[str]) -> bool:
    """Says whether the words have no verb: "Friday at six: all locked in"."""
    before = phrase.words[: group.start]
    return group.bare and _VERBS.isdisjoint(before)


_VERBS = word_set("i we they he she if when once can could will would not no is are was were to")
