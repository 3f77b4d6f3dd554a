"""Tracebacks of a suite's tests without this package's own lines."""

import sysconfig
from pathlib import Path
from types import TracebackType

import pytest

import pytest_todeval
from pytest_todeval.errors import TodevalError

LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
NO_SUITE = (
    Path(pytest_todeval.__file__).parent,
    *(Path(sysconfig.get_paths()[name]) for name in LIBRARIES),
)
"""Where this package and the libraries lie."""


def end_at_the_suite(raised: "pytest.ExceptionInfo[BaseException]", config: pytest.Config) -> None:
    """Ends the traceback of an error of ours at the line of the suite that led to it.

    The message says what is wrong; how we found out says nothing to who has to mend it.
    """
    if not isinstance(raised.value, TodevalError) or config.getoption("fulltrace", False):
        return
    entry: TracebackType | None = raised.tb
    last = None
    while entry is not None:
        file = Path(entry.tb_frame.f_code.co_filename)
        if not any(place in file.parents for place in NO_SUITE):
            last = entry
        entry = entry.tb_next
    if last is not None:
        last.tb_next = None
