"""A backend whose `call` is another one for a while: with faults, or with a mutant in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_NONE = object()


@contextmanager
def calls_through(backend: Any, call: Callable[..., Any]) -> Iterator[None]:
    """While the body runs, who calls the backend's tools calls this; then all is as it was."""
    own = vars(backend).get("call", _NONE)  # a method of the class is not the object's own
    backend.call = call
    try:
        yield
    finally:
        if own is _NONE:
            del backend.call
        else:
            backend.call = own
