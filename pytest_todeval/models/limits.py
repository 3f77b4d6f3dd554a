"""How many real calls are made at once, and in a minute, to one model of one endpoint.

A call counts if it reaches the network, which a replayed one never does: it asks nothing of a
limit and never waits.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from threading import Condition
from typing import Any

from pytest_todeval.core.context import holding
from pytest_todeval.core.deadline import queueing, remaining
from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import book

MINUTE = 60.0
TOO_MANY = 429
"""The status of too many requests."""
GRACE = 1.0
"""Seconds after the end of a turn in which a call made for it ends, too."""


class Limiter:
    """The real calls to one model, from any thread of the process."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, changed: Condition | None = None
    ) -> None:
        self._clock, self._changed = clock, changed or Condition()
        self._begun: deque[float] = deque()
        self._under_way = 0
        self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """The endpoint asks for so long a pause: no call begins before it is over."""
        with self._changed:
            self._paused_until = max(self._paused_until, self._clock() + seconds)

    def enter(self, concurrency: int) -> None:
        """Wait until fewer than `concurrency` calls are under way, and be one more."""
        with self._changed:
            while self._under_way >= concurrency:
                self._changed.wait()
            self._under_way += 1

    def leave(self) -> None:
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()

    def begin(self, per_minute: int | None) -> None:
        """Wait until no pause is asked for and fewer than `per_minute` calls began in the last
        minute, and be one more.
        """
        with self._changed:
            while (wait := self._too_early(per_minute)) > 0:
                self._changed.wait(wait)
            self._begun.append(self._clock())

    def _too_early(self, per_minute: int | None) -> float:
        """Seconds until one more may begin."""
        now = self._clock()
        while self._begun and self._begun[0] <= now - MINUTE:
            self._begun.popleft()
        paused = self._paused_until - now
        if per_minute is None or len(self._begun) < per_minute:
            return paused
        return max(paused, self._begun[-per_minute] + MINUTE - now)


class Passage:
    """One call of a client, with all its tries: on its way to the network, or replayed."""

    def __init__(self, limiter: Limiter, settings: ModelSettings) -> None:
        self._limiter, self.settings = limiter, settings
        self._entered = False
        self.waited = 0.0
        """Seconds spent waiting for the limits."""
        self.tries = 0
        """How often it was tried, replays included."""
        self.asked_at: float | None = None
        """When its last try reached the network, by the monotonic clock; None while it waits."""
        self.waited_for: float | None = None
        """Seconds for which somebody waited for it then; None if nobody sets a time."""

    def wait(self) -> None:
        """A try reaches the network now, or as soon as the limits let it."""
        started, self.asked_at = time.perf_counter(), None
        with queueing():
            if not self._entered:
                self._limiter.enter(calls_at_once(self.settings))
                self._entered = True
            self._limiter.begin(self.settings.per_minute)
        self.waited += time.perf_counter() - started
        self.asked_at, self.waited_for = time.monotonic(), remaining()

    def pause(self, seconds: float) -> None:
        """The endpoint asks for a pause."""
        self._limiter.pause(seconds)

    def leave(self) -> None:
        if self._entered:
            self._entered = False
            self._limiter.leave()


_DIALOGUES: ContextVar[int] = ContextVar("todeval_dialogues_at_once", default=1)
USUAL = 8
"""Real calls at once to a model of which nobody says how many it takes."""


def dialogues_at_once(number: int) -> AbstractContextManager[int]:
    """While so many dialogues are played at once, models may be asked as much at once."""
    return holding(_DIALOGUES, number)


def calls_at_once(settings: ModelSettings) -> int:
    """At most how many real calls are made at once to a model."""
    return settings.concurrency or max(USUAL, _DIALOGUES.get())


_PASSAGE: ContextVar[Passage | None] = ContextVar("todeval_passage", default=None)


@cache
def limiter(base_url: str, model: str) -> Limiter:
    """Returns the limiter of a model: one in the process, whoever asks it."""
    return Limiter()


@contextmanager
def passage(base_url: str, settings: ModelSettings) -> Iterator[Passage]:
    """Keeps the limits for the call made in the body."""
    opened = Passage(limiter(base_url, settings.model), settings)
    calls = book().under_way
    calls.add(opened)
    try:
        with holding(_PASSAGE, opened):
            yield opened
    finally:
        calls.discard(opened)
        opened.leave()


def _end_with_the_turn(request: Any, left: float) -> None:
    """Has a call end soon after nobody waits for it, so that no server works for nobody.

    Not at the same time: the one who waits says what took so long. Raises ModelUnavailable if
    nobody waits by now.
    """
    if left < 0:
        raise ModelUnavailable("the turn is over: nobody waits for the model's answer any more")
    timeouts = request.extensions.get("timeout", {})
    request.extensions["timeout"] = {
        kind: left + GRACE if seconds is None else min(seconds, left + GRACE)
        for kind, seconds in timeouts.items()
    }


def announce(request: Any) -> None:
    """The hook for requests of an httpx client: a call is tried, be it replayed or not."""
    opened = _PASSAGE.get()
    if opened is not None:
        left = remaining()
        if left is not None:
            _end_with_the_turn(request, left)
        opened.tries += 1


def pauses(response: Any) -> None:
    """The hook for responses: an endpoint that has too many requests slows all of us together.

    The pause is waited for with our limits, where it counts as nobody's time, not by the client.
    """
    opened = _PASSAGE.get()
    if response.status_code != TOO_MANY or opened is None or opened.asked_at is None:
        return
    seconds = _asked_pause(response.headers)
    if 0 < seconds <= MINUTE:
        opened.pause(seconds)
        response.headers["retry-after-ms"] = "1"


def _asked_pause(headers: Any) -> float:
    """Seconds, or 0 if the endpoint does not say so, or gives a date, which few do."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        with suppress(ValueError):
            return float(headers.get(name, "")) / unit
    return 0.0


def passing() -> None:
    """The try now made reaches the network: wait until the limits let it."""
    opened = _PASSAGE.get()
    if opened is not None:
        opened.wait()
