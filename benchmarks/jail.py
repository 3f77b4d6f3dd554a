"""Which clients are recorded, which are held back in replay and named: a table by client.

    python benchmarks/jail.py [--jail kernel|python] [--only NAME ...]

Each client is a bot that asks a server of its own twice. A suite of them is recorded, then
replayed while the servers are still there; what they accept is counted. Clients that are not
installed are left out (`pip install grpcio pycurl curl_cffi uvloop websockets httpx aiohttp`;
niquests wants an environment of its own, since it replaces urllib3). The status is 1 if any
client reaches its server in replay, or passes while recording what replay does not play.
"""

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

NEEDS = {
    "urllib": "",
    "requests": "requests",
    "httpx": "httpx",
    "aiohttp": "aiohttp",
    "httpx_uvloop": "httpx uvloop",
    "aiohttp_uvloop": "aiohttp uvloop",
    "niquests": "niquests",
    "niquests_async": "niquests",
    "raw_socket": "",
    "asyncio_streams": "",
    "uvloop_streams": "uvloop",
    "httpcore": "httpcore",
    "websockets": "websockets",
    "udp": "",
    "ctypes_connect": "",
    "pycurl": "pycurl",
    "curl_cffi": "curl_cffi",
    "curl_cffi_async": "curl_cffi",
    "grpc": "grpc",
    "grpc_aio": "grpc",
    "child_python": "",
    "child_curl": "$curl",
    "child_node": "$node",
    "os_system": "$curl",
    "pool_spawn": "",
    "pool_fork": "",
    "pool_forkserver": "",
}
"""By client, the packages and the programs (with `$`) that it needs."""

CONFTEST = """
import pytest
from pytest_todeval import ScriptedUser
import bots

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Hello.", "Thank you."])

@pytest.fixture
def tod_system(request):
    name = request.node.originalname.removeprefix("test_")
    bots.use(name)
    return getattr(bots, name)
"""

TESTS = """
import pytest

# These bots answer with what their server says: what the goal asks for does not matter.
pytestmark = pytest.mark.todeval(unserved="allowed")
"""

BOTS = r"""
import asyncio, concurrent.futures, ctypes, io, json, multiprocessing, os, socket, struct
import subprocess, sys

PORTS = json.loads(os.environ["PORTS"])
HOST, PORT, URL = "127.0.0.1", 0, ""

def use(name):
    global PORT, URL
    PORT = PORTS[name]
    URL = f"http://{HOST}:{PORT}/"

def fetched(url):
    import urllib.request
    return urllib.request.urlopen(url).read().decode()

def urllib(text):
    return fetched(URL)

def requests(text):
    import requests
    return requests.get(URL).text

def httpx(text):
    import httpx
    return httpx.get(URL).text

async def aiohttp(text):
    import aiohttp
    async with aiohttp.ClientSession() as session, session.get(URL) as answer:
        return await answer.text()

async def asked_with_httpx():
    import httpx
    async with httpx.AsyncClient() as client:
        return (await client.get(URL)).text

def httpx_uvloop(text):
    import uvloop
    return uvloop.run(asked_with_httpx())

def aiohttp_uvloop(text):
    import uvloop
    return uvloop.run(aiohttp(text))

def niquests(text):
    import niquests
    return niquests.get(URL).text

async def niquests_async(text):
    import niquests
    async with niquests.AsyncSession() as session:
        return (await session.get(URL)).text

def raw_socket(text):
    with socket.create_connection((HOST, PORT)) as opened:
        opened.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return opened.recv(999).decode()

async def asyncio_streams(text):
    reader, writer = await asyncio.open_connection(HOST, PORT)
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return answer.decode()

def uvloop_streams(text):
    import uvloop
    return uvloop.run(asyncio_streams(text))

def httpcore(text):
    import httpcore
    return httpcore.request("GET", URL).content.decode()

def websockets(text):
    from websockets.exceptions import InvalidHandshake
    from websockets.sync.client import connect
    try:
        connect(f"ws://{HOST}:{PORT}").close()
    except InvalidHandshake as error:
        return f"answered: {error}"
    return "opened"

def udp(text):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.sendto(b"x", (HOST, PORT))
    return "sent"

def ctypes_connect(text):
    libc = ctypes.CDLL(None, use_errno=True)
    opened = libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
    address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", PORT, b"\x7f\0\0\1")
    try:
        if libc.connect(opened, address, len(address)) != 0:
            raise OSError(ctypes.get_errno(), "not connected")
    finally:
        libc.close(opened)
    return "connected"

def pycurl(text):
    import pycurl
    body, curl = io.BytesIO(), pycurl.Curl()
    curl.setopt(pycurl.URL, URL)
    curl.setopt(pycurl.WRITEDATA, body)
    curl.perform()
    return body.getvalue().decode()

def curl_cffi(text):
    from curl_cffi import requests
    return requests.get(URL).text

async def curl_cffi_async(text):
    from curl_cffi.requests import AsyncSession
    async with AsyncSession() as session:
        return (await session.get(URL)).text

def grpc(text):
    import grpc
    with grpc.insecure_channel(f"{HOST}:{PORT}") as channel:
        try:
            channel.unary_unary("/a/B")(b"x", timeout=5)
        except grpc.RpcError as error:
            return f"gRPC: {error.code()}"
    return "answered"

async def grpc_aio(text):
    import grpc
    async with grpc.aio.insecure_channel(f"{HOST}:{PORT}") as channel:
        try:
            await channel.unary_unary("/a/B")(b"x", timeout=5)
        except grpc.RpcError as error:
            return f"gRPC: {error.code()}"
    return "answered"

def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout

def child_python(text):
    code = f"import urllib.request; print(urllib.request.urlopen('{URL}').read().decode())"
    return output(sys.executable, "-c", code)

def child_curl(text):
    return output("curl", "-s", URL)

def child_node(text):
    return output("node", "-e", f"fetch('{URL}').then(r => r.text()).then(console.log)")

def os_system(text):
    return f"status {os.system(f'curl -s {URL} > {os.devnull}')}"

def pooled(method):
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(fetched, URL).result()

def pool_spawn(text):
    return pooled("spawn")

def pool_fork(text):
    return pooled("fork")

def pool_forkserver(text):
    return pooled("forkserver")
"""


