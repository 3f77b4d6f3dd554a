"""Errors of ours in a test's report."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pytest_todeval.errors import TodevalError


@contextmanager
def plain_errors() -> Iterator[None]:
    """Shows an error of ours as its message: its traceback would show our code, not the user's."""
    try:
        yield
    except TodevalError as error:
        message = f"{type(error).__name__}: {error}"
        raise pytest.fail.Exception(message, pytrace=False) from None
