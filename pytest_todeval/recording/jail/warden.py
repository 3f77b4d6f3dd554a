"""The warden: a process of its own that the kernel asks before connections are made.

It runs with the standard library alone and imports nothing of this package: `warden.py FD`, if
FD is a unix socket (SOCK_SEQPACKET) to the process that is watched. Messages are JSON objects.

It gets `{"mode": "pass" | "watch" | "block", "allowed": [[HOST, PORT], ...], "names": bool,
"lane": bool, "now": NANOSECONDS, "last_pid": N}` when that changes: `lane` says that a dialogue's
code runs, since what it starts then is the dialogue's; a process started otherwise, such as a
fixture's server, is left alone. `last_pid` is the youngest process then. It sends
`{"event": N, ...}` before it answers the kernel; the watched process may look where its thread
stands, and says `{"seen": N}`.

It lives as long as a process with the filter does, since without it no connection could be made.
"""

import errno
import fcntl
import ipaddress
import json
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

RECEIVE, SEND, STILL_VALID = 0xC0502100, 0xC0182101, 0x40082102
CONTINUE = 1
NOTIFICATION, RESPONSE = "=QIIiIQ6Q", "=QqiI"
CALLS = {
    0xC000003E: {42: "connect", 44: "sendto", 46: "sendmsg", 307: "sendmmsg", 425: "io_uring"},
    0xC00000B7: {203: "connect", 206: "sendto", 211: "sendmsg", 269: "sendmmsg", 425: "io_uring"},
}
PIDFD_OPEN, PIDFD_GETFD = 434, 438
LONGEST_ADDRESS = 128
MESSAGE = 64
"""Bytes of a `struct mmsghdr`, which begins with its address's place and length."""
MOST_MESSAGES = 1024
"""Of one `sendmmsg`: the kernel sends no more."""
DNS = 53
WAIT_SEEN = 0.05
"""Seconds: the watched process cannot answer if the thread that connects holds Python's lock."""
WAIT_READ = 0.5
NOT_PERMITTED = errno.ENETUNREACH
"""What a blocked connection fails with: to every client the network is just not there."""
TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
LONGEST_COMMAND = 200
HIGHEST_DESCRIPTOR = 4096


