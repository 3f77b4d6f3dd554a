"""The bot's server as a process of its own: started, waited for, stopped."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.address import Address

__all__ = ["served"]

POLL = 0.05
"""Seconds between two tries to connect."""
GRACE = 5.0
"""Seconds that it has to end by itself."""


@contextmanager
def served(
    command: Sequence[str],
    url: str,
    *,
    cwd: str | Path | None,
    env: Mapping[str, str],
    timeout: float,
) -> Iterator[str]:
    """A server while it runs; its URL. What it prints goes where this process prints.

    Raises UsageError if it cannot be started, ends, or does not listen within `timeout` seconds.
    """
    port = _free_port()
    command = [part.replace("{port}", str(port)) for part in command]
    url = url.replace("{port}", str(port))
    address = Address.parse(url)
    variables = {**os.environ, "PORT": str(port), **env}
    try:
        # A group of its own: launchers such as `npm start` leave their children behind.
        process = subprocess.Popen(command, cwd=cwd, env=variables, start_new_session=True)
    except OSError as error:
        raise UsageError(f"the bot's server {command[0]!r} cannot be started: {error}") from None
    try:
        _await(process, command, address, timeout)
        yield url
    finally:
        _stop(process)


def _await(
    process: "subprocess.Popen[bytes]", command: Sequence[str], address: Address, timeout: float
) -> None:
    until = time.monotonic() + timeout
    while not _listens(address):
        if process.poll() is not None:
            raise UsageError(
                f"the bot's server `{' '.join(command)}` ended with status {process.returncode} "
                f"before it listened at {address}; what it printed is below, or above with `-s`"
            )
        if time.monotonic() > until:
            raise UsageError(
                f"the bot's server `{' '.join(command)}` does not listen at {address} after "
                f"{timeout:g} s: let it listen at the port in the variable PORT, or put `{{port}}` "
                "into its command"
            )
        time.sleep(POLL)


def _listens(address: Address) -> bool:
    with suppress(OSError), socket.create_connection((address.host, address.port or 80), 1):
        return True
    return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _stop(process: "subprocess.Popen[bytes]") -> None:
    _signal(process, signal.SIGTERM)
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
    if hasattr(signal, "SIGKILL"):
        _signal(process, signal.SIGKILL)  # what is left of its group
    process.wait()


def _signal(process: "subprocess.Popen[bytes]", number: int) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.terminate()
