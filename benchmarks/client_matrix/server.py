"""A model server that speaks the protocols of many providers, for `recording_clients.py`.

Each answer holds the number of the request, so that no two are the same. A request whose text has
the word `hold` gets the first part of its answer, and the rest late; one with `late` gets none.
"""

import json
import struct
import threading
import zlib
from collections.abc import Iterable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

__all__ = ["ModelServer"]

LATE = 3.0
"""Seconds that `hold` and `late` take; clients that give up do so earlier."""
Events = Sequence[bytes]


class ModelServer(ThreadingHTTPServer):
    """Counts the connections and the requests that it gets."""

    daemon_threads = True
    request_queue_size = 50

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lock = threading.Lock()
        self.connections = self.requests = 0
        self.gone = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.2,), daemon=True).start()

    def get_request(self) -> tuple[Any, Any]:
        found = super().get_request()
        self.connections += 1
        return found

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are the point."""

    def leave(self) -> None:
        """From now on nobody listens."""
        self.gone.set()
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ModelServer

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._count()
        self._whole(b"{}", "application/json")

    def do_POST(self) -> None:
        number = self._count()
        text = self._body().decode("utf-8", "replace")
        path = urlsplit(self.path).path
        if "late" in text:
            self.server.gone.wait(LATE)
        kind, parts = _answer(path, json.loads(text or "{}"), number)
        if parts is None:
            self._whole(_json(_whole_answer(path, json.loads(text), number)), kind)
        else:
            self._stream(parts, kind, hold="hold" in text)

    def _count(self) -> int:
        with self.server.lock:
            self.server.requests += 1
            return self.server.requests

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _whole(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, parts: Iterable[bytes], kind: str, hold: bool) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        said = 0
        for part in parts:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
            self.wfile.flush()
            said += b"one " in part
            if hold and said == 1:
                self.server.gone.wait(LATE)
        self.wfile.write(b"0\r\n\r\n")


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _sse(values: Iterable[Any], *, named: bool = False) -> list[bytes]:
    return [
        (f"event: {value['type']}\n".encode() if named else b"")
        + b"data: "
        + _json(value)
        + b"\n\n"
        for value in values
    ]


def _words(asked: dict[str, Any], number: int) -> list[str]:
    """What is said; in the shape that a framework asks for by the model's name."""
    match asked.get("model"):
        case "json":
            return ['{"said": "one ', f"nr {number} ", 'end"}']
        case "fields":
            return ["[[ ## answer ## ]]\n", "one ", f"nr {number}", "\n\n[[ ## completed ## ]]"]
    return ["one ", f"nr {number} ", "end"]


def _answer(path: str, asked: dict[str, Any], number: int) -> tuple[str, Events | None]:
    """The media type, and the parts of a stream if one was asked for."""
    words = _words(asked, number)
    events = "text/event-stream"
    if path.endswith("/converse-stream"):
        return "application/vnd.amazon.eventstream", _bedrock_events(words)
    if path.endswith(":streamGenerateContent"):
        last = {"finishReason": "STOP"}
        said = [_gemini(word, **(last if word == words[-1] else {})) for word in words]
        return events, _sse(said)
    if path.endswith("/api/chat") and asked.get("stream", True):
        lines = [_json(_ollama(word, word == words[-1])) + b"\n" for word in words]
        return "application/x-ndjson", lines
    if not asked.get("stream"):
        return "application/json", None
    if path.endswith("/v1/messages"):
        return events, _sse(_anthropic_events(words), named=True)
    if path.endswith("/v2/chat"):
        return events, _sse(_cohere_events(words), named=True)
    if path.endswith("/responses"):
        return events, _sse(_responses_events(words, number), named=True)
    return events, [*_sse(_chat_events(words, number)), b"data: [DONE]\n\n"]


def _whole_answer(path: str, asked: dict[str, Any], number: int) -> dict[str, Any]:
    text = "".join(_words(asked, number))
    if path.endswith("/v1/messages"):
        said = {"type": "text", "text": text}
        return {**_ANTHROPIC, "content": [said], "stop_reason": "end_turn"}
    if path.endswith(":generateContent"):
        return _gemini(text, finishReason="STOP")
    if path.endswith("/v2/chat"):
        message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
        return {"id": "c", "finish_reason": "COMPLETE", "message": message}
    if path.endswith("/converse"):
        message = {"role": "assistant", "content": [{"text": text}]}
        usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
        output = {"message": message}
        return {
            "output": output,
            "stopReason": "end_turn",
            "usage": usage,
            "metrics": {"latencyMs": 1},
        }
    if path.endswith("/api/chat"):
        return _ollama(text, True)
    if path.endswith("/responses"):
        return _response(number, "completed", text)
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {**_chat(number), "object": "chat.completion", "choices": [choice], "usage": _USAGE}


