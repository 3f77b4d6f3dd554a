"""In replay nothing gets out, whatever connects; while recording, what no cassette holds is named.

Each run is a process of its own, which has the kernel's filter; what connects is counted here.
"""

import re
import socket
import threading
from collections.abc import Iterator

import pytest

from pytest_todeval.recording.jail import kernel
from tests.plugin.conftest import apart

WHY_NOT = kernel.why_not()
needs_kernel = pytest.mark.skipif(WHY_NOT is not None, reason=f"the kernel's jail: {WHY_NOT}")

CONFTEST = """
import os
import pytest
from pytest_todeval import ScriptedUser
import bots

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Hello."])

@pytest.fixture
def tod_system(request):
    return getattr(bots, request.node.originalname.removeprefix("test_"))
"""

BOTS = """
import asyncio
import ctypes
import multiprocessing
import os
import socket
import struct
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

PORT = int(os.environ["PORT"])


def call():
    with socket.create_connection(("127.0.0.1", PORT)) as connection:
        return connection.recv(9).decode()


def raw_socket(text):
    return call()


async def asyncio_streams(text):
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    answer = await reader.read(9)
    writer.close()
    return answer.decode()


def in_c(text):
    libc = ctypes.CDLL(None, use_errno=True)
    opened = libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
    address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", PORT, b"\\x7f\\0\\0\\1")
    try:
        if libc.connect(opened, address, len(address)) != 0:
            raise OSError(ctypes.get_errno(), "not connected")
        answer = ctypes.create_string_buffer(9)
        libc.recv(opened, answer, 9, 0)
        return answer.value.decode()
    finally:
        libc.close(opened)


def swallowed(text):
    try:
        return in_c(text)
    except OSError:
        return "Sorry."


def child(text):
    code = f"import socket; print(socket.create_connection(('127.0.0.1', {PORT})).recv(9).decode())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return done.stdout.decode()


def grandchild(text):
    code = f"import socket; print(socket.create_connection(('127.0.0.1', {PORT})).recv(9).decode())"
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -c "{code}"; true'], capture_output=True, check=True
    )
    return done.stdout.decode() or "Sorry."


def spawned(text):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(call).result()


def forked(text):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        return pool.submit(call).result()


def harmless(text):
    # Sockets to itself, and processes that connect to nobody.
    ours, its = socket.socketpair()
    with ours, its:
        ours.sendall(b"hello")
        its.recv(9)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return str(pool.submit(int, "7").result())
"""

GETS_OUT = (
    "raw_socket",
    "asyncio_streams",
    "in_c",
    "swallowed",
    "child",
    "grandchild",
    "spawned",
    "forked",
)

TESTS = "import pytest\n" + "".join(
    f"""
@pytest.mark.goals("demo", limit=1)
def test_{name}(dialogue):
    assert dialogue.turns
"""
    for name in (*GETS_OUT, "harmless")
)


class Counting:
    """Answers each connection and counts them."""

    def __init__(self, listening: socket.socket) -> None:
        self.port: int = listening.getsockname()[1]
        self.count = 0
        self.answer = b"Hello."
        self._listening = listening

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.count += 1
            with connection:
                connection.sendall(self.answer)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counting]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        counting = Counting(listening)
        threading.Thread(target=counting.serve, daemon=True).start()
        monkeypatch.setenv("PORT", str(counting.port))
        yield counting
        listening.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def bots(pytester: pytest.Pytester, server: Counting) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(bots=BOTS, test_bot=TESTS)
    return pytester


def errors(result: pytest.RunResult) -> dict[str, str]:
    """By bot, what its dialogue ended with."""
    text = "\n".join(result.outlines)
    found = re.findall(r"^_+ ERROR at setup of test_(\w+)\[.*\n(?:\[gw.*\n)?(.*)", text, re.M)
    return dict(found)


@needs_kernel
@pytest.mark.parametrize("spread", [("-p", "no:xdist"), ("-n1",)], ids=["one", "n1"])
def test_nothing_gets_out_in_replay_and_what_tried_is_named(
    bots: pytest.Pytester, server: Counting, spread: tuple[str, ...]
) -> None:
    result = apart(bots, *spread, "--todeval-show=all")
    assert server.count == 0
    result.assert_outcomes(passed=1, errors=len(GETS_OUT))
    found = errors(result)
    assert set(found) == set(GETS_OUT)
    address = f"127.0.0.1:{server.port}"
    for message in found.values():
        assert message.startswith("infrastructure: ")
        assert address in message
        assert f'--todeval-allow="{address}"' in message
        assert "lane system, turn 1" in message
    assert "C code called at bots.py:" in found["in_c"]
    assert "C code called at bots.py:" in found["swallowed"]
    for name in ("child", "grandchild", "spawned"):
        assert re.search(r"by the process \d+ \(python[\d.]*\), which the dialogue", found[name])
    assert not list(bots.path.glob("cassettes"))


BY_THE_KERNEL = {"in_c", "swallowed", "child", "grandchild", "spawned"}


