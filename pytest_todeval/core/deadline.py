"""Until when the code now running is waited for."""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from pytest_todeval.core.context import holding


class Deadline:
    """The end of some seconds, which stand still while a call queues for its turn."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._queues = 0
        self._since = 0.0
        self.stood = 0.0
        """Seconds for which it stood still, as far as that is over."""

    @property
    def stands(self) -> bool:
        return self._queues > 0

    def remaining(self) -> float:
        """Seconds that are left."""
        with self._lock:
            return self._until - (self._since if self._queues else time.monotonic())

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Lets no time pass while the body waits for what is no fault of the one waited for."""
        with self._lock:
            self._queues += 1
            if self._queues == 1:
                self._since = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._queues -= 1
                if not self._queues:
                    passed = time.monotonic() - self._since
                    self._until += passed
                    self.stood += passed


_DEADLINE: ContextVar[Deadline | None] = ContextVar("todeval_deadline", default=None)


@contextmanager
def waited_for(seconds: float) -> Iterator[Deadline]:
    """Runs the body, which is waited for so long; what it calls in a copy of its context knows."""
    deadline = Deadline(seconds)
    with holding(_DEADLINE, deadline):
        yield deadline


def remaining() -> float | None:
    """Seconds for which the code now running is still waited for; None if nobody sets a time."""
    deadline = _DEADLINE.get()
    return None if deadline is None else deadline.remaining()


def queueing() -> AbstractContextManager[None]:
    """Waits in the body for one's turn: that is nobody's delay."""
    deadline = _DEADLINE.get()
    return nullcontext() if deadline is None else deadline.standing()
