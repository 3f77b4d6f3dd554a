"""The details that a bot can ask its user for, by domain, each with what it means.

TD-Eval's figure 12 lists those of one domain. What the user wants to be told (a phone number, a
reference) is not among them: no bot has to ask for it.
"""

from collections.abc import Iterable, Iterator, Mapping

from pytest_todeval.core.goal import DomainGoal

__all__ = ["asked_slots"]

MEANINGS: Mapping[str, Mapping[str, str]] = {
    "restaurant": {
        "food": "the kind of food",
        "area": "the part of town",
        "pricerange": "how expensive it may be",
        "name": "a certain restaurant",
        "day": "the day of the table",
        "time": "the time of the table",
        "people": "how many people the table is for",
    },
    "hotel": {
        "type": "hotel or guest house",
        "area": "the part of town",
        "pricerange": "how expensive it may be",
        "stars": "how many stars it has",
        "internet": "whether it has internet",
        "parking": "whether it has parking",
        "name": "a certain hotel",
        "day": "the day of arrival",
        "stay": "how many nights",
        "people": "how many people the room is for",
    },
    "attraction": {
        "type": "what kind of place it is",
        "area": "the part of town",
        "name": "a certain place",
    },
    "train": {
        "departure": "where the journey begins",
        "destination": "where it ends",
        "day": "the day of the journey",
        "leaveAt": "the earliest time of leaving",
        "arriveBy": "the latest time of arrival",
        "people": "how many people travel",
    },
    "taxi": {
        "departure": "where the ride begins",
        "destination": "where it ends",
        "leaveAt": "the earliest time of leaving",
        "arriveBy": "the latest time of arrival",
    },
    "hospital": {"department": "which department"},
    "police": {"name": "a certain station"},
}
"""MultiWOZ's domains, in the spelling of its goals."""


def asked_slots(parts: Iterable[DomainGoal]) -> str:
    """Per domain a heading and a line per slot: MultiWOZ's, and those that the goal itself has."""
    return "\n\n".join("\n".join(_lines(part)) for part in parts)


def _lines(part: DomainGoal) -> Iterator[str]:
    meanings = MEANINGS.get(part.domain, {})
    held = (part.inform, part.fail_inform, part.book, part.fail_book)
    own = (slot for slots in held for slot in slots)
    yield f"{part.domain}:"
    for slot in dict.fromkeys([*meanings, *own]):
        yield f"- {slot}: {meanings[slot]}" if slot in meanings else f"- {slot}"
