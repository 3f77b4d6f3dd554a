"""What the loop sees of a dialogue's backend: what was called and booked, and when it is over."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_todeval.backends.own import as_backend
from pytest_todeval.backends.protocol import calls_of, steps_of
from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.records import (
    RecordChange,
    RecordsSeen,
    changes_between,
    name_of,
    paired,
    same,
)
from pytest_todeval.core.steps import Records
from pytest_todeval.simulation.faults import Stop

OVERRUN = (StopReason.SYSTEM_DONE, StopReason.TURN_TIMEOUT, StopReason.DIALOGUE_TIMEOUT)
"""How a turn may end that has gone past the limit of steps, which then is the reason."""


class Changes(NamedTuple):
    """What a turn changed in what stands booked."""

    booked: tuple[Booking, ...] | None = None
    """None if nobody could look."""
    cancelled: tuple[Booking, ...] = ()
    records: tuple[RecordChange, ...] | None = None
    """What it changed in the records; None if nobody looked at them."""


class Look(NamedTuple):
    """What a backend shows at one moment; None for what was not asked for."""

    booked: tuple[Booking, ...] | None
    records: Records | None


NOT_LOOKED = Changes()


class Witness:
    """Looks at the backend of one dialogue from outside; there may be none.

    Steps are replies and calls of tools. Records are looked at only for a `goal` that is about
    them. Raises UsageError for a backend that shows neither bookings nor records.
    """

    def __init__(self, backend: Any, goal: Goal | None = None) -> None:
        self.backend = None if backend is None else as_backend(backend)
        self._goal = (
            goal if goal is not None and (goal.steps or goal.given or goal.expect) else None
        )
        self._most_steps = steps_of(self.backend)
        self._told = self._users_told = 0
        self.booked: tuple[Booking, ...] | None = None
        """What stood booked when last looked; None before that."""
        self.records: RecordsSeen | None = None
        """What stood before the dialogue and when last looked, for a goal that asks for it."""

    @property
    def calls(self) -> list[ToolCall]:
        """Returns what was called since the last turn that was kept."""
        return [] if self.backend is None else self.backend.trace[self._told :]

    @property
    def users_calls(self) -> tuple[ToolCall, ...]:
        """Returns what the user called of its own tools since then, if it has some."""
        return tuple(getattr(self.backend, "user_trace", ()))[self._users_told :]

    @property
    def keeps_bookings(self) -> bool:
        """Says whether there is a backend whose bookings tell what the bot has booked."""
        backend = self.backend
        return backend is not None and (
            backend.has_bookings and getattr(backend, "keeps_bookings", True)
        )

    @property
    def keeps_records(self) -> bool:
        """Says whether there is a backend that shows records, and a goal that is about them."""
        if self.backend is None or self._goal is None:
            return False
        return self.backend.has_records or self.keeps_bookings

    @property
    def has_looked(self) -> bool:
        """Says whether it is known what stood booked before."""
        return self.booked is not None

    @property
    def is_new(self) -> bool:
        """Says whether nobody has looked yet."""
        return self.booked is None and self.records is None

    def look(self, *, at_end: bool = False) -> Look:
        """What the backend shows now; at the end bookings in any case. Raises what it raises."""
        backend = self.backend
        booked = records = None
        if backend is not None and (self.keeps_bookings or at_end):
            booked = tuple(backend.bookings())
        if backend is not None and self.keeps_records:
            records = backend.records()
        return Look(booked, records)

    def looked(self, now: Look) -> Changes:
        """Returns what has changed since the last look. The first look cannot tell.

        A booking that was changed is both cancelled, as it was, and booked, as it is.
        """
        records = None if now.records is None else self._looked_at_records(now.records)
        if now.booked is None:
            return Changes(records=records)
        before, self.booked = self.booked, now.booked
        if before is None:
            return Changes(records=records)
        if before == self.booked:
            return Changes((), (), records)
        booked, cancelled = _without(self.booked, before), _without(before, self.booked)
        return Changes(tuple(booked), tuple(cancelled), records)

    def _looked_at_records(self, now: Records) -> tuple[RecordChange, ...] | None:
        if self.records is None:
            self.records = RecordsSeen(now, now)
            return None
        changes = changes_between(self.records.after, now)
        self.records = RecordsSeen(self.records.before, now)
        return changes

    @property
    def not_given(self) -> str:
        """Returns what stands otherwise than the goal gives it, if it was looked at; else empty."""
        if self.records is None or self._goal is None:
            return ""
        told = next(_not_given(self._goal.given, self.records.before), "")
        hint = "the `backend` fixture has to set up what `goal.given` holds"
        return f"{told}: {hint}" if told else ""

    def keep(self, calls: Sequence[ToolCall], users_calls: Sequence[ToolCall]) -> None:
        """A turn was kept with these calls; a bot that was cut off may have made more since."""
        self._told += len(calls)
        self._users_told += len(users_calls)

    def ended(self, place: str) -> Stop | None:
        """Says why the dialogue is over, if a tool has ended it."""
        if not self._finished:
            return None
        return Stop(StopReason.SYSTEM_DONE, f"a tool ended the dialogue in {place}")

    def out_of_steps(self, turns: Sequence[Turn]) -> Stop | None:
        """Says why there can be no further turn, if the steps are used up."""
        steps = self._steps(turns)
        if self._most_steps is None or steps < self._most_steps:
            return None
        return Stop(StopReason.TURN_LIMIT, f"{steps} replies and calls were made")

    def after(self, turns: Sequence[Turn], stop: Stop | None) -> Stop | None:
        """How the last of these turns ended, which ended by `stop` as far as one could tell so far.

        A bot may call many tools in one turn: what it does past the limit comes too late. One that
        has used up its steps with a call, and so says nothing, is not to blame for that.
        """
        if stop is not None and stop.reason is StopReason.EMPTY_REPLY:
            return self.out_of_steps(turns) or stop
        steps = self._steps(turns)
        within_limit = self._most_steps is None or steps <= self._most_steps
        if within_limit or (stop is not None and stop.reason not in OVERRUN):
            return stop
        made = f"{steps} replies and calls were made, expected at most {self._most_steps}"
        return Stop(StopReason.TURN_LIMIT, made)

    def _steps(self, turns: Sequence[Turn]) -> int:
        """So far; what comes beside or after a call that ends it all does not count."""
        replies = [bool(turn.system) for turn in turns]
        if replies and self._finished:
            replies[-1] = False
        return sum(replies) + calls_of(self.backend)

    @property
    def _finished(self) -> bool:
        return bool(getattr(self.backend, "finished", False))


def _not_given(given: Records, stands: Records) -> Iterator[str]:
    for kind, rows in given.items():
        found = stands.get(kind, ())
        for row, now in paired(kind, rows, [_part_of(each, rows) for each in found]):
            if row is None:
                continue
            if now is None:
                yield f"the goal gives {name_of(kind, row)}, and the backend does not show it"
                continue
            for field, value in row.items():
                if str(now.get(field)) != str(value) and not same(now.get(field), value):
                    told = f"{field} is {now.get(field)!r:.60}, given {value!r:.60}"
                    yield f"{name_of(kind, row)} is not as the goal gives it ({told})"


def _part_of(record: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Returns a record without the fields of which the goal says nothing."""
    known = {field for row in rows for field in row}
    return {field: value for field, value in record.items() if field in known}


def _without(some: Sequence[Booking], others: Sequence[Booking]) -> Iterator[Booking]:
    """Those of some bookings that are not among others, each as often as it stands there more."""
    left = Counter(map(_identity, others))
    for booking in some:
        key = _identity(booking)
        if left[key]:
            left[key] -= 1
        else:
            yield booking


def _identity(booking: Booking) -> tuple[str, str, frozenset[tuple[str, str]]]:
    return booking.domain, booking.reference, frozenset(booking.slots.items())
