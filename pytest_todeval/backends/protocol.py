"""What a backend is: ours, or one of the user's own."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from pytest_todeval.core.dialogue import Booking, ToolCall

Row = Mapping[str, Any]
"""One row of a database: slot -> value."""


class ToolRefused(Exception):
    """A tool said no: a bad argument, an unknown venue, nothing free. The bot is told why."""


class Backend(Protocol):
    """The database and tools of one dialogue; fresh for each dialogue, at no reload cost.

    It may also have `finished` (a tool has ended the dialogue), `max_steps` (replies and calls, at
    most), `counted_calls` (those that count; else the trace's) and `policy` (what its bot has to
    keep to). `keeps_bookings` is False if its `bookings()` says nothing of what its tools book.
    For chat models: `first_call_only` (one call in an answer) and `verbatim` (its answers
    are to be read as they are, those to unknown tools too).
    """

    trace: list[ToolCall]
    """Every call of a tool, in order, refused ones included."""

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the tools' JSON schemas, in the form chat-completions APIs take."""
        ...

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Calls a tool by name. Raises ToolRefused (kept in the trace) if it says no."""
        ...

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Returns the rows that meet the constraints; not traced, for evaluators and users."""
        ...

    def bookings(self) -> Sequence[Booking]:
        """Returns what stands booked now."""
        ...

    def state_hash(self) -> str:
        """Returns a hash of what stands booked; equal states have equal hashes in every process."""
        ...


def tool_schema(
    name: str, description: str, properties: Mapping[str, Any], required: Sequence[str]
) -> Mapping[str, Any]:
    """Returns a tool in the form chat-completions APIs take; it allows no other arguments."""
    parameters = {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def bookings_hash(bookings: Iterable[Booking]) -> str:
    """Returns the sha256 of bookings, whatever their order and reference numbers."""
    state = sorted(json.dumps([b.domain, dict(b.slots)], sort_keys=True) for b in bookings)
    return hashlib.sha256("\n".join(state).encode()).hexdigest()


def steps_of(backend: Any) -> int | None:
    """Returns how many replies and calls it allows a dialogue; None if it says no such number."""
    steps = getattr(backend, "max_steps", None)
    return steps if type(steps) is int and steps > 0 else None


def calls_of(backend: Any) -> int:
    """How many of its calls count as steps so far: what it says, else all that it has traced."""
    counted = getattr(backend, "counted_calls", None)
    return len(getattr(backend, "trace", ())) if counted is None else int(counted)
