"""On the path of a Python: makes it macOS, as far as Linux lets us try.

There is no /proc, no seccomp, no user namespaces, and what os and socket have on Linux alone.
"""

# What the standard library needs here, it takes while it is imported.
import asyncio  # noqa: F401
import builtins
import ctypes.util  # noqa: F401
import io
import multiprocessing.util  # noqa: F401
import os
import platform
import socket
import subprocess  # noqa: F401
import sys
import sysconfig
import tempfile  # noqa: F401
import types
import urllib.request
import uuid  # noqa: F401
import webbrowser  # noqa: F401
from typing import Any

NOT_THERE = {
    os: "pidfd_open memfd_create unshare setns sched_getaffinity getxattr setxattr eventfd",
    socket: "AF_NETLINK AF_PACKET SOCK_CLOEXEC SOCK_NONBLOCK TCP_INFO TCP_USER_TIMEOUT",
}


def _without_proc(owner: Any, name: str) -> None:
    real = getattr(owner, name)

    def guarded(path: Any, *others: Any, **options: Any) -> Any:
        if isinstance(path, str | os.PathLike) and os.fspath(path).startswith("/proc"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return real(path, *others, **options)

    setattr(owner, name, guarded)


for owner, names in NOT_THERE.items():
    for each in names.split():
        if hasattr(owner, each):
            delattr(owner, each)
for each in ("open", "listdir", "stat", "readlink", "scandir"):
    _without_proc(os, each)
_without_proc(builtins, "open")
_without_proc(io, "open")
sysconfig.get_config_vars()
sys.modules["_scproxy"] = types.SimpleNamespace(  # type: ignore[assignment]
    _get_proxy_settings=dict, _get_proxies=dict
)
urllib.request.getproxies = urllib.request.getproxies_environment
sys.platform = "darwin"
platform.system = lambda: "Darwin"
