"""On the wire: streams, encodings, redirects, broken answers and clients that try again."""

import gzip
import http.client
import json
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import openai
import pytest
import requests
import urllib3

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import CUT
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.transport import raised_by, response_of
from tests.support.recording_server import TIMEOUT
from tests.support.recording_world import HTTP, Server, body_of, refused_url, run
from tests.support.threads import run_together


@pytest.fixture
def twice(tmp_path: Path) -> Callable[[Callable[[], Any]], tuple[Any, Any]]:
    """What a function returns while it is recorded, and while it is replayed."""

    def both(function: Callable[[], Any]) -> tuple[Any, Any]:
        found = []
        for mode in ("rewrite", "replay"):
            tape = Tape(tmp_path / "t", test="test_it", dialogue="d", modes=modes_from(mode))
            with tape, in_lane("d", Lane.SYSTEM, 1):
                found.append(function())
                tape.finish(keep=True)
            assert not tape.misses
            assert not tape.refusals
        return found[0], found[1]

    return both


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the clients of the test's own thread asked to sleep."""
    asked: list[float] = []
    sleep, thread = time.sleep, threading.current_thread()

    def noted(seconds: float) -> None:
        if threading.current_thread() is thread:
            asked.append(seconds)
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", noted)
    return asked


Both = Callable[[Callable[[], Any]], tuple[Any, Any]]


def streamed_by_httpx(url: str, prompt: str) -> Iterator[bytes]:
    with (
        httpx.Client(timeout=5, verify=False) as client,
        client.stream("POST", url, json=body_of("stream", prompt)) as answer,
    ):
        yield from answer.iter_raw()


def streamed_by_requests(url: str, prompt: str) -> Iterator[bytes]:
    with requests.post(url, json=body_of("stream", prompt), stream=True, timeout=5) as answer:
        yield from answer.iter_content(None)


def streamed_by_urllib(url: str, prompt: str) -> Iterator[bytes]:
    data = json.dumps(body_of("stream", prompt)).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        while part := answer.read1():
            yield part


STREAMS = [streamed_by_httpx, streamed_by_requests, streamed_by_urllib]


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_is_passed_on_while_it_is_recorded(
    server: Server, tmp_path: Path, stream: Callable[[str, str], Iterator[bytes]]
) -> None:
    """The server waits after its first event until that has arrived."""
    with (
        Tape(tmp_path / "t", test="t", dialogue="d", modes=modes_from("rewrite")) as tape,
        in_lane("d", Lane.SYSTEM, 1),
    ):
        parts = stream(server.url, "hold")
        assert b"one" in next(parts)
        server.gate.set()
        assert b"DONE" in b"".join(parts)
        assert tape.calls[Lane.SYSTEM].recorded == 1


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_is_replayed_event_by_event(
    server: Server, twice: Both, stream: Callable[[str, str], Iterator[bytes]]
) -> None:
    recorded, replayed = twice(lambda: list(stream(server.url, "hello")))
    assert b"".join(replayed) == b"".join(recorded)
    assert len(replayed) == 4
    assert all(part.endswith(b"\n\n") for part in replayed)


def test_aiohttp_streams_event_by_event(server: Server, twice: Both, tmp_path: Path) -> None:
    server.gate.set()

    async def ask() -> list[bytes]:
        async with (
            aiohttp.ClientSession() as session,
            session.post(server.url, json=body_of("stream", "hold")) as answer,
        ):
            return [part async for part in answer.content.iter_any()]

    recorded, replayed = twice(lambda: run(ask()))
    assert b"".join(replayed) == b"".join(recorded)
    assert len(replayed) == 4


@pytest.mark.parametrize("where", ["session", "request"])
def test_aiohttp_that_unpacks_by_itself_reads_the_same_in_replay(
    where: str, server: Server, twice: Both
) -> None:
    async def ask() -> bytes:
        of_session: dict[str, Any] = {"auto_decompress": False} if where == "session" else {}
        of_request: dict[str, Any] = {} if of_session else {"auto_decompress": False}
        async with (
            aiohttp.ClientSession(**of_session) as session,
            session.get(f"{server.url}/text", **of_request) as answer,
        ):
            body = await answer.read()
            packed = answer.headers.get("content-encoding") == "gzip"
            return gzip.decompress(body) if packed else body

    recorded, replayed = twice(lambda: run(ask()))
    assert recorded == replayed
    json.loads(recorded)


