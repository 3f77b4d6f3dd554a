"""The desk as a service: `POST /chat` talks, `GET /records` shows what stands, `PUT` sets it up."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from desk import DeskBot

BOOK: dict[str, Any] = {}
BOTS: dict[str, DeskBot] = {}


def bot_of(dialogue: str) -> DeskBot:
    move, cancel = lambda id, day: BOOK[id].update(day=day), lambda id: BOOK.pop(id)
    return BOTS.setdefault(dialogue, DeskBot(move, cancel))


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.answer({"appointment": BOOK})

    def do_PUT(self) -> None:
        BOOK.clear()
        BOOK.update({row["id"]: row for row in self.body()["appointment"]})
        self.answer("set up")

    def do_POST(self) -> None:
        body = self.body()
        self.answer({"text": bot_of(body["dialogue_id"]).respond(body["text"])})

    def body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def answer(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
