"""A value the user gives for a slot, and the domains that each slot can be about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_todeval.systems.rules.heard_text import HeardText

__all__ = ["BOOKED", "DOMAINS_OF", "JOURNEYS", "VENUES", "SaidValue", "given", "is_rejected"]


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A value for a slot, or a reference to where it is known from."""

    domain: str
    slot: str
    value: str = ""
    as_in: str | None = None
    """The domain to take it from ("the same day as the restaurant", "from the hotel"); "" for
    whichever came before; None if the value is given."""
    at: int = 0
    """Where in the text it stands."""


VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")
JOURNEYS = ("train", "taxi")

DOMAINS_OF = {
    "area": VENUES, "pricerange": VENUES, "people": BOOKED, "day": BOOKED,
    "time": ("restaurant", "train", "taxi"), "food": ("restaurant",),
    "type": ("hotel", "attraction"),
    "stars": ("hotel",), "internet": ("hotel",), "parking": ("hotel",), "stay": ("hotel",),
    "departure": JOURNEYS, "destination": JOURNEYS, "leaveAt": JOURNEYS, "arriveBy": JOURNEYS,
    "name": VENUES, "department": ("hospital",),
}  # fmt: skip
REJECTED = re.compile(
    r"\b(?:not|instead of|rather than|other than|isn't|don't want|too)(?: \w+){0,2} $"
)


def is_rejected(heard: HeardText, start: int) -> bool:
    """Whether what stands at `start` is not wanted: "not expensive", "instead of friday"."""
    return REJECTED.search(heard.said[:start]) is not None


def given(
    heard: HeardText, slot: str, value: str, match: re.Match[str], *, noun: bool = False
) -> Iterator[SaidValue]:
    """The value for the domain it is about, unless it is said not to be wanted."""
    if is_rejected(heard, match.start()):
        return
    end = match.end() if noun else None
    domain = heard.domain_at(match.start(), slot, DOMAINS_OF[slot], before_noun=end)
    if domain is not None:
        yield SaidValue(domain, slot, value, at=match.start())
