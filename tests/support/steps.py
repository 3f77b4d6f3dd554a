"""Work counted in steps, which no machine and no load can change."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest_todeval

PACKAGE = str(Path(pytest_todeval.__file__).parent)


def steps_of(work: Callable[[], object]) -> int:
    """How often our own code calls, is called, or is resumed (as a generator) while `work` runs."""
    count = 0

    def step(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += frame.f_code.co_filename.startswith(PACKAGE)

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
