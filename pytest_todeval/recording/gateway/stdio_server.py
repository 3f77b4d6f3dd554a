"""A server of MCP that speaks over stdio, as one that speaks HTTP: how a gateway can ask it.

It is started by the first message that is to reach it, so in replay never.
"""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.bodies import json_bytes
from pytest_todeval.recording.rpc import message_of, progress_token
from pytest_todeval.shown import in_line

PATIENCE = 2.0
"""Seconds that a server has to leave after the end of its input."""
Stream = queue.SimpleQueue[Mapping[str, Any] | None]


class StdioServer:
    """A server's process, and the streams on which what it says is waited for."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: dict[str, tuple[Any, Stream]] = {}
        self._standing: list[Stream] = []
        self._unheard: list[Mapping[str, Any]] = []
        """What it said while nobody listened."""
        self._gone = False

    def send(self, message: Mapping[str, Any]) -> Stream | None:
        """Pass a message on; of a request, the stream that its answer ends.

        Raises UsageError if the server does not start, OSError if it is gone.
        """
        stream: Stream | None = None
        with self._lock:
            process = self._process or self._start()
            if "id" in message and "method" in message:
                stream = queue.SimpleQueue()
                self._waiting[repr(message["id"])] = (progress_token(message), stream)
                self._say_unheard(stream)
            if self._gone:
                raise BrokenPipeError("the server has ended")
            assert process.stdin is not None
            process.stdin.write(json_bytes(message) + b"\n")
            process.stdin.flush()
        return stream

    def listen(self) -> Stream:
        """Returns what it says unasked from now on."""
        stream: Stream = queue.SimpleQueue()
        with self._lock:
            self._standing.append(stream)
            self._say_unheard(stream)
            if self._gone:
                stream.put(None)
        return stream

    def close(self) -> None:
        """Has it leave: at the end of its input, else by force."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        for end in (process.stdin.close, process.terminate, process.kill):
            try:
                end()
                process.wait(PATIENCE)
                return
            except (OSError, subprocess.TimeoutExpired):
                continue

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            name = " ".join(self._command)
            raise UsageError(f"the MCP server `{name}` does not start: {error}") from None
        self._process = process
        threading.Thread(target=self._hear, args=(process,), daemon=True).start()
        return process

    def _hear(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            message = message_of(line)
            if message:
                with self._lock:
                    self._pass_on(message)
            elif line.strip():
                sys.stderr.buffer.write(line)
                sys.stderr.flush()
        with self._lock:
            self._gone = True
            for stream in (*(each for _, each in self._waiting.values()), *self._standing):
                stream.put(None)

    def _pass_on(self, message: Mapping[str, Any]) -> None:
        """To the request that it answers or tells of, else to the last one, else unasked."""
        if "method" not in message:
            _, stream = self._waiting.pop(repr(message.get("id")), (None, None))
            if stream is not None:
                stream.put(message)
            return
        params = message.get("params")
        token = params.get("progressToken") if isinstance(params, dict) else None
        named = [
            each for mine, each in self._waiting.values() if token is not None and mine == token
        ]
        open_ones = named or [each for _, each in self._waiting.values()] or self._standing
        if open_ones:
            open_ones[-1].put(message)
        else:
            self._unheard.append(message)

    def _say_unheard(self, stream: Stream) -> None:
        for message in self._unheard:
            stream.put(message)
        self._unheard.clear()


class StdioListener(ThreadingHTTPServer):
    """Where the gateway asks the server."""

    daemon_threads = True

    def __init__(self, server: StdioServer) -> None:
        self.stdio = server
        super().__init__(("127.0.0.1", 0), StdioHandler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class StdioHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StdioListener

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        message = message_of(self.rfile.read(length))
        try:
            stream = self.server.stdio.send(message)
        except (UsageError, OSError) as error:
            print(in_line(f"todeval mcp: {error}"), file=sys.stderr)  # noqa: T201
            self.close_connection = True
            return
        if stream is None:
            self.send_response_only(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._stream(stream, until=message["id"])

    def do_GET(self) -> None:
        self._stream(self.server.stdio.listen(), until=None)

    def log_message(self, format: str, *args: object) -> None:
        """Its output is the client's."""

    def _stream(self, stream: Stream, until: Any) -> None:
        self.send_response_only(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in self._events(stream, until):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
        if not self.close_connection:
            self.wfile.write(b"0\r\n\r\n")

    def _events(self, stream: Stream, until: Any) -> Iterator[bytes]:
        while (message := stream.get()) is not None:
            yield b"data: " + json.dumps(message, separators=(",", ":")).encode() + b"\n\n"
            if until is not None and "method" not in message:
                return
        self.close_connection = True  # it is gone, and the answer will not come
