"""What no cassette can hold is named while a dialogue is recorded, with client and place."""

import asyncio
import contextlib
import multiprocessing
import socket
import sys
import urllib.request
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import httpcore
import httpx
import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.forks import ForkedCall, Forks
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.refusals import NotRecorded
from pytest_todeval.recording.tape import Tape
from tests.support.recording_world import ASYNC, SYNC, Server, run

forking = pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked here")


def tape_at(folder: Path, mode: str, allowed: tuple[str, ...] = ()) -> Tape:
    modes = modes_from(mode)
    return Tape(folder / "t", test="test_it", dialogue="d", modes=modes, allowed=allowed)


def by_httpcore(server: Server) -> None:
    with httpcore.ConnectionPool() as pool:
        assert pool.request("GET", server.url).status == 200


def by_own_transport(server: Server) -> None:
    class Own(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            with httpcore.ConnectionPool() as pool:
                return httpx.Response(pool.request("GET", str(request.url)).status)

    with httpx.Client(transport=Own()) as client:
        assert client.get(server.url).status_code == 200


def by_asyncio_streams(server: Server) -> None:
    async def ask() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", server.server_address[1])
        writer.close()
        await writer.wait_closed()

    asyncio.run(ask())


def by_socket(server: Server) -> None:
    socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=2).close()


WAYS = {
    "httpcore": (by_httpcore, "httpcore"),
    "own transport": (by_own_transport, "httpcore, at test_recording_unrecorded.py"),
    "asyncio streams": (by_asyncio_streams, "asyncio, at test_recording_unrecorded.py"),
    "socket": (by_socket, "socket, at test_recording_unrecorded.py"),
}


@pytest.mark.parametrize("mode", ["missing", "rewrite"])
@pytest.mark.parametrize("way", WAYS)
def test_a_connection_that_is_no_recorded_call_is_named(
    server: Server, tmp_path: Path, way: str, mode: str
) -> None:
    connect, client = WAYS[way]
    with tape_at(tmp_path, mode) as tape, in_lane("d", Lane.SYSTEM, 3):
        connect(server)
        connect(server)
        (refusal,) = tape.refusals
    assert isinstance(refusal, NotRecorded)
    assert f"{server.address} in dialogue d, lane system, turn 3 (made by {client}" in str(refusal)
    assert f'--todeval-allow="{server.address}"' in str(refusal)


def test_what_is_allowed_or_live_is_not_named(server: Server, tmp_path: Path) -> None:
    for mode, allowed in (("live", ()), ("rewrite", (server.address,))):
        with tape_at(tmp_path, mode, allowed) as tape, in_lane("d", Lane.SYSTEM, 1):
            by_socket(server)
        assert tape.refusals == []


@pytest.mark.parametrize("kind", ["plain", "stream"])
@pytest.mark.parametrize("client", [*SYNC, *ASYNC])
def test_connections_of_recorded_calls_are_not_named(
    server: Server, tmp_path: Path, client: str, kind: str
) -> None:
    with tape_at(tmp_path, "rewrite") as tape, in_lane("d", Lane.SYSTEM, 1):
        if client in SYNC:
            SYNC[client](server.url, kind, "hello")
        else:
            run(ASYNC[client](server.url, kind, "hello"))
        tape.end_calls()
        assert tape.refusals == []
        assert tape.calls[Lane.SYSTEM].recorded == 1


def fetched(url: str) -> int:
    with urllib.request.urlopen(url, timeout=5) as answer:
        return int(answer.status)


@forking
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("mode", ["rewrite", "replay"])
def test_calls_of_a_forked_pool_are_refused_and_named(
    server: Server, tmp_path: Path, mode: str
) -> None:
    context = multiprocessing.get_context("fork")
    with tape_at(tmp_path, mode) as tape, in_lane("d", Lane.SYSTEM, 2):
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            error = pool.submit(fetched, server.url).exception()
        assert isinstance(error, ForkedCall)
        tape.end_calls()
        (refusal,) = tape.refusals
        assert "a process forked in dialogue d, lane system, turn 2" in str(refusal)
        assert "at test_recording_unrecorded.py" in str(refusal)
    assert server.hits == 0


@forking
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_that_swallows_the_error_is_named_too(
    server: Server, tmp_path: Path
) -> None:
    def swallow() -> None:
        with contextlib.suppress(Exception):
            by_socket(server)
        with contextlib.suppress(Exception):
            fetched(server.url)

    with tape_at(tmp_path, "rewrite") as tape, in_lane("d", Lane.SYSTEM, 2):
        child = multiprocessing.get_context("fork").Process(target=swallow)
        child.start()
        child.join()
        tape.end_calls()
        assert [type(refusal) for refusal in tape.refusals] == [ForkedCall, ForkedCall]


@forking
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_leaves_the_recording_alone(server: Server, tmp_path: Path) -> None:
    """It has a copy of a half-read answer, and of the journal's file."""
    with tape_at(tmp_path, "rewrite") as tape, in_lane("d", Lane.SYSTEM, 1):
        client = httpx.Client(verify=False)
        body = {"stream": True, "messages": [{"content": "hello"}]}
        request = client.build_request("POST", server.url, json=body)
        answer = client.send(request, stream=True)
        lines = answer.iter_lines()
        next(lines)

        def in_child() -> None:
            answer.close()
            tape.finish(keep=True)

        child = multiprocessing.get_context("fork").Process(target=in_child)
        child.start()
        child.join()
        assert child.exitcode == 0
        assert not (tmp_path / "t").exists()
        list(lines)
        client.close()
        tape.finish(keep=True)
    assert tape.calls[Lane.SYSTEM].recorded == 1
    assert (tmp_path / "t").exists()


@forking
def test_a_line_that_is_full_refuses_nothing() -> None:
    forks = Forks()
    for _ in range(40):
        forks.tell("x" * 9000)
    told = forks.told()
    assert told
    assert set(map(len, told)) == {4000}
    forks.close()
    forks.close()
    assert forks.told() == []