_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def _chat(number: int) -> dict[str, Any]:
    return {"id": f"c{number}", "created": 1, "model": "stand-in"}


def _chat_events(words: list[str], number: int) -> list[dict[str, Any]]:
    base = {**_chat(number), "object": "chat.completion.chunk"}
    deltas: list[tuple[dict[str, str], str | None]] = [({"role": "assistant", "content": ""}, None)]
    deltas += [({"content": word}, None) for word in words]
    deltas.append(({}, "stop"))
    said = [{"index": 0, "delta": delta, "finish_reason": end} for delta, end in deltas]
    return [
        *({**base, "choices": [choice]} for choice in said),
        {**base, "choices": [], "usage": _USAGE},
    ]


_ANTHROPIC = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "content": [],
    "model": "stand-in",
    "stop_reason": None,
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def _anthropic_events(words: list[str]) -> list[dict[str, Any]]:
    deltas = [{"type": "text_delta", "text": word} for word in words]
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    block = {"type": "text", "text": ""}
    return [
        {"type": "message_start", "message": _ANTHROPIC},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]


def _gemini(text: str, **more: str) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    return {"candidates": [{"index": 0, "content": content, **more}], "modelVersion": "stand-in"}


def _cohere_events(words: list[str]) -> list[dict[str, Any]]:
    texts = [{"message": {"content": {"text": word}}} for word in words]
    usage = {"tokens": {"input_tokens": 1, "output_tokens": 1}}
    return [
        {"type": "message-start", "id": "c", "delta": {"message": {"role": "assistant"}}},
        {"type": "content-start", "index": 0, "delta": texts[0] | {"message": _EMPTY_CONTENT}},
        *({"type": "content-delta", "index": 0, "delta": text} for text in texts),
        {"type": "content-end", "index": 0},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": usage}},
    ]


_EMPTY_CONTENT = {"content": {"type": "text", "text": ""}}


def _ollama(text: str, done: bool) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"model": "m", "created_at": "2025-01-01T00:00:00Z", "message": message, "done": done}


def _response(number: int, status: str, text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"id": "m", "type": "message", "role": "assistant", "status": status}
    return {
        "id": f"r{number}",
        "object": "response",
        "created_at": 1,
        "status": status,
        "model": "stand-in",
        "output": [{**message, "content": [part]}] if text else [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def _responses_events(words: list[str], number: int) -> list[dict[str, Any]]:
    place = {"item_id": "m", "output_index": 0, "content_index": 0, "logprobs": []}
    events = [
        {"type": "response.created", "response": _response(number, "in_progress", "")},
        *({"type": "response.output_text.delta", **place, "delta": word} for word in words),
        {"type": "response.completed", "response": _response(number, "completed", "".join(words))},
    ]
    return [{**event, "sequence_number": order} for order, event in enumerate(events)]


def _bedrock_events(words: list[str]) -> list[bytes]:
    texts = ({"contentBlockIndex": 0, "delta": {"text": word}} for word in words)
    return [
        _amazon("messageStart", {"role": "assistant"}),
        *(_amazon("contentBlockDelta", text) for text in texts),
        _amazon("contentBlockStop", {"contentBlockIndex": 0}),
        _amazon("messageStop", {"stopReason": "end_turn"}),
    ]


def _amazon(kind: str, value: dict[str, Any]) -> bytes:
    """A message of `application/vnd.amazon.eventstream`: lengths, headers, body, checksums."""
    named = {":event-type": kind, ":content-type": "application/json", ":message-type": "event"}
    headers = b"".join(
        struct.pack("!B", len(name))
        + name.encode()
        + struct.pack("!BH", 7, len(text))
        + text.encode()
        for name, text in named.items()
    )
    body = _json(value)
    head = struct.pack("!II", 16 + len(headers) + len(body), len(headers))
    said = head + struct.pack("!I", zlib.crc32(head)) + headers + body
    return said + struct.pack("!I", zlib.crc32(said))
