"""The declared schema of calls of clem:todd's game master (section 3.1, figures 13 to 18).

A follow-up that is said to the user, a look-up for each domain, whose ordered slots come with an
operator, a booking for each domain, and whatever else a backend's tools do.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_todeval import log
from pytest_todeval.backends.multiwoz import shown
from pytest_todeval.backends.protocol import Row, ToolRefused, tool_schema
from pytest_todeval.models.reading.reader import TEXT, one_of, strict
from pytest_todeval.nlu.values.normalise import DAYS, to_minutes
from pytest_todeval.research.systems.venue_tools import FoundRows, VenueTools, given_values

FOLLOW_UP, MESSAGE = "followup", "message"
MOST_ROWS = 10
PUBLISHED_ROWS = 5
"""Rows that the paper's look-ups return."""
OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
ORDERED = {"stars": "=", "leaveAt": ">=", "arriveBy": "<="}
"""Slots that have an order, with what a plain value of theirs means to our tools."""
IDENTITIES = ("name", "trainID")
FEW_VALUES = 7
"""A slot of so many values at most is declared with them."""
TOLD = {"name": ("phone", "postcode", "address"), "trainID": ("price", "duration")}
"""Columns that the figures' bookings take besides, as optional; by what identifies a row."""
PARTY = [str(number) for number in range(1, 9)]
TIME = "^(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]$"


