"""The gateway's socket: a thread for each connection of a bot's client."""

import secrets
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.lane import Lane, Place, in_lane
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.gateway.asked import GatewayRefused, GatewayRequest
from pytest_todeval.recording.gateway.upstreams import Upstream

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

POLL = 0.02
"""Seconds between two looks at whether to close."""


class GatewayListener(ThreadingMixIn, TCPServer):
    """Listens on a free port of this machine from the start; serves from `start` to `close`."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(
        self,
        handler: type[BaseHTTPRequestHandler],
        router: "Router",
        upstreams: Mapping[str, Upstream],
        replays: bool,
    ) -> None:
        self.upstreams = upstreams
        self.outside: list[str] = []
        """Calls that were made while no dialogue was open; none of them is recorded."""
        self.key = secrets.token_hex(8)
        """The first segment of each path: who has not been told it gets nothing."""
        self._router, self._replays = router, replays
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        threading.Thread(
            target=self.serve_forever, args=(POLL,), name="todeval gateway", daemon=True
        ).start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients come and go; what they asked for is settled elsewhere."""

    def place(self, asked: GatewayRequest, body: bytes) -> Place | None:
        """Returns where a request is made; None outside all dialogues.

        There MCP's sessions are opened by bots that keep them: these calls are the process's.

        Raises NoDialogue if it is of one that cannot be told, GatewayRefused if a replay would let
        it out.
        """
        found = self._router.at_work(str(asked), asked.dialogue)
        if found is not None:
            return found[1]
        path = asked.target.partition("?")[0]
        request = Request(Lane.SYSTEM, asked.method, path, "", "application/json", body)
        outside = self._router.outside
        if outside is not None and outside.keeps_session(request):
            return None
        self.outside.append(str(asked))
        if self._replays:
            raise GatewayRefused(
                f"{asked} was called while no dialogue was open: no cassette can answer it, and "
                "the network is blocked. Make this call in the bot's first answer"
            )
        return None

    def served(self, asked: GatewayRequest, body: bytes) -> bytes:
        """What the dialogue that a request is of answers to it; empty if there is nothing to say.

        Raises NoDialogue if it cannot be told which, GatewayRefused if none is open, or if it
        serves nothing.
        """
        found = self._router.at_work(str(asked), asked.dialogue)
        if found is None:
            raise GatewayRefused(
                f"{asked} was called while no dialogue was open: a backend is there for the time "
                "of its dialogue. Connect in the bot's first answer"
            )
        tape, place = found
        if tape.serve is None:
            raise GatewayRefused(
                f"{asked}: the dialogue {tape.dialogue} has no backend with tools. Override the "
                "fixture `backend` with one, or give it some: `with_tools(backend, [function])`"
            )
        with in_lane(place.dialogue, place.lane, place.turn):
            return tape.serve(body)

    def keep(self, asked: GatewayRequest, error: TodevalError) -> None:
        """Keeps what was refused with the dialogue it was asked in: that is no pass."""
        found = self._router.at_work(str(asked), asked.dialogue)
        if found is not None:
            found[0].refuse(error)