class Server(ThreadingHTTPServer):
    """Counts what it accepts."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.accepted = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self) -> tuple[Any, Any]:
        found = super().get_request()
        self.accepted += 1
        return found

    def handle_error(self, request: object, client_address: object) -> None:
        """Of HTTP/2, which gRPC speaks, it understands nothing."""


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "6")
        self.end_headers()
        self.wfile.write(b"Hello.")


def there(name: str) -> bool:
    """Whether all that a client needs is installed."""
    return all(
        shutil.which(need[1:]) if need.startswith("$") else importlib.util.find_spec(need)
        for need in NEEDS[name].split()
    )


def run(folder: Path, ports: dict[str, int], *options: str) -> dict[str, str]:
    """By client: `passed`, or the outcome that its test ended in."""
    environment = {**os.environ, "PORTS": json.dumps(ports)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-rA",
        "-p",
        "no:xdist",
        "--todeval-show=all",
        *options,
    ]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    errors = re.findall(r"^_+ ERROR at setup of test_(\w+)\[.*\n(\w+): (.*)", done.stdout, re.M)
    found = dict.fromkeys(re.findall(r"^PASSED .*::test_(\w+)\[", done.stdout, re.M), "passed")
    found.update(dict.fromkeys(re.findall(r"^FAILED .*test_(\w+)\[", done.stdout, re.M), "failed"))
    told = [line for line in done.stdout.splitlines() if "it is in no cassette" in line]
    for name in [name for name in found if any(f":{ports[name]} " in line for line in told)]:
        found[name] = "named"  # and the recording is kept
    for name, outcome, message in errors:
        found[name] = "named" if f":{ports[name]}" in message else outcome
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jail", choices=("kernel", "python"), default="kernel")
    parser.add_argument("--only", nargs="*", choices=NEEDS, default=list(NEEDS))
    given = parser.parse_args()
    names = [name for name in given.only if there(name)]
    servers = {name: Server() for name in names}
    ports = {name: server.server_address[1] for name, server in servers.items()}
    tests = TESTS + "".join(
        f'\n@pytest.mark.goals("demo", limit=1)\ndef test_{name}(dialogue):\n'
        "    assert len(dialogue.turns) == 2\n"
        for name in names
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for file, text in (("conftest", CONFTEST), ("bots", BOTS), ("test_bot", tests)):
            (folder / f"{file}.py").write_text(text)
        jail = f"--todeval-jail={given.jail}"
        recorded = run(folder, ports, jail, "--todeval-record=rewrite")
        before = {name: server.accepted for name, server in servers.items()}
        replayed = run(folder, ports, jail)
    print(f"| client | while recording | connections | in replay ({given.jail}) | connections |")
    print("| --- | --- | --- | --- | --- |")
    silent = 0
    for name, server in servers.items():
        out = server.accepted - before[name]
        ends = recorded.get(name, "?"), replayed.get(name, "?")
        silent += out > 0 or (ends[0] == "passed" and ends[1] != "passed")
        print(f"| {name} | {ends[0]} | {before[name]} | {ends[1]} | {out} |")
    print(f"\n{len(servers)} clients, {silent} of them out of the jail or silent while recording")
    missing = [name for name in given.only if name not in names]
    if missing:
        print(f"not installed: {', '.join(missing)}")
    return int(silent > 0)


if __name__ == "__main__":
    sys.exit(main())
