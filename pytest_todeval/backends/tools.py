"""The tools of the MultiWOZ backend: JSON schemas, and the check of arguments against them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused, tool_schema
from pytest_todeval.errors import known_names
from pytest_todeval.nlu.values.normalise import DAYS, DONTCARE, normalise, to_minutes

SEARCHED_BY = {
    "restaurant": ("name", "area", "pricerange", "food"),
    "hotel": ("name", "area", "pricerange", "type", "stars", "internet", "parking"),
    "attraction": ("name", "area", "type", "pricerange"),
    "train": ("departure", "destination", "day", "leaveAt", "arriveBy", "trainID"),
    "hospital": ("department",),
    "police": (),
}
BOOKED_WITH = {
    "restaurant": ("name", "day", "time", "people"),
    "hotel": ("name", "day", "stay", "people"),
    "train": ("trainID", "people"),
    "taxi": ("departure", "destination"),
}
"""Slots that a booking needs; a taxi also needs `leaveAt` or `arriveBy`."""

MEANING = {
    "name": "name of the venue",
    "area": "part of town: centre, north, east, south or west",
    "pricerange": "cheap, moderate or expensive (of attractions also free)",
    "food": "kind of food",
    "type": "kind of place",
    "stars": "number of stars",
    "internet": "yes or no",
    "parking": "yes or no",
    "departure": "where it starts",
    "destination": "where it goes",
    "day": "day of the week",
    "time": "time of day, HH:MM",
    "leaveAt": "time of day, HH:MM: leaves then or later",
    "arriveBy": "time of day, HH:MM: arrives then or earlier",
    "people": "number of people",
    "stay": "number of nights",
    "trainID": "id of the train, as found by find_train",
    "department": "department of the hospital",
}
NUMBERS = frozenset({"people", "stay"})
TIMES = frozenset({"time", "leaveAt", "arriveBy"})


@dataclass(frozen=True, slots=True)
class VenueTool:
    """One tool: `find_` looks a domain up, `book_` makes a booking in it."""

    action: str
    domain: str
    slots: tuple[str, ...]
    """The arguments it takes."""
    required: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.action}_{self.domain}"

    @property
    def schema(self) -> Mapping[str, Any]:
        """Returns its JSON schema, as chat-completions APIs take it."""
        doing = "Find" if self.action == "find" else "Book"
        properties = {slot: _property(slot) for slot in self.slots}
        about = f"{doing} a {self.domain}." + (
            " Give leaveAt or arriveBy." if self.name == "book_taxi" else ""
        )
        return tool_schema(self.name, about, properties, self.required)


def _property(slot: str) -> dict[str, str]:
    kind = "integer" if slot in NUMBERS else "string"
    return {"type": kind, "description": MEANING.get(slot, slot)}


@lru_cache(maxsize=64)
def tools_for(domains: tuple[str, ...], taxis: bool) -> Mapping[str, VenueTool]:
    """Returns the tools over these databases, by name."""
    tools = [VenueTool("find", d, SEARCHED_BY[d]) for d in domains if d in SEARCHED_BY]
    bookable = [d for d in domains if d in BOOKED_WITH]
    tools += [VenueTool("book", d, BOOKED_WITH[d], BOOKED_WITH[d]) for d in bookable]
    if taxis:
        needed = BOOKED_WITH["taxi"]
        tools.append(VenueTool("book", "taxi", (*needed, "leaveAt", "arriveBy"), needed))
    return {tool.name: tool for tool in tools}


def checked(tool: VenueTool, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Returns the arguments in canonical form, without empty ones.

    Raises ToolRefused, naming the argument, if one is unknown, missing or malformed.
    """
    for slot in arguments:
        if slot not in tool.slots:
            hint = known_names(slot, tool.slots)
            raise ToolRefused(f"{tool.name} takes no argument {slot!r}: {hint}")
    values = {slot: _checked_value(tool, slot, value) for slot, value in arguments.items()}
    given = {slot: value for slot, value in values.items() if value}
    missing = [slot for slot in tool.required if given.get(slot, DONTCARE) == DONTCARE]
    if missing:
        wanted = ", ".join(f"`{slot}` ({MEANING[slot]})" for slot in missing)
        raise ToolRefused(f"{tool.name} needs {wanted}")
    if tool.name == "book_taxi" and not {"leaveAt", "arriveBy"} & set(given):
        raise ToolRefused("book_taxi needs `leaveAt` or `arriveBy` (time of day, HH:MM)")
    return given


def _checked_value(tool: VenueTool, slot: str, value: Any) -> str:
    if value is None:
        return ""
    text = _text(value)
    canonical = normalise(slot, text or "")
    optional = canonical in ("", DONTCARE) and text is not None
    if text is None or not (optional or _well_formed(slot, canonical, text)):
        raise ToolRefused(f"{tool.name}: `{slot}` must be {MEANING[slot]}, got {value!r:.80}")
    return canonical


def _text(value: Any) -> str | None:
    """Returns an argument as text, as people would write it; None if it is no single value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else None


def _well_formed(slot: str, canonical: str, text: str) -> bool:
    if slot in NUMBERS:
        whole = re.search(r"-\d|\d\.\d", text) is None
        return whole and canonical.isdigit() and int(canonical) > 0
    if slot in TIMES:
        return to_minutes(canonical) is not None
    return slot != "day" or canonical in DAYS
