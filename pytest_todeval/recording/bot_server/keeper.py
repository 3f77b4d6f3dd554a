"""The keeper: runs a bot's server, and ends it, with all it started, when pytest ends in any way.

It runs with the standard library alone and imports nothing of this package:
`keeper.py FD COMMAND...`, if FD is the end of a pipe whose other end only pytest has. It ends the
server when that end is closed or when it gets SIGTERM, and exits as the server did: with its
status, or with 128 and the number of the signal.

On Linux, processes that leave the server's group come back to the keeper as its children
(PR_SET_CHILD_SUBREAPER), and a keeper that is killed takes the server along (PR_SET_PDEATHSIG).
"""

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

GRACE = 5.0
"""Seconds that the server has to end by itself."""
GLANCE = 0.02
LOOK = 1.0
"""Seconds between two looks at whether pytest still runs."""
NOT_STARTED = 127
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def main(arguments: Sequence[str]) -> int:
    """Runs the command until it ends, or until nobody needs it any more; its exit status."""
    lifeline, command, parent = int(arguments[0]), list(arguments[1:]), os.getppid()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    server = os.fork()
    if server == 0:
        _become(command, lifeline)
    status: int | None = None
    while status is None and not stopped and os.getppid() == parent:
        ready, _, _ = select.select([lifeline, woken], [], [], LOOK)
        if woken in ready:
            os.read(woken, 4096)
        if lifeline in ready:
            break
        status = _reaped(server)
    return _end(server, status)


def _become(command: list[str], lifeline: int) -> None:
    os.setpgid(0, 0)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.close(lifeline)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be started: {error}\n".encode())
    os._exit(NOT_STARTED)


def _end(server: int, status: int | None) -> int:
    """Asks all that is left to end, then kill it; the server's exit status."""
    _signal_all(server, signal.SIGTERM)
    until = time.monotonic() + GRACE
    while time.monotonic() < until and _left(server):
        found = _reaped(server)
        status = found if status is None else status
        time.sleep(GLANCE)
    while _left(server):
        _signal_all(server, signal.SIGKILL)
        found = _reaped(server)
        status = found if status is None else status
        time.sleep(GLANCE)
    return NOT_STARTED if status is None else status


def _reaped(server: int) -> int | None:
    """Takes the exit of whatever ended; the server's exit status if it is among it."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == server:
            code = os.waitstatus_to_exitcode(status)
            found = code if code >= 0 else 128 - code


def _signal_all(server: int, number: int) -> None:
    with suppress(OSError):
        os.killpg(server, number)
    for pid in _descendants():
        with suppress(OSError):
            os.kill(pid, number)


def _left(server: int) -> bool:
    """Whether any process of the server's still runs; its group, if the system does not tell."""
    if os.path.isdir("/proc/self/task"):
        return bool(_descendants())
    try:
        os.killpg(server, 0)
    except OSError:
        return False
    return True


def _descendants() -> list[int]:
    """Returns the processes below this one that still run, as Linux tells."""
    children: dict[int, list[int]] = {}
    ended = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc/self/task") else ():
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, parent, *_ = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(parent), []).append(int(name))
        if state in "ZX":
            ended.add(int(name))
    found, todo = list[int](), [os.getpid()]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return [pid for pid in found if pid not in ended]


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
