"""Sockets that this process makes to itself, where others are stopped."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


def socket_class() -> type[socket.socket]:
    """Python's own class, also while another one stands in its place."""
    return next(c for c in socket.socket.__mro__ if c.__module__ == "socket")


@contextmanager
def own_sockets() -> Iterator[None]:
    """While the body makes sockets to itself: `pytest --disable-socket` is to stop others.

    pytest-socket puts a class of its own in the place of Python's while a test runs.
    """
    theirs = socket.socket
    socket.socket = socket_class()  # type: ignore[misc]
    try:
        yield
    finally:
        socket.socket = theirs  # type: ignore[misc]
