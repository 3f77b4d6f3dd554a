"""The slots of MultiWOZ's domains, in the spelling of its goals."""

from collections.abc import Iterable, Mapping

VENUE = ("name", "area", "address", "phone", "postcode")

MULTIWOZ_SLOTS: Mapping[str, tuple[str, ...]] = {
    "restaurant": (*VENUE, "food", "pricerange", "day", "time", "people", "reference"),
    "hotel": (
        *(*VENUE, "pricerange", "type", "stars", "internet", "parking"),
        *("price", "day", "stay", "people", "reference"),
    ),
    "attraction": (*VENUE, "type", "entrance fee", "pricerange", "openhours"),
    "train": (
        *("departure", "destination", "day", "leaveAt", "arriveBy", "people"),
        *("trainID", "duration", "price", "reference"),
    ),
    "taxi": (
        *("departure", "destination", "leaveAt", "arriveBy"),
        *("car type", "type", "phone", "reference"),
    ),
    "hospital": ("name", "department", "address", "phone", "postcode"),
    "police": VENUE,
}


def is_multiwoz(domain: str, slots: Iterable[str]) -> bool:
    """Says whether a domain is MultiWOZ's by its slots: a `hotel` of one's own may be one house."""
    known = MULTIWOZ_SLOTS.get(domain, ())
    return domain in MULTIWOZ_SLOTS and all(slot in known for slot in slots)
