"""What a sentence says of booking: made, refused, or offered; and how far it says so."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.booking_act import BookingAct, Parts, asked, thing
from pytest_todeval.nlu.bookings.making import verbs
from pytest_todeval.nlu.bookings.patterns import patterns
from pytest_todeval.nlu.bookings.states import settled
from pytest_todeval.nlu.bookings.words import (
    BASES,
    PARTICIPLES,
    SHORT_FORMS,
    SPELLINGS,
)
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.factuality import doubt_of, factuality
from pytest_todeval.nlu.text.phrases import Group, Phrase

REMEMBERED = 512
"""Sentences whose deeds are remembered: bots say much the same in every turn."""


@lru_cache(maxsize=1)
def _misspelt() -> dict[str, str]:
    """Slips of the finger -> the word meant."""
    found = {}
    for word in SPELLINGS:
        for at in range(1, len(word) - 1):
            found[word[:at] + word[at + 1] + word[at] + word[at + 2 :]] = word
            found[word[:at] + word[at + 1 :]] = word
    found.update(SHORT_FORMS)
    return {slip: word for slip, word in found.items() if slip not in SPELLINGS | {"able"}}


@lru_cache(maxsize=REMEMBERED)
def deeds(plain: str, parts: Parts, *, wanted: bool = False) -> tuple[BookingAct, ...]:
    """Returns what a plain sentence says of booking, in order.

    `parts` are those of the sentence; `wanted`: the user has just asked for a booking.
    """
    phrase = Phrase(plain)
    slips = _misspelt()
    if _DRAWN_OUT.search(plain):
        phrase.words = list(map(_short, phrase.words))
    phrase.words = [slips.get(word, word) for word in phrase.words]
    _spell_out(phrase)
    found: list[BookingAct] = []
    if phrase.known & _VERBS:
        found += verbs(phrase, parts)
    found += settled(phrase, parts)
    found += _states(phrase, parts, "booked", Act.BOOKED)
    refused = list(_states(phrase, parts, "failed", Act.BOOKING_FAILED))
    if wanted and not refused:
        refused = list(_states(phrase, parts, "failed_if_asked", Act.BOOKING_FAILED))
    if refused:
        refused = [each for each in refused if not _is_denial(each, found)]
        found = [each for each in found if not _inside(each, refused)]
        found += refused
    if waits := _WAITS.search(phrase.text):  # no place was to be had
        found = [
            replace(deed, act=Act.BOOKING_FAILED)
            if deed.act is Act.BOOKED and deed.place < waits.start()
            else deed
            for deed in found
        ]
    return tuple(sorted(found, key=lambda deed: deed.place))


_WAITS = re.compile(r"(?<![^ ])(?:on|to) (?:the|our) (?:waiting list|wait-?list)(?![^ ])")


_VERBS = PARTICIPLES | BASES
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")


def _spell_out(phrase: Phrase) -> None:
    """Spell out "your in for Friday", "its booked", "anything but booked"."""
    for at in range(len(phrase.words) - 2, -1, -1):
        word, after = phrase.words[at], phrase.words[at + 1]
        if word in _RUN_TOGETHER and after in _STATES:
            phrase.words[at : at + 1] = _RUN_TOGETHER[word]
            phrase.places[at : at + 1] = [phrase.places[at]] * 2
        elif (word, after) == ("anything", "but"):
            phrase.words[at : at + 2] = ["not"]
            phrase.places[at : at + 2] = [phrase.places[at]]
        elif phrase.words[at : at + 3] == ["in", "a", "position"]:
            phrase.words[at : at + 3] = ["able"]
            phrase.places[at : at + 3] = [phrase.places[at]]


_RUN_TOGETHER = {"your": ["you", "are"], "its": ["it", "is"]}
_STATES = word_set(
    "in on all down set booked confirmed registered reserved sorted done official good"
)


def _short(word: str) -> str:
    """Returns a word without letters drawn out: "bookeddd"."""
    return _DRAWN_OUT.sub(r"\1", word) if len(word) > 4 else word


def _is_denial(refused: BookingAct, found: Sequence[BookingAct]) -> bool:
    """Says whether the words only say that nothing was done: "No room has been booked"."""
    return any(
        each.act is Act.BOOKED
        and each.factuality is not Factuality.ASSERTED
        and refused.bare
        and refused.start <= each.place
        and each.place - refused.place < DENIAL
        for each in found
    )


DENIAL = 60
"""Characters from "no room" to the "booked" that it denies."""


def _inside(one: BookingAct, refused: Sequence[BookingAct]) -> bool:
    """Says whether words of a refusal were read for another act: "fully booked"."""
    return any(each.start <= one.place <= each.place for each in refused if each.act is not one.act)


_PROCESS = word_set(
    """failed declined rejected refused wrong error fell did through successful unsuccessful let
    down accepted confirmed made timed bounced nothing took taken struck bumped revoked
    cancelled void off back refuse decline double-sold empty-handed refusal"""
)
"""Words of a refusal that tell of the booking itself, not of what there is to be had."""


def _states(phrase: Phrase, parts: Parts, kind: str, act: Act) -> Iterator[BookingAct]:
    for match in patterns(kind).found(phrase.text, phrase.known):
        start = phrase.index(match.start())
        end = phrase.index(max(match.start(), match.end() - 1)) + 1
        group = phrase.group(start)
        subject = phrase.words[phrase.opening(start) : start] if start else []
        if act is Act.BOOKING_FAILED and _of_the_user(subject, group.start, phrase):
            continue
        group = _whole(group, phrase.group(end - 1))
        said = factuality(
            phrase, group, end, asks=asked(phrase, start, parts), refusal=act is Act.BOOKING_FAILED
        )
        near = phrase.text[phrase.offset(max(0, start - 3)) : phrase.offset(end + 3)]
        if act is Act.BOOKING_FAILED and _NOTHING_THERE.search(near):
            continue
        if act is Act.BOOKING_FAILED and _NOT_ALL.search(near):
            said = Factuality.OF_OTHERS
        doubt = doubt_of(phrase, group) if said is Factuality.ASSERTED else ""
        undone = act is Act.BOOKING_FAILED and phrase.words[end - 1] in _UNDONE
        about = "" if undone else thing(phrase.words[max(0, start - 5) : end])
        place = phrase.places[end - 1]
        bare = phrase.words[start] in ("no", "not", "none", "nothing", "neither", "zero")
        state = _PROCESS.isdisjoint(phrase.words[start:end])
        yield BookingAct(act, said, place, doubt, about, phrase.places[start], state, bare)


def _whole(group: Group, inner: Group) -> Group:
    """The verb group before the words, with what stands in them: "(Mondays are) always full"."""
    if inner.start <= group.start or group.words:
        return group
    return replace(group, words=group.words | inner.words, bare=group.bare and inner.bare)


_NOT_ALL = re.compile(
    r"(?<![^ ])(?:most|at first|basket is|last (?:week|weekend|month|year|night|summer"
    r"|time))(?![^ ])"
)
"""Not what the user asks for, but other things, or another time."""


_UNDONE = word_set("off back away")
"""End the words for what was booked and is no more."""
_NOTHING_THERE = re.compile(
    r"(?<![^ ])(?:(?:needs?|requires?) (?:no|neither)|neither (?:\w+ )?(?:needs|requires)"
    r"|no (?:reservation|booking|appointment|order|request) (?:\w+ )?(?:exists?|shows?|appears?"
    r"|recorded|listed|found|under|on file|in the (?:system|diary|books?))"
    r"|no (?:problem|trouble|issue|difficulty))(?![^ ])"
)
"""None is needed, or none is known of."""


def _of_the_user(subject: Sequence[str], start: int, phrase: Phrase) -> bool:
    """Says whether it is said of the user: "You do not have a booking" refuses nothing."""
    return start > 0 and phrase.words[start - 1] == "you" and bool(subject)
