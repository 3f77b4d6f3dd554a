"""Without the kernel, on Linux: what got out is seen in /proc while its connection stands.

A socket is told from another by its inode: `/proc/PID/fd` says who has it, `/proc/net` where it
leads. A connection that ends between two looks leaves nothing that is surely its process's.
"""

import ipaddress
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from pytest_todeval.recording.address import is_loopback
from pytest_todeval.recording.jail.jail import SeenConnection, client_guess, named_process
from pytest_todeval.recording.jail.warden import TICK, command_of, parent_and_start, text_of

TABLES = ("tcp", "tcp6", "udp", "udp6")
WAITS = {"tcp": "0A", "udp": "07"}
TIME_WAIT = "06"
"""Of a connection that has ended; nobody's any more."""
_Process = tuple[int, int]
"""Its id, which is used again, and when it was started: nanoseconds since boot."""


class _Row(NamedTuple):
    """A socket in a table of `/proc/net`."""

    kind: str
    local: str
    remote: str
    waits: bool
    """Whether others reach it: it listens, or is bound and not connected."""
    inode: int


class Lookout:
    """Sees connections of this process, and of those that it starts between `begin` and a `look`.

    Its user sees to it that one thread at a time calls it.
    """

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._known: set[int] | None = None
        self._since = 0
        self._others: set[_Process] = set()
        self._started: set[_Process] = set()
        self._waiting: set[tuple[str, int]] = set()

    def begin(self) -> None:
        """What is open now, and the processes that run, are nothing to look at."""
        try:
            self._known = (self._known or set()) | _sockets(self._pid).keys()
        except OSError:
            self._known = None  # a test has put files of its own in the place of the machine's
            return
        self._waiting = set()
        self._since = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - TICK
        self._others = set(_children(self._pid)) - self._started

    def look(self) -> Iterator[SeenConnection]:
        """Connections that were not there before, each once."""
        owners = self._owners()
        if self._known is None or not owners:
            return
        rows = list(_rows())
        self._waiting |= {(row.kind, _port(row.local)) for row in rows if row.waits}
        for row in rows:
            if row.inode not in owners:
                continue
            leads_out = self._leads_out(row)
            if leads_out or row.kind == "tcp":  # it stays what it is
                self._known.add(row.inode)
            if leads_out:
                pid = owners[row.inode]
                own = pid == self._pid
                who = client_guess() if own else named_process(pid, command_of(pid))
                host, port = _host(row.remote), _port(row.remote)
                yield SeenConnection(host, port, row.kind, who, own, blocked=False)

    def _owners(self) -> dict[int, int]:
        """By the inode of a socket that is not known, the process that has it."""
        try:
            owners = self._new_of(self._pid)
        except OSError:
            return {}
        young = (child for child in _children(self._pid) if child[1] >= self._since)
        left = [*self._started, *(set(young) - self._others)]
        self._started = set()
        while left:
            process = left.pop()
            if process in self._started:
                continue
            try:
                theirs = self._new_of(process[0])
                if parent_and_start(process[0])[1] != process[1]:
                    continue
            except OSError:
                continue  # it has ended, or is another user's
            self._started.add(process)
            owners = theirs | owners  # what several share is the eldest's
            left += _children(process[0])
        return owners

    def _new_of(self, pid: int) -> dict[int, int]:
        sockets, known = _sockets(pid), self._known or set()
        return {inode: pid for inode in sockets.keys() - known if _may_lead_out(sockets[inode])}

    def _leads_out(self, row: _Row) -> bool:
        """Not one that was accepted: its port is the one that its server waits at."""
        if row.waits or not _port(row.remote) or (row.kind, _port(row.local)) in self._waiting:
            return False
        # The server may have ended before anybody looked; elsewhere nobody would call at a test.
        return not is_loopback(_host(row.remote)) or (row.kind, _port(row.remote)) in self._waiting


def _sockets(pid: int) -> dict[int, str]:
    """Returns the descriptors of a process's sockets, as paths, by inode. Raises OSError."""
    found, folder = dict[int, str](), f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):  # closed meanwhile
            target = os.readlink(f"{folder}/{name}")
            if target.startswith("socket:["):
                found[int(target[8:-1])] = f"{folder}/{name}"
    return found


def _may_lead_out(descriptor: str) -> bool:
    """No unix socket: event loops make them, and the tables of the others are long."""
    try:
        return os.getxattr(descriptor, "system.sockprotoname")[:3] in (b"TCP", b"UDP")
    except OSError:
        return True


def _children(pid: int) -> Iterator[_Process]:
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            for child in text_of(f"/proc/{pid}/task/{thread}/children").split():
                with suppress(ProcessLookupError):
                    yield int(child), parent_and_start(int(child))[1]


def listening() -> Iterator[tuple[str, int]]:
    """Returns the addresses and TCP ports of this machine that servers listen at."""
    for row in _rows():
        if row.waits and row.kind == "tcp":
            yield _host(row.local), _port(row.local)


def _rows() -> Iterator[_Row]:
    for table in TABLES:
        for line in text_of(f"/proc/net/{table}").splitlines()[1:]:
            _, local, remote, state, *rest = line.split()
            if state != TIME_WAIT:
                kind = table.removesuffix("6")
                yield _Row(kind, local, remote, state == WAITS[kind], int(rest[5]))


def _host(end: str) -> str:
    """Of `0100007F:1F90`: words of 32 bits as they lie in memory."""
    digits = end.partition(":")[0]
    words = (int(digits[start : start + 8], 16) for start in range(0, len(digits), 8))
    found = ipaddress.ip_address(b"".join(word.to_bytes(4, sys.byteorder) for word in words))
    return str(getattr(found, "ipv4_mapped", None) or found)


def _port(end: str) -> int:
    return int(end.partition(":")[2], 16)
