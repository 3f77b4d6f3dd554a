"""The kernel's part: a seccomp filter (Linux 5.7) that has a supervisor asked before connections.

The filter holds for all threads of this process and all processes it starts from then on, whatever
their language: none of them gets rid of it. It decides nothing itself: `warden` answers, and says
yes to all while no dialogue replays. See seccomp(2) and seccomp_unotify(2).
"""

import ctypes
import os
import platform
import struct
import sys
from typing import NamedTuple


class _Numbers(NamedTuple):
    """What an architecture calls its system calls."""

    audit: int
    seccomp: int
    connect: int
    sendto: int
    sendmsg: int
    sendmmsg: int
    io_uring_setup: int


NUMBERS = {
    "x86_64": _Numbers(0xC000003E, 317, 42, 44, 46, 307, 425),
    "aarch64": _Numbers(0xC00000B7, 277, 203, 206, 211, 269, 425),
}
SET_MODE_FILTER, GET_ACTION_AVAIL = 1, 2
TSYNC, SPEC_ALLOW, NEW_LISTENER, TSYNC_ESRCH, WAIT_KILLABLE = 1, 4, 8, 16, 32
NOTIFY, ALLOW = 0x7FC00000, 0x7FFF0000
HANDING_OVER = 0x804
"""The flags of the one `sendmsg` that passes unasked: it brings the supervisor its descriptor."""
PR_SET_PTRACER, PR_SET_NO_NEW_PRIVS = 0x59616D61, 38
EACCES, EINVAL = 13, 22
LOAD, JUMP_EQUAL, JUMP_GREATER, RETURN = 0x20, 0x15, 0x35, 0x06
X32 = 0x40000000
"""x86-64's other numbers for the same calls have this bit."""


class KernelRefused(Exception):
    """The kernel, or what the process runs in, does not let us ask."""


def why_not() -> str | None:
    """Says why this machine cannot have the filter; None if it seems to."""
    if sys.platform != "linux":
        return f"there is none on {platform.system() or sys.platform}"
    numbers = NUMBERS.get(platform.machine())
    if numbers is None or sys.maxsize < 1 << 32:
        return f"not known for {platform.machine()}"
    action = ctypes.c_uint32(NOTIFY)
    if _call(numbers.seccomp, GET_ACTION_AVAIL, 0, ctypes.byref(action)) != 0:
        return f"seccomp cannot notify ({os.strerror(ctypes.get_errno())})"
    return None


def can_look() -> bool:
    """Says whether this system shows whose its connections are, for who cannot have the filter."""
    readable = (os.access(f"/proc/{name}", os.R_OK) for name in ("thread-self/children", "net/tcp"))
    return sys.platform == "linux" and all(readable)


def install() -> int:
    """Puts the filter over this process; the descriptor at which a supervisor is asked.

    Until the supervisor answers, connections wait. Raises KernelRefused; nothing has changed then.
    """
    numbers = NUMBERS[platform.machine()]
    program = _program(numbers)
    code = ctypes.create_string_buffer(program, len(program))
    fprog = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    flags = TSYNC | SPEC_ALLOW | NEW_LISTENER | TSYNC_ESRCH
    # Without WAIT_KILLABLE (Linux 5.19) a signal starts a call anew.
    for more in (WAIT_KILLABLE, 0):
        for with_privileges in (True, False):
            if not with_privileges:
                _prctl(PR_SET_NO_NEW_PRIVS, 1)
            found = _call(numbers.seccomp, SET_MODE_FILTER, flags | more, fprog)
            if found >= 0:
                return found
            error = ctypes.get_errno()
            if error != EACCES:
                break
        if error != EINVAL:
            break
    raise KernelRefused(f"seccomp: {os.strerror(error)}")


def let_read(pid: int) -> None:
    """Lets the supervisor read addresses in this process's memory if Yama restricts that."""
    _prctl(PR_SET_PTRACER, pid)


def _program(numbers: _Numbers) -> bytes:
    """In the kernel's own little language: which calls are asked about. All others pass at once."""
    asked, passed = _instruction(RETURN, NOTIFY), _instruction(RETURN, ALLOW)
    parts = [
        _instruction(LOAD, 4),  # the architecture: programs of another one pass
        _instruction(JUMP_EQUAL, numbers.audit, 1, 0),
        passed,
        _instruction(LOAD, 0),  # the call
        _instruction(JUMP_GREATER, X32, 0, 1),
        passed,
    ]
    # Where a message goes stands in memory, which the filter cannot read.
    for number in (numbers.connect, numbers.io_uring_setup, numbers.sendmmsg):
        parts += [_instruction(JUMP_EQUAL, number, 0, 1), asked]
    # `send` is a `sendto` without an address.
    parts += [
        _instruction(JUMP_EQUAL, numbers.sendto, 0, 6),
        _instruction(LOAD, _argument(4)),
        _instruction(JUMP_EQUAL, 0, 0, 3),
        _instruction(LOAD, _argument(4) + 4),
        _instruction(JUMP_EQUAL, 0, 0, 1),
        passed,
        asked,
    ]
    parts += [
        _instruction(JUMP_EQUAL, numbers.sendmsg, 0, 4),
        _instruction(LOAD, _argument(2)),
        _instruction(JUMP_EQUAL, HANDING_OVER, 0, 1),
        passed,
        asked,
    ]
    return b"".join([*parts, passed])


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _argument(index: int) -> int:
    """Returns the offset of an argument's lower half in `struct seccomp_data`."""
    return 16 + 8 * index


def _call(number: int, operation: int, flags: int, argument: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    found: int = libc.syscall(ctypes.c_long(number), operation, flags, argument)
    return found


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
