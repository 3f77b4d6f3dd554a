"""HTTP itself, and what is not HTTP."""

import contextlib
import io
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from client_matrix.asking import CHAT, Ask, Client, Stream, lib
from client_matrix.chat import line_text

__all__ = ["CLIENTS"]


def httpx_plain(ask: Ask) -> str:
    return str(lib("httpx").post(ask.url + CHAT, json=ask.body, timeout=ask.timeout).text)


async def httpx_plain_async(ask: Ask) -> str:
    async with lib("httpx").AsyncClient(timeout=ask.timeout) as client:
        return str((await client.post(ask.url + CHAT, json=ask.body)).text)


def streaming(ask: Ask) -> dict[str, Any]:
    return {**ask.body, "stream": True}


def httpx_stream(ask: Ask) -> Stream:
    client = lib("httpx").Client(timeout=ask.timeout)
    request = client.build_request("POST", ask.url + CHAT, json=streaming(ask))
    answer = client.send(request, stream=True)
    return Stream(map(line_text, answer.iter_lines()), answer.close)


async def httpx_stream_async(ask: Ask) -> Stream:
    client = lib("httpx").AsyncClient(timeout=ask.timeout)
    request = client.build_request("POST", ask.url + CHAT, json=streaming(ask))
    answer = await client.send(request, stream=True)
    return Stream((line_text(line) async for line in answer.aiter_lines()), answer.aclose)


