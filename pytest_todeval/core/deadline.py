"""Until when the code now running is waited for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pytest_todeval.core.context import holding

_UNTIL: ContextVar[float | None] = ContextVar("todeval_deadline", default=None)


@contextmanager
def waited_for(seconds: float) -> Iterator[None]:
    """Run the body, which is waited for so long; what it calls in a copy of its context knows."""
    with holding(_UNTIL, time.monotonic() + seconds):
        yield


def remaining() -> float | None:
    """Seconds for which the code now running is still waited for; None if nobody sets a time."""
    until = _UNTIL.get()
    return None if until is None else until - time.monotonic()
