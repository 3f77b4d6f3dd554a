"""The event loop that dialogues run on: one per process, in a thread of its own.

One loop for all dialogues of a process, so that an asynchronous client that a bot keeps from one
dialogue to the next stays with its loop.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from types import FrameType
from typing import Any, ClassVar, TypeVar

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.own_sockets import own_sockets

T = TypeVar("T")

PULSE = 1.0
"""Seconds between two looks at whether the loop still turns."""


class LoopBlocked(Exception):
    """A coroutine keeps the event loop to itself, so that not even its time-out can come."""

    def __init__(self, frame: FrameType | None) -> None:
        super().__init__()
        self.frame = frame
        """Where the loop's thread is."""


class Background:
    """An event loop in a daemon thread: a bot that hangs must not keep the process from exiting."""

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _current: ClassVar["Background | None"] = None

    def __init__(self) -> None:
        with own_sockets():
            self._loop = asyncio.new_event_loop()
        self._blocked = False
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="todeval-loop", daemon=True
        )
        self._thread.start()

    @classmethod
    def of_process(cls) -> "Background":
        """The loop of this process, started when first asked for; a forked child gets its own."""
        with cls._lock:
            current = cls._current
            if current is None or current._blocked or not current._thread.is_alive():
                current = cls._current = Background()
            return current

    def run(self, coroutine: Coroutine[Any, Any, T], *, patience: float) -> T:
        """Returns the coroutine's result, in the caller's context.

        Raises LoopBlocked once the loop has stood still for `patience` seconds, and UsageError when
        called on the loop itself, which would wait for itself for ever.
        """
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise UsageError(
                "run_dialogue was called from an asynchronous bot or user, on the event loop that "
                "runs it: write `await asyncio.to_thread(run_dialogue, ...)`"
            )
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            self._watch(future, patience)
        except BaseException:
            future.cancel()
            raise
        return future.result()

    def _watch(self, future: Future[Any], patience: float) -> None:
        pulse, sent = threading.Event(), time.monotonic()
        self._loop.call_soon_threadsafe(pulse.set)
        while not wait({future}, timeout=min(PULSE, patience)).done:
            if pulse.is_set():
                pulse, sent = threading.Event(), time.monotonic()
                self._loop.call_soon_threadsafe(pulse.set)
            elif time.monotonic() - sent > patience:
                self._blocked = True
                raise LoopBlocked(sys._current_frames().get(self._thread.ident or 0))


def _renew_lock() -> None:
    # Another thread may have held it at the moment of the fork; it does not exist in the child.
    Background._lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)
