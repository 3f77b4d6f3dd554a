"""The stand-in server ends with its block, and holds up no run that forgets to close it."""

import asyncio
import threading

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.testing import StandInServer


def test_its_thread_ends_with_the_run() -> None:
    with StandInServer.script([]):
        serving = [each for each in threading.enumerate() if each.name == "todeval stand-in"]
        assert serving
        assert all(each.daemon for each in serving)


def test_an_async_block_closes_it() -> None:
    async def used() -> StandInServer:
        async with StandInServer.script([]) as server:
            assert server.base_url.startswith("http://127.0.0.1:")
        return server

    closed = asyncio.run(used())
    with pytest.raises(UsageError, match="is not running"):
        _ = closed.base_url
