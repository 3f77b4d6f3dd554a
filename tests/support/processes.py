"""Processes that a test started, and of which none may be left."""

import os
import time
from pathlib import Path

__all__ = ["await_end"]

LONGEST = 60.0
"""Seconds for a machine that has much else to do."""


def await_end(pid: int) -> None:
    """Return once a process has ended; fails if it goes on."""
    until = time.monotonic() + LONGEST
    while _runs(pid):
        assert time.monotonic() < until, f"{pid} still runs"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        # Whoever inherited one that has ended may not have looked yet.
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except ProcessLookupError:
        return False
    except OSError:  # no /proc here, or it ended just now
        return Path("/proc/self").exists() is False
    return state != "Z"
