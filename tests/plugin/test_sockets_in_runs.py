"""Websockets and gRPC are in no cassette: a bot that uses them is told so, in both modes."""

import threading
from collections.abc import Iterator

import pytest

from tests.plugin.conftest import apart

SENDERS = {
    "aiohttp": """
import aiohttp
async def say(url):
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.send_str("hello")
        return await socket.receive_str()
""",
    "websockets": """
import websockets
async def say(url):
    async with websockets.connect(url.replace("http", "ws")) as socket:
        await socket.send("hello")
        return await socket.recv()
""",
    "httpx_ws": """
import httpx, httpx_ws
async def say(url):
    async with httpx.AsyncClient() as client, httpx_ws.aconnect_ws(url, client) as socket:
        await socket.send_text("hello")
        return await socket.receive_text()
""",
    "grpc": """
import grpc
async def say(url):
    async with grpc.aio.insecure_channel(url.partition("//")[2]) as channel:
        call = channel.unary_unary("/bot.Bot/Say", bytes, bytes)
        try:
            return (await call(b"hello", timeout=2)).decode()
        except grpc.aio.AioRpcError as error:  # the server speaks no gRPC
            return f"heard {error.code().name}"
""",
}
BOT = """
class Bot:
    async def respond(self, text):
        try:
            return await say(URL)
        except Exception as error:
            return f"Sorry: {error!r}"
"""
CONFTEST = """
import pytest
from bot import Bot
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator():
    return ScriptedUser(["Hello."])

@pytest.fixture(scope="session")
def tod_system():
    return Bot
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert dialogue.turns
"""


@pytest.fixture(scope="module")
def echo() -> Iterator[tuple[str, list[str]]]:
    """A websocket that echoes, and what it heard."""
    import asyncio

    from aiohttp import web

    heard: list[str] = []

    async def answer(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            heard.append(message.data)
            await socket.send_str(f"echo {message.data}")
        return socket

    loop = asyncio.new_event_loop()
    application = web.Application()
    application.router.add_get("/", answer)
    runner = web.AppRunner(application)
    loop.run_until_complete(runner.setup())
    site = web.TCPSite(runner, "127.0.0.1", 0)
    loop.run_until_complete(site.start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}", heard
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.mark.parametrize("library", SENDERS)
@pytest.mark.parametrize("record", ["rewrite", "replay"])
def test_a_bot_is_told_that_its_socket_is_in_no_cassette(
    pytester: pytest.Pytester, echo: tuple[str, list[str]], library: str, record: str
) -> None:
    pytest.importorskip(library)
    url, heard = echo
    before = len(heard)
    pytester.makepyfile(bot=f"URL = {url!r}\n{SENDERS[library]}{BOT}", test_socket=TEST)
    pytester.makeconftest(CONFTEST)
    result = apart(pytester, f"--todeval-record={record}", "-n0")
    told = result.stdout.str() + result.stderr.str()
    assert url.partition("//")[2] in told, told
    if record == "replay":
        result.assert_outcomes(errors=1)
        assert len(heard) == before, "a replay reached the network"
    assert not list(pytester.path.glob("cassettes/**/*.jsonl"))
