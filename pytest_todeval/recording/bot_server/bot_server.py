"""A bot's server, from its start to its end."""

import http.client
import os
import platform
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import ClassVar

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.address import Address, is_loopback
from pytest_todeval.recording.bot_server import keeper
from pytest_todeval.recording.bot_server.command import command_at, environment_at, free_port
from pytest_todeval.recording.jail import kernel
from pytest_todeval.recording.outside import to_bot
from pytest_todeval.recording.router import Router

POLL = 0.05
"""Seconds between two tries to connect."""
LAST_BREATH = 10.0
"""Seconds between the last connection of a server that dies and its end."""
PATIENCE = 1.0
"""Seconds for one try."""
MOST_READ = 1_000_000
"""Bytes of a log that are looked at."""
SIGNALLED = 128
LINES = 40
"""Lines of a log that a message has."""
LONGEST = 40_000
FRAME = re.compile(r' +File "([^"\n]*)", line \d+, in [^\n]*\n(?: {4,}[^\n]*\n)*')
LIBRARIES = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3|<frozen |[/\\]bin[/\\]"
)


class BotServer:
    """A server that runs until `stop`, with all the processes it started.

    It is stopped, too, if this process is killed. `BotServer.start` makes one.
    """

    running: ClassVar[list["BotServer"]] = []
    """Those of this process that were started and not stopped, in the order of their starts."""

    def __init__(self, command: Sequence[str], url: str) -> None:
        """Uses `BotServer.start`."""
        self.command = shlex.join(command)
        self.url = url
        """Where it answers: `http://127.0.0.1:41233`, or the URL that was asked for."""
        self.address = Address.parse(url)
        self._told = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._open = ExitStack()
        # Without a name: nothing is left of it, whatever happens to this process.
        self._log = TemporaryFile()  # noqa: SIM115
        self._open.push(self._log)
        self._printed = b""
        """All of the log, once it is closed."""

    @classmethod
    def start(
        cls,
        command: str | Sequence[str],
        url: str = "http://127.0.0.1:{port}",
        *,
        health: str | None = None,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 60.0,
    ) -> "BotServer":
        """Runs the server, and wait until it takes connections, or answers `health` with 2xx.

        `{port}` in `command` and `url` becomes a free port, which also stands in the variable PORT;
        known servers (uvicorn, flask, gunicorn, ...) get it by their usual option. Raises
        UsageError, with the end of what it printed, if it cannot be started, ends, or is not there
        within `timeout` seconds.
        """
        if not hasattr(os, "fork"):
            raise UsageError(
                f"the bot's server `{command}` is not started: on {platform.system()} no process "
                "can be made to end with pytest. Start it yourself, and have `tod_system` return "
                "its URL"
            )
        if health is not None and not health.startswith("/"):
            raise UsageError(f"health is {health!r}, expected a path such as '/health'")
        port = free_port()
        words = command_at(command, port)
        server = cls(words, url.replace("{port}", str(port)))
        where = Path.cwd() if cwd is None else Path(cwd)
        try:
            server._run(words, where, environment_at(port, env or {}))
            server._await(health, where, timeout)
        except BaseException:
            server.stop()
            raise
        return server

    @property
    def port(self) -> int:
        """Returns the port it listens at."""
        return self.address.port or 80

    @property
    def is_open_to_others(self) -> bool:
        """Says whether other machines may reach it, as far as the system shows that."""
        if not kernel.can_look():
            return False
        from pytest_todeval.recording.jail.lookout import listening

        return any(port == self.port and not is_loopback(host) for host, port in listening())

    @property
    def log(self) -> str:
        """Returns what it printed so far, on both streams."""
        return self._read(0)

    @property
    def printed_bytes(self) -> int:
        """Returns how much it printed so far."""
        return len(self._printed) if self._log.closed else os.fstat(self._log.fileno()).st_size

    @property
    def ended(self) -> str | None:
        """Returns how it ended by itself, `ended with status 1`; None while it runs."""
        status = None if self._process is None else self._process.poll()
        if status is None:
            return None
        number = -status if status < 0 else status - SIGNALLED
        if number in set(signal.Signals):
            return f"was killed by {signal.Signals(number).name}"
        return f"ended with status {status}"

    def await_end(self) -> str | None:
        """Returns how it ended, if it takes no connections any more: it is waited for a little."""
        until = time.monotonic() + LAST_BREATH
        while self.ended is None and not self._listens() and time.monotonic() < until:
            time.sleep(POLL)
        return self.ended

    def printed(self) -> str:
        """The end of what it printed since this was asked last; if it has ended, of all of it."""
        told, self._told = self._told, self.printed_bytes
        return end_of_log(self._read(0 if self.ended else told))

    def _read(self, start: int) -> str:
        """Returns the log from a byte on, the end of it if there is much."""
        start = max(start, self.printed_bytes - MOST_READ)
        if self._log.closed:
            return self._printed[start:].decode("utf-8", "replace")
        # The server writes where this file stands: its place is not to be moved.
        return os.pread(self._log.fileno(), MOST_READ, start).decode("utf-8", "replace")

    def stop(self) -> None:
        """Ends it and all that it started; may be called twice."""
        if self in self.running:
            self.running.remove(self)
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()  # the keeper ends the rest
            try:
                process.wait(keeper.GRACE + 5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if not self._log.closed:
            start = max(0, self.printed_bytes - MOST_READ)
            self._printed = os.pread(self._log.fileno(), MOST_READ, start)
        self._open.close()

    def _run(self, words: Sequence[str], where: Path, env: Mapping[str, str]) -> None:
        if shutil.which(words[0], path=env["PATH"]) is None and not (where / words[0]).is_file():
            raise UsageError(
                f"the bot's server `{self.command}` cannot be started: there is no program "
                f"{words[0]!r} on the PATH"
            )
        if not where.is_dir():
            raise UsageError(f"the folder of the bot's server, {where}, is not there")
        reading, lifeline = os.pipe()
        self._open.callback(os.close, lifeline)
        try:
            # A session of its own: Ctrl-C is for pytest, which then stops it.
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, str(reading), *words],
                cwd=where,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=(reading,),
                start_new_session=True,
            )
        finally:
            os.close(reading)
        self.running.append(self)
        self._open.enter_context(Router.of_process().own(self.address))

    def _await(self, health: str | None, where: Path, timeout: float) -> None:
        until = time.monotonic() + timeout
        what = f"it listened at {self.address}" if health is None else f"GET {health} answered 2xx"
        while True:
            problem = self._problem(health)
            if self.ended is not None:
                raise self._not_up(f"{self.ended} before {what}", where)
            if problem is None:
                return
            if time.monotonic() > until:
                raise self._not_up(problem + f" after {timeout:g} s", where)
            time.sleep(POLL)

    def _problem(self, health: str | None) -> str | None:
        """Says why it cannot be asked yet; None if it can."""
        if not self._listens():
            return (
                f"does not listen at {self.address} (let it listen at the port in the variable "
                "PORT, or put `{port}` into its command)"
            )
        return None if health is None else self._ill(health)

    def _listens(self) -> bool:
        host = (self.address.host, self.port)
        with suppress(OSError), socket.create_connection(host, PATIENCE) as connection:
            # To a port of its own choice a connection can be made without anybody listening.
            return bool(connection.getsockname() != connection.getpeername())
        return False

    def _ill(self, health: str) -> str | None:
        connection = http.client.HTTPConnection(self.address.host, self.port, timeout=PATIENCE)
        try:
            with to_bot():
                connection.request("GET", health)
                status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return f"listens, but did not answer GET {health} ({type(error).__name__}: {error})"
        finally:
            connection.close()
        return None if 200 <= status < 300 else f"listens, but answers GET {health} with {status}"

    def _not_up(self, problem: str, where: Path) -> UsageError:
        printed = end_of_log(self.log)
        told = f"It printed:\n\n{printed}" if printed else "It printed nothing."
        return UsageError(f"the bot's server `{self.command}` (in {where}) {problem}. {told}")


def end_of_log(text: str) -> str:
    """Its last lines. Of a traceback the frames in libraries are counted, not shown."""
    told = _collapsed(text[-LONGEST:])
    return "\n".join(told.splitlines()[-LINES:]).strip("\n")


def _collapsed(text: str) -> str:
    kept, at, left_out = list[str](), 0, 0
    for frame in FRAME.finditer(text):
        if frame.start() > at:
            kept += [_count(left_out), text[at : frame.start()]]
            left_out = 0
        at = frame.end()
        if LIBRARIES.search(frame[1]):
            left_out += 1
        else:
            kept += [_count(left_out), frame[0]]
            left_out = 0
    return "".join((*kept, _count(left_out), text[at:]))


def _count(frames: int) -> str:
    return f"  ... {frames} in libraries\n" if frames else ""
