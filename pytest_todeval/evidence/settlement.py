"""What a turn's words on bookings come to when the turn is over."""

import re
from collections.abc import Iterable
from dataclasses import replace

from pytest_todeval.core.claim import Act, Claim, Factuality
from pytest_todeval.evidence.making import Deed

__all__ = ["Settlement"]

_CORRECTS = re.compile(
    r"\b(?:oh|wait|actually|correction|scratch|scrap|misspoke|mistake|mistaken|wrong|apolog\w+"
    r"|sorry|hold on|hang on|oops|whoops|in fact|take that back|after all|strike that|forget"
    r"|ignore|hmm|confusion|my bad|no)\b"
)
_GENERAL = frozenset({"", "booking", "reservation", "order", "it", "NAME", "request", "payment"})
"""Words for what is booked that may mean any booking."""


class Settlement:
    """Keeps the claims on bookings of one turn, and withdraws those that later words take back."""

    def __init__(self) -> None:
        self.made: dict[int, Deed] = {}
        self.corrects: set[int] = set()
        """Places among the claims from which on an earlier one is corrected."""
        self.corrected = False

    def read(self, sentence: str) -> None:
        """Take note of a sentence before its claims come."""
        self.corrected = self.corrected or _CORRECTS.search(sentence) is not None

    def claim(self, deed: Deed, domain: str | None, sentence: str) -> Claim:
        """The claim that a deed makes."""
        claim = Claim(
            deed.act, domain, factuality=deed.factuality, doubt=deed.doubt, sentence=sentence
        )
        self.made[id(claim)] = deed
        if self.corrected:
            self.corrects.add(id(claim))
        return claim

    def settled(self, claims: Iterable[Claim]) -> list[Claim]:
        """The claims in order; those withdrawn are DENIED."""
        kept = list(claims)
        for at, later in enumerate(kept):
            deed = self.made.get(id(later))
            if deed is None:
                continue
            if any(self._outweighs(kept[before], later, deed) for before in range(at)):
                kept[at] = replace(later, factuality=Factuality.DENIED)
                continue
            for before in range(at):
                if self._withdraws(later, deed, kept[before]):
                    withdrawn = replace(kept[before], factuality=Factuality.DENIED)
                    self.made[id(withdrawn)] = self.made[id(kept[before])]
                    kept[before] = withdrawn
        return kept

    def _outweighs(self, earlier: Claim, later: Claim, deed: Deed) -> bool:
        """Whether a refusal is only told beside a booking: "Booked, as the other one was full"."""
        old = self.made.get(id(earlier))
        aside = later.act is Act.BOOKING_FAILED and later.holds and id(later) not in self.corrects
        return (
            aside
            and old is not None
            and earlier.act is Act.BOOKED
            and earlier.holds
            and _same_domain(later, earlier)
            and (deed.state or deed.about == old.about)
        )

    def _withdraws(self, later: Claim, deed: Deed, earlier: Claim) -> bool:
        old = self.made.get(id(earlier))
        if old is None or not earlier.holds or not _same_domain(later, earlier):
            return False
        same = deed.about == old.about or deed.about in _GENERAL or old.about in _GENERAL
        if later.act is Act.BOOKED and later.holds:
            return earlier.act is Act.BOOKING_FAILED and (same or old.state)
        if earlier.act is not Act.BOOKED or not same:
            return False
        refused = later.act is Act.BOOKING_FAILED and later.holds
        denied = later.act is Act.BOOKED and later.factuality is Factuality.DENIED
        return (refused or denied) and id(later) in self.corrects


def _same_domain(one: Claim, other: Claim) -> bool:
    return one.domain == other.domain or None in (one.domain, other.domain)