class Warden:
    """Answers the kernel by what the watched process said last."""

    def __init__(self, control: socket.socket, listener: int, watched: int) -> None:
        self._control, self._listener, self._watched = control, listener, watched
        self._policy: dict[str, Any] = {"mode": "pass", "allowed": [], "names": False}
        self._lanes: list[list[int]] = []
        self._last_pids: list[int] = []
        self._seen: set[int] = set()
        self._read: dict[int, str] = {}
        self._ours: dict[tuple[int, int], int | None] = {}
        self._held: set[int] = set()
        """Lanes in which calls were blocked: what they started is held until the run ends."""
        self._blocking: dict[str, Any] | None = None
        """What was said when calls were blocked last."""
        self._count = 0
        self._connected = True

    def serve(self) -> None:
        """Until no process has the filter any more."""
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        poll.register(self._control, select.POLLIN)
        while True:
            for descriptor, event in poll.poll():
                if descriptor != self._listener:
                    self._hear()
                    if not self._connected:
                        poll.unregister(self._control)
                elif event & select.POLLIN:
                    self._answer()
                elif event & (select.POLLHUP | select.POLLERR):
                    return

    def _hear(self) -> None:
        """Takes what the watched process has said. It said it before its later calls."""
        while self._connected:
            try:
                data = self._control.recv(1 << 20, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                # Nobody replays any more; what still runs is to go on.
                self._connected = False
                self._policy, self._blocking = {"mode": "pass"}, None
                return
            self._take(json.loads(data))

    def _take(self, message: dict[str, Any]) -> None:
        if "mode" in message:
            was = bool(self._lanes) and len(self._lanes[-1]) == 1
            if message["lane"] and not was:
                self._lanes.append([message["now"]])
                self._last_pids.append(message["last_pid"])
            elif was and not message["lane"]:
                self._lanes[-1] += [message["now"], message["last_pid"]]
            self._policy = message
            if message["mode"] == "block":
                self._held.add(len(self._lanes) - 1)
                self._blocking = message
        elif "seen" in message:
            self._seen.add(message["seen"])
        elif "read" in message:
            self._read[message["read"]] = message["bytes"]
        elif "settle" in message:
            self._say(message)

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self._control.send(json.dumps(message).encode())
        except OSError:
            self._connected = False

    def _await(self, done: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while self._connected and not done():
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._control], [], [], left)[0]:
                return
            self._hear()

    def _answer(self) -> None:
        buffer = bytearray(struct.calcsize(NOTIFICATION))
        try:
            fcntl.ioctl(self._listener, RECEIVE, buffer, True)
        except OSError:
            return  # who asked is gone
        number, tid, _, call, arch, _, *arguments = struct.unpack(NOTIFICATION, buffer)
        self._hear()
        try:
            error = self._error(number, tid, CALLS[arch][call], arguments)
        except Exception:
            # Who asked is gone, or asks what the kernel itself refuses. Whatever else it may be:
            # this process must not end before those that it answers.
            error = 0
        answer = (number, 0, -error, 0) if error else (number, 0, 0, CONTINUE)
        try:
            fcntl.ioctl(self._listener, SEND, struct.pack(RESPONSE, *answer))
        except OSError:
            return

    def _error(self, number: int, tid: int, call: str, arguments: Sequence[int]) -> int:
        """Returns the error that a call is to fail with; 0 if it is let through."""
        policy = self._policy
        if policy["mode"] == "pass" and self._blocking is None:
            return 0
        pid = _process_of(tid)
        lane = None if pid == self._watched else self._lane_of(pid)
        if policy["mode"] == "pass" and self._blocking is not None:
            if lane not in self._held:
                return 0
            policy = self._blocking  # a child that waits for its dialogue to end
        elif pid != self._watched and lane is None:
            return 0
        block = policy["mode"] == "block"
        if call == "io_uring":
            return errno.ENOSYS if block else 0  # as on a kernel without: clients do without, too
        addresses = self._addresses(tid, call, arguments)
        if not addresses or not _is_valid(self._listener, number):
            return 0
        refused = [each for each in addresses if not self._passes(policy, *each)]
        if not refused:
            return 0
        self._tell(tid, pid, call, (*refused[0], self._kind(pid, arguments[0])), block)
        return NOT_PERMITTED if block else 0

    def _passes(self, policy: dict[str, Any], host: str, port: int) -> bool:
        if port == DNS and host:
            # What a name stands for is asked for names that are allowed, and while recording.
            return bool(policy["names"]) or policy["mode"] == "watch"
        local = _is_loopback(host)
        for allowed, its_port in policy["allowed"]:
            if its_port in (None, port) and (allowed == host or (allowed == "localhost" and local)):
                return True
        return False

    def _tell(self, tid: int, pid: int, call: str, to: tuple[str, int, str], block: bool) -> None:
        self._count += 1
        host, port, kind = to
        event = {
            "event": self._count,
            "tid": tid,
            "own": pid == self._watched,
            "thread": text_of(f"/proc/{tid}/comm").strip(),
            "command": command_of(pid),
            "pid": pid,
            "call": call,
            "host": host,
            "port": port,
            "kind": kind,
            "blocked": block,
            "at": time.monotonic_ns(),
        }
        self._say(event)
        if pid == self._watched:
            self._await(lambda: self._count in self._seen, WAIT_SEEN)
            self._seen.clear()

    def _addresses(self, tid: int, call: str, arguments: Sequence[int]) -> list[tuple[str, int]]:
        """Host and port of all that a call goes to on a network, host "" if unknown."""
        if call == "connect":
            places = [(arguments[1], arguments[2])]
        elif call == "sendto":
            places = [(arguments[4], arguments[5])]
        else:
            count = 1 if call == "sendmsg" else min(arguments[2] & 0xFFFFFFFF, MOST_MESSAGES)
            heads = self._memory(tid, arguments[1], MESSAGE * (count - 1) + 12)
            if heads is None:
                return [("", 0)]
            places = [struct.unpack_from("=QI", heads, MESSAGE * each) for each in range(count)]
        found = [self._at(tid, place, length) for place, length in places if place]
        return [each for each in found if each is not None]

    def _at(self, tid: int, place: int, length: int) -> tuple[str, int] | None:
        data = self._memory(tid, place, min(length & 0xFFFFFFFF, LONGEST_ADDRESS))
        return ("", 0) if data is None else _host_and_port(data)

    def _memory(self, tid: int, place: int, length: int) -> bytes | None:
        """Of a process that this one may not look into, its ancestor may."""
        try:
            descriptor = os.open(f"/proc/{tid}/mem", os.O_RDONLY | os.O_CLOEXEC)
        except PermissionError:
            return self._memory_by_ancestor(tid, place, length)
        try:
            return os.pread(descriptor, length, place)
        finally:
            os.close(descriptor)

    def _memory_by_ancestor(self, tid: int, place: int, length: int) -> bytes | None:
        self._read.pop(tid, None)
        self._say({"read": tid, "place": place, "length": length})
        self._await(lambda: tid in self._read, WAIT_READ)
        found = self._read.pop(tid, "")
        return bytes.fromhex(found) if found else None

    def _kind(self, pid: int, descriptor: int) -> str:
        """`udp` or `tcp`; what may not be looked at counts as `tcp`."""
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        process = libc.syscall(PIDFD_OPEN, pid, 0)
        if process < 0:
            return "tcp"
        try:
            copy = libc.syscall(PIDFD_GETFD, process, ctypes.c_int(descriptor & 0x7FFFFFFF), 0)
        finally:
            os.close(process)
        if copy < 0:
            return "tcp"
        with socket.socket(fileno=copy) as opened:
            kind = opened.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE)
        return "udp" if kind == socket.SOCK_DGRAM else "tcp"

    def _lane_of(self, pid: int) -> int | None:
        """In which lane a dialogue's code started this process, or one that started it."""
        parent, started = parent_and_start(pid)
        key = (pid, started)
        if key not in self._ours:
            found = self._lane_at(pid, started)
            if found is None and parent not in (0, 1, pid, self._watched):
                found = self._lane_of(parent)
            self._ours[key] = found
        return self._ours[key]

    def _lane_at(self, pid: int, started: int) -> int | None:
        """`started`: nanoseconds since boot, of which the kernel tells whole ticks only.

        In the tick in which a lane begins or ends, the process ids say which of the two came first.
        """
        for number in reversed(range(len(self._lanes))):
            lane, last_pid = self._lanes[number], self._last_pids[number]
            if len(lane) > 1:
                _, end, youngest = lane
                if end < started or (end < started + TICK and pid > youngest):
                    return None
            if lane[0] < started:
                return number
            if lane[0] < started + TICK and pid > last_pid:
                return number
        return None


