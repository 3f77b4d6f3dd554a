"""A claim: what a bot's words say, of what, and how far they say that it is so."""

from dataclasses import dataclass, field
from enum import StrEnum


class Act(StrEnum):
    """Kinds of things a bot says, after MultiWOZ's `dialog_act`s."""

    REQUEST = "request"
    """Asks the user for a slot. `slot` set, no value."""
    OFFER = "offer"
    """Names a venue or train as an option: `slot` `name` or `trainID`, `value` the name or id."""
    NO_OFFER = "no_offer"
    """Says that nothing meets the constraints."""
    OFFER_BOOK = "offer_book"
    """Asks whether to book."""
    BOOKED = "booked"
    """Says that a booking was made."""
    BOOKING_FAILED = "booking_failed"
    """Says that a booking could not be made."""
    REFERENCE = "reference"
    """Tells a reference number. `slot` is `reference`, `value` the number."""
    INFORM = "inform"
    """Tells a value: `slot` and `value` set (phone, address, price, day, ...)."""
    REQUEST_MORE = "request_more"
    """Asks whether there is anything else."""
    BYE = "bye"


class Factuality(StrEnum):
    """How far a sentence says that something is so.

    After NegEx (Chapman et al. 2001) and ConText (Harkema et al. 2009), which ask of a finding in a
    clinical text whether it is negated, hypothetical, historical or of somebody else.
    """

    ASSERTED = "asserted"
    DENIED = "denied"
    """Not so, or not yet: "It has not been booked"."""
    CONDITIONAL = "conditional"
    """So if something else is: "If you confirm, it is booked"."""
    FUTURE = "future"
    """Announced, offered or within reach: "I will book it", "I can have it booked"."""
    ASKED = "asked"
    OF_OTHERS = "of others"
    """Of other people, another time, or in general: "It is usually booked weeks ahead"."""


@dataclass(frozen=True, slots=True)
class DialogueAct:
    """One thing that the bot's words say, as understood."""

    act: Act
    domain: str | None = None
    """None if text and context do not tell."""
    slot: str | None = None
    """In MultiWOZ's goal spelling: `pricerange`, `leaveAt`, `arriveBy`, `trainID`, `people`, ..."""
    value: str | None = None
    """As said, but normalised if it is a time, a number or a known value."""
    of: str | None = None
    """The venue, train or item that a value belongs to; None if the words do not tell."""
    factuality: Factuality = Factuality.ASSERTED
    doubt: str = ""
    """Why this may be misheard; empty if it is clear."""
    sentence: str = field(default="", compare=False)
    """The words that say it."""

    @property
    def holds(self) -> bool:
        """Says whether the bot says that it is so: asserted, and not withdrawn."""
        return self.factuality is Factuality.ASSERTED
