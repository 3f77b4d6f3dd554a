"""On the path of a Python: takes from it what Windows has not, as far as Linux lets us try.

Files that are open can be neither replaced nor deleted, as there.
"""

import os
import platform
import signal
import socket
import subprocess
import sys
from typing import Any

NOT_THERE = {
    os: "fork forkpty register_at_fork posix_spawn posix_spawnp pread pwrite sysconf getxattr "
    "killpg setsid setpgid getpgid set_blocking fchmod fchown chown "
    "WNOHANG O_NONBLOCK waitstatus_to_exitcode",
    socket: "send_fds recv_fds SO_REUSEPORT",
    signal: "SIGKILL SIGHUP SIGCHLD SIGALRM SIGUSR1 SIGUSR2 alarm setitimer",
}
MODULES = ["fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "posix_ipc", "syslog"]


class _NotThere:
    def find_spec(self, name: str, *_: object) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _is_open(path: Any) -> bool:
    real = os.path.realpath(path)
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{name}") == real:
                return True
        except OSError:
            continue
    return False


def _closed_only(name: str) -> None:
    real = getattr(os, name)

    def guarded(path: Any, *others: Any, **options: Any) -> Any:
        for each in (path, *others[:1]):
            if isinstance(each, str | os.PathLike) and _is_open(each):
                raise PermissionError(13, "[WinError 32] another process uses the file", str(each))
        return real(path, *others, **options)

    setattr(os, name, guarded)


class _Popen(subprocess.Popen):  # type: ignore[type-arg]
    def __init__(self, *arguments: Any, **options: Any) -> None:
        if options.get("pass_fds") or options.get("preexec_fn"):
            raise ValueError("pass_fds not supported on Windows.")
        super().__init__(*arguments, **options)


# What the standard library needs here, it takes while it is imported.
import asyncio  # noqa: E402, F401
import multiprocessing.util  # noqa: E402, F401
import random  # noqa: E402, F401
import selectors  # noqa: E402, F401
import shutil  # noqa: E402, F401
import tempfile  # noqa: E402, F401

for owner, names in NOT_THERE.items():
    for each in names.split():
        if hasattr(owner, each):
            delattr(owner, each)
for each in ("replace", "rename", "unlink", "remove"):
    _closed_only(each)
for each in MODULES:
    sys.modules.pop(each, None)
sys.meta_path.insert(0, _NotThere())
subprocess.Popen = _Popen  # type: ignore[misc]

# So it is called there; and there is no /proc.
platform.machine = lambda: "AMD64"
_access = os.access
os.access = lambda path, *others, **more: (
    not str(path).startswith("/proc") and _access(path, *others, **more)
)
