"""What is sent is what was given, and nothing of it is taken apart on the way."""

import sys
from types import FrameType
from typing import Any

from pytest_todeval.models.endpoint import Endpoint
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import StandInServer

FIND = {
    "name": "find",
    "description": "Find places.",
    "parameters": {
        "type": "object",
        "properties": {"area": {"type": "string", "enum": ["north", None]}},
        "required": ["area"],
    },
}


def body_of(turns: int) -> dict[str, Any]:
    asked = {"id": "1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    turn = [
        {"role": "user", "content": "é \u2028", "name": "guest"},
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": "1", "content": "[]"},
    ]
    return {
        "model": "m",
        "messages": [{"role": "system", "content": "You find places."}, *turn * turns],
        "temperature": 0.0,
        "seed": 7,
        "tools": [{"type": "function", "function": FIND}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}},
    }


def test_the_body_goes_out_as_it_is_given() -> None:
    given = body_of(1)
    with StandInServer(lambda request: "Hello.") as server:
        content, _ = Endpoint(ModelSettings("m", server.base_url, retries=0)).read(given)
        (request,) = server.requests
    assert request.body == given
    assert content.startswith(b'{"')


def calls(endpoint: Endpoint, turns: int) -> int:
    """How many functions this thread calls to send this many turns; the server has its own."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    body = body_of(turns)
    sys.setprofile(counted)
    try:
        endpoint.read(body)
    finally:
        sys.setprofile(None)
    return count


def test_messages_are_not_read_by_their_types() -> None:
    """A hundred turns more may cost some calls for each message, not for each of its values."""
    with StandInServer(lambda request: "Hello.") as server:
        endpoint = Endpoint(ModelSettings("m", server.base_url, retries=0))
        calls(endpoint, 1)
        few, many = calls(endpoint, 1), calls(endpoint, 101)
    assert many - few < 3 * 300
