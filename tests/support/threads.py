"""Threads of a test that run at the same time."""

import threading
from collections.abc import Iterable

__all__ = ["run_together"]


def run_together(threads: Iterable[threading.Thread]) -> None:
    """Start all of them, then wait until each has ended."""
    started = list(threads)
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