def _host_and_port(data: bytes) -> tuple[str, int] | None:
    family = int.from_bytes(data[:2], sys.byteorder)
    if family == socket.AF_INET and len(data) >= 8:
        host: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.IPv4Address(data[4:8])
    elif family == socket.AF_INET6 and len(data) >= 24:
        six = ipaddress.IPv6Address(data[8:24])
        host = six.ipv4_mapped or six
    else:
        return None
    return str(host), int.from_bytes(data[2:4], "big")


def _is_loopback(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified  # Linux takes 0.0.0.0 for this machine


def _is_valid(listener: int, number: int) -> bool:
    """Says whether who asked still waits: else its memory may have been another's."""
    try:
        fcntl.ioctl(listener, STILL_VALID, struct.pack("=Q", number))
    except OSError:
        return False
    return True


def text_of(path: str) -> str:
    """Returns what a file of the kernel's says; nothing if it is not there."""
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _process_of(tid: int) -> int:
    for line in text_of(f"/proc/{tid}/status").splitlines():
        if line.startswith("Tgid:"):
            return int(line.split()[1])
    raise ProcessLookupError(tid)


def parent_and_start(pid: int) -> tuple[int, int]:
    """Returns the parent, and when it was started: nanoseconds since boot, in whole ticks.

    Raises ProcessLookupError.
    """
    fields = text_of(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if len(fields) < 20:
        raise ProcessLookupError(pid)
    return int(fields[1]), int(fields[19]) * TICK


def command_of(pid: int) -> str:
    """Its program and arguments, as far as they are not too long; nothing if it has ended."""
    return text_of(f"/proc/{pid}/cmdline").replace("\0", " ").strip()[:LONGEST_COMMAND]


def run(descriptor: int) -> None:
    """Leaves the process that started this one, take the kernel's descriptor, and serve."""
    watched = os.getppid()
    if os.fork():
        os._exit(0)  # so that it is nobody's child: nobody waits for it, kills it or counts it
    os.setsid()
    os.closerange(3, descriptor)
    os.closerange(descriptor + 1, HIGHEST_DESCRIPTOR)
    control = socket.socket(fileno=descriptor)
    control.send(json.dumps({"warden": os.getpid()}).encode())
    data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if data and descriptors:
        Warden(control, descriptors[0], watched).serve()


if __name__ == "__main__":
    run(int(sys.argv[1]))
