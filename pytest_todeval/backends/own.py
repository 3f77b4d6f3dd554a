"""A backend of the user's own: the bot's database stays theirs, we look at what stands booked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from pytest_todeval.backends.protocol import Backend, Row, ToolRefused
from pytest_todeval.core.dialogue import Booking, ToolCall
from pytest_todeval.errors import BackendError, UsageError

__all__ = ["OwnBackend", "as_backend"]

EXPECTED = (
    "an object with `bookings()` that returns a list of Booking or of mappings, e.g. "
    '[{"domain": "hotel", "reference": "A1", "name": "grand", "day": "friday"}]'
)
OURS = ("trace", "tools", "call", "query", "bookings", "snapshot", "restore", "state_hash")


def as_backend(backend: Any) -> Backend:
    """The backend as it is where it has our whole interface, else wrapped in OwnBackend.

    Raises UsageError where it has no `bookings()`.
    """
    if all(hasattr(backend, name) for name in OURS):
        whole: Backend = backend
        return whole
    return OwnBackend(backend)


class OwnBackend:
    """Gives an object with `bookings()` the interface of a backend.

    `bookings()` returns `Booking`s, or mappings with `domain`, `reference` (may be absent) and the
    booking's slots, flat or under `slots`. `query(domain, constraints)` and `state_hash()` are used
    where the object has them. It has no tools of ours, and its state is its owner's to reset.
    """

    def __init__(self, backend: Any) -> None:
        if isinstance(backend, type) or not callable(getattr(backend, "bookings", None)):
            found = backend.__name__ + " (a class)" if isinstance(backend, type) else _kind(backend)
            raise UsageError(f"the `backend` fixture returned {found}; expected {EXPECTED}")
        self.backend = backend
        self.trace: list[ToolCall] = []

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """None: the bot calls its own backend itself."""
        return ()

    def call(self, tool: str, /, **arguments: Any) -> NoReturn:
        """Always refused, and kept in `trace`."""
        refusal = f"there is no tool {tool!r:.80}: this backend is the bot's own"
        self.trace.append(ToolCall(tool, arguments, error=refusal))
        raise ToolRefused(refusal)

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """What the object's own `query` returns; nothing where it has none.

        Raises BackendError where it breaks, UsageError where it returns no list of mappings.
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
        """What stands booked now.

        Raises BackendError where the object's method breaks, UsageError where it returns anything
        else than its contract says.
        """
        found = self._ask("bookings")
        if not _is_list(found):
            raise UsageError(
                f"{self._method('bookings')} returned {_kind(found)}; expected {EXPECTED}"
            )
        return tuple(self._booking(item, place) for place, item in enumerate(found))

    def snapshot(self) -> Mapping[str, Any]:
        """What stands booked, as plain JSON."""
        return {
            "bookings": [
                {"domain": b.domain, "reference": b.reference, "slots": dict(b.slots)}
                for b in self.bookings()
            ]
        }

    def restore(self, snapshot: Mapping[str, Any]) -> NoReturn:
        """Raises UsageError: the state is not ours to set."""
        raise UsageError(f"{_kind(self.backend)} is a backend of your own: it cannot be restored")

    def state_hash(self) -> str:
        """The object's own `state_hash()`, else the sha256 of what stands booked in any order."""
        if hasattr(self.backend, "state_hash"):
            return str(self._ask("state_hash"))
        state = sorted(
            json.dumps([b.domain, dict(b.slots)], sort_keys=True) for b in self.bookings()
        )
        return hashlib.sha256("\n".join(state).encode()).hexdigest()

    def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self.backend, method)(*arguments)
        except Exception as error:
            raise BackendError(
                f"{self._method(method)} raised {type(error).__name__}: {error}"
            ) from error

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
