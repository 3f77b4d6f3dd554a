"""If the kernel holds nothing back, what got out is seen in /proc, and its dialogue is no pass.

The bots hold their connections until they were seen, so that no time decides.
"""

import re

import pytest

from pytest_todeval.recording.jail.kernel import can_look
from tests.plugin.conftest import apart
from tests.plugin.test_jail_in_runs import CONFTEST, Counting, errors, server

__all__ = ["server"]  # a fixture

pytestmark = pytest.mark.skipif(not can_look(), reason="/proc does not show whose sockets are")

BOTS = """
import asyncio
import ctypes
import os
import socket
import struct
import subprocess
import sys
import time

from pytest_todeval.recording.router import Router

PORT = int(os.environ["PORT"])
KEPT = []
CODE = '''
import socket, sys
for line in sys.stdin:
    opened = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    print(opened.recv(9).decode(), flush=True)
'''


def connected():
    libc = ctypes.CDLL(None, use_errno=True)
    opened = libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
    address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", PORT, b"\\x7f\\0\\0\\1")
    if libc.connect(opened, address, len(address)) != 0:
        raise OSError(ctypes.get_errno(), "not connected")
    answer = ctypes.create_string_buffer(9)
    libc.recv(opened, answer, 9, 0)
    return opened, answer.value.decode()


def until_the_end(text):
    opened, answer = connected()
    return answer


def until_seen(text):
    opened, answer = connected()
    router = Router.of_process()
    while router.tapes and not router.watch._found:
        time.sleep(0.01)
    os.close(opened)
    return answer


def started():
    # It ends with this process, whose end of the pipe is closed then.
    command = [sys.executable, "-c", CODE, str(PORT)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def asked(process):
    process.stdin.write("now\\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def by_child(text):
    KEPT.append(started())
    return asked(KEPT[-1])


def harmless(text):
    # Sockets to itself, and a process that connects to nobody.
    KEPT.append(socket.socketpair())
    KEPT.append(socket.create_server(("127.0.0.1", 0)))
    asyncio.run(asyncio.sleep(0))
    subprocess.run([sys.executable, "-c", ""], check=True)
    return "Hello."


def of_fixture(text):
    return asked(KEPT[0])
"""

GET_OUT = ("until_the_end", "until_seen", "by_child")
HARMLESS = ("harmless", "of_fixture")

TESTS = """
import pytest
import bots


@pytest.fixture(scope="session", autouse=True)
def connections():
    # Before all dialogues: a connection, and a process that connects while they are played.
    opened = bots.connected()
    bots.KEPT.insert(0, bots.started())
""" + "".join(
    f"""

@pytest.mark.goals("demo", limit=1)
def test_{name}(dialogue):
    assert dialogue.turns[0].system == "Hello."
"""
    for name in (*GET_OUT, *HARMLESS)
)


@pytest.fixture
def bots(pytester: pytest.Pytester, server: Counting) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(bots=BOTS, test_bot=TESTS)
    return pytester


def test_what_got_out_of_a_dialogue_is_seen_and_nothing_else(
    bots: pytest.Pytester, server: Counting
) -> None:
    result = apart(bots, "-p", "no:xdist", "--todeval-show=all", "--todeval-jail=python")
    result.assert_outcomes(passed=len(HARMLESS), errors=len(GET_OUT))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    found = errors(result)
    assert set(found) == set(GET_OUT)
    address = f"127.0.0.1:{server.port}"
    for message in found.values():
        assert message.startswith(f"infrastructure: a connection was made to {address} by ")
        assert "lane system, turn 1: it really got out" in message
        assert f'--todeval-allow="{address}"' in message
    for name in ("until_the_end", "until_seen"):
        assert "by C code, in dialogue" in found[name]
    assert re.search(r"the process \d+ \(python[\d.]*\), which the dialogue", found["by_child"])
    result.stdout.fnmatch_lines(["todeval: * but seen while a connection stands *"])


def test_what_is_allowed_may_get_out(bots: pytest.Pytester, server: Counting) -> None:
    allowed = f"--todeval-allow=localhost:{server.port}"
    result = apart(bots, "-p", "no:xdist", "--todeval-jail=python", allowed, "-k", "not until_seen")
    result.assert_outcomes(passed=len(HARMLESS) + len(GET_OUT) - 1)
    assert server.count == 4


@pytest.mark.thorough
def test_workers_give_no_false_alarm(bots: pytest.Pytester) -> None:
    result = apart(bots, "-n2", "--todeval-jail=python", "-k", "harmless or of_fixture")
    result.assert_outcomes(passed=len(HARMLESS))
