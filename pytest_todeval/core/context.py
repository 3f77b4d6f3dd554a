"""A value that holds for a while: in the code of a `with`, and in copies of its context."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def holding(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Has the variable hold the value for the body, and what it held before afterwards."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)
