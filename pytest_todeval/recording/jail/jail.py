"""The jail of this process: it tells the warden what may be reached, and takes what it saw."""

import json
import os
import socket
import sys
import threading
import time
from _thread import start_new_thread
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pytest_todeval.recording.jail import kernel
from pytest_todeval.recording.own_sockets import own_sockets

WAIT_START = 10.0
WAIT_SETTLE = 5.0
LONGEST_MESSAGE = 1 << 16
WARDEN = Path(__file__).with_name("warden.py")
"""A program of its own; what it needs is on Linux only, so nothing imports it elsewhere."""


class Reach(NamedTuple):
    """What the code that runs now may reach."""

    mode: str = "pass"
    """`pass`: everything; `watch`: everything, and it is told; `block`: what is allowed."""
    allowed: tuple[tuple[str, int | None], ...] = ()
    names: bool = False
    """Whether names may be looked up, since one is allowed."""
    lane: bool = False
    """Whether code of a dialogue runs."""


class SeenConnection(NamedTuple):
    """A connection that was made, or was to be made, by what no adapter is put on."""

    host: str
    port: int
    kind: str
    who: str
    """The client and its place, for a person: `C code called at bot.py:12`."""
    own: bool
    """Whether this process made it, rather than one that it started."""
    blocked: bool
    at: int = 0
    """When, by `time.monotonic_ns`, which all processes of a machine share; 0 is now."""


class Jail:
    """Kept by the kernel if `lock` could put it there; else `why_not` says why."""

    def __init__(self, tell: Callable[[SeenConnection], None]) -> None:
        """`tell` gets what was seen, in another thread or in `settle`."""
        self._tell = tell
        self._control: socket.socket | None = None
        self._policy = Reach()
        self._sending = threading.Lock()
        self._announced: dict[tuple[int, int], deque[object]] = defaultdict(deque)
        self._made: deque[tuple[tuple[int, int], object]] = deque()
        self._settled = threading.Event()
        self._later: list[SeenConnection] = []
        self.why_not: str | None = "not asked for"
        self.lost = False
        """Whether the warden is gone: then no process with the filter can connect."""

    @property
    def by_kernel(self) -> bool:
        return self._control is not None

    def lock(self) -> None:
        """Has the kernel keep it from now on; `why_not` stands if it cannot."""
        if self._control is not None:
            return
        self.why_not = kernel.why_not()
        if self.why_not is not None:
            return
        try:
            control = _started_warden()
            listener = kernel.install()
        except (kernel.KernelRefused, OSError) as error:
            self.why_not = str(error)
            return
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, listener.to_bytes(4, sys.byteorder))]
        control.sendmsg([b"1"], rights, kernel.HANDING_OVER)  # `send_fds` leaves flags out
        os.close(listener)
        self._control = control
        start_new_thread(self._listen, (control,))
        os.register_at_fork(after_in_child=self._forget)

    def obey(self, policy: Reach) -> None:
        """From now on this holds, for all threads and for the processes that dialogues started."""
        with self._sending:
            if policy == self._policy:
                return
            moved = policy.lane or self._policy.lane
            self._policy = policy
            now, last_pid = time.clock_gettime_ns(time.CLOCK_BOOTTIME), _last_pid(moved)
            self._say({**policy._asdict(), "now": now, "last_pid": last_pid})

    @contextmanager
    def announced(self, port: int | None) -> Iterator[None]:
        """While the thread now running connects by a socket of Python, which was looked at already.

        The kernel may tell of it long after, if the machine is busy: until then it is remembered,
        whatever dialogue is over.
        """
        if self._control is None or port is None:
            yield
            return
        key, mark = (threading.get_native_id(), port), object()
        self._announced[key].append(mark)
        try:
            yield
        finally:
            self._made.append((key, mark))

    def settle(self, passes: Callable[[str, int], bool]) -> None:
        """Returns when all that was seen until now is told."""
        if self._control is None or self.lost:
            return
        self._settled.clear()
        made = [self._made.popleft() for _ in range(len(self._made))]
        self._say({"settle": True})
        if not self._settled.wait(WAIT_SETTLE):
            self._made.extendleft(reversed(made))
            return
        for key, mark in made:
            # The warden answers the kernel after it told: of these nothing more will be heard.
            with suppress(ValueError):
                self._announced[key].remove(mark)
        later, self._later = self._later, []
        for seen in later:
            # Before it connects, the C library tries what addresses of a name can be routed to.
            if not passes(seen.host, seen.port):
                self._tell(seen)

    def _say(self, message: Mapping[str, Any]) -> None:
        if self._control is None:
            return
        try:
            self._control.send(json.dumps(message).encode())
        except OSError:
            self.lost = True

    def _listen(self, control: socket.socket) -> None:
        while True:
            try:
                data = control.recv(LONGEST_MESSAGE)
            except OSError:
                data = b""
            if not data:
                self.lost = True
                self._settled.set()
                return
            message = json.loads(data)
            if "settle" in message:
                self._settled.set()
            elif "read" in message:
                found = _memory(message["read"], message["place"], message["length"])
                self._say({"read": message["read"], "bytes": found.hex()})
            else:
                self._take(message)
                self._say({"seen": message["event"]})

    def _take(self, event: Mapping[str, Any]) -> None:
        waiting = self._announced[event["tid"], event["port"]]
        if waiting and not event["blocked"]:
            with suppress(IndexError):
                waiting.popleft()
            return
        who = _thread(event) if event["own"] else named_process(event["pid"], event["command"])
        to = event["host"], event["port"], event["kind"]
        seen = SeenConnection(*to, who, event["own"], event["blocked"], event["at"])
        if event["kind"] == "udp" and event["call"] == "connect":
            # Nothing is sent by it.
            if event["blocked"]:
                self._later.append(seen)
            return
        self._tell(seen)

    def _forget(self) -> None:
        """In a forked child: the socket is the parent's."""
        self._sending = threading.Lock()
        if self._control is not None:
            self._control.close()
            self._control, self.why_not = None, "forked"


