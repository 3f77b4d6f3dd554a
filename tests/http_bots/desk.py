"""The desk of some courts, behind HTTP in the manners of many frameworks; knows nothing of tests.

What was said and booked is kept for as long as it runs, as in a database: a session whose id came
up before goes on where it was left.
"""

import gzip
import json
import re
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, unquote

__all__ = ["MOST_OPEN", "DeskServer"]

SPORTS = ("tennis", "squash", "badminton")
DAYS = tuple(f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))
QUESTIONS = {
    "sport": "Which sport would you like to play: tennis, squash or badminton?",
    "day": "On which day?",
    "time": "What time shall I put you down for?",
}
MOST_OPEN = 3
"""Sessions that may be open at once: whoever does not close them gets none any more."""


@dataclass
class Talk:
    """What one customer wants."""

    wanted: dict[str, str] = field(default_factory=dict)
    reference: str = ""


class DeskServer(ThreadingHTTPServer):
    """Listens on a free port until it is closed; each connection ends with its answer."""

    daemon_threads = False
    block_on_close = True

    def __init__(self) -> None:
        self.talks: dict[str, Talk] = {}
        self.open: set[str] = set()
        """The sessions that were opened and not closed."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()
        self._thread.join()

    def answer(self, session: str, text: str) -> str:
        """What the desk says to the customer of a session."""
        with self._lock:
            talk = self.talks.setdefault(session, Talk())
            if talk.reference:
                return f"Nothing else can be done here; you have {talk.reference}."
            talk.wanted |= dict(_heard(text.lower()))
            lacking = next((slot for slot in QUESTIONS if slot not in talk.wanted), None)
            if lacking is not None:
                return QUESTIONS[lacking]
            talk.reference = f"CT{4700 + sum(bool(t.reference) for t in self.talks.values())}"
            wanted = talk.wanted
            return (
                f"I have booked the {wanted['sport']} court on {wanted['day']} at "
                f"{wanted['time']}. The reference number is {talk.reference}."
            )

    def bookings(self, session: str) -> list[dict[str, str]]:
        """What stands booked in a session."""
        talk = self.talks.get(session)
        if talk is None or not talk.reference:
            return []
        return [{"domain": "court", "reference": talk.reference, **talk.wanted}]


def _heard(text: str) -> Iterator[tuple[str, str]]:
    for slot, values in (("sport", SPORTS), ("day", DAYS)):
        yield from ((slot, value) for value in values if value in text)
    if time := re.search(r"\b\d{1,2}:\d{2}\b", text):
        yield "time", time.group()


class _Handler(BaseHTTPRequestHandler):
    server: DeskServer

    def do_GET(self) -> None:
        self.reply(self.server.bookings(unquote(self.path.removeprefix("/bookings/"))))

    def do_DELETE(self) -> None:
        session = self.path.rpartition("/")[2]
        if session in self.server.open:
            self.server.open.remove(session)
            self.reply(b"", status=204)
        else:
            self.reply({"error": "no such session"}, status=404)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        manner, _, rest = self.path.lstrip("/").partition("/")
        (BROKEN.get(manner) or MANNERS[manner])(self, raw, rest)

    def say(self, session: str, text: str) -> str:
        return self.server.answer(session, text)

    def reply(
        self,
        body: object,
        kind: str = "application/json",
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.start(kind, status, {"Content-Length": str(len(sent)), **(headers or {})})
        self.wfile.write(sent)

    def start(self, kind: str, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()

    def events(self, *events: str) -> None:
        self.start("text/event-stream")
        for event in events:
            self.wfile.write(event.encode())

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


Answer = Callable[[_Handler, bytes, str], None]


def token(handler: _Handler, raw: bytes, rest: str) -> None:
    """One route, the session in the body, a token in a header."""
    if handler.headers["Authorization"] != "Bearer sesame":
        return handler.reply({"detail": "Who are you?"}, status=401)
    given = json.loads(raw)
    said = handler.say(given["session"], given["message"])
    handler.reply({"messages": [{"role": "bot", "content": said}]})


def sessions(handler: _Handler, raw: bytes, rest: str) -> None:
    """Sessions are opened, few at once, and closed."""
    if not rest:
        if len(handler.server.open) == MOST_OPEN:
            return handler.reply({"error": "too many sessions"}, status=429)
        session = uuid.uuid4().hex
        handler.server.open.add(session)
        return handler.reply({"session_id": session}, status=201)
    session = rest.partition("/")[0]
    if session not in handler.server.open:
        return handler.reply({"error": "no such session"}, status=404)
    handler.reply({"answer": handler.say(session, json.loads(raw)["text"])})


def rasa(handler: _Handler, raw: bytes, rest: str) -> None:
    """Several messages, of which some have no text."""
    given = json.loads(raw)
    parts = handler.say(given["sender"], given["message"]).split(". ")
    messages: list[dict[str, Any]] = [{"text": part} for part in parts]
    handler.reply([*messages, {"image": "https://example.org/court.png"}])


def deltas(handler: _Handler, raw: bytes, rest: str) -> None:
    """Pieces as endpoints of models stream them."""
    given = json.loads(raw)
    said = handler.say(given["user"], given["messages"][-1]["content"])
    chunks = [{"role": "assistant"}, *({"content": piece} for piece in _pieces(said)), {}]
    data = [json.dumps({"choices": [{"index": 0, "delta": delta}]}) for delta in chunks]
    handler.events(": keep-alive\n\n", *(f"data: {each}\n\n" for each in (*data, "[DONE]")))


def chain(handler: _Handler, raw: bytes, rest: str) -> None:
    """Events of several kinds, whose lines end in CR LF."""
    given = json.loads(raw)
    said = handler.say(given["config"]["configurable"]["session_id"], given["input"])
    pieces = (f"event: data\r\ndata: {json.dumps(piece)}\r\n\r\n" for piece in _pieces(said))
    first = 'event: metadata\r\ndata: {"run_id": "r1"}\r\n\r\n'
    handler.events(first, *pieces, "event: end\r\ndata: [DONE]\r\n\r\n")


def cookie(handler: _Handler, raw: bytes, rest: str) -> None:
    """The session is a cookie."""
    session = handler.headers["Cookie"].removeprefix("talk=")
    handler.reply({"say": handler.say(session, json.loads(raw)["q"])})


def path(handler: _Handler, raw: bytes, rest: str) -> None:
    """The session stands in a path that is decoded before it is taken apart."""
    session = re.fullmatch(r"sessions/([^/]+):detect", unquote(rest))
    if session is None:
        return handler.reply({"detail": "Not Found"}, status=404)
    text = json.loads(raw)["queryInput"]["text"]["text"]
    handler.reply({"queryResult": {"fulfillmentText": handler.say(session[1], text)}})


def form(handler: _Handler, raw: bytes, rest: str) -> None:
    """A form is posted, XML comes back."""
    given = parse_qs(raw.decode())
    said = handler.say(given["From"][0], given["Body"][0])
    handler.reply(f"<Response><Message>{said}</Message></Response>".encode(), "application/xml")


def lines(handler: _Handler, raw: bytes, rest: str) -> None:
    """A line of JSON for each piece."""
    given = json.loads(raw)
    pieces = [*_pieces(handler.say(given["id"], given["prompt"])), ""]
    told = [json.dumps({"response": piece, "done": not piece}) for piece in pieces]
    handler.reply("\n".join(told).encode(), "application/x-ndjson")


def rpc(handler: _Handler, raw: bytes, rest: str) -> None:
    """JSON-RPC between agents, compressed."""
    message = json.loads(raw)["params"]["message"]
    said = handler.say(message["contextId"], message["parts"][0]["text"])
    told = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"parts": [{"text": said}]}})
    handler.reply(gzip.compress(told.encode()), headers={"Content-Encoding": "gzip"})


def parts(handler: _Handler, raw: bytes, rest: str) -> None:
    """A stream of typed parts, with the calls of tools among them."""
    given = json.loads(raw)
    before = handler.server.bookings(given["id"])
    said = handler.say(given["id"], given["messages"][-1]["text"])
    told: list[dict[str, Any]] = [{"type": "start"}]
    for booked in handler.server.bookings(given["id"])[len(before) :]:
        told.append({"type": "tool", "name": "book_court", "input": booked})
    told += [{"type": "text-delta", "delta": piece} for piece in _pieces(said)]
    handler.events(*(f"data: {json.dumps(part)}\n\n" for part in told), "data: [DONE]\n\n")


def plain(handler: _Handler, raw: bytes, rest: str) -> None:
    """Our own request, plain text back."""
    given = json.loads(raw)
    handler.reply(handler.say(given["dialogue_id"], given["text"]).encode(), "text/plain")


def _pieces(text: str) -> list[str]:
    return re.findall(r"\S+\s*", text)


MANNERS: Mapping[str, Answer] = {
    each.__name__: each
    for each in (
        *(token, sessions, rasa, deltas, chain, cookie, path, form, lines, rpc, parts, plain),
    )
}


def _status(code: int, body: bytes, kind: str = "text/plain", **headers: str) -> Answer:
    return lambda handler, raw, rest: handler.reply(body, kind, code, headers)


def _hangs(handler: _Handler, raw: bytes, rest: str) -> None:
    handler.server.closing.wait()


def _drips(handler: _Handler, raw: bytes, rest: str) -> None:
    handler.start("application/json", headers={"Content-Length": "100000"})
    while not handler.server.closing.wait(0.05):
        try:
            handler.wfile.write(b" ")
        except OSError:
            return


def _cut(handler: _Handler, raw: bytes, rest: str) -> None:
    handler.start("application/json", headers={"Content-Length": "500"})
    handler.wfile.write(b'{"text": "I hav')


def _drops(handler: _Handler, raw: bytes, rest: str) -> None:
    handler.close_connection = True


def _bomb(handler: _Handler, raw: bytes, rest: str) -> None:
    body = gzip.compress(b'{"text": "' + bytes(11_000_000) + b'"}', 1)
    handler.reply(body, headers={"Content-Encoding": "gzip"})


def _streams(*events: str) -> Answer:
    return lambda handler, raw, rest: handler.events(*events)


DELTA = 'data: {"delta": "Which day"}\n\n'
BROKEN: Mapping[str, Answer] = {
    "traceback": _status(500, b"Traceback (most recent call last):\nKeyError: 'friday'"),
    "proxy": _status(502, b"<html><h1>502 Bad Gateway</h1></html>", "text/html"),
    "stranger": _status(401, b'{"detail": "Who are you?"}', "application/json"),
    "misread": _status(422, b'{"detail": [{"msg": "Field required"}]}', "application/json"),
    "page": _status(200, b"<!doctype html><html>Docs</html>", "text/html"),
    "moved": _status(307, b"", Location="/elsewhere/chat?key=abc"),
    "empty": _status(200, b'{"text": ""}', "application/json"),
    "no_text": _status(200, b'{"answer": "Which day?"}', "application/json"),
    "list": _status(200, b'["Which day?"]', "application/json"),
    "half": _status(200, b'{"text": "Whi', "application/json"),
    "deep": _status(200, b"[" * 100_000 + b"]" * 100_000, "application/json"),
    "huge": _status(200, b'"' + b"a" * 10_000_001 + b'"', "application/json"),
    "bomb": _bomb,
    "latin": _status(200, '{"text": "Grüß Gott"}'.encode("latin-1"), "application/json"),
    "brotli": _status(200, b"\x8b\x02\x80abc\x03", **{"Content-Encoding": "br"}),
    "hangs": _hangs,
    "drips": _drips,
    "cut": _cut,
    "drops": _drops,
    "stream_cut": _streams(DELTA),
    "event_cut": _streams(DELTA, 'data: {"delta": "wou'),
    "stream_error": _streams(DELTA, 'event: error\ndata: {"message": "out of memory"}\n\n'),
    "stream_of_nothing": _streams('data: {"type": "start"}\n\n', "data: [DONE]\n\n"),
}
"""What goes wrong, by name."""
