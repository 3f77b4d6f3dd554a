"""In replay no socket reaches what is not allowed."""

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording import earlier, network
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.refusals import NetworkBlocked
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.tape import Tape


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def replay(
    folder: Path, modes: str = "replay", allowed: tuple[str, ...] = (), bot: str | None = None
) -> Tape:
    tape = Tape(
        folder / "a", test="test_it", dialogue="a", modes=modes_from(modes), allowed=allowed
    )
    tape.bot_address = Address.parse(bot) if bot else None
    return tape


def port_of(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


def connect(port: int, host: str = "127.0.0.1") -> None:
    socket.create_connection((host, port), timeout=2).close()


def test_a_socket_is_blocked_and_the_error_says_how_to_allow_it(
    listener: socket.socket, tmp_path: Path
) -> None:
    port = port_of(listener)
    with replay(tmp_path) as tape, in_lane("a", Lane.SYSTEM, 4):
        with pytest.raises(NetworkBlocked) as caught:
            connect(port)
        assert f"connect to 127.0.0.1:{port} in dialogue a, lane system, turn 4" in str(
            caught.value
        )
        assert f'--todeval-allow="127.0.0.1:{port}"' in str(caught.value)
        assert tape.refusals == [caught.value]


def test_a_thread_and_code_outside_the_dialogue_are_blocked_too(
    listener: socket.socket, tmp_path: Path
) -> None:
    errors: list[Exception] = []

    def try_it() -> None:
        try:
            connect(port_of(listener))
        except NetworkBlocked as error:
            errors.append(error)

    with replay(tmp_path):
        with in_lane("a", Lane.SYSTEM, 1):
            inside = threading.Thread(target=try_it)
            inside.start()
        inside.join()
        try_it()
    assert len(errors) == 2


@pytest.mark.parametrize("how", ["connect_ex", "sendto"])
def test_other_ways_to_the_network(tmp_path: Path, how: str) -> None:
    kind = socket.SOCK_DGRAM if how == "sendto" else socket.SOCK_STREAM
    with (
        replay(tmp_path),
        in_lane("a", Lane.SYSTEM, 1),
        socket.socket(socket.AF_INET, kind) as opened,
        pytest.raises(NetworkBlocked),
    ):
        getattr(opened, how)(*([b"x"] if how == "sendto" else []), ("127.0.0.1", 9))


@pytest.mark.parametrize("look_up", ["getaddrinfo", "gethostbyname"])
def test_names_are_not_looked_up(tmp_path: Path, look_up: str) -> None:
    arguments = ("example.org", 443) if look_up == "getaddrinfo" else ("example.org",)
    with (
        replay(tmp_path),
        in_lane("a", Lane.JUDGE),
        pytest.raises(NetworkBlocked, match=r"looked up: example\.org"),
    ):
        getattr(socket, look_up)(*arguments)


@pytest.mark.parametrize("allowed", ["127.0.0.1:{port}", "localhost:{port}", "localhost"])
def test_allowed_addresses_are_reached(
    listener: socket.socket, tmp_path: Path, allowed: str
) -> None:
    address = allowed.format(port=port_of(listener))
    with replay(tmp_path, allowed=(address,)), in_lane("a", Lane.SYSTEM, 1):
        connect(port_of(listener))
        connect(port_of(listener), "localhost")


def test_the_bot_is_reached_and_another_port_is_not(
    listener: socket.socket, tmp_path: Path
) -> None:
    bot = f"http://localhost:{port_of(listener)}/chat"
    with replay(tmp_path, bot=bot), in_lane("a", Lane.SYSTEM, 1):
        connect(port_of(listener))
        with pytest.raises(NetworkBlocked):
            connect(port_of(listener) ^ 1)


def test_an_allowed_name_allows_the_numbers_it_stands_for(
    listener: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = port_of(listener)

    def answer(host: str, port: int, *_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    network.install(Router.of_process())
    with replay(tmp_path, allowed=(f"db.test:{port}",)), in_lane("a", Lane.SYSTEM, 1):
        connect(port, "db.test")
        with pytest.raises(NetworkBlocked):
            connect(port, "other.test")


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no unix sockets here")
def test_unix_sockets(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        for allowed in ((), (path,)):
            with (
                replay(tmp_path, allowed=allowed),
                in_lane("a", Lane.SYSTEM, 1),
                socket.socket(socket.AF_UNIX) as opened,
            ):
                if allowed:
                    opened.connect(path)
                else:
                    with pytest.raises(NetworkBlocked, match="--todeval-allow"):
                        opened.connect(path)


@pytest.mark.parametrize("mode", ["missing", "rewrite", "live", "system:rewrite"])
def test_lanes_that_record_may_connect(listener: socket.socket, tmp_path: Path, mode: str) -> None:
    with replay(tmp_path, mode), in_lane("a", Lane.SYSTEM, 1):
        connect(port_of(listener))
    if mode == "system:rewrite":
        with (
            replay(tmp_path, mode),
            in_lane("a", Lane.JUDGE),
            pytest.raises(NetworkBlocked),
        ):
            connect(port_of(listener))


def test_without_a_tape_nothing_is_blocked(listener: socket.socket) -> None:
    with in_lane("a", Lane.SYSTEM, 1):
        connect(port_of(listener))


@pytest.mark.parametrize("text", ["", "http://", "host:port", "a:99999", "http://u:p@host/"])
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match="address"):
        Address.parse(text)


def test_addresses_as_people_write_them() -> None:
    assert Address.parse("https://api.example/v1") == Address("api.example", 443)
    assert Address.parse("[::1]:80").covers("::1", 80)
    assert str(Address.parse("[::1]:80")) == "[::1]:80"
    assert Address.parse("/run/db.sock").covers("/run/db.sock", None)
    assert not Address.parse("localhost:80").covers("127.0.0.1", 81)


def buffered(connection: ssl.SSLSocket) -> None:
    with connection.makefile("wb") as file:
        file.write(b"out")


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and its certificate, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("makes a certificate by openssl")
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    made = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=here -keyout {file} -out -"
    done = subprocess.run(["openssl", *made.split()], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + done.stdout)
    return file


@pytest.fixture
def tls(listener: socket.socket, certified: Path) -> Iterator[tuple[ssl.SSLContext, list[bytes]]]:
    """How to speak to a server over TLS, and what it was sent, once its clients are gone."""
    offered = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    offered.load_cert_chain(certified)
    heard: list[bytes] = []

    def serve() -> None:
        with offered.wrap_socket(listener.accept()[0], server_side=True) as accepted:
            accepted.settimeout(10)
            heard.append(accepted.recv(99))

    asked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    asked.check_hostname, asked.verify_mode = False, ssl.CERT_NONE
    asked.options |= ssl.OP_IGNORE_UNEXPECTED_EOF
    offered.options |= ssl.OP_IGNORE_UNEXPECTED_EOF
    server = threading.Thread(target=serve)
    server.start()
    yield asked, heard
    server.join(10)
    assert heard == [b""]


@pytest.mark.parametrize(
    "say",
    [
        lambda opened: opened.sendall(b"out"),
        lambda opened: opened.send(b"out"),
        lambda opened: opened.write(b"out"),
        buffered,
    ],
    ids=["sendall", "send", "write", "file"],
)
def test_tls_over_a_connection_from_before_is_held_back(
    say: Callable[[ssl.SSLSocket], object],
    listener: socket.socket,
    tls: tuple[ssl.SSLContext, list[bytes]],
    tmp_path: Path,
) -> None:
    plain = socket.create_connection(("127.0.0.1", port_of(listener)), timeout=10)
    with tls[0].wrap_socket(plain) as opened:
        with (
            replay(tmp_path) as tape,
            in_lane("a", Lane.SYSTEM, 1),
            pytest.raises(NetworkBlocked, match=f"to send to 127.0.0.1:{port_of(listener)} in"),
        ):
            say(opened)
        assert len(tape.refusals) == 1


def test_tls_of_asyncio_over_a_connection_from_before_is_held_back(
    listener: socket.socket, tls: tuple[ssl.SSLContext, list[bytes]], tmp_path: Path
) -> None:
    """Its records are made in memory, and sent over the plain socket."""

    async def speak() -> None:
        _, opened = await asyncio.open_connection("127.0.0.1", port_of(listener), ssl=tls[0])
        with replay(tmp_path) as tape, in_lane("a", Lane.SYSTEM, 1):
            opened.write(b"out")
        assert f"to send to 127.0.0.1:{port_of(listener)} in" in str(tape.refusals[0])
        opened.transport.abort()

    asyncio.run(speak())


@pytest.mark.parametrize(("by_us", "looks"), [(False, 1), (True, 0)], ids=["before", "ours"])
def test_a_connection_is_looked_up_at_most_once(
    listener: socket.socket,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    by_us: bool,
    looks: int,
) -> None:
    """To look is to read four tables of the kernel, and clients send all the time."""
    looked: list[socket.socket] = []
    monkeypatch.setattr(earlier, "is_served", looked.append)
    Router.of_process()
    with socket.create_connection(("127.0.0.1", port_of(listener))) as connection:
        if not by_us:
            network._CLIENTS.discard(connection)
        with replay(tmp_path, "live"), in_lane("a", Lane.SYSTEM, 1):
            for _ in range(3):
                connection.send(b"x")
        assert looked == [connection] * looks
