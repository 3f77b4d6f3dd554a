"""Chat bots on scripted models, and a stand-in model that serves a demo goal through its tools."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.goals import store
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.fake_server.model import Entry
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.systems.chat import ChatBot
from pytest_todeval.systems import ChatSystem, RuleSystem
from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from pytest_todeval.worlds import registry

DEMO = registry.load("demo")
DATABASE = MultiwozDatabase.load(store.DEMO)


Tools = Sequence[Callable[..., Any] | tuple[Mapping[str, Any], Callable[..., Any]]]


def client_of(server: StandInServer) -> ChatClient:
    """A client of the server that does not try again."""
    return ChatClient(ModelSettings("stand-in", server.base_url, retries=0))


def find_hotel(area: str, stars: int = 0) -> list[str]:
    """Find hotels in a part of town."""
    return [f"{area} {stars}"]


def wants(*calls: tuple[str, Mapping[str, Any] | str]) -> Answer:
    return Answer(tool_calls=calls)


NORTH = ("find_hotel", {"area": "north"})


@contextmanager
def bot_of(
    *script: Entry, tools: Tools | None = (find_hotel,), backend: Any = None, **options: Any
) -> Iterator[tuple[ChatBot, StandInServer]]:
    with StandInServer.script(list(script)) as server:
        system = ChatSystem(client_of(server), "You book hotels.", tools, **options)
        yield system(backend), server


def one_turn(*script: Entry, **options: Any) -> tuple[Reply, tuple[ChatRequest, ...]]:
    with bot_of(*script, **options) as (bot, server):
        reply = bot.respond("A hotel, please.")
        assert server.failures == ()
        assert server.hits == len(script)
        return reply, server.requests


def observations(request: ChatRequest) -> list[str]:
    return [message["content"] for message in request.messages if message["role"] == "tool"]


class _Wants(BaseException):
    """Ends the reference bot when it needs what no tool has told yet; it catches Exceptions."""

    def __init__(self, name: str, arguments: dict[str, Any]) -> None:
        super().__init__(name)
        self.call = name, arguments


class _Told(MultiwozBackend):
    """Knows only what the messages hold."""

    def __init__(self, told: list[str], offered: list[str]) -> None:
        super().__init__(DATABASE)
        self._told, self._offered = told, offered

    def call(self, tool: str, /, **arguments: Any) -> Any:
        if tool not in self._offered:
            raise ToolRefused(f"{tool} was not offered")
        if not self._told:
            raise _Wants(tool, arguments)
        content = self._told.pop(0)
        if content.startswith("Error: "):
            raise ToolRefused(content.removeprefix("Error: "))
        return json.loads(content)


def clerk(request: ChatRequest) -> str | Answer:
    """What a good model answers: nothing but the messages and the tools of the request matter."""
    told = [m["content"] for m in request.messages if m["role"] == "tool"]
    bot = RuleSystem(_Told(told, [tool["function"]["name"] for tool in request.tools]))
    text = ""
    try:
        for message in request.messages:
            if message["role"] == "user":
                text = bot.respond(message["content"]).text
    except _Wants as wants:
        return Answer(tool_calls=[wants.call])
    return text
