"""Which sockets the lookout tells: those that lead out of this process, opened since it began."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane, Place
from pytest_todeval.recording.jail.jail import SeenConnection
from pytest_todeval.recording.jail.kernel import can_look
from pytest_todeval.recording.jail.lookout import Lookout, _host
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.tape import Tape

pytestmark = pytest.mark.skipif(not can_look(), reason="/proc does not show whose sockets are")


@pytest.fixture
def lookout() -> Lookout:
    return Lookout()


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


def test_nothing_is_told_before_it_begins(lookout: Lookout, listening: socket.socket) -> None:
    with socket.create_connection(listening.getsockname()):
        assert list(lookout.look()) == []


def test_the_end_that_connected_is_told_once(lookout: Lookout, listening: socket.socket) -> None:
    lookout.begin()
    with socket.create_connection(listening.getsockname()), listening.accept()[0]:
        [seen] = lookout.look()
        assert (seen.host, seen.port) == listening.getsockname()
        assert (seen.kind, seen.own, seen.blocked) == ("tcp", True, False)
        assert list(lookout.look()) == []


def test_what_was_open_before_is_not_told(lookout: Lookout, listening: socket.socket) -> None:
    with socket.create_connection(listening.getsockname()):
        lookout.begin()
        assert list(lookout.look()) == []


def test_an_accepted_connection_is_not_told_though_its_server_has_ended(lookout: Lookout) -> None:
    lookout.begin()
    with socket.create_server(("127.0.0.1", 0)) as server:
        opened = socket.create_connection(server.getsockname())
        accepted = server.accept()[0]
    with opened, accepted:
        assert list(lookout.look()) == []


@pytest.mark.parametrize("kind", [socket.AF_INET, socket.AF_INET6])
def test_connected_datagrams(lookout: Lookout, kind: socket.AddressFamily) -> None:
    loopback = "127.0.0.1" if kind == socket.AF_INET else "::1"
    lookout.begin()
    with socket.socket(kind, socket.SOCK_DGRAM) as bound, socket.socket(kind, 2) as other:
        try:
            bound.bind((loopback, 0))
        except OSError:
            pytest.skip("no IPv6 here")
        other.connect(bound.getsockname())
        [seen] = lookout.look()
        assert (seen.host, seen.port, seen.kind) == (*bound.getsockname()[:2], "udp")


CHILD = """
import socket, sys
for line in sys.stdin:
    opened = socket.create_connection(("127.0.0.1", int(line)))
    print("connected", flush=True)
"""


@pytest.mark.parametrize("before", [True, False], ids=["started before", "started since"])
def test_a_process_is_told_of_if_it_was_started_since(
    lookout: Lookout, listening: socket.socket, before: bool
) -> None:
    if not before:
        lookout.begin()
    command = [sys.executable, "-S", "-c", CHILD]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        if before:
            lookout.begin()
        assert child.stdin is not None
        assert child.stdout is not None
        print(listening.getsockname()[1], file=child.stdin, flush=True)
        assert child.stdout.readline() == "connected\n"
        found = list(lookout.look())
    if before:
        assert found == []
    else:
        assert [(seen.port, seen.own) for seen in found] == [(listening.getsockname()[1], False)]
        assert f"the process {child.pid} (python" in found[0].who


def shown(data: bytes) -> str:
    words = (data[start : start + 4] for start in range(0, len(data), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words) + ":01BB"


def test_addresses_as_the_tables_show_them() -> None:
    assert _host(shown(bytes([1, 2, 3, 4]))) == "1.2.3.4"
    assert _host(shown(bytes(10) + b"\xff\xff" + bytes([1, 2, 3, 4]))) == "1.2.3.4"
    assert _host(shown(bytes(15) + b"\1")) == "::1"


@pytest.mark.parametrize(
    ("host", "port", "refused"),
    [("10.0.0.9", 99, 0), ("10.0.0.9", 98, 1), ("10.0.0.8", 99, 1), ("10.0.0.1", 53, 0)],
)
def test_what_an_allowed_name_stands_for_may_be_reached_by_c_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, port: int, refused: int
) -> None:
    numbers = {"db.test": "10.0.0.9"}
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda name, at: [(0, 0, 0, "", (numbers[name], at))]
    )
    seen = SeenConnection(host, port, "tcp", "C code", own=True, blocked=False)
    modes = modes_from("replay")
    with Tape(tmp_path / "a", test="t", dialogue="a", modes=modes, allowed=["db.test:99"]) as tape:
        Router.of_process().watch._got_out(tape, Place("a", Lane.SYSTEM, 1), seen)
    assert len(tape.refusals) == refused
