"""A bot's server in a thread of the test, and users who talk to it."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.user import Utterance

__all__ = ["Says", "Server"]

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """A local server; each test hangs its own handlers in."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.seen: list[dict[str, Any]] = []
        self.reads_json = True
        self.asked: list[str] = []
        """Method and path of each request."""
        self.headers: list[dict[str, str]] = []
        self._loop = asyncio.new_event_loop()
        self._runner: web.AppRunner | None = None
        self.url = self._loop.run_until_complete(self._start())
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    async def _start(self) -> str:
        app = web.Application()
        app.router.add_route("*", "/{name:.*}", self._handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        return f"http://{host}:{port}"

    async def _end(self) -> None:
        assert self._runner is not None
        await self._runner.cleanup()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:  # handlers of answers that nobody waits for any more
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        name, body = request.match_info["name"], await request.read()
        self.asked.append(f"{request.method} {request.raw_path}")
        handler = self.handlers.get(f"{request.method} {name}")
        if handler is None and request.method == "POST":
            handler = self.handlers[name]
        if handler is None:
            return web.Response(status=405)
        self.headers.append(dict(request.headers))
        if body and self.reads_json:
            self.seen.append(json.loads(body))
        return await handler(request)

    def answers(self, response: Callable[[], web.Response], name: str = "chat") -> str:
        async def handler(request: web.Request) -> web.StreamResponse:
            return response()

        self.handlers[name] = handler
        return f"{self.url}/{name}"

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()


class Says:
    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    def respond(self, turn: Turn | None) -> Utterance:
        return Utterance(self.texts.pop(0)) if self.texts else Utterance("", StopReason.USER_DONE)
