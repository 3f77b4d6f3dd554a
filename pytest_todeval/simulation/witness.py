"""What the loop sees of a dialogue's backend: what was called and booked, and when it is over."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pytest_todeval.backends.own import as_backend
from pytest_todeval.backends.protocol import calls_of, steps_of
from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.faults import Stop

OVERRUN = (StopReason.SYSTEM_DONE, StopReason.TURN_TIMEOUT, StopReason.DIALOGUE_TIMEOUT)
"""How a turn may end that has gone past the limit of steps, which then is the reason."""


class Changes(NamedTuple):
    """What a turn changed in what stands booked."""

    booked: tuple[Booking, ...] | None = None
    """None if nobody could look."""
    cancelled: tuple[Booking, ...] = ()


NOT_LOOKED = Changes()


class Witness:
    """Looks at the backend of one dialogue from outside; there may be none.

    Steps are replies and calls of tools. Raises UsageError for a backend without `bookings`.
    """

    def __init__(self, backend: Any) -> None:
        self.backend = None if backend is None else as_backend(backend)
        self._most_steps = steps_of(self.backend)
        self._told = self._users_told = 0
        self.booked: tuple[Booking, ...] | None = None
        """What stood booked when last looked; None before that."""

    @property
    def calls(self) -> list[ToolCall]:
        """What was called since the last turn that was kept."""
        return [] if self.backend is None else self.backend.trace[self._told :]

    @property
    def users_calls(self) -> tuple[ToolCall, ...]:
        """What the user called of its own tools since then, if it has some."""
        return tuple(getattr(self.backend, "user_trace", ()))[self._users_told :]

    @property
    def keeps_bookings(self) -> bool:
        """Whether there is a backend whose bookings tell what the bot has booked."""
        return self.backend is not None and getattr(self.backend, "keeps_bookings", True)

    @property
    def has_looked(self) -> bool:
        """Whether it is known what stood booked before."""
        return self.booked is not None

    def looked(self, now: Sequence[Booking]) -> Changes:
        """What has changed since the last look; `now` stands booked. The first look cannot tell.

        A booking that was changed is both cancelled, as it was, and booked, as it is.
        """
        before, self.booked = self.booked, tuple(now)
        if before is None:
            return NOT_LOOKED
        if before == self.booked:
            return Changes((), ())
        booked, cancelled = _without(self.booked, before), _without(before, self.booked)
        return Changes(tuple(booked), tuple(cancelled))

    def keep(self, calls: Sequence[ToolCall], users_calls: Sequence[ToolCall]) -> None:
        """A turn was kept with these calls; a bot that was cut off may have made more since."""
        self._told += len(calls)
        self._users_told += len(users_calls)

    def ended(self, place: str) -> Stop | None:
        """Why the dialogue is over, if a tool has ended it."""
        if not self._finished:
            return None
        return Stop(StopReason.SYSTEM_DONE, f"a tool ended the dialogue in {place}")

    def out_of_steps(self, turns: Sequence[Turn]) -> Stop | None:
        """Why there can be no further turn, if the steps are used up."""
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