def _started_warden() -> socket.socket:
    """Returns the socket to a warden that is ready. Raises OSError, KernelRefused."""
    with own_sockets():
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        os.set_inheritable(its.fileno(), True)
        # Not by `subprocess`, which tests replace.
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", str(WARDEN), str(its.fileno())],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
            ],
        )
    os.waitpid(pid, 0)
    ours.settimeout(WAIT_START)
    data = ours.recv(LONGEST_MESSAGE)
    ours.settimeout(None)
    if not data:
        raise kernel.KernelRefused("the process that would watch did not start")
    kernel.let_read(json.loads(data)["warden"])
    return ours


def _last_pid(moved: bool) -> int:
    """The id of the youngest process, if a lane begins or ends: the warden needs it then only."""
    if not moved:
        return 0
    with open("/proc/loadavg", "rb") as file:
        return int(file.read().split()[-1])


def _memory(tid: int, place: int, length: int) -> bytes:
    try:
        with open(f"/proc/{tid}/mem", "rb", buffering=0) as memory:
            return os.pread(memory.fileno(), length, place)
    except (OSError, OverflowError):
        return b""


def named_process(pid: int, command: str) -> str:
    """Returns one that a dialogue started, by its program only: its arguments may hold a key."""
    words = command.split() or ["?"]
    script = next((w for w in words[1:] if w.endswith((".py", ".js", ".sh"))), "")
    name = " ".join(Path(word).name for word in (words[0], script) if word)
    return f"the process {pid} ({name}), which the dialogue started"


KNOWN = ("grpc", "pycurl", "curl_cffi", "uvloop", "psycopg2", "psycopg", "zmq", "pymongo")
"""Packages that connect without Python's sockets, as far as they are guessed at."""


def _thread(event: Mapping[str, Any]) -> str:
    idents = {t.native_id: t.ident for t in threading.enumerate()}
    frame = sys._current_frames().get(idents.get(event["tid"]) or -1)
    inner, where = "", ""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        inner = inner or module
        file = frame.f_code.co_filename
        if not where and module != "pytest_todeval" and not _is_library(file):
            where = f"{Path(file).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    if inner in KNOWN or not where:
        client = inner if inner in KNOWN else client_guess()
        return f"{client} called at {where}" if where else f"{client} in thread {event['thread']}"
    return f"{client_guess()} called at {where}"


def client_guess() -> str:
    """Returns which clients of this process may have connected past Python's sockets."""
    return " or ".join(name for name in KNOWN if name in sys.modules) or "C code"


def _is_library(file: str) -> bool:
    library = str(Path(os.__file__).parent)
    return file.startswith(("<", library)) or "site-packages" in file
