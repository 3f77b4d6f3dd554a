"""A backend as a server of MCP: what it answers, and to whom a fault is told."""

import json
from typing import Any

import pytest

from pytest_todeval import ToolRefused, with_tools
from pytest_todeval.backends.mcp_server import NEWEST, McpServer
from pytest_todeval.errors import TodevalError


class Desk:
    policy = "Be kind."


def book(backend: Desk, room: int) -> dict[str, Any]:
    """Book a room."""
    if room == 13:
        raise ToolRefused("taken")
    if room == 0:
        raise ZeroDivisionError("no such room")
    return {"room": room, "by": backend.policy}


def asked(method: str, **params: Any) -> tuple[dict[str, Any], list[TodevalError]]:
    refused: list[TodevalError] = []
    server = McpServer(with_tools(Desk(), [book]), refused.append)
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    answer = json.loads(server.answer(json.dumps(body).encode()))
    assert answer["id"] == 7
    return answer, refused


def test_sessions_open_in_the_version_that_the_client_names() -> None:
    answer, _ = asked("initialize", protocolVersion="2025-03-26")
    assert answer["result"]["protocolVersion"] == "2025-03-26"
    assert answer["result"]["instructions"] == "Be kind."
    assert asked("initialize", protocolVersion="1")[0]["result"]["protocolVersion"] == NEWEST


def test_tools_have_the_schema_of_the_backend() -> None:
    [tool] = asked("tools/list")[0]["result"]["tools"]
    assert (tool["name"], tool["description"]) == ("book", "Book a room.")
    assert tool["inputSchema"]["properties"] == {"room": {"type": "integer"}}


def test_a_call_answers_text_and_structure() -> None:
    answer, refused = asked("tools/call", name="book", arguments={"room": "12"})
    assert answer["result"]["structuredContent"] == {"room": 12, "by": "Be kind."}
    assert json.loads(answer["result"]["content"][0]["text"])["room"] == 12
    assert not answer["result"]["isError"]
    assert refused == []


@pytest.mark.parametrize(
    "params",
    [
        {"name": "book", "arguments": {"room": 13}},
        {"name": "book", "arguments": {"rooms": 1}},
        {"name": "boook"},
        {"name": 3},
        {"name": "book", "arguments": [1]},
        {},
    ],
)
def test_refusals_are_for_the_bot_to_read(params: dict[str, Any]) -> None:
    answer, refused = asked("tools/call", **params)
    assert answer["result"]["isError"]
    assert refused == []


def test_a_tool_that_breaks_is_told_and_no_answer_of_the_tool() -> None:
    answer, refused = asked("tools/call", name="book", arguments={"room": 0})
    assert answer["error"]["code"] == -32603
    assert "ZeroDivisionError" in str(refused[0])


def test_other_methods_are_unknown() -> None:
    assert asked("server/discover")[0]["error"]["code"] == -32601
    assert asked("ping")[0]["result"] == {}


@pytest.mark.parametrize(
    ("body", "code"), [(b"{", -32700), (b"[" * 99999, -32700), (b"[]", -32600), (b"{}", -32600)]
)
def test_what_is_no_message_is_told_so(body: bytes, code: int) -> None:
    server = McpServer(with_tools(Desk(), [book]), list[TodevalError]().append)
    assert json.loads(server.answer(body))["error"]["code"] == code


def test_notifications_are_not_answered() -> None:
    server = McpServer(with_tools(Desk(), [book]), list[TodevalError]().append)
    assert server.answer(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') == b""