def test_an_aiohttp_too_old_to_be_recorded_is_told(
    twice: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("aiohttp.payload.Payload.as_bytes")

    async def ask() -> None:
        async with aiohttp.ClientSession() as session:
            await session.get(refused_url())

    with pytest.raises(UsageError, match=r"aiohttp 3\.12\.1 or later, not with \d"):
        twice(lambda: run(ask()))


def test_who_stops_reading_early_can_replay_it(server: Server, twice: Both) -> None:
    server.gate.set()

    def first_part() -> bytes:
        return next(streamed_by_httpx(server.url, "hold"))

    recorded, replayed = twice(first_part)
    assert recorded == replayed


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_that_breaks_off_breaks_off_again(
    server: Server, twice: Both, stream: Callable[[str, str], Iterator[bytes]]
) -> None:
    def ask() -> tuple[bytes, str]:
        parts, name = [], ""
        try:
            for part in stream(server.url, "cut"):
                parts.append(part)
        except Exception as error:
            name = type(error).__name__
        return b"".join(parts), name

    recorded, replayed = twice(ask)
    assert recorded[1]
    assert replayed == recorded


def test_gzip_is_kept_as_text(server: Server, twice: Both, tmp_path: Path) -> None:
    def ask() -> Any:
        return httpx.post(server.url, json=body_of("plain", "hello"), verify=False).json()

    recorded, replayed = twice(ask)
    assert replayed == recorded
    assert "answer 1 to hello" in (tmp_path / "t").read_text(encoding="utf-8")


def test_redirects_are_followed_in_replay(server: Server, twice: Both) -> None:
    def by_requests() -> str:
        return requests.get(server.url + "/moved", timeout=5).text

    recorded, replayed = twice(by_requests)
    assert recorded == replayed
    assert "answer" in replayed

    async def by_aiohttp() -> str:
        async with (
            aiohttp.ClientSession() as session,
            session.get(server.url + "/moved") as answer,
        ):
            return await answer.text()

    recorded, replayed = twice(lambda: run(by_aiohttp()))
    assert recorded == replayed
    assert "answer" in replayed


def test_openai_sleeps_for_no_retry_in_replay(
    server: Server, twice: Both, slept: list[float]
) -> None:
    """It waits a second after the 429, half a second and more after each refused connection."""
    lost = refused_url()
    client = openai.OpenAI(
        api_key="none",
        base_url=server.url,
        max_retries=1,
        timeout=TIMEOUT * 4,
        http_client=HTTP.Client(verify=False),
    )

    def ask() -> tuple[object, str, float]:
        create: Any = client.chat.completions.create
        slept.clear()
        answer = create(**body_of("plain", "crowded")).choices[0].message.content
        with pytest.raises(openai.APIConnectionError) as caught:
            client.with_options(base_url=lost).models.list()
        return answer, type(caught.value).__name__, sum(slept)

    recorded, replayed = twice(ask)
    client.close()
    assert recorded[:2] == replayed[:2]
    assert recorded[2] > 1
    assert replayed[2] < 0.3


def test_urllib3_sleeps_for_no_retry_in_replay(
    server: Server, twice: Both, slept: list[float]
) -> None:
    retry = urllib3.Retry(3, status_forcelist=[429], allowed_methods=None, backoff_factor=0.01)

    def ask() -> tuple[object, float]:
        session = requests.Session()
        slept.clear()
        session.mount("http://", requests.adapters.HTTPAdapter(max_retries=retry))
        answer = session.post(server.url, json=body_of("plain", "crowded"), timeout=5).json()
        session.close()
        return answer, sum(slept)

    recorded, replayed = twice(ask)
    assert recorded[0] == replayed[0]
    assert recorded[1] >= 1
    assert replayed[1] < 0.3


class OfAnotherPackage(urllib3.connection.HTTPConnection):
    """As botocore's, whose errors are urllib3's all the same."""


def test_connections_of_other_packages_raise_the_errors_of_their_base(twice: Both) -> None:
    url = refused_url()

    def ask() -> str:
        pool = urllib3.HTTPConnectionPool("127.0.0.1", int(url.rpartition(":")[2]))
        pool.ConnectionCls = OfAnotherPackage
        try:
            pool.urlopen("GET", "/", retries=False)
        except Exception as error:
            return type(error).__name__
        return "answered"

    assert twice(ask) == ("NewConnectionError", "NewConnectionError")


def test_a_kept_connection_serves_real_and_replayed_calls_in_turn(
    server: Server, tmp_path: Path
) -> None:
    """One pool with one connection; the tape's calls and those that are no tape's."""
    pool = urllib3.HTTPConnectionPool("127.0.0.1", server.server_address[1], maxsize=1, block=True)

    def ask(prompt: str) -> Any:
        return pool.request("POST", "/", json=body_of("plain", prompt), retries=False).json()["id"]

    ids = [ask("before")]
    for mode in ("rewrite", "replay"):
        with Tape(tmp_path / "t", test="t", dialogue="d", modes=modes_from(mode)) as tape:
            with in_lane("d", Lane.SYSTEM, 1):
                ids.append(ask("one"))
                ids.append(ask("two"))
            tape.finish(keep=True)
        ids.append(ask(f"after {mode}"))
    pool.close()
    assert ids == ["c1", "c2", "c3", "c4", "c2", "c3", "c5"]


def test_chunked_uploads_are_matched_by_their_content(server: Server, twice: Both) -> None:
    def ask() -> Any:
        data = iter([b'{"messages":[{"content":', b'"hello"}]}'])
        headers = {"content-type": "application/json"}
        return requests.post(server.url, data=data, headers=headers, timeout=5).json()

    # The server does not understand chunks, which is all the same here.
    monkey = pytest.MonkeyPatch()
    monkey.setattr(server.RequestHandlerClass, "do_POST", server.RequestHandlerClass.do_GET)  # type: ignore[attr-defined]
    recorded, replayed = twice(ask)
    monkey.undo()
    assert recorded == replayed


def test_http_client_itself(server: Server, twice: Both) -> None:
    def ask() -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1])
        connection.request("POST", "/x?b=1&a=2", b"{}")
        answer = connection.getresponse().read()
        connection.close()
        return answer

    recorded, replayed = twice(ask)
    assert recorded == replayed


