"""The command that starts a bot's server, with its port."""

import os
import shlex
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_todeval.errors import UsageError

PORT = "{port}"
OPTIONS = {
    **dict.fromkeys(
        (
            *("uvicorn", "fastapi", "flask", "quart", "sanic", "granian", "litestar"),
            *("daphne", "waitress-serve", "rasa"),
        ),
        ("--port", PORT),
    ),
    **dict.fromkeys(("gunicorn", "hypercorn"), ("--bind", f"127.0.0.1:{PORT}")),
}
"""By program: the option that takes its port."""
SHORT = {"--port": "-p", "--bind": "-b"}
TRIES = 1000


def command_at(command: str | Sequence[str], port: int) -> list[str]:
    """Returns the words of a command, with the port in them if they have a place for it.

    Raises UsageError for an empty command, and for one that fixes its port.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(map(str, command))
    except ValueError as error:
        raise UsageError(
            f"the command of the bot's server `{command}` cannot be read: {error}"
        ) from None
    if not words:
        raise UsageError("the command of the bot's server is empty")
    if not any(PORT in word for word in words):
        words += _option(words)
    return [word.replace(PORT, str(port)) for word in words]


def environment_at(port: int, env: Mapping[str, str]) -> dict[str, str]:
    """Returns what a server finds in its environment.

    Programs installed beside the Python that runs pytest are found, whether or not its virtual
    environment is activated. Raises UsageError for a value that is no text.
    """
    for name, value in env.items():
        if not isinstance(value, str):
            raise UsageError(
                f"the variable {name} of the bot's server is {type(value).__name__} {value!r}, "
                "expected text"
            )
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join(part for part in (beside, os.environ.get("PATH", "")) if part)
    return {**os.environ, "PATH": path, "PORT": str(port), "PYTHONUNBUFFERED": "1", **env}


def free_port() -> int:
    """Returns a port that nobody listens at, and that no other worker of this run is given."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1") or 1)
    share = int(worker) % workers if worker.isdecimal() else 0
    port = 0
    for _ in range(TRIES):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        if port % workers == share:
            break
    return port


def _option(words: Sequence[str]) -> list[str]:
    """The option with which a known server takes its port; nothing for others, which read PORT."""
    program = next((name for word in words if (name := Path(word).name) in OPTIONS), None)
    if program is None:
        return []
    option, value = OPTIONS[program]
    for word in words:
        if word.partition("=")[0] in (option, SHORT[option]):
            raise UsageError(
                f"the bot's server `{shlex.join(words)}` fixes its port by {word}: leave that out "
                f"(`{option} {value}` is added), or write `{{port}}` for the number, which is "
                "another in each process"
            )
    return [option, value]
