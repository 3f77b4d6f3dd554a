"""The MultiWOZ backend: a dialogue's bookings over the shared databases, reached by tools."""

import hashlib
import string
from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import process

from pytest_todeval.backends.database import MultiwozDatabase
from pytest_todeval.backends.protocol import Row, ToolRefused, bookings_hash
from pytest_todeval.backends.tools import BOOKED_WITH, VenueTool, checked, tools_for
from pytest_todeval.core.dialogue import Booking, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import known_names
from pytest_todeval.nlu.values.normalise import normalise, normalise_name

__all__ = ["MultiwozBackend", "MultiwozDatabase"]

MOST_ROWS = 10
"""Rows in the result of a look-up; its `count` says how many there are in all."""

NOT_SHOWN = frozenset({"id", "location", "takesbookings", "n"})
"""Columns for the database's own use."""

PHONE_DIGITS = 10
"""Of a taxi."""
SYMBOLS = string.ascii_uppercase + string.digits


class MultiwozBackend:
    """Search and booking tools for restaurants, hotels, trains, ...; fresh for each dialogue.

    Results are plain JSON. `find_*`: `{"count": 12, "results": [rows, at most MOST_ROWS]}`;
    `book_*`: `{"reference": "4K2Q0ZXB", ...the booking's slots}`, for a taxi also `type`
    and `phone`.
    Refusals are raised as ToolRefused and kept in `trace`.

    No database says that a table is taken, so with a goal whose first booking is meant to fail, a
    booking with exactly those values is refused, whatever the venue; any other is made.
    """

    def __init__(self, database: MultiwozDatabase, goal: Goal | None = None) -> None:
        self.database = database
        self.trace: list[ToolCall] = []
        self._goal = goal
        self._bookings: list[Booking] = []
        self._tools = tools_for(database.domains, database.taxis is not None)

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the tools' JSON schemas, in the form chat-completions APIs take."""
        return [tool.schema for tool in self._tools.values()]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Calls a tool by name. Raises ToolRefused if it says no; both are kept in `trace`."""
        try:
            result = self._answer(tool, arguments)
        except ToolRefused as refusal:
            self.trace.append(ToolCall(tool, arguments, error=str(refusal)))
            raise
        self.trace.append(ToolCall(tool, arguments, result))
        return result

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Returns the rows that meet the constraints (see MultiwozDatabase.query); not traced."""
        return self.database.query(domain, constraints)

    def bookings(self) -> Sequence[Booking]:
        """Returns what stands booked now, in the order of booking."""
        return tuple(self._bookings)

    def state_hash(self) -> str:
        """The sha256 of what stands booked, whatever the order and the reference numbers."""
        return bookings_hash(self._bookings)

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        tool = self._tools.get(name)
        if tool is None:
            raise ToolRefused(f"there is no tool {name!r:.80}: {known_names(name, self._tools)}")
        given = checked(tool, arguments)
        return self._find(tool, given) if tool.action == "find" else self._book(tool, given)

    def _find(self, tool: VenueTool, constraints: Mapping[str, str]) -> dict[str, Any]:
        rows = self.query(tool.domain, constraints)
        return {"count": len(rows), "results": [shown(row) for row in rows[:MOST_ROWS]]}

    def _book(self, tool: VenueTool, given: Mapping[str, str]) -> dict[str, Any]:
        slots = self._booked_slots(tool.domain, given)
        self._refuse_as_the_goal_says(tool.domain, slots)
        booking = Booking(tool.domain, self._reference(len(self._bookings)), slots)
        self._bookings.append(booking)
        return {"reference": booking.reference, **slots}

    def _booked_slots(self, domain: str, given: Mapping[str, str]) -> dict[str, str]:
        if domain == "taxi":
            return {
                **{slot: self._place(value) for slot, value in given.items()},
                **self._car(given),
            }
        if domain == "train":
            train = self._train(given["trainID"])
            fixed = ("trainID", "departure", "destination", "day", "leaveAt", "arriveBy")
            return {**{slot: str(train[slot]) for slot in fixed}, "people": given["people"]}
        return {**given, "name": self._venue(domain, given["name"])}

    def _venue(self, domain: str, name: str) -> str:
        rows = self.query(domain, {"name": name})
        if len(rows) == 1:
            return str(rows[0]["name"])
        names = [str(row["name"]) for row in rows or self.database.rows(domain)]
        if rows:
            raise ToolRefused(f"{name!r} may be any of these {domain}s: {', '.join(names)}")
        close = process.extractOne(name, names)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ToolRefused(f"there is no {domain} called {name!r:.80}{hint}")

    def _train(self, train_id: str) -> Row:
        """Returns the train of that id: ids repeat, so the one this dialogue last found, if any."""
        rows = self.query("train", {"trainID": train_id})
        if not rows:
            raise ToolRefused(f"there is no train {train_id.upper()!r:.80}; find_train gives ids")
        return max(rows, key=self._last_found)

    def _last_found(self, train: Row) -> list[int]:
        """The place of the last call that found it; empty, which comes before any, if none did."""
        looked_up = [
            place
            for place, call in enumerate(self.trace)
            if call.name == "find_train" and call.error is None
            if shown(train) in call.result["results"]
        ]
        return looked_up[-1:]

    def _place(self, value: str) -> str:
        """Returns a place by the name of the venue it is, if it is one."""
        return self.database.places.get(normalise_name(value), value)

    def _car(self, journey: Mapping[str, str]) -> dict[str, str]:
        fleet = self.database.taxis
        assert fleet is not None
        number = self._number("taxi", *(f"{k}={v}" for k, v in sorted(journey.items())))
        colour = fleet.colours[number % len(fleet.colours)]
        make = fleet.types[number // 64 % len(fleet.types)]
        digits = str(number // 4096)[-PHONE_DIGITS + 1 :]
        return {"type": f"{colour} {make}", "phone": digits.zfill(PHONE_DIGITS)}

    def _refuse_as_the_goal_says(self, domain: str, slots: Mapping[str, str]) -> None:
        part = self._goal.domain(domain) if self._goal is not None else None
        if part is None or not part.fail_book or part.first_book == part.book:
            return
        failing = {
            s: normalise(s, v) for s, v in part.first_book.items() if s in BOOKED_WITH[domain]
        }
        if failing and all(slots.get(slot) == value for slot, value in failing.items()):
            changing = " or ".join(part.fail_book)
            key = "name" if "name" in slots else "trainID"  # a train has no name
            said = ", ".join(f"{slot} {value}" for slot, value in slots.items() if slot != key)
            where = f"at {slots[key]} " if key in slots else ""
            raise ToolRefused(f"nothing is free {where}for {said}; try another {changing}")

    def _reference(self, made: int) -> str:
        number = self._number("booking", str(made))
        symbols = []
        for _ in range(8):
            number, place = divmod(number, len(SYMBOLS))
            symbols.append(SYMBOLS[place])
        return "".join(symbols)

    def _number(self, *parts: str) -> int:
        """A large number that depends on the goal and the parts only, the same in every process."""
        name = self._goal.name if self._goal is not None else ""
        return int.from_bytes(hashlib.sha256("\n".join((name, *parts)).encode()).digest(), "big")


def shown(row: Row) -> dict[str, Any]:
    """Returns a row as plain JSON, without the columns for the database's own use."""
    return {
        slot: dict(value) if isinstance(value, Mapping) else value
        for slot, value in row.items()
        if slot not in NOT_SHOWN
    }
