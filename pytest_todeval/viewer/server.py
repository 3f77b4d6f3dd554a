"""The page served on loopback alone, under an address that nobody guesses; it changes nothing."""

import gzip
import hmac
import json
import secrets
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from pytest_todeval.errors import TodevalError
from pytest_todeval.shown import in_html
from pytest_todeval.viewer.page import CHUNK, framed
from pytest_todeval.viewer.run_data import JSONObject, Shown, dialogues_of, index_of

HOST = "127.0.0.1"
SERVED = '<meta name="todeval-served" content="1">'
Load = Callable[[int, int | None], Shown]
"""The run of a place in the list, beside that of another."""


class ViewServer(ThreadingHTTPServer):
    """Serves runs to whoever has its address."""

    daemon_threads = True

    def __init__(self, names: Sequence[str], load: Load, port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.names = names
        self.load = load
        self.token = secrets.token_urlsafe(24)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"


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
            kind, text = self._found(name, parse_qs(address.query))
        except (LookupError, ValueError):
            self._send(404, "text/plain", "not found\n")
        except TodevalError as error:
            self._send(409, "text/plain", f"{error}\n")
        else:
            self._send(200, kind, text)

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

    def _found(self, name: str, query: dict[str, list[str]]) -> tuple[str, str]:
        if name == "" and len(self.server.names) > 1:
            return "text/html", _list(self.server.names)
        if name in ("", "page"):
            title = self.server.names[_place(query, "now") or 0]
            return "text/html", framed(title, "", "connect-src 'self'", SERVED)
        now = _place(query, "now") or 0
        shown = self.server.load(now, _place(query, "before"))
        return "application/json", json.dumps(_data(name, shown), ensure_ascii=False)

    def _send(self, status: int, kind: str, text: str) -> None:
        body = gzip.compress(text.encode("utf-8", "backslashreplace"), 1)
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
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
        """Say nothing of each request."""


def _data(name: str, shown: Shown) -> JSONObject | list[JSONObject]:
    if name == "index.json":
        return index_of(shown)
    number = int(name.removeprefix("chunk-").removesuffix(".json"))
    if number < 0 or name != f"chunk-{number}.json":
        raise LookupError(name)
    return list(dialogues_of(shown))[number * CHUNK : (number + 1) * CHUNK]


def _place(query: dict[str, list[str]], name: str) -> int | None:
    found = query.get(name, [""])[0]
    if found and not found.isdecimal():
        raise LookupError(found)
    return int(found) if found else None


def _list(names: Sequence[str]) -> str:
    """The runs, each to be shown by itself or beside another."""
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