class CallSchema:
    """What a model may call in one dialogue, declared to it, and how it is done.

    By default the calls have the names of the backend's tools. `published`: those of the figures,
    with every attribute of a venue required for its booking, values listed, and five rows.
    """

    def __init__(self, tools: VenueTools, *, published: bool = False) -> None:
        self._tools, self._published = tools, published
        known = tools.domains.values()
        self._lookups = {
            f"retrievefrom{each.domain}db" if published else each.find: each.domain
            for each in known
            if each.find
        }
        self._bookings = {
            f"validate{each.domain}booking" if published else each.book: each.domain
            for each in known
            if each.book
        }
        taken = {name for each in known for name in (each.find, each.book)}
        self._others = {name: each for name, each in tools.schemas.items() if name not in taken}
        self.belief: dict[str, dict[str, str]] = {}
        """What look-ups and bookings were asked with so far: `{domain: {slot: value}}`."""
        self.schemas = [
            FOLLOW_UP_SCHEMA,
            *(self._lookup(name, domain) for name, domain in self._lookups.items()),
            *(self._booking(name, domain) for name, domain in self._bookings.items()),
            *self._others.values(),
        ]

    def run(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Makes a call that keeps to the schema, other than the follow-up.

        Raises ToolRefused if the backend says no.
        """
        if name in self._others:
            return self._tools.call(name, arguments)
        domain = self._lookups.get(name) or self._bookings[name]
        slots = {self._slot(domain, key): value for key, value in arguments.items()}
        plain = {s: v.get("value") if isinstance(v, Mapping) else v for s, v in slots.items()}
        told = given_values(plain)
        self.belief.setdefault(domain, {}).update(told)
        return self._find(domain, slots) if name in self._lookups else self._book(domain, told)

    def _find(self, domain: str, slots: Mapping[str, Any]) -> Any:
        tool = self._tools.domains[domain].find
        plain, conditions = _parted(slots)
        if not conditions:
            return self._cut(self._tools.call(tool, plain))
        rows = [
            shown(row)
            for row in self._tools.query(domain, plain)
            if all(_meets(row, *each) for each in conditions)
        ]
        found = self._cut({"count": len(rows), "results": rows})
        told = [" ".join(each) for each in conditions]
        log.tool_call(tool, {**plain, "conditions": told}, result=found)
        return found

    def _cut(self, found: Any) -> Any:
        most = PUBLISHED_ROWS if self._published else MOST_ROWS
        if isinstance(found, Mapping) and isinstance(found.get("results"), list):
            return {**found, "results": found["results"][:most]}
        return found

    def _book(self, domain: str, slots: Mapping[str, str]) -> Any:
        tools = self._tools.domains[domain]
        takes = self._tools.takes(tools.book)
        known = self._tools.takes(tools.find)
        attributes = {s: v for s, v in slots.items() if s in known and s not in takes}
        if attributes:
            named = {slot: slots[slot] for slot in IDENTITIES if slot in slots and slot in known}
            if not FoundRows.of(self._tools.call(tools.find, {**attributes, **named})).rows:
                told = ", ".join(f"{slot} {value}" for slot, value in (named | attributes).items())
                raise ToolRefused(f"there is no {domain} with {told:.300}")
        return self._tools.call(tools.book, {s: v for s, v in slots.items() if s in takes})

    def _slot(self, domain: str, key: str) -> str:
        """Returns a slot by the name that the model knows it by."""
        slots = self._tools.slots(domain)
        return next((slot for slot in slots if slot.lower() == key.lower()), key)

    def _lookup(self, name: str, domain: str) -> Mapping[str, Any]:
        tool = self._tools.domains[domain].find
        properties = {
            slot: _with_operator(slot, each) if slot in ORDERED and self._tools.can_query else each
            for slot, each in self._described(domain, self._tools.takes(tool)).items()
        }
        means = (
            f"Look up the {domain} database; every filter is optional. Returns `count` and at most "
            f"{PUBLISHED_ROWS if self._published else MOST_ROWS} rows."
        )
        return tool_schema(name, means, self._spelled(properties), ())

    def _booking(self, name: str, domain: str) -> Mapping[str, Any]:
        tools = self._tools.domains[domain]
        means = f"Book in the domain {domain}; returns the reference number, or why it is refused."
        if not self._published:
            own = self._tools.takes(tools.book)
            return tool_schema(name, means, own, self._tools.needs(tools.book))
        properties = {**self._described(domain, self._tools.slots(domain)), **self._told(domain)}
        # what the tool needs, and every attribute of the venue
        required = {*self._tools.needs(tools.book), *self._tools.takes(tools.find)}
        needed = [slot.lower() for slot in properties if slot in required]
        return tool_schema(name, means, self._spelled(properties), needed)

    def _told(self, domain: str) -> dict[str, Mapping[str, Any]]:
        """Returns what a published booking may tell of its venue, and nobody looks at."""
        rows = self._tools.query(domain, {})[:1] if self._tools.can_query else ()
        told = (columns for kind, columns in TOLD.items() for row in rows if kind in row)
        known = [column for columns in told for column in columns]
        return {column: {"type": "string", "description": "Optional."} for column in known}

    def _described(
        self, domain: str, properties: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Mapping[str, Any]]:
        if not self._published:
            return dict(properties)
        rows = self._tools.query(domain, {}) if self._tools.can_query else ()
        return {
            slot: {"description": self._means(slot, each), **_form(slot, rows)}
            for slot, each in properties.items()
        }

    def _means(self, slot: str, schema: Mapping[str, Any]) -> str:
        """Returns what a slot means, which speaks of calls by the names that are declared here."""
        told = str(schema.get("description", slot))
        for name, domain in self._lookups.items():
            told = told.replace(self._tools.domains[domain].find, name)
        return told

    def _spelled(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the figures write slots in lower case."""
        if not self._published:
            return dict(properties)
        return {slot.lower(): each for slot, each in properties.items()}


FOLLOW_UP_MEANS = (
    "Say something to the user: a question, an answer, a proposal, a reference number. This alone "
    "is what the user reads."
)
FOLLOW_UP_SCHEMA = tool_schema(FOLLOW_UP, FOLLOW_UP_MEANS, {MESSAGE: TEXT}, [MESSAGE])


def _with_operator(slot: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    value = {key: each for key, each in schema.items() if key != "description"}
    parts = strict({"operator": one_of(list(OPERATORS)), "value": value})
    return {"type": "object", "description": schema.get("description", slot), **parts}


def _form(slot: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Returns how a value of a slot looks, as the figures declare it."""
    if slot in ("people", "stay"):
        return one_of(PARTY)
    if slot == "day":
        return one_of(DAYS)
    if slot in ("time", "leaveAt", "arriveBy"):
        return {"type": "string", "pattern": TIME}
    values = sorted({str(row[slot]) for row in rows if slot in row and row[slot] != "?"})
    if slot == "stars":  # the figures list five, and MultiWOZ has hotels without any
        values = sorted({*values, *PARTY[:5]})
    if slot not in IDENTITIES and 0 < len(values) <= FEW_VALUES:
        return one_of(values)
    return {"type": "string"}


def _parted(slots: Mapping[str, Any]) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Constraints that the tool understands, and conditions that it does not."""
    plain: dict[str, Any] = {}
    conditions = []
    for slot, value in slots.items():
        if isinstance(value, Mapping):
            sign, wanted = str(value.get("operator")), str(value.get("value"))
            if sign != ORDERED.get(slot):
                conditions.append((slot, sign, wanted))
                continue
            value = wanted
        plain[slot] = value
    return given_values(plain), conditions


def _meets(row: Row, slot: str, sign: str, wanted: str) -> bool:
    here, there = _number(row.get(slot)), _number(wanted)
    return here is not None and there is not None and OPERATORS[sign](here, there)


def _number(value: object) -> float | None:
    text = str(value)
    minutes = to_minutes(text) if ":" in text else None
    if minutes is not None:
        return float(minutes)
    return float(text) if text.isdecimal() and len(text) < 10 else None