def like_requests(module: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`plain` and `stream` of requests, and of what is used as it is."""

    def plain(ask: Ask) -> str:
        return str(lib(module).post(ask.url + CHAT, json=ask.body, timeout=ask.timeout).text)

    def stream(ask: Ask) -> Stream:
        options = {"json": streaming(ask), "stream": True, "timeout": ask.timeout}
        answer = lib(module).post(ask.url + CHAT, **options)
        return Stream(map(line_text, answer.iter_lines(chunk_size=1)), answer.close)

    return plain, stream


async def niquests_plain_async(ask: Ask) -> str:
    async with lib("niquests").AsyncSession() as session:
        options = {"json": ask.body, "timeout": ask.timeout}
        return str((await session.post(ask.url + CHAT, **options)).text)


def urllib3_asked(ask: Ask, body: dict[str, Any], **options: Any) -> Any:
    pool = lib("urllib3").PoolManager(timeout=ask.timeout, retries=False)
    return pool.request("POST", ask.url + CHAT, json=body, **options)


def urllib3_plain(ask: Ask) -> str:
    return str(urllib3_asked(ask, ask.body).data.decode())


def urllib3_stream(ask: Ask) -> Stream:
    answer = urllib3_asked(ask, streaming(ask), preload_content=False)
    lines = (line for part in answer.stream(None) for line in part.splitlines())
    return Stream(map(line_text, lines), answer.close)


def urllib_asked(ask: Ask, body: dict[str, Any]) -> Any:
    request = lib("urllib.request").Request(
        ask.url + CHAT, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    return lib("urllib.request").urlopen(request, timeout=ask.timeout)


def urllib_plain(ask: Ask) -> str:
    return str(urllib_asked(ask, ask.body).read().decode())


def urllib_stream(ask: Ask) -> Stream:
    answer = urllib_asked(ask, streaming(ask))
    return Stream(map(line_text, answer), answer.close)


def httplib2_plain(ask: Ask) -> str:
    http = lib("httplib2").Http(timeout=ask.timeout)
    return str(http.request(ask.url + CHAT, "POST", json.dumps(ask.body))[1].decode())


async def aiohttp_plain(ask: Ask) -> str:
    aiohttp = lib("aiohttp")
    limit = aiohttp.ClientTimeout(total=ask.timeout)
    async with (
        aiohttp.ClientSession(timeout=limit) as session,
        session.post(ask.url + CHAT, json=ask.body) as answer,
    ):
        return str(await answer.text())


async def aiohttp_stream(ask: Ask) -> Stream:
    aiohttp = lib("aiohttp")

    async def parts() -> AsyncIterator[str]:
        limit = aiohttp.ClientTimeout(total=ask.timeout)
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.post(ask.url + CHAT, json=streaming(ask)) as answer,
        ):
            async for line in answer.content:
                yield line_text(line)

    found = parts()
    return Stream(found, found.aclose)


def tornado_request(ask: Ask, body: dict[str, Any], **options: Any) -> Any:
    request = lib("tornado.httpclient").HTTPRequest
    data = json.dumps(body)
    limits = {"request_timeout": ask.timeout, "connect_timeout": 5}
    return request(ask.url + CHAT, "POST", body=data, **limits, **options)


async def tornado_plain(ask: Ask) -> str:
    client = lib("tornado.httpclient").AsyncHTTPClient()
    return str((await client.fetch(tornado_request(ask, ask.body))).body.decode())


async def tornado_stream(ask: Ask, take: Callable[[str], None]) -> None:
    def heard(data: bytes) -> None:
        for line in filter(None, data.splitlines()):  # events that come at once are one part
            take(line_text(line))

    client = lib("tornado.httpclient").AsyncHTTPClient()
    await client.fetch(tornado_request(ask, streaming(ask), streaming_callback=heard))


def pycurl_asked(ask: Ask, body: dict[str, Any], write: Callable[[bytes], Any]) -> None:
    pycurl = lib("pycurl")
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, ask.url + CHAT)
    curl.setopt(pycurl.TIMEOUT_MS, int(ask.timeout * 1000))
    curl.setopt(pycurl.POSTFIELDS, json.dumps(body))
    curl.setopt(pycurl.WRITEFUNCTION, write)
    try:
        curl.perform()
    finally:
        curl.close()


def pycurl_plain(ask: Ask) -> str:
    body = io.BytesIO()
    pycurl_asked(ask, ask.body, body.write)
    return body.getvalue().decode()


def pycurl_stream(ask: Ask, take: Callable[[str], None]) -> None:
    pycurl_asked(ask, streaming(ask), lambda data: take(data.decode()))


def websockets_plain(ask: Ask) -> str:
    connect = lib("websockets.sync.client").connect
    url = ask.url.replace("http", "ws", 1)
    with contextlib.closing(connect(url, open_timeout=ask.timeout)) as opened:
        opened.send(ask.text)
        return str(opened.recv())


def grpc_plain(ask: Ask) -> str:
    grpc = lib("grpc")
    with grpc.insecure_channel(ask.url.removeprefix("http://")) as channel:
        return str(channel.unary_unary("/a/B")(ask.text.encode(), timeout=ask.timeout))


def grpc_stream(ask: Ask) -> Stream:
    grpc = lib("grpc")
    channel = grpc.insecure_channel(ask.url.removeprefix("http://"))
    answer = channel.unary_stream("/a/B")(ask.text.encode(), timeout=ask.timeout)
    return Stream(map(str, answer), channel.close)


async def grpc_plain_async(ask: Ask) -> str:
    grpc = lib("grpc")
    async with grpc.aio.insecure_channel(ask.url.removeprefix("http://")) as channel:
        return str(await channel.unary_unary("/a/B")(ask.text.encode(), timeout=ask.timeout))


CLIENTS = {
    "httpx": Client("httpx", httpx_plain, httpx_stream),
    "httpx async": Client("httpx", httpx_plain_async, httpx_stream_async, True),
    "aiohttp": Client("aiohttp", aiohttp_plain, aiohttp_stream, True),
    "requests": Client("requests", *like_requests("requests")),
    "niquests": Client("niquests", *like_requests("niquests")),
    "niquests async": Client("niquests", niquests_plain_async, is_async=True),
    "urllib3": Client("urllib3", urllib3_plain, urllib3_stream),
    "urllib": Client("", urllib_plain, urllib_stream),
    "httplib2": Client("httplib2", httplib2_plain),
    "tornado": Client("tornado", tornado_plain, tornado_stream, True, True),
    "pycurl": Client("pycurl", pycurl_plain, pycurl_stream, False, True),
    "websockets": Client("websockets", websockets_plain),
    "grpcio": Client("grpc", grpc_plain, grpc_stream, package="grpcio"),
    "grpcio async": Client("grpc", grpc_plain_async, is_async=True, package="grpcio"),
}
