"""The HTTP clients that tests record and replay with, and a server for them."""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import httpx
import httpx2
import openai
import requests

from tests.support.recording_server import TIMEOUT, Server, refused_url, serving

__all__ = ["ASYNC", "HTTP", "SYNC", "Server", "refused_url", "served"]


@contextmanager
def served() -> Iterator[Server]:
    """A server that listens, for the clients below."""
    with serving() as server:
        try:
            yield server
        finally:
            server.gate.set()
            SESSION.close()


TOOLS = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]


def body_of(kind: str, prompt: str) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": "stand-in",
        "messages": [{"role": "user", "content": prompt}],
    }
    if kind == "tools":
        body["tools"] = TOOLS
    if kind == "stream":
        body["stream"] = True
    return body


def raised(error: Exception) -> str:
    return f"raised {type(error).__module__}.{type(error).__name__}"


def error_or(call: Callable[[str, str, str], Any]) -> Callable[[str, str, str], Any]:
    def asking(url: str, kind: str, prompt: str) -> Any:
        try:
            return call(url, kind, prompt)
        except AssertionError:
            raise
        except Exception as error:
            return raised(error)

    return asking


def error_or_async(
    call: Callable[[str, str, str], Awaitable[Any]],
) -> Callable[[str, str, str], Awaitable[Any]]:
    async def asking(url: str, kind: str, prompt: str) -> Any:
        try:
            return await call(url, kind, prompt)
        except AssertionError:
            raise
        except Exception as error:
            return raised(error)

    return asking


HTTP: Any = httpx2 if issubclass(openai.DefaultHttpxClient, httpx2.Client) else httpx
"""The library that this version of openai sends with."""

OPENAI = openai.OpenAI(
    api_key="none",
    base_url="http://127.0.0.1:9",
    max_retries=0,
    timeout=TIMEOUT,
    # A connection that is kept would outlive the test, and its server.
    http_client=HTTP.Client(verify=False, limits=HTTP.Limits(max_keepalive_connections=0)),
)


def said(answer: Any) -> str:
    message = answer.choices[0].message
    calls = [call.function.arguments for call in message.tool_calls or ()]
    return f"{message.content} {calls}"


def patience(prompt: str) -> float:
    """The time-out of a call: short only if the server lets it run out."""
    return TIMEOUT if "timeout" in prompt else 30


def by_openai(url: str, kind: str, prompt: str) -> str:
    client = OPENAI.with_options(base_url=url + "/v1", timeout=patience(prompt))
    create: Any = client.chat.completions.create
    answer = create(**body_of(kind, prompt))
    if kind == "stream":
        return "|".join(part.choices[0].delta.content or "" for part in answer)
    return said(answer)


async def by_async_openai(url: str, kind: str, prompt: str) -> str:
    http = HTTP.AsyncClient(verify=False)
    async with openai.AsyncOpenAI(
        api_key="none",
        base_url=url + "/v1",
        max_retries=0,
        timeout=patience(prompt),
        http_client=http,
    ) as client:
        create: Any = client.chat.completions.create
        answer = await create(**body_of(kind, prompt))
        if kind == "stream":
            return "|".join([part.choices[0].delta.content or "" async for part in answer])
        return said(answer)


def by_httpx(url: str, kind: str, prompt: str) -> str:
    with httpx.Client(timeout=patience(prompt), verify=False) as client:
        address = url + "/v1/chat/completions"
        with client.stream("POST", address, json=body_of(kind, prompt)) as answer:
            return f"{answer.status_code} {'|'.join(answer.iter_lines())}"


async def by_async_httpx(url: str, kind: str, prompt: str) -> str:
    async with httpx.AsyncClient(timeout=patience(prompt), verify=False) as client:
        address = url + "/v1/chat/completions"
        async with client.stream("POST", address, json=body_of(kind, prompt)) as answer:
            return f"{answer.status_code} {'|'.join([line async for line in answer.aiter_lines()])}"


SESSION = requests.Session()
SESSION.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=40))


def by_requests(url: str, kind: str, prompt: str) -> str:
    address = url + "/v1/chat/completions"
    with SESSION.post(
        address, json=body_of(kind, prompt), timeout=patience(prompt), stream=kind == "stream"
    ) as answer:
        if kind == "stream":
            return "|".join(line.decode() for line in answer.iter_lines())
        return f"{answer.status_code} {answer.json()}"


async def by_aiohttp(url: str, kind: str, prompt: str) -> str:
    limit = aiohttp.ClientTimeout(total=patience(prompt))
    async with (
        aiohttp.ClientSession(timeout=limit) as session,
        session.post(url + "/v1/chat/completions", json=body_of(kind, prompt)) as answer,
    ):
        if kind == "stream":
            return "|".join([line.decode() async for line in answer.content])
        return f"{answer.status} {await answer.json()}"


def by_urllib(url: str, kind: str, prompt: str) -> str:
    data = json.dumps(body_of(kind, prompt)).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url + "/v1/chat/completions", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=patience(prompt)) as answer:
            if kind == "stream":
                return "|".join(line.decode() for line in answer)
            return f"{answer.status} {answer.read().decode()}"
    except urllib.error.HTTPError as error:
        with error:
            return f"{error.code} {error.read().decode()}"


SYNC: dict[str, Callable[[str, str, str], Any]] = {
    "openai": error_or(by_openai),
    "httpx": error_or(by_httpx),
    "requests": error_or(by_requests),
    "urllib": error_or(by_urllib),
}
ASYNC: dict[str, Callable[[str, str, str], Awaitable[Any]]] = {
    "openai-async": error_or_async(by_async_openai),
    "httpx-async": error_or_async(by_async_httpx),
    "aiohttp": error_or_async(by_aiohttp),
}


def run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)
