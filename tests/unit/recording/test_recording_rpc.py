"""JSON-RPC and MCP in cassettes: which messages are the same, and which ids an answer bears."""

import json
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import CUT, RaisedError, Request, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.rpc import (
    Turns,
    as_answer,
    called_by,
    is_standing,
    unasked,
    without_cut,
)

STREAM = (("content-type", "text/event-stream"),)


def message(method: str = "tools/call", id: Any = 1, **params: Any) -> Request:
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return posted(body)


def posted(body: Any) -> Request:
    return Request(Lane.SYSTEM, "POST", "/mcp", "", "application/json", json.dumps(body).encode())


def event(body: Any) -> bytes:
    return f"event: message\r\nid: 7\r\ndata: {json.dumps(body)}\r\n\r\n".encode()


def stream(*bodies: Any, cut: str = "") -> Response:
    events = tuple(map(event, bodies))
    headers = (*STREAM, (CUT, cut)) if cut else STREAM
    return Response(200, headers, b"".join(events), events)


@pytest.mark.parametrize(
    "other",
    [
        message(id="b-9", name="find", arguments={"area": "north"}),
        message(name="find", arguments={"area": "north"}, _meta={"progressToken": 4}),
    ],
)
def test_ids_and_what_clients_say_of_themselves_make_no_other_call(other: Request) -> None:
    assert call_key(other) == call_key(message(name="find", arguments={"area": "north"}))


def test_sessions_of_another_client_open_the_same_way() -> None:
    one = message("initialize", clientInfo={"name": "a", "version": "1"}, protocolVersion="x")
    assert call_key(one) == call_key(message("initialize", 5, clientInfo={"name": "b"}))


@pytest.mark.parametrize(
    "other",
    [
        message(name="find", arguments={"area": "south"}),
        message(name="book", arguments={"area": "north"}),
        message("prompts/get", name="find", arguments={"area": "north"}),
    ],
)
def test_method_tool_and_arguments_make_another_call(other: Request) -> None:
    assert call_key(other) != call_key(message(name="find", arguments={"area": "north"}))


def test_an_answer_bears_the_ids_of_the_request_it_answers() -> None:
    recorded = message(id=3, name="book", _meta={"progressToken": 3})
    now = message(id="z", name="book", _meta={"progressToken": "t"})
    told = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 3}}
    asked = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"id": 3}}
    found = as_answer(stream(told, asked, answer), recorded, now)
    assert isinstance(found, Response)
    assert found.events is not None
    read = [json.loads(each.split(b"data: ")[1]) for each in found.events]
    assert read[0]["params"] == {"progressToken": "t"}
    assert read[1] == asked, "the id of a server's own request is its own"
    assert read[2] == {"jsonrpc": "2.0", "id": "z", "result": {"id": 3}}
    assert all(each.startswith(b"event: message\r\nid: 7\r\n") for each in found.events)
    assert b"".join(found.events) == found.body


def test_other_answers_stay_as_they_are() -> None:
    plain = Response(200, (), b'{"id": 1}')
    assert as_answer(plain, posted({"id": 1}), posted({"id": 2})) is plain
    error = RaisedError("read", "gone")
    assert as_answer(error, message(), message(id=2)) is error


def test_what_follows_a_servers_request_waits_for_its_answer() -> None:
    turns = Turns()
    asked = {"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create", "params": {}}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    may_play = turns.of((event(asked), event(answer)), lambda: True)
    assert may_play(0)
    assert may_play(0), "it is asked more than once"
    assert not may_play(1)
    turns.hear(posted({"jsonrpc": "2.0", "id": "other", "result": {}}))
    assert not may_play(1)
    turns.hear(posted({"jsonrpc": "2.0", "id": "s1", "result": {}}))
    assert may_play(1)
    assert may_play(2)
    again = turns.of((event(asked), event(answer)), lambda: True)
    assert again(0)
    assert not again(1), "an answer given before is none to this"


def test_a_stream_that_its_reader_left_has_ended_if_nothing_is_missing() -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert without_cut(message(), stream(answer, cut="reader stopped")).headers == STREAM
    broken = stream({"jsonrpc": "2.0", "method": "notifications/message"}, cut="ReadError: x")
    assert without_cut(message(), broken) is broken
    standing = Request(Lane.SYSTEM, "GET", "/mcp", "", "", b"")
    assert is_standing(standing, STREAM)
    assert not is_standing(message(), STREAM)
    assert without_cut(standing, stream(cut="reader cancelled")).headers == STREAM


def test_streams_and_ends_that_come_at_times_need_no_recording() -> None:
    get = Request(Lane.SYSTEM, "GET", "/mcp", "", "", b"")
    found = unasked(get, [message()])
    assert found is not None
    assert found.status == 405
    assert unasked(get, [posted({"no": "message"})]) is None
    assert unasked(message(), [message()]) is None


@pytest.mark.parametrize("body", [b"", b"[]", b'{"jsonrpc"', b'"jsonrpc"', b'{"jsonrpc":' * 9999])
def test_bodies_that_are_no_messages_are_none(body: bytes) -> None:
    request = Request(Lane.SYSTEM, "POST", "/mcp", "", "application/json", body)
    assert called_by(request) == ""
    assert as_answer(Response(200, (), body), request, request).body == body  # type: ignore[union-attr]


def test_calls_are_named_by_method_and_tool() -> None:
    assert called_by(message(name="find")) == "tools/call find"
    assert called_by(message("tools/list")) == "tools/list"
