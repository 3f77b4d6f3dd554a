"""The page served on loopback alone, under an address that nobody guesses; it changes nothing."""

import gzip
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from pytest_todeval.errors import TodevalError
from pytest_todeval.runs.viewer.page import CHUNK, framed
from pytest_todeval.runs.viewer.run_data import Shown, dialogues_of, index_of
from pytest_todeval.shown import in_html

HOST = "127.0.0.1"
SERVED = '<meta name="todeval-served" content="1">'
CASSETTES = '<meta name="todeval-cassettes" content="1">'
Load = Callable[[int, int | None], Shown]
"""The run of a place in the list, beside that of another."""


SHARE = 0.02
"""Of one processor's time, what following a run may take."""


@dataclass(frozen=True, slots=True)
class _Made:
    """An index as it was sent last."""

    shown: Shown
    number: int
    body: bytes
    again: float
    """When the next may be made of a run that is on."""


class Cassettes(Protocol):
    """Recorded calls to be shown."""

    def rows(self) -> object:
        """Returns what is known of each without its calls."""

    def one(self, place: int) -> object:
        """Returns the one at a place of that list. Raises LookupError if there is none."""


class ViewServer(ThreadingHTTPServer):
    """Serves runs to whoever has its address."""

    daemon_threads = True

    def __init__(
        self,
        names: Sequence[str],
        load: Load,
        port: int = 0,
        cassettes: Cassettes | None = None,
    ) -> None:
        """Without names, cassettes alone are shown."""
        super().__init__((HOST, port), _Handler)
        self.names = names
        self.load = load
        self.cassettes = cassettes
        self.token = secrets.token_urlsafe(24)
        self._made: dict[tuple[int, int | None], _Made] = {}
        self._making = threading.Lock()
        self._numbers = 0

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"

    def index(self, now: int, before: int | None, have: int | None) -> bytes:
        """Returns the index of a run, packed; empty if the page has it already, by its number."""
        with self._making:
            made = self._made.get((now, before))
            if made is None or time.monotonic() >= made.again:
                made = self._made[now, before] = self._make(now, before, made)
        return b"" if made.number == have else made.body

    def _make(self, now: int, before: int | None, last: _Made | None) -> _Made:
        began = time.monotonic()
        shown = self.load(now, before)
        if last is not None and last.shown is shown:
            return last
        self._numbers += 1
        body = _packed({**index_of(shown), "number": self._numbers})
        took = time.monotonic() - began
        again = time.monotonic() + took / SHARE if shown.live else 0.0
        return _Made(shown, self._numbers, body, again)


class _Handler(BaseHTTPRequestHandler):
    server: ViewServer

    def do_GET(self) -> None:
        if not self._is_ours():
            self._send(403, "text/plain", "refused\n")
            return
        address = urlsplit(self.path)
        token, _, name = address.path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            self._send(404, "text/plain", "not found\n")
            return
        try:
            kind, body = self._found(name, parse_qs(address.query))
        except (LookupError, ValueError):
            self._send(404, "text/plain", "not found\n")
        except TodevalError as error:
            self._send(409, "text/plain", f"{error}\n")
        else:
            self._send(200, kind, body)

    def _is_ours(self) -> bool:
        """Not asked by another site's page, under a name that leads here or from its own."""
        port = self.server.server_address[1]
        hosts = {f"{host}:{port}" for host in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site", "none")
        return (
            self.headers.get("Host") in hosts
            and (origin is None or origin in {f"http://{host}" for host in hosts})
            and site in ("none", "same-origin")
        )

    def _found(self, name: str, query: dict[str, list[str]]) -> tuple[str, str | bytes]:
        if name == "" and len(self.server.names) > 1:
            return "text/html", _list(self.server.names)
        now, before = _number(query, "now") or 0, _number(query, "before")
        names, cassettes = self.server.names, self.server.cassettes
        if name in ("", "page"):
            head = SERVED + CASSETTES * (cassettes is not None)
            title = names[now] if names else "cassettes"
            return "text/html", framed(title, "", "connect-src 'self'", head)
        if cassettes is not None and name == "cassettes.json":
            return "application/json", _packed({"runs": len(names), "rows": cassettes.rows()})
        if cassettes is not None and name.startswith("cassette-"):
            return "application/json", _packed(cassettes.one(_numbered(name, "cassette")))
        if name == "index.json":
            return "application/json", self.server.index(now, before, _number(query, "have"))
        number = _numbered(name, "chunk")
        places = slice(number * CHUNK, (number + 1) * CHUNK)
        found = list(dialogues_of(self.server.load(now, before), places))
        return "application/json", _packed(found)

    def _send(self, status: int, kind: str, content: str | bytes) -> None:
        """Text is packed here."""
        body = content if isinstance(content, bytes) else gzip.compress(content.encode(), 1)
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        if body:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing of each request."""


def _packed(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False)
    return gzip.compress(text.encode("utf-8", "backslashreplace"), 1)


def _numbered(name: str, kind: str) -> int:
    """The number in the name of a part. Raises LookupError or ValueError for other names."""
    number = int(name.removeprefix(f"{kind}-").removesuffix(".json"))
    if number < 0 or name != f"{kind}-{number}.json":
        raise LookupError(name)
    return number


def _number(query: dict[str, list[str]], name: str) -> int | None:
    found = query.get(name, [""])[0]
    if found and not found.isdecimal():
        raise LookupError(found)
    return int(found) if found else None


def _list(names: Sequence[str]) -> str:
    """Returns the runs, each to be shown by itself or beside another."""
    options = "".join(f'<option value="{n}">{in_html(name)}' for n, name in enumerate(names))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>todeval view</title>'
        '<meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'\">"
        "<style>body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;"
        "padding:0 1rem}select,button{font:inherit;padding:.3rem .6rem}</style></head><body>"
        '<h1>Runs</h1><form action="page"><p><label>Show <select name="now">'
        f'{options}</select></label></p><p><label>beside <select name="before">'
        f'<option value="">nothing{options}</select></label></p><button>Show</button></form>'
        "</body></html>\n"
    )
