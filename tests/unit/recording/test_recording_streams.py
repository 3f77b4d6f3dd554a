"""A stream whose reader stops early, however it does so, stands in the cassette and is replayed."""

import asyncio
import contextlib
import gc
import json
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import openai
import pytest
import requests
import urllib3

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.call import RaisedError
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from tests.support.recording_world import HTTP, Server, body_of, served

# Sessions and answers that nobody closes are the point.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
PATH = "/v1/chat/completions"
KEPT: list[Any] = []
"""What a bot holds on to after its dialogue."""


class Enough(Exception):
    """What a bot raises in the middle of a stream."""


class Stream:
    """An answer that may be read, and what closes it."""

    def __init__(self, lines: Any, close: Callable[[], Any]) -> None:
        self.lines, self.close = lines, close


def by_httpx(url: str, prompt: str, limit: float = 5) -> Stream:
    client = httpx.Client(verify=False, timeout=limit)
    asked = client.build_request("POST", url + PATH, json=body_of("stream", prompt))
    answer = client.send(asked, stream=True)
    return Stream(answer.iter_lines(), answer.close)


def by_requests(url: str, prompt: str, limit: float = 5) -> Stream:
    answer = requests.post(url + PATH, json=body_of("stream", prompt), stream=True, timeout=limit)
    return Stream(map(bytes.decode, answer.iter_lines(chunk_size=1)), answer.close)


def by_urllib3(url: str, prompt: str, limit: float = 5) -> Stream:
    body = body_of("stream", prompt)
    pool = urllib3.PoolManager(timeout=limit)
    answer = pool.request("POST", url + PATH, json=body, preload_content=False)
    return Stream((part.decode() for part in answer.stream(None)), answer.close)


def by_urllib(url: str, prompt: str, limit: float = 5) -> Stream:
    data = json.dumps(body_of("stream", prompt)).encode()
    request = urllib.request.Request(url + PATH, data, {"content-type": "application/json"})
    answer = urllib.request.urlopen(request, timeout=limit)
    return Stream((line.decode() for line in answer), answer.close)


def chunk_text(chunk: Any) -> str:
    choice = chunk.choices[0] if chunk.choices else None
    if choice is not None and choice.finish_reason:
        return f"finish_reason: {choice.finish_reason}"
    return (choice.delta.content or "") if choice is not None else "usage"


def by_openai(url: str, prompt: str, limit: float = 5) -> Stream:
    http = HTTP.Client(verify=False, timeout=limit)
    client = openai.OpenAI(api_key="none", base_url=url + "/v1", max_retries=0, http_client=http)
    create: Any = client.chat.completions.create
    answer = create(**body_of("stream", prompt))
    return Stream(map(chunk_text, answer), answer.close)


SYNC = {
    "httpx": by_httpx,
    "requests": by_requests,
    "urllib3": by_urllib3,
    "urllib": by_urllib,
    "openai": by_openai,
}


async def by_async_httpx(url: str, prompt: str) -> Stream:
    client = httpx.AsyncClient(verify=False, timeout=5)
    asked = client.build_request("POST", url + PATH, json=body_of("stream", prompt))
    answer = await client.send(asked, stream=True)
    return Stream(answer.aiter_lines(), answer.aclose)


async def by_aiohttp(url: str, prompt: str) -> Stream:
    session = aiohttp.ClientSession()
    KEPT.append(session)  # else it complains, in the end, that nobody closed it
    answer = await session.post(url + PATH, json=body_of("stream", prompt))

    async def lines() -> AsyncIterator[str]:
        async for line in answer.content:
            yield line.decode()

    async def close() -> None:
        answer.close()

    return Stream(lines(), close)


async def by_async_openai(url: str, prompt: str) -> Stream:
    http = HTTP.AsyncClient(verify=False)
    client = openai.AsyncOpenAI(
        api_key="none", base_url=url + "/v1", max_retries=0, http_client=http
    )
    create: Any = client.chat.completions.create
    answer = await create(**body_of("stream", prompt))

    async def texts() -> AsyncIterator[str]:
        async for chunk in answer:
            yield chunk_text(chunk)

    return Stream(texts(), answer.close)


ASYNC = {"httpx": by_async_httpx, "aiohttp": by_aiohttp, "openai": by_async_openai}


# How a reader stops. Each gives what it has read.


def break_at(word: str) -> Callable[[Stream], str]:
    def reader(stream: Stream) -> str:
        read = ""
        for line in stream.lines:
            read += line
            if word in line:
                break
        return read

    return reader


def close(stream: Stream) -> str:
    read: str = next(stream.lines)
    stream.close()
    return read