@needs_kernel
def test_while_recording_all_connect_and_are_named(bots: pytest.Pytester, server: Counting) -> None:
    """What only the kernel sees is told, and takes no recording away."""
    result = apart(bots, "-p", "no:xdist", "--todeval-show=all", "--todeval-record=rewrite")
    assert server.count == len(GETS_OUT)
    found = errors(result)
    assert set(found) == set(GETS_OUT) - BY_THE_KERNEL
    result.assert_outcomes(passed=1 + len(BY_THE_KERNEL), errors=len(found))
    for message in found.values():
        assert message.startswith(
            f"infrastructure: not recorded: a connection to 127.0.0.1:{server.port} in dialogue"
        )
    told = [line for line in result.outlines if "it is in no cassette" in line]
    assert all(f"127.0.0.1:{server.port}" in line and "turn 1" in line for line in told)
    assert sum("made by C code called at bots.py:" in line for line in told) == 1
    assert sum("(python" in line for line in told) == 4  # `forked` is seen twice


@needs_kernel
def test_a_busy_machine_accuses_nobody(pytester: pytest.Pytester, server: Counting) -> None:
    """What the kernel tells is read late: the connections were those of a client long known."""
    pytester.makeconftest(
        CONFTEST
        + """
import time
from pytest_todeval.recording.jail.jail import Jail
real = Jail._take
Jail._take = lambda self, event: (time.sleep(0.1), real(self, event))
"""
    )
    client = """
import http.client, os

def client(text):
    connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["PORT"]), timeout=5)
    try:
        connection.request("POST", "/reply")
        return connection.getresponse().read().decode()
    finally:
        connection.close()
"""
    test = "import pytest\n@pytest.mark.goals('demo', limit=10)\ndef test_client(dialogue): ..."
    server.answer = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nHello."
    pytester.makepyfile(bots=client, test_bot=test)
    result = apart(pytester, "-p", "no:xdist", "--todeval-record=rewrite")
    result.assert_outcomes(passed=10)
    result.stdout.no_fnmatch_line("*made by*")


@needs_kernel
def test_what_is_allowed_is_reached_by_all(bots: pytest.Pytester, server: Counting) -> None:
    result = apart(bots, "-p", "no:xdist", f"--todeval-allow=localhost:{server.port}")
    result.assert_outcomes(passed=len(GETS_OUT) + 1)
    assert server.count == len(GETS_OUT)


@needs_kernel
def test_around_dialogues_and_in_processes_of_fixtures_all_is_as_before(
    pytester: pytest.Pytester, server: Counting
) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        bots=BOTS,
        test_bot=f"""
import subprocess
import sys
import pytest
import bots

CODE = '''
import socket, sys
for line in sys.stdin:
    print(socket.create_connection(("127.0.0.1", {server.port})).recv(9).decode(), flush=True)
'''


@pytest.fixture
def helper():
    # Started after the first dialogue, so that it has the filter.
    with subprocess.Popen(
        [sys.executable, "-c", CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.stdin.close()


def asked(process):
    process.stdin.write("now\\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_before():
    assert bots.in_c("") == bots.call() == "Hello."


@pytest.mark.goals("demo", limit=1)
def test_harmless(dialogue):
    assert dialogue.turns


def test_between(helper):
    assert bots.in_c("") == bots.call() == bots.child("").strip() == "Hello."
    assert asked(helper) == "Hello."


@pytest.mark.goals("demo", limit=1)
def test_harmless_again(goal, helper, request, monkeypatch):
    monkeypatch.setattr(bots, "harmless_again", lambda text: asked(helper), raising=False)
    dialogue = request.getfixturevalue("dialogue")
    assert dialogue.turns[0].system == "Hello."
""",
    )
    result = apart(pytester, "-p", "no:xdist")
    result.assert_outcomes(passed=4)
    assert server.count == 7


def test_without_the_kernel_python_is_held_back_and_processes_are_named(
    bots: pytest.Pytester, server: Counting
) -> None:
    result = apart(
        bots,
        "-p",
        "no:xdist",
        "--todeval-show=all",
        "--todeval-jail=python",
        "-k",
        "raw_socket or asyncio_streams or child",
    )
    assert set(errors(result)) == {"raw_socket", "asyncio_streams"}
    assert server.count == 2  # of `child` and `grandchild`
    result.stdout.fnmatch_lines(
        [
            "todeval: in replay Python's sockets and known clients are held back (as asked); *",
            "  network: not held back: python*, started in lane system, turn 1",
            "  network: not held back: sh, started in lane system, turn 1",
        ]
    )


def test_the_head_says_what_holds_the_network_back(bots: pytest.Pytester) -> None:
    quiet = apart(bots, "-p", "no:xdist", "-k", "harmless")
    quiet.stdout.no_fnmatch_line("*in replay*")  # nothing is recorded here
    (bots.path / "cassettes").mkdir()
    result = apart(bots, "-p", "no:xdist", "-k", "harmless")
    expected = "the kernel holds back" if WHY_NOT is None else "Python's sockets and known clients"
    result.stdout.fnmatch_lines([f"todeval: in replay {expected}*"])
    assert result.ret == 0