def test_bodies_lose_their_encodings() -> None:
    whole = b"x" * 100
    raw = zlib.compressobj(wbits=-15)
    for name, body in {
        "gzip": gzip.compress(whole) + gzip.compress(b"y"),
        "deflate": zlib.compress(whole),
        "Deflate": raw.compress(whole) + raw.flush(),
        "gzip, deflate": zlib.compress(gzip.compress(whole)),
    }.items():
        response = response_of(200, [("Content-Encoding", name), ("X", "1")], body)
        assert response.body.startswith(whole)
        assert response.headers == (("x", "1"),)
    cut = response_of(200, [("content-encoding", "gzip")], gzip.compress(whole)[:-20])
    assert whole.startswith(cut.body)


def test_what_was_raised_is_told_by_kind_and_name() -> None:
    assert raised_by(ConnectionResetError("gone")).kind == "read"
    assert raised_by(ConnectionRefusedError("no")).kind == "connect"
    assert raised_by(httpx.ConnectTimeout("slow")).kind == "timeout"
    assert raised_by(http.client.RemoteDisconnected("x")).message == "RemoteDisconnected: x"
    response = response_of(200, [], b"", cut=httpx.ReadError("off"))
    assert dict(response.headers)[CUT] == "ReadError: off"


def test_many_threads_share_a_session(server: Server, twice: Both) -> None:
    session = requests.Session()

    def ask() -> list[Any]:
        answers: dict[int, Any] = {}

        def one(number: int) -> None:
            body = body_of("plain", f"wait for {number}")
            answers[number] = session.post(server.url, json=body, timeout=5).json()

        run_together(threading.Thread(target=one, args=(number,)) for number in range(12))
        return [answers[number] for number in range(12)]

    recorded, replayed = twice(ask)
    session.close()
    assert recorded == replayed
