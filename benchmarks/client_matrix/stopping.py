"""How a bot reads an answer, and how it stops."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

from client_matrix.asking import OVER, Ask, Client, Stream
from client_matrix.table import CLIENTS

__all__ = ["bot", "expected"]

SHORT = 0.5
"""Seconds that a client waits which is to run out of time."""
FAILED = r"(^|\|)\w*(Error|Time\w*|Exception)$"
EXPECTED = {
    "plain": r"nr \d",
    "stream": r"nr \d",
    "break": f"{OVER}$",
    "close": "one",
    "exception": "one.*(Enough|HTTPStreamClosedError)$",
    "late": FAILED,
    "time-out": FAILED,
    "cancel": "TimeoutError$",
}


class Enough(Exception):
    """What a bot raises in the middle of a stream."""


def expected(way: str, text: str) -> bool:
    """Whether a bot's words show that it did what its way is."""
    return re.search(EXPECTED[way], text, re.DOTALL) is not None


def bot(name: str, way: str, url: str) -> Any:
    """What answers a user's text by asking the model at `url`; errors are told as text."""
    client = CLIENTS[name]
    word = {"late": "late ", "time-out": "hold ", "cancel": "hold "}.get(way, "")
    timeout = SHORT if way in ("late", "time-out") else 20.0

    def asked(text: str) -> Ask:
        return Ask(url, f"{word}{name} {way}: {text}", timeout)

    def respond(text: str) -> str:
        return _answer(client, way, asked(text))

    async def respond_async(text: str) -> str:
        return await _answer_async(client, way, asked(text))

    return respond_async if client.is_async else respond


def _answer(client: Client, way: str, ask: Ask) -> str:
    read: list[str] = []
    try:
        if way in ("plain", "late"):
            assert client.plain
            return str(client.plain(ask))
        assert client.stream
        if client.pushes:
            client.stream(ask, _taker(read, way))
        else:
            _read(client.stream(ask), way, read)
    except Exception as error:
        read.append(type(error).__name__)
    return "|".join(read)


def _read(stream: Stream, way: str, read: list[str]) -> None:
    for part in stream.parts:
        read.append(part)
        if way == "exception" and "one" in part:
            raise Enough
        if way == "break" and part == OVER:
            break
        if way == "close" and "one" in part:
            stream.close()
            break


async def _answer_async(client: Client, way: str, ask: Ask) -> str:
    read: list[str] = []
    try:
        if way in ("plain", "late"):
            assert client.plain
            return str(await client.plain(ask))
        if way == "cancel":
            async with asyncio.timeout(SHORT):
                await _read_async(client, way, ask, read)
        else:
            await _read_async(client, way, ask, read)
    except Exception as error:
        read.append(type(error).__name__)
    return "|".join(read)


async def _read_async(client: Client, way: str, ask: Ask, read: list[str]) -> None:
    assert client.stream
    if client.pushes:
        await client.stream(ask, _taker(read, way))
        return
    stream = await client.stream(ask)
    async for part in stream.parts:
        read.append(part)
        if way == "exception" and "one" in part:
            raise Enough
        if way == "break" and part == OVER:
            break
        if way == "close" and "one" in part:
            await stream.close()
            break


def _taker(read: list[str], way: str) -> Callable[[str], None]:
    def take(part: str) -> None:
        read.append(part)
        if way == "exception" and "one" in part:
            raise Enough

    return take
