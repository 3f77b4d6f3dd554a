"""Ways out of the jail that once were silent: messages of UDP from C, a child that waits, and
connections that stood before the dialogue.
"""

import socket

import pytest

from tests.plugin.conftest import apart
from tests.plugin.test_jail_in_runs import CONFTEST, needs_kernel

BOTS = """
import ctypes, os, socket, struct, subprocess, sys

PORT = int(os.environ["PORT"])
ADDRESS = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", PORT, bytes([127, 0, 0, 1]))
LATE = f'''
import socket, time
for _ in range(20):
    time.sleep(0.05)
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"late", ("127.0.0.1", {PORT}))
    except OSError:
        pass
'''


def message():
    address = ctypes.create_string_buffer(ADDRESS, 16)
    data = ctypes.create_string_buffer(b"out", 3)
    vector = ctypes.create_string_buffer(struct.pack("=QQ", ctypes.addressof(data), 3), 16)
    places = ctypes.addressof(address), 16, ctypes.addressof(vector), 1
    return struct.pack("=QIxxxxQQ", *places).ljust(64, bytes(1)), (address, data, vector)


def sendmsg(text):
    libc = ctypes.CDLL(None, use_errno=True)
    head, kept = message()
    opened = libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0)
    return str(libc.sendmsg(opened, ctypes.create_string_buffer(head, 64), 0))


def sendmmsg(text):
    libc = ctypes.CDLL(None, use_errno=True)
    head, kept = message()
    opened = libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0)
    return str(libc.sendmmsg(opened, ctypes.create_string_buffer(head * 2, 128), 2, 0))


def unix_messages(text):
    one, other = socket.socketpair()
    one.sendmsg([b"hello"])
    return other.recv(9).decode()


OPENED = [socket.create_connection(("127.0.0.1", int(os.environ["LISTENS"]))) for _ in range(3)]


def opened_before(text):
    OPENED[0].sendall(b"out")
    return "sent"


def opened_before_and_caught(text):
    try:
        OPENED[1].send(b"out")
    except Exception as error:
        return type(error).__name__
    return "sent"


def opened_before_for_c(text):
    libc = ctypes.CDLL(None, use_errno=True)
    return str(libc.send(OPENED[2].fileno(), ctypes.create_string_buffer(b"from C", 6), 6, 0))


def late_child(text):
    subprocess.Popen([sys.executable, "-c", LATE])
    return "Hello."
"""
TEST = """
import time
import pytest

@pytest.mark.goals("demo", limit=1)
def test_sendmsg(dialogue):
    assert dialogue.turns

@pytest.mark.goals("demo", limit=1)
def test_sendmmsg(dialogue):
    assert dialogue.turns

@pytest.mark.goals("demo", limit=1)
def test_unix_messages(dialogue):
    assert dialogue.turns[0].system == "hello"

@pytest.mark.goals("demo", limit=1)
def test_opened_before(dialogue):
    assert dialogue.turns

@pytest.mark.goals("demo", limit=1)
def test_opened_before_and_caught(dialogue):
    assert dialogue.turns

@pytest.mark.goals("demo", limit=1)
def test_opened_before_for_c(dialogue):
    assert dialogue.turns

@pytest.mark.goals("demo", limit=1)
def test_late_child(dialogue):
    assert dialogue.turns

def test_time_goes_by():
    time.sleep(1.5)
"""


@needs_kernel
def test_messages_and_late_children_are_held_back_and_named(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = []
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink,
        socket.create_server(("127.0.0.1", 0)) as server,
    ):
        sink.bind(("127.0.0.1", 0))
        place = str(server.getsockname()[1])
        monkeypatch.setenv("LISTENS", place)
        sink.setblocking(False)
        monkeypatch.setenv("PORT", str(sink.getsockname()[1]))
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(bots=BOTS, test_bot=TEST)
        result = apart(pytester, "-p", "no:xdist")
        while True:
            try:
                heard.append(sink.recv(9))
            except BlockingIOError:
                break
        opened = [server.accept()[0] for _ in range(3)]
        told = [each.recv(99) for each in opened]  # the other end is closed
        for each in opened:
            each.close()
    assert told == [b"", b"", b"from C"]
    assert heard == []
    text = str(result.stdout)
    assert f"a socket was to send to 127.0.0.1:{place}" in text
    assert f"6 bytes went to 127.0.0.1:{place} over a connection that was open before" in text
    for name in ("sendmsg", "sendmmsg", "opened_before", "opened_before_and_caught"):
        assert f"test_{name}[demo" in text.partition("short test summary")[2]
    assert "(UDP)" in text
    assert "network: held back, after its dialogue: " in text
