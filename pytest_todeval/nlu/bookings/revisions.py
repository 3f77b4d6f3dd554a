"""What a turn's words on bookings come to when the turn is over."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.nlu.bookings.booking_act import BookingAct
from pytest_todeval.nlu.patterns import word_set

_CORRECTS = re.compile(
    r"\b(?:wait(?! list)|correction|scratch that|scrap that|misspoke|mistake|mistaken|wrong"
    "|apologies|sorry(?! to (?:say|tell|hear))|hold on|hang on|oops|whoops|in fact|take that back"
    "|after all|strike that|forget (?:that|what)|ignore|confusion|actually|oh(?= ?[,.]? ?(?:no"
    r"|dear|wait|hang|hold))|spoke too soon)\b|(?:^|[-,;:] ?)no(?= ?[,.:-])"
)
_OTHER_PART = re.compile(
    r"\b(?:this|that|the (?:other|large|small|big|second|first|latter|last)) (?:part|one|half|bit"
    r"|leg)\b|\bthe (?:other|second|remaining) \w+"
)
"""Sets one part of what was asked for against another."""
_ANY_BOOKING = frozenset({"", *word_set("booking reservation order NAME request payment")})
"""Words for what is booked that may mean any booking."""


@dataclass(frozen=True, slots=True)
class _ClaimPlace:
    """Where a claim was made."""

    corrections: int
    """Number of corrections said before it."""
    deed: BookingAct | None
    sentence: int
    """Number of the sentence in the turn."""
    other_part: bool = False
    """Whether the sentence sets one part of a booking against another."""


class Revisions:
    """Follows one turn's claims on bookings; withdraws those that later words take back."""

    def __init__(self) -> None:
        self.before = 0
        """Number of corrections in the sentences before the one being read."""
        self.here: list[int] = []
        """Where the sentence being read corrects."""
        self.deeds: dict[int, BookingAct] = {}
        self.sentences = 0
        self.other_part = False

    def read(self, sentence: str) -> None:
        """Takes note of a sentence before its claims come."""
        self.before += len(self.here)
        self.sentences += 1
        self.other_part = _OTHER_PART.search(sentence) is not None
        self.here = [match.start() for match in _CORRECTS.finditer(sentence)]

    def claim(self, deed: BookingAct, domain: str | None, words: str) -> DialogueAct:
        """Returns the claim that a deed makes."""
        claim = DialogueAct(
            deed.act, domain, factuality=deed.factuality, doubt=deed.doubt, sentence=words
        )
        self.deeds[id(claim)] = deed
        return claim

    def settled(self, claims: Iterable[DialogueAct]) -> list[DialogueAct]:
        """Returns the claims in order; those withdrawn are DENIED."""
        kept: list[DialogueAct] = []
        places: list[_ClaimPlace] = []
        open_claims: list[int] = []
        for claim in claims:
            place = self._place(claim)
            kept.append(claim)
            places.append(place)
            if claim.act not in _SETTLED:
                continue
            for index in open_claims[-MOST:]:
                if _withdraws(claim, place, kept[index], places[index]):
                    kept[index] = replace(kept[index], factuality=Factuality.DENIED)
                elif _is_aside(claim, place, kept[index], places[index]) or _says_it_again(
                    claim, kept[index]
                ):
                    kept[-1] = replace(claim, factuality=Factuality.DENIED)
            if claim.act is not Act.OFFER:
                open_claims.append(len(kept) - 1)
        return kept

    def _place(self, claim: DialogueAct) -> _ClaimPlace:
        deed = self.deeds.get(id(claim))
        if deed is None:
            return _ClaimPlace(self.before + len(self.here), None, self.sentences - 1)
        said = sum(at <= deed.place for at in self.here)
        return _ClaimPlace(self.before + said, deed, self.sentences - 1, self.other_part)


MOST = 40
"""Claims back that a later one may withdraw."""
_SETTLED = frozenset({Act.BOOKED, Act.BOOKING_FAILED, Act.NO_OFFER, Act.OFFER})


def _withdraws(
    later: DialogueAct, here: _ClaimPlace, earlier: DialogueAct, there: _ClaimPlace
) -> bool:
    if not earlier.holds or not _same_domain(later, earlier):
        return False
    corrects = here.corrections > there.corrections and not _apart(here, there)
    if earlier.act is Act.NO_OFFER:
        found = later.act is Act.OFFER and corrects
        return not earlier.value and later.holds and (found or later.act is Act.BOOKING_FAILED)
    if here.deed is None or there.deed is None:
        return False
    if later.act is Act.BOOKED and later.holds:
        return earlier.act is Act.BOOKING_FAILED and (there.deed.state or not _apart(here, there))
    apart = here.other_part or _apart(here, there)
    return earlier.act is Act.BOOKED and _takes_back(later, here.deed, corrects, apart)


def _takes_back(later: DialogueAct, deed: BookingAct, corrects: bool, apart: bool) -> bool:
    """Says whether a claim takes back that something was booked."""
    failed = later.act is Act.BOOKING_FAILED and later.holds
    if corrects:
        return failed or (later.act is Act.BOOKED and later.factuality is Factuality.DENIED)
    return failed and not apart and not deed.state and deed.about in _ANY_BOOKING


def _is_aside(
    later: DialogueAct, here: _ClaimPlace, earlier: DialogueAct, there: _ClaimPlace
) -> bool:
    """Says whether a refusal is only told beside a booking: "Booked, as the other one was full"."""
    return (
        later.act is Act.BOOKING_FAILED
        and later.holds
        and earlier.act is Act.BOOKED
        and earlier.holds
        and here.deed is not None
        and there.deed is not None
        and not here.other_part
        and (
            here.deed.state
            or (here.sentence == there.sentence and not (here.deed.about and there.deed.about))
        )
        and here.corrections == there.corrections
        and _same_domain(later, earlier)
    )


def _says_it_again(later: DialogueAct, earlier: DialogueAct) -> bool:
    """Says whether "there is none" only gives the reason of a booking refused."""
    return (
        later.act is Act.NO_OFFER
        and later.holds
        and not later.value
        and earlier.act is Act.BOOKING_FAILED
        and earlier.holds
        and _same_domain(later, earlier)
    )


def _apart(here: _ClaimPlace, there: _ClaimPlace) -> bool:
    """Says whether two claims are told of different things: a room, and a table."""
    one, other = (place.deed.about if place.deed else "" for place in (here, there))
    return one != other and one not in _ANY_BOOKING and other not in _ANY_BOOKING


def _same_domain(one: DialogueAct, other: DialogueAct) -> bool:
    return one.domain == other.domain or None in (one.domain, other.domain)
