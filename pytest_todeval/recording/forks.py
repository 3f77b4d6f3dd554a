"""Processes forked from this one: what they may not do they tell the one that started them."""

import os
from contextlib import suppress

from pytest_todeval.errors import TodevalError

LONGEST = 4000
"""Bytes of a message: so much a pipe takes as one piece, whoever else writes."""
END = b"\0"


class ForkedCall(TodevalError):
    """What a forked process was refused, or did unrecorded, as its parent tells it."""


class Forks:
    """A line from the processes that are forked from here on to this one.

    A forked process has copies of all that its parent has, and whatever it changes in them is lost
    with it.
    """

    def __init__(self) -> None:
        self._parent = os.getpid()
        self._rest = b""
        self._closed = not hasattr(os, "fork")
        if not self._closed:
            self._read, self._write = os.pipe()
            os.set_blocking(self._read, False)
            os.set_blocking(self._write, False)

    @property
    def here(self) -> bool:
        """Says whether the process now running is a forked one."""
        return os.getpid() != self._parent

    def tell(self, message: str) -> None:
        """Tells the parent; what it has not read yet may leave no room, and is then enough."""
        with suppress(OSError):
            os.write(self._write, message.encode("utf-8", "replace")[:LONGEST] + END)

    def told(self) -> list[str]:
        """Returns what the forked processes have told since this was last asked."""
        found = self._rest
        with suppress(BlockingIOError):
            while not self._closed and (part := os.read(self._read, 1 << 16)):
                found += part
        *messages, self._rest = found.split(END)
        return [message.decode("utf-8", "replace") for message in messages]

    def close(self) -> None:
        if not self._closed and not self.here:
            self._closed = True
            os.close(self._read)
            os.close(self._write)
