"""Where a process that a bot started finds the gateway of its run, whoever passed on what to it.

Clients of MCP start their servers with an environment of their own. So the run leaves the gateway's
address under the number of its process, for what descends from it.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pytest_todeval.errors import UsageError

VARIABLE = "TODEVAL_GATEWAY"
"""The variable that holds the address, for processes that are no descendants."""
MOST_STEPS = 32


@contextmanager
def announced(url: str) -> Iterator[None]:
    """While the gateway of this process is at an address."""
    path = _folder() / str(os.getpid())
    path.parent.mkdir(mode=0o700, exist_ok=True)
    _require_own(path.parent)
    path.touch(mode=0o600)
    path.write_text(url, encoding="utf-8")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def found() -> str | None:
    """Returns the address of the gateway above this process; None if there is none."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    folder, process = _folder(), os.getpid()
    if not folder.is_dir():
        return None
    _require_own(folder)
    for _ in range(MOST_STEPS):
        process = _parent(process)
        if process <= 1:
            break
        with suppress(OSError):
            return (folder / str(process)).read_text(encoding="utf-8")
    return None


def _folder() -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"todeval-{owner}"


def _require_own(folder: Path) -> None:
    """Raises UsageError for a folder that another user could have put there."""
    if hasattr(os, "getuid"):
        status = folder.lstat()
        if status.st_uid != os.getuid() or status.st_mode & 0o077:
            raise UsageError(f"{folder} is not this user's alone: remove it")


def _parent(process: int) -> int:
    """Returns the number of the process that started one; 0 if that is unknown."""
    if process == os.getpid():
        return os.getppid()
    with suppress(OSError, ValueError, IndexError):
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[1])
    with suppress(OSError, ValueError):
        asked = ["ps", "-o", "ppid=", "-p", str(process)]
        return int(subprocess.run(asked, capture_output=True, text=True, check=False).stdout)
    return 0
