"""The client's side of MCP over stdio: what it says goes to the gateway, what comes is said to it.

One message after another is begun, so that a server gets them in the order they were written in;
answers come as they come.
"""

import http.client
import json
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import quote, urlsplit

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.bodies import json_bytes
from pytest_todeval.recording.gateway.asked import PORT_HEADER
from pytest_todeval.recording.gateway.meeting import VARIABLE, found
from pytest_todeval.recording.gateway.stdio_server import StdioListener, StdioServer
from pytest_todeval.recording.gateway.upstreams import STDIO
from pytest_todeval.recording.rpc import message_of
from pytest_todeval.shown import in_line

REFUSED = -32000
"""JSON-RPC's code for an error of a server."""
APART = 0.01
"""Seconds between what is told on the way and what follows. The official client in Node loses what
it is told of a request if it reads it together with the answer."""


def speak_for(name: str, command: Sequence[str]) -> int:
    """Be the server of MCP that a client started, until it closes our input.

    `command` starts the server itself; none if the gateway answers. Raises UsageError outside a
    run: a server that nobody records is started by itself.
    """
    gateway = found()
    if gateway is None:
        raise UsageError(
            "no run of pytest with a gateway is above this process. Have the fixture `tod_system` "
            "ask for `todeval_gateway` (`def tod_system(todeval_gateway):`); where the bot is no "
            f"descendant of pytest, set {VARIABLE} to `todeval_gateway.url`. Outside of tests, "
            "start the server without `todeval mcp`"
        )
    server = StdioServer(command)
    try:
        client = _Client(gateway, name, server, StdioListener(server).port if command else None)
        for line in sys.stdin.buffer:
            if line.strip():
                client.say(line)
        return 0
    finally:
        server.close()


class _Client:
    def __init__(self, gateway: str, name: str, server: StdioServer, port: int | None) -> None:
        self._server = server
        parts = urlsplit(gateway)
        self._address = parts.hostname or "", parts.port
        place = f"{STDIO}/mcp/{quote(name, safe='')}" if port else f"{name}/mcp"
        self._path = f"{parts.path.rstrip('/')}/{place}"
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if port:
            self._headers[PORT_HEADER] = str(port)
        self._written, self._listens = threading.Lock(), bool(port)

    def say(self, line: bytes) -> None:
        """Pass on a message of the client; returns once a server has it."""
        message = message_of(line)
        connection, response = self._ask("POST", line)
        if response is not None:
            if response.status >= HTTPStatus.BAD_REQUEST:
                self._refuse(message, response.read())
            else:
                self._read(connection, response, message)
        if message.get("method") == "notifications/initialized" and self._listens:
            connection, response = self._ask("GET", b"")
            if response is not None and response.status == HTTPStatus.OK:
                self._read(connection, response, {})

    def _ask(
        self, method: str, body: bytes
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse | None]:
        connection = http.client.HTTPConnection(*self._address)
        try:
            connection.request(method, self._path, body.strip() or None, self._headers)
            return connection, connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            if method == "POST":
                self._leave(f"the connection to the server broke: {error}")
            return connection, None

    def _read(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        message: Mapping[str, Any],
    ) -> None:
        arguments = connection, response, message
        threading.Thread(target=self._pass_on, args=arguments, daemon=True).start()

    def _pass_on(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        message: Mapping[str, Any],
    ) -> None:
        answered = "id" not in message or "method" not in message
        try:
            for line in response:
                data = line.removeprefix(b"data:").strip()
                if came := message_of(data):
                    answered = answered or "method" not in came
                    self._write(data)
                    if "method" in came:
                        time.sleep(APART)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        if not answered:
            self._leave("the server ended before it answered")

    def _refuse(self, message: Mapping[str, Any], body: bytes) -> None:
        """Tells a client, and who reads the bot's log, why the run does not answer it."""
        try:
            why = str(json.loads(body)["message"])
        except (ValueError, KeyError, TypeError):
            why = body.decode("utf-8", "replace")
        print(in_line(f"todeval mcp: {why}"), file=sys.stderr, flush=True)  # noqa: T201
        if "id" in message and "method" in message:
            error = {"code": REFUSED, "message": why}
            self._write(json_bytes({"jsonrpc": "2.0", "id": message["id"], "error": error}))

    def _write(self, data: bytes) -> None:
        with self._written:
            sys.stdout.buffer.write(data + b"\n")
            sys.stdout.buffer.flush()

    def _leave(self, why: str) -> NoReturn:
        """As a server that is gone: its client sees the end of what it says."""
        print(in_line(f"todeval mcp: {why}"), file=sys.stderr, flush=True)  # noqa: T201
        self._server.close()
        with self._written:
            os._exit(1)
