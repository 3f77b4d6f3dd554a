"""A backend of the user's own: the bot's database stays theirs, we look at what stands booked."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused, bookings_hash
from pytest_todeval.core.dialogue import Booking, ToolCall
from pytest_todeval.core.steps import Records
from pytest_todeval.errors import BackendError, UsageError

EXPECTED = (
    "an object with `bookings()` that returns a list of Booking or of mappings, e.g. "
    '[{"domain": "hotel", "reference": "A1", "name": "grand", "day": "friday"}], or with '
    '`records()` that returns records by kind, e.g. {"appointment": [{"id": "A17"}]}'
)
TRACED = (
    "a ToolCall or a mapping with `name`, `arguments`, `result` and `error`, e.g. "
    '{"name": "book_hotel", "arguments": {"day": "friday"}, "result": {"reference": "A1"}}'
)


def as_backend(backend: Any) -> "OwnBackend":
    """Returns any backend, ours or one of the user's own, with the whole interface.

    What the object can do is used, whatever else it lacks. Raises UsageError if it has neither
    `bookings()` nor `records()`.
    """
    return backend if isinstance(backend, OwnBackend) else OwnBackend(backend)


class OwnBackend:
    """Gives an object with `bookings()` the interface of a backend, capability by capability.

    `bookings()` returns `Booking`s, or mappings with `domain`, `reference` (may be absent) and the
    booking's slots, flat or under `slots`. Beside it, or in its place, `records()` returns all that
    stands, by kind. Used if the object has them: `trace` (a list of every
    call so far), `tools`, `call(tool, **arguments)`, `query(domain, constraints)`, `state_hash()`,
    and whatever `protocol.Backend` names besides (`finished`, `max_steps`, ...).
    """

    def __init__(self, backend: Any) -> None:
        self.has_bookings = callable(getattr(backend, "bookings", None))
        self.has_records = callable(getattr(backend, "records", None))
        if isinstance(backend, type) or not (self.has_bookings or self.has_records):
            found = backend.__name__ + " (a class)" if isinstance(backend, type) else _kind(backend)
            raise UsageError(f"the `backend` fixture returned {found}; expected {EXPECTED}")
        self.backend = backend
        self._refused: list[ToolCall] = []

    def __getattr__(self, name: str) -> Any:
        if name == "backend" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.backend, name)

    @property
    def trace(self) -> list[ToolCall]:
        """Returns every call so far that the object tells of; none if it keeps no list of them.

        Raises UsageError if what it keeps are no calls.
        """
        found: Any = getattr(self.backend, "trace", None)
        if not _is_list(found):
            return list(self._refused)
        return [self._traced(call, place) for place, call in enumerate(found)]

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the object's own; none if it has none, and the bot calls it in its own way."""
        found = getattr(self.backend, "tools", ())
        return found if _is_list(found) else ()

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Returns what the object's own `call` returns. Raises ToolRefused if it has none."""
        if callable(getattr(self.backend, "call", None)):
            return self.backend.call(tool, **arguments)
        refusal = f"there is no tool {tool!r:.80}: this backend is the bot's own"
        self._refused.append(ToolCall(tool, arguments, error=refusal))
        raise ToolRefused(refusal)

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Returns what the object's own `query` returns; nothing if it has none.

        Raises BackendError if it breaks, UsageError if it returns no list of mappings.
        """
        if not hasattr(self.backend, "query"):
            return ()
        rows = self._ask("query", domain, dict(constraints))
        if not _is_list(rows) or not all(isinstance(row, Mapping) for row in rows):
            raise UsageError(
                f"{self._method('query')} returned {_kind(rows)}; expected a list of mappings"
            )
        return tuple(rows)

    def bookings(self) -> Sequence[Booking]:
        """Returns what stands booked now; nothing if the object has no method for it.

        Raises BackendError if the object's method breaks, UsageError if it returns anything else
        than its contract says.
        """
        if not self.has_bookings:
            return ()
        found = self._ask("bookings")
        if not _is_list(found):
            raise UsageError(
                f"{self._method('bookings')} returned {_kind(found)}; expected {EXPECTED}"
            )
        return tuple(self._booking(item, place) for place, item in enumerate(found))

    def records(self) -> Records | None:
        """What stands now, by kind: its records, else its bookings; None if it tells neither.

        Raises as `bookings` does.
        """
        if self.has_records:
            from pytest_todeval.backends.records import plain_records

            return plain_records(self._ask("records"), self._method("records"))
        if not getattr(self.backend, "keeps_bookings", True):
            return None
        found: dict[str, tuple[Mapping[str, Any], ...]] = {}
        for each in self.bookings():
            named = {"reference": each.reference} if each.reference else {}
            found[each.domain] = (*found.get(each.domain, ()), {**named, **each.slots})
        return found

    def state_hash(self) -> str:
        """The object's own `state_hash()`, else the sha256 of what stands booked in any order."""
        if hasattr(self.backend, "state_hash"):
            return str(self._ask("state_hash"))
        return bookings_hash(self.bookings())

    def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self.backend, method)(*arguments)
        except Exception as error:
            raise BackendError(
                f"{self._method(method)} raised {type(error).__name__}: {error}"
            ) from error

    def _traced(self, call: Any, place: int) -> ToolCall:
        if isinstance(call, ToolCall):
            return call
        arguments = call.get("arguments") if isinstance(call, Mapping) else None
        if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
            raise UsageError(
                f"{type(self.backend).__name__}.trace[{place}] is {_kind(call)}; expected {TRACED}"
            )
        error = call.get("error")
        return ToolCall(
            call["name"],
            arguments if isinstance(arguments, Mapping) else {},
            call.get("result"),
            None if error is None else str(error),
        )

    def _booking(self, item: Any, place: int) -> Booking:
        if isinstance(item, Booking):
            return item
        if not isinstance(item, Mapping) or not isinstance(item.get("domain"), str):
            raise UsageError(
                f"{self._method('bookings')}[{place}] is {_kind(item)}; expected a Booking or a "
                'mapping with at least `domain` (text), e.g. {"domain": "hotel", "name": "grand"}'
            )
        slots = item.get("slots")
        if not isinstance(slots, Mapping):
            slots = {k: v for k, v in item.items() if k not in ("domain", "reference", "slots")}
        given = {str(slot): str(value) for slot, value in slots.items() if value is not None}
        return Booking(item["domain"], str(item.get("reference") or ""), given)

    def _method(self, name: str) -> str:
        return f"{type(self.backend).__name__}.{name}()"


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(value: Any) -> str:
    text = repr(value)
    short = text if len(text) <= 60 else text[:57] + "..."
    return f"{type(value).__name__} {short}"