def error(stream: Stream) -> str:
    read = ""
    with contextlib.suppress(Enough):
        for line in stream.lines:
            read += line
            raise Enough
    return read


def kept(stream: Stream) -> str:
    KEPT.append(stream)
    read: str = next(stream.lines)
    return read


def cycle(stream: Stream) -> str:
    stream.close = stream  # type: ignore[assignment]
    read: str = next(stream.lines)
    return read


def unread(stream: Stream) -> str:
    return ""


def unread_but_kept(stream: Stream) -> str:
    KEPT.append(stream)
    return ""


READERS = {
    "done": break_at("DONE"),
    "finish_reason": break_at("finish_reason"),
    "first": break_at(""),
    "close": close,
    "error": error,
    "kept": kept,
    "cycle": cycle,
    "unread": unread,
    "unread_but_kept": unread_but_kept,
}


async def anext_of(stream: Stream) -> str:
    text: str = await anext(stream.lines)
    return text


def async_break_at(word: str) -> Callable[[Stream], Awaitable[str]]:
    async def reader(stream: Stream) -> str:
        read = ""
        async for line in stream.lines:
            read += line
            if word in line:
                break
        return read

    return reader


async def async_close(stream: Stream) -> str:
    read = await anext_of(stream)
    await stream.close()
    return read


async def async_error(stream: Stream) -> str:
    read = ""
    with contextlib.suppress(Enough):
        async for line in stream.lines:
            read += line
            raise Enough
    return read


async def async_kept(stream: Stream) -> str:
    KEPT.append(stream)
    return await anext_of(stream)


async def async_unread(stream: Stream) -> str:
    return ""


ASYNC_READERS = {
    "done": async_break_at("DONE"),
    "finish_reason": async_break_at("finish_reason"),
    "first": async_break_at(""),
    "close": async_close,
    "error": async_error,
    "kept": async_kept,
    "unread": async_unread,
}


async def cancelled(stream: Stream) -> str:
    """Cancelled by whoever started it, in wait for the second event."""
    read: list[str] = []

    async def reading() -> None:
        while True:
            read.append(await anext_of(stream))

    task = asyncio.create_task(reading())
    await asyncio.sleep(0.2)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return "".join(read)


async def out_of_time(stream: Stream) -> str:
    read = ""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.2):
            async for line in stream.lines:
                read += line
    return read


@pytest.fixture
def server() -> Iterator[Server]:
    KEPT.clear()
    with served() as server:
        yield server
    KEPT.clear()
    gc.collect()


def in_tape(path: Path, mode: str, ask: Callable[[], Any]) -> tuple[Any, Tape]:
    """What `ask` returns in a dialogue, and its tape, whose cassette is in place."""
    tape = Tape(path, test="test_it", dialogue="d", modes=modes_from(mode))
    with tape, in_lane("d", Lane.SYSTEM, 1):
        found = ask()
        tape.end_calls()
        assert not tape.misses
        assert not tape.refusals
        tape.finish(keep=True)
    return found, tape


def recorded_and_replayed(server: Server, path: Path, ask: Callable[[], Any]) -> None:
    heard, tape = in_tape(path, "rewrite", ask)
    hits = server.hits
    assert tape.calls[Lane.SYSTEM].recorded == hits == 1
    assert len(read_cassette(path).calls) == 1
    assert not journal_path(path).exists()
    again, tape = in_tape(path, "replay", ask)
    assert again == heard
    assert tape.unused() == ()
    assert server.hits == hits


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("client", SYNC)
def test_a_reader_that_stops_loses_no_call(
    server: Server, tmp_path: Path, client: str, reader: str
) -> None:
    def ask() -> str:
        return READERS[reader](SYNC[client](server.url, "reason"))

    recorded_and_replayed(server, tmp_path / "t", ask)


@pytest.mark.parametrize("reader", ASYNC_READERS)
@pytest.mark.parametrize("client", ASYNC)
def test_an_async_reader_that_stops_loses_no_call(
    server: Server, tmp_path: Path, client: str, reader: str
) -> None:
    async def ask() -> str:
        return await ASYNC_READERS[reader](await ASYNC[client](server.url, "reason"))

    recorded_and_replayed(server, tmp_path / "t", lambda: asyncio.run(ask()))


@pytest.mark.parametrize("reader", [cancelled, out_of_time])
@pytest.mark.parametrize("client", ASYNC)
def test_who_is_cancelled_in_the_middle_of_a_stream_is_so_again(
    server: Server, tmp_path: Path, client: str, reader: Callable[[Stream], Awaitable[str]]
) -> None:
    async def ask() -> str:
        return await reader(await ASYNC[client](server.url, "hold"))

    recorded_and_replayed(server, tmp_path / "t", lambda: asyncio.run(ask()))


