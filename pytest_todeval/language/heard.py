"""What can be heard in a bot's text."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Act", "Heard"]


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


@dataclass(frozen=True, slots=True)
class Heard:
    """One thing the bot said, as understood."""

    act: Act
    domain: str | None = None
    """None where text and context do not tell."""
    slot: str | None = None
    """In MultiWOZ's goal spelling: `pricerange`, `leaveAt`, `arriveBy`, `trainID`, `people`, ..."""
    value: str | None = None
    """As said, but normalised where it is a time, a number or a known value."""
