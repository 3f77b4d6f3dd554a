"""tornado's clients, recorded and replayed: whole answers, streams, errors, redirects."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.process_rules import process_rules_from
from pytest_todeval.recording.refusals import NotRecorded
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from tests.support.recording_world import Server, body_of, refused_url

httpclient: Any = pytest.importorskip("tornado.httpclient")
iostream: Any = pytest.importorskip("tornado.iostream")
PATH = "/v1/chat/completions"


@pytest.fixture(autouse=True)
def connections_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tornado leaves the connections open of requests that are cancelled or run out of time."""
    opened: list[Any] = []
    real = iostream.IOStream.__init__

    def noted(stream: Any, connection: Any, *args: Any, **options: Any) -> None:
        opened.append(connection)
        real(stream, connection, *args, **options)

    monkeypatch.setattr(iostream.IOStream, "__init__", noted)
    yield
    for connection in opened:
        connection.close()


def request_to(url: str, prompt: str, kind: str = "plain", **options: Any) -> Any:
    body = json.dumps(body_of(kind, prompt))
    return httpclient.HTTPRequest(url + PATH, "POST", body=body, **options)


async def fetched(request: Any) -> str:
    """The body, or the class of the error and its words."""
    client = httpclient.AsyncHTTPClient(force_instance=True)
    try:
        return str((await client.fetch(request)).body.decode())
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        client.close()


async def plain(url: str) -> str:
    return await fetched(request_to(url, "hello"))


async def broken(url: str) -> str:
    return await fetched(request_to(url, "broken"))


async def late(url: str) -> str:
    return await fetched(request_to(url, "late", request_timeout=0.2))


async def refused(url: str) -> str:
    return (await fetched(request_to(refused_url(), "hello"))).partition(":")[0]


async def streamed(url: str) -> str:
    return await _streamed(url, "reason")


async def callback_fails(url: str) -> str:
    return await _streamed(url, "reason", fails=True)


async def stream_runs_out_of_time(url: str) -> str:
    return await _streamed(url, "hold", request_timeout=0.3)


async def stream_is_cancelled(url: str) -> str:
    return await _streamed(url, "hold", patience=0.3)


async def is_cancelled_before_the_answer(url: str) -> str:
    try:
        async with asyncio.timeout(0.2):
            return await fetched(request_to(url, "late"))
    except TimeoutError:
        return "no time"


async def _streamed(
    url: str, prompt: str, fails: bool = False, patience: float = 9, **options: Any
) -> str:
    lines: list[str] = []
    read = ""

    def take(data: bytes) -> None:
        nonlocal read
        read += data.decode()
        if fails:
            raise RuntimeError("enough")

    request = request_to(
        url, prompt, "stream", streaming_callback=take, header_callback=lines.append, **options
    )
    try:
        async with asyncio.timeout(patience):
            read += await fetched(request)
    except TimeoutError:
        read += "no time"
    return f"{lines[0].split()[1]} {lines[-1]!r} {read}"


BOTS = (
    plain,
    broken,
    late,
    refused,
    streamed,
    callback_fails,
    stream_runs_out_of_time,
    stream_is_cancelled,
    is_cancelled_before_the_answer,
)


def in_tape(path: Path, mode: str, ask: Callable[[], Awaitable[str]]) -> tuple[str, Tape]:
    async def asked() -> str:
        return await ask()

    tape = Tape(path, test="test_it", dialogue="d", modes=modes_from(mode))
    with tape, in_lane("d", Lane.SYSTEM, 1):
        found = asyncio.run(asked())
        tape.end_calls()
        assert not tape.misses
        assert not tape.refusals
        tape.finish(keep=True)
    return found, tape


@pytest.mark.parametrize("ask", BOTS, ids=lambda ask: ask.__name__)
def test_what_a_bot_heard_it_hears_again(
    server: Server, tmp_path: Path, ask: Callable[[str], Awaitable[str]]
) -> None:
    heard, _ = in_tape(tmp_path / "t", "rewrite", lambda: ask(server.url))
    hits = server.hits
    assert len(read_cassette(tmp_path / "t").calls) == 1
    again, tape = in_tape(tmp_path / "t", "replay", lambda: ask(server.url))
    assert again == heard
    assert tape.unused() == ()
    assert server.hits == hits <= 1


def test_a_redirect_is_part_of_its_call(server: Server, tmp_path: Path) -> None:
    async def ask() -> str:
        return await fetched(httpclient.HTTPRequest(server.url + "/moved"))

    heard, _ = in_tape(tmp_path / "t", "rewrite", ask)
    assert server.hits == 2
    assert len(read_cassette(tmp_path / "t").calls) == 1
    again, tape = in_tape(tmp_path / "t", "replay", ask)
    assert again == heard
    assert tape.unused() == ()
    assert server.hits == 2


def test_a_body_made_while_it_is_sent_is_refused(server: Server, tmp_path: Path) -> None:
    async def body(write: Callable[[bytes], Awaitable[None]]) -> None:
        await write(b"{}")

    request = httpclient.HTTPRequest(server.url + PATH, "POST", body_producer=body)
    tape = Tape(tmp_path / "t", test="test_it", dialogue="d", modes=modes_from("rewrite"))
    with tape, in_lane("d", Lane.SYSTEM, 1):
        assert asyncio.run(fetched(request)).startswith("NotRecorded")
        assert [type(error) for error in tape.refusals] == [NotRecorded]
    assert server.hits == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.*"])
def test_rules_name_its_hosts(server: Server, tmp_path: Path, host: str) -> None:
    """What is shared goes to the process's cassette, what is ignored nowhere."""
    modes = modes_from("missing")
    heard = []
    for shared, ignored in ((host, "other"), ("other", host)):
        rules = process_rules_from([shared], [ignored])
        process = ProcessCassette(tmp_path / "p", modes=modes, rules=rules)
        tape = Tape(tmp_path / "t", test="t", dialogue="d", modes=modes, process=process)
        with tape, in_lane("d", Lane.SYSTEM, 1):
            heard.append(asyncio.run(plain(server.url)))
            tape.finish(keep=True)
    assert "answer 1 to hello" in heard[0]
    assert heard[1] == "{}"
    assert len(read_cassette(tmp_path / "p").calls) == server.hits == 1
    assert not (tmp_path / "t").exists()
