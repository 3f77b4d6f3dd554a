"""Connections that were open before a dialogue, over which a bot may speak without connecting.

What Python sends over them asks the router (`recording.network`). For C code Linux counts the bytes
of each connection: it can be told afterwards that some went out, but not who sent them.
"""

import os
import socket
import stat
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress

from pytest_todeval.recording.address import is_loopback
from pytest_todeval.recording.own_sockets import own_sockets

TCP_INFO_LENGTH = 208
NOT_SENT, SENT = 144, 200
"""In the kernel's `struct tcp_info`: bytes that wait to be sent (32 bits), and that were (64)."""
Sent = dict[int, tuple[str, int, int]]
"""By the inode of a connection that this process made: host, port and bytes sent over it."""


def sent() -> Sent:
    """What went out until now over each TCP connection of this process; nothing but on Linux."""
    if sys.platform != "linux":
        return {}
    listening, found = set[int](), dict[int, tuple[int, str, int, int]]()
    with own_sockets():
        for inode, descriptor in _sockets():
            with suppress(OSError, ValueError), socket.socket(fileno=os.dup(descriptor)) as opened:
                if opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    listening.add(opened.getsockname()[1])
                elif opened.family in (socket.AF_INET, socket.AF_INET6):
                    info = opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_LENGTH)
                    waiting = struct.unpack_from("=I", info, NOT_SENT)[0]
                    out = struct.unpack_from("=Q", info, SENT)[0] + waiting
                    found[inode] = opened.getsockname()[1], *opened.getpeername()[:2], out
    return {
        inode: (host, port, out)
        for inode, (local, host, port, out) in found.items()
        if local not in listening
    }


def went_out(before: Sent) -> Iterator[tuple[str, int, int]]:
    """Host and port of each connection that was open then and sent since, and how many bytes."""
    now = sent() if before else {}
    for inode, (host, port, out) in before.items():
        if inode in now and now[inode][2] > out:
            yield host, port, now[inode][2] - out


def _sockets() -> Iterator[tuple[int, int]]:
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):  # the one that listed them is closed
            found = os.fstat(descriptor)
            if stat.S_ISSOCK(found.st_mode):
                yield found.st_ino, descriptor


def is_served(connection: socket.socket) -> bool:
    """Says whether a server of this process accepted it, as far as the system shows that."""
    try:
        from pytest_todeval.recording.jail.lookout import listening
    except ImportError:  # no Linux: there is no `fcntl`, or no `/proc`
        return is_loopback(str(connection.getpeername()[0]))
    return connection.getsockname()[1] in {port for _, port in listening()}
