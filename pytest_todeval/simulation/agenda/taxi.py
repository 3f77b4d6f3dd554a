"""Where a taxi goes when the goal does not say it: between venues found earlier in the dialogue.

MultiWOZ's goals leave both places out and say it in the message: "to commute between the two
places", "you want to leave the hotel by 10:00", "it arrives the restaurant by the booked time".
"""

import re
from collections.abc import Sequence

from pytest_todeval.nlu.values.normalise import same_value
from pytest_todeval.simulation.agenda.memory import DomainPart, GoalMemory

PLACES = ("departure", "destination")
TAG = re.compile(r"<[^<>]{0,200}>")
FROM = re.compile(r"\b(?:leave|from|depart(?:s|ing)? from) the (\w+)", re.I)
TO = re.compile(r"\b(?:arrives?(?: at| in)?|to|reach) the (\w+)", re.I)


def needs_places(part: DomainPart, memory: GoalMemory) -> bool:
    """Says whether this is a taxi whose places follow from the other domains."""
    others = [other for other in memory.parts if _is_place(other)]
    return part.domain == "taxi" and bool(others) and any(p not in part.inform for p in PLACES)


def missing_places(part: DomainPart, memory: GoalMemory) -> dict[str, str] | None:
    """Returns the places that a taxi's goal leaves out; None if the venues meant are not known."""
    others = [other for other in memory.parts if _is_place(other)]
    if len(others) < sum(place not in part.inform for place in PLACES):
        return None
    start, end = _route(part, others, _sentences(memory))
    venues = {"departure": _venue(start), "destination": _venue(end)}
    found = {place: venues[place] for place in PLACES if place not in part.inform}
    return found if all(found.values()) else None


def _is_place(part: DomainPart) -> bool:
    return part.domain in ("restaurant", "hotel", "attraction")


def _venue(part: DomainPart) -> str:
    return part.venue or part.inform.get("name", "")


def _sentences(memory: GoalMemory) -> list[str]:
    """Returns the message from the sentence on that raises the taxi."""
    plain = [TAG.sub("", sentence) for sentence in memory.goal.message]
    first = next((n for n, sentence in enumerate(plain) if "taxi" in sentence.lower()), len(plain))
    return plain[first:]


def _route(
    part: DomainPart, others: Sequence[DomainPart], sentences: Sequence[str]
) -> tuple[DomainPart, DomainPart]:
    text = ". ".join(sentences)
    start, end = _mentioned(FROM, text, others), _mentioned(TO, text, others)
    if end is None:
        end = next((other for other in others if other is not start and _meets(part, other)), None)
    if start is None:
        start = next((other for other in others if other is not end), others[0])
    if end is None:
        end = next((other for other in reversed(others) if other is not start), others[-1])
    return start, end


def _mentioned(
    pattern: re.Pattern[str], text: str, others: Sequence[DomainPart]
) -> DomainPart | None:
    named = [match.lower() for match in pattern.findall(text)]
    return next((other for other in others if other.domain in named), None)


def _meets(taxi: DomainPart, other: DomainPart) -> bool:
    """Says whether the taxi is to arrive at the time booked there."""
    time, arrival = other.goal.book.get("time"), taxi.inform.get("arriveBy")
    return time is not None and arrival is not None and same_value("time", time, arrival)
