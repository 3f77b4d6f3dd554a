"""The socket: a thread for each connection, all of them gone when the server is."""

import contextlib
import socket
import sys
import threading
from socketserver import BaseRequestHandler, TCPServer, ThreadingMixIn
from typing import Any

from pytest_todeval.models.fake_server.model import Model

POLL = 0.02
"""Seconds between two looks at whether to close."""
PATIENCE = 1.0
"""Seconds that closing waits for an answer function that still runs."""


class StandInListener(ThreadingMixIn, TCPServer):
    """Listens on a free port of this machine from the start; serves from `start` to `close`."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 512  # the default of 5 delays the 7th of many at once by a second

    def __init__(self, handler: type[BaseRequestHandler], model: Model, *, gzip: bool) -> None:
        self.model = model
        self.gzip = gzip
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def start(self) -> None:
        threading.Thread(
            target=self.serve_forever, args=(POLL,), name="todeval stand-in", daemon=True
        ).start()

    def close(self) -> None:
        """Stop; end what is under way; wait for the threads, but not for ever."""
        self.shutdown()
        self.server_close()
        with self._changed:
            for connection in self._open:
                with contextlib.suppress(OSError):  # the client was faster
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._open, PATIENCE)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._changed:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        with self._changed:
            self._open.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.model.failures.append(error)
