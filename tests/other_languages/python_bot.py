"""A bot in plain Python: behind HTTP, or, with a text as argument, one answer per process."""

import json
import os
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

INSTRUCTIONS = "You book hotels."


def answer(text: str) -> str:
    system = {"role": "system", "content": INSTRUCTIONS}
    body = {"model": "stand-in", "messages": [system, {"role": "user", "content": text}]}
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        said: str = json.load(response)["choices"][0]["message"]["content"]
        return said


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status, said = 200, b""
        try:
            said = answer(asked["text"]).encode()
        except OSError as error:
            status, said = 500, str(error).encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(answer(sys.argv[1]))
    else:
        ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
