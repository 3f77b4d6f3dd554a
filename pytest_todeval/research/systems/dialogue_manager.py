"""The manager that is a program: it keeps the state, looks up what has changed, and books.

The programmatic manager of clem:todd's Modular-Prog (3.3.2), and the database step of a pipeline.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.backends.multiwoz import shown
from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.facts.calls.rows import IDENTITIES, identity
from pytest_todeval.research.systems.venue_tools import FoundRows, VenueTools, given_values

MOST_SHOWN = 5
"""Rows that the response is made from."""


@dataclass
class ManagedDomain:
    """What the manager knows of one domain."""

    slots: dict[str, str] = field(default_factory=dict)
    found: FoundRows | None = None
    looked_up: dict[str, str] | None = None
    """What it was looked up with last."""
    chosen: Row | None = None
    """The row that the bot named, or the only one."""
    tried: dict[str, Any] | None = None
    """What it was booked with last."""
    booking: dict[str, Any] | None = None
    """What came of that: the tool's result, or `refused`."""
    wanted: bool = False
    """Whether the user asked for a booking that is not made yet."""


class DialogueManager:
    """Serves a domain from its belief state, through the tools of a backend.

    A booking is made once its slots are known and it is clear what is booked: what the user named,
    what the bot named in its last message, or the only row there is.
    """

    def __init__(self, tools: VenueTools) -> None:
        self._tools = tools
        self._domains: dict[str, ManagedDomain] = {}

    @property
    def belief(self) -> dict[str, dict[str, str]]:
        """Returns the belief state: `{domain: {slot: value}}`."""
        return {name: dict(each.slots) for name, each in self._domains.items()}

    def take(self, domain: str, slots: Mapping[str, Any]) -> None:
        """Takes values into the state; an empty one takes its slot out; others are ignored."""
        state = self._domains.setdefault(domain, ManagedDomain()).slots
        known = {slot.lower(): slot for slot in self._tools.slots(domain)}
        for name, value in slots.items():
            slot = known.get(str(name).lower())
            if slot is None or isinstance(value, Mapping | list):
                continue
            if value is None or not str(value).strip():
                state.pop(slot, None)
            else:
                state[slot] = str(value).strip()

    def serve(self, domain: str, *, books: bool | None = None) -> dict[str, Any]:
        """Looks up and book as far as the state allows; what is to be told of it, as plain JSON.

        `books`: whether the user wants a booking now. None if nobody tells: then it is booked as
        soon as everything is known, and once with the same day, people, ..., whatever is found
        later.
        """
        state = self._domains.setdefault(domain, ManagedDomain())
        told: dict[str, Any] = {"domain": domain, "slots": dict(state.slots)}
        if self._tools.domains[domain].find:
            told["database"] = self._looked_up(domain, state)
        if self._tools.domains[domain].book:
            told |= self._booked(domain, state, books)
        return told

    def said(self, text: str) -> None:
        """Notes which row the bot has named: what is booked next."""
        for state in self._domains.values():
            rows = state.found.rows if state.found else ()
            named = [row for row in rows if _names(text, row)]
            if len({identity(row) for row in named}) == 1:
                state.chosen = named[0]

    def _looked_up(self, domain: str, state: ManagedDomain) -> dict[str, Any]:
        takes = self._tools.takes(self._tools.domains[domain].find)
        wanted = {s: v for s, v in given_values(state.slots).items() if s in takes}
        if wanted != state.looked_up:
            state.looked_up = wanted
            try:
                state.found = self._tools.find(domain, wanted)
            except ToolRefused as refusal:
                state.found, state.chosen = None, None
                return {"refused": str(refusal)}
            self._choose(state)
        if state.found is None:
            return {"count": 0, "rows": []}
        first = [] if state.chosen is None else [state.chosen]
        others = [row for row in state.found.rows if row is not state.chosen]
        rows = [shown(row) for row in [*first, *others][:MOST_SHOWN]]
        return {"count": state.found.count, "rows": rows}

    def _choose(self, state: ManagedDomain) -> None:
        """Keeps the row that was named if it is still there; the only row needs no naming."""
        rows = state.found.rows if state.found else ()
        before = None if state.chosen is None else identity(state.chosen)
        kept = [row for row in rows if identity(row) == before] if before else []
        state.chosen = kept[0] if kept else rows[0] if len(rows) == 1 else None

    def _booked(self, domain: str, state: ManagedDomain, books: bool | None) -> dict[str, Any]:
        tool = self._tools.domains[domain].book
        takes, needs = self._tools.takes(tool), self._tools.needs(tool)
        known = given_values({**(state.chosen or {}), **state.slots})
        arguments = {slot: known[slot] for slot in takes if slot in known}
        missing = [slot for slot in needs if slot not in arguments]
        if books is None:
            books = not (state.booking and "made" in state.booking and _same(state, arguments))
        state.wanted = (state.wanted or books) and state.tried != arguments
        told: dict[str, Any] = {"missing_for_booking": missing} if missing else {}
        if missing or not state.wanted:
            return {**told, "booked_before": state.booking} if state.booking else told
        state.tried, state.wanted = arguments, False
        try:
            state.booking = {"made": self._tools.call(tool, arguments)}
        except ToolRefused as refusal:
            state.booking = {"refused": str(refusal)}
        return {"booking": state.booking}


def _same(state: ManagedDomain, arguments: Mapping[str, Any]) -> bool:
    """Says whether what the user told of a booking is what it was booked with last."""
    told = [
        {slot: value for slot, value in each.items() if slot not in IDENTITIES}
        for each in (state.tried or {}, arguments)
    ]
    return told[0] == told[1]


def _names(text: str, row: Row) -> bool:
    """Says whether a text names a row, as a word of its own."""
    name = identity(row)
    if name is None:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