@pytest.mark.parametrize("reader", ["first", "close", "error", "kept"])
@pytest.mark.parametrize("client", [name for name in SYNC if name != "openai"])
def test_a_reader_of_a_stream_of_no_events_loses_no_call_either(
    server: Server, tmp_path: Path, client: str, reader: str
) -> None:
    def ask() -> str:
        return READERS[reader](SYNC[client](server.url, "reason lines"))

    recorded_and_replayed(server, tmp_path / "t", ask)


@pytest.mark.parametrize("prompt", ["hold", "hold lines"])
@pytest.mark.parametrize("client", SYNC)
def test_whose_client_runs_out_of_time_in_the_middle_of_a_stream_does_so_again(
    server: Server, tmp_path: Path, client: str, prompt: str
) -> None:
    def ask() -> str:
        read = ""
        try:
            for line in SYNC[client](server.url, prompt, 0.2).lines:
                read += line
        except Exception as error:
            read += type(error).__name__
        return read

    recorded_and_replayed(server, tmp_path / "t", ask)


@pytest.mark.parametrize("client", ASYNC)
def test_who_is_cancelled_before_the_answer_is_so_again(
    server: Server, tmp_path: Path, client: str
) -> None:
    async def ask() -> str:
        try:
            async with asyncio.timeout(0.2):
                return await anext_of(await ASYNC[client](server.url, "late"))
        except TimeoutError:
            return "no time"

    recorded_and_replayed(server, tmp_path / "t", lambda: asyncio.run(ask()))
    (call,) = read_cassette(tmp_path / "t").calls
    assert isinstance(call.outcome, RaisedError)
    assert call.outcome.kind == "cancelled"


def whole(stream: Stream) -> str:
    return "".join(stream.lines)


async def async_whole(stream: Stream) -> str:
    return "".join([line async for line in stream.lines])


@pytest.mark.parametrize("client", SYNC)
def test_who_reads_on_where_the_recording_stopped_is_stale(
    server: Server, tmp_path: Path, client: str
) -> None:
    path = tmp_path / "t"
    in_tape(path, "rewrite", lambda: close(SYNC[client](server.url, "hold")))
    tape = Tape(path, test="test_it", dialogue="d", modes=modes_from("replay"))
    with tape, in_lane("d", Lane.SYSTEM, 1):
        with pytest.raises(Exception, match="stopped reading"):
            whole(SYNC[client](server.url, "hold"))
        assert "it stopped reading the answer" in tape.misses[0].cause
    assert server.hits == 1


@pytest.mark.parametrize("client", ASYNC)
def test_who_reads_on_asynchronously_is_stale(server: Server, tmp_path: Path, client: str) -> None:
    path = tmp_path / "t"

    async def closing() -> str:
        return await async_close(await ASYNC[client](server.url, "hold"))

    async def reading() -> str:
        return await async_whole(await ASYNC[client](server.url, "hold"))

    in_tape(path, "rewrite", lambda: asyncio.run(closing()))
    tape = Tape(path, test="test_it", dialogue="d", modes=modes_from("replay"))
    with tape, in_lane("d", Lane.SYSTEM, 1):
        with pytest.raises(Exception, match="stopped reading"):
            asyncio.run(reading())
        assert len(tape.misses) == 1


@pytest.mark.parametrize("reader", ["done", "whole"])
@pytest.mark.parametrize("client", [name for name in SYNC if name != "openai"])
def test_a_stream_that_says_that_it_is_over_is_whole(
    server: Server, tmp_path: Path, client: str, reader: str
) -> None:
    """Who breaks at `[DONE]` and who reads to the end replay the same cassette."""
    read = {"done": break_at("DONE"), "whole": whole}
    other = {"done": "whole", "whole": "done"}[reader]
    first, _ = in_tape(
        tmp_path / "t", "rewrite", lambda: read[reader](SYNC[client](server.url, "reason"))
    )
    again, _ = in_tape(
        tmp_path / "t", "replay", lambda: read[other](SYNC[client](server.url, "reason"))
    )
    assert again.strip() == first.strip()


def test_the_miss_of_a_reader_says_what_changed(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "t"
    in_tape(path, "rewrite", lambda: close(by_httpx(server.url, "hold")))
    tape = Tape(path, test="test_it", dialogue="d", modes=modes_from("replay"))
    with tape, in_lane("d", Lane.SYSTEM, 1), pytest.raises(CassetteMiss) as caught:
        whole(by_httpx(server.url, "hold"))
    assert "when it was recorded, it stopped reading the answer before its end" in str(caught.value)
    assert "--todeval-record=rewrite" in str(caught.value)
