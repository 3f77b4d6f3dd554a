"""The stand-in model server, byte by byte: hostile requests, keep-alive, compression, closing."""

import gzip
import http.client
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.testing import Answer, Broken, ChatRequest, StandInServer

CHAT = "/v1/chat/completions"
SOUND: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer(lambda request: f"You said: {request.last_user}") as server:
        yield server
        assert server.failures == ()


def address(server: StandInServer) -> tuple[str, int]:
    parts = urlsplit(server.base_url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def connected(server: StandInServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(*address(server), timeout=5)


def post(server: StandInServer, body: object, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one POST; a `body` that is no bytes goes as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = connected(server)
    try:
        connection.request("POST", CHAT, data, {n.replace("_", "-"): v for n, v in headers.items()})
        response = connection.getresponse()
        named = {name.lower(): value for name, value in response.getheaders()}
        return response.status, named, response.read()
    finally:
        connection.close()


def raw(server: StandInServer, request: bytes) -> bytes:
    """All that comes back on a connection of which our half is then closed."""
    with socket.create_connection(address(server), timeout=5) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_the_standard_library_gets_an_answer(server: StandInServer) -> None:
    request = urllib.request.Request(
        server.base_url + "/chat/completions", json.dumps(SOUND).encode()
    )
    with urllib.request.urlopen(request, timeout=5) as response:
        answer = json.load(response)
    assert answer["choices"][0]["message"]["content"] == "You said: hi"
    assert answer["object"] == "chat.completion"


def with_message(**message: Any) -> dict[str, Any]:
    return {**SOUND, "messages": [message]}


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
WRONG: list[tuple[object, str]] = [
    (b"", "parse the JSON"),
    (b"{", "parse the JSON"),
    (b"\xff\xfe{}", "parse the JSON"),
    (b'{"model": NaN}', "NaN is not JSON"),
    (b"[" * 100_000, "parse the JSON|nested"),
    (b"[" * 200 + b"]" * 200, "nested more than 100"),
    (b'{"n": ' + b"9" * 5000 + b"}", "parse the JSON"),
    ([], "The body is an array"),
    ("hi", "The body is a string"),
    (None, "The body is null"),
    ({}, "'model' is missing"),
    ({"model": 5}, "'model' is an integer 5, expected a string"),
    ({"model": "m"}, "'messages' is missing"),
    ({"model": "m", "messages": "hi"}, "'messages' is a string 'hi', expected an array"),
    ({"model": "m", "messages": []}, "'messages' is an empty array"),
    ({"model": "m", "messages": ["hi"]}, r"'messages\[0\]' is a string"),
    (with_message(content="hi"), r"'messages\[0\].role' is None"),
    (with_message(role=["user"], content="hi"), "expected one of system, developer, user"),
    (with_message(role="user"), r"'messages\[0\].content' is missing"),
    (with_message(role="user", content={}), "content' is an object, expected a string or"),
    (with_message(role="user", content=["hi"]), r"content\[0\]' is a string"),
    (with_message(role="user", content=[{"type": "text"}]), r"content\[0\].text' is missing"),
    (with_message(role="tool", content="x"), "tool_call_id' is missing"),
    (with_message(role="tool", content="x", tool_call_id="c1"), "did not make"),
    (with_message(role="assistant", tool_calls=[CALL]), "at the end these were not: c1"),
    (with_message(role="assistant", tool_calls=CALL), "tool_calls' is an object"),
    (with_message(role="assistant", tool_calls=[{"id": "c1"}]), "function' is missing"),
    ({**SOUND, "tools": {}}, "'tools' is an object"),
    ({**SOUND, "tools": [{"type": "web"}]}, r"'tools\[0\].type' is a string 'web'"),
    ({**SOUND, "tools": [{"type": "function", "function": {}}]}, "name' is missing"),
    ({**SOUND, "n": 0}, "'n' is an integer 0, expected an integer from 1 to 128"),
    ({**SOUND, "n": True}, "'n' is a boolean"),
    ({**SOUND, "n": 10**9}, "from 1 to 128"),
    ({**SOUND, "max_tokens": "9"}, "'max_tokens' is a string '9'"),
    ({**SOUND, "stream": "yes"}, "'stream' is a string"),
    ({**SOUND, "stream_options": {}}, "only allowed when 'stream' is true"),
    ({**SOUND, "stream": True, "stream_options": []}, "'stream_options' is an array"),
    ({**SOUND, "response_format": "json"}, "'response_format' is a string"),
    ({**SOUND, "response_format": {"type": "xml"}}, "expected one of text, json_object"),
    ({**SOUND, "response_format": {"type": "json_schema"}}, "json_schema' is missing"),
    ({**SOUND, "logprobs": True}, "does not speak 'logprobs'"),
]


@pytest.mark.parametrize(("body", "said"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_request_is_rejected(server: StandInServer, body: object, said: str) -> None:
    status, headers, answer = post(server, body)
    assert (status, headers["content-type"]) == (400, "application/json")
    error = json.loads(answer)["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "invalid_request_error"
    assert re.search(said, error["message"]), error["message"]
    assert server.requests == ()
    assert server.hits == 1


ODD: list[dict[str, Any]] = [
    {"n": None, "tools": None, "stream": None, "response_format": None, "max_tokens": None},
    {"response_format": {"type": "text", "json_schema": "junk"}},
    {"response_format": {"type": "json_object"}, "temperature": "hot", "user": [], "seed": {}},
    {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": 5}]}]},
    {"messages": [{"role": "assistant", "content": None}]},
    {"messages": [{"role": "user", "content": "\ud800 half a pair \x00"}]},
    {"messages": [{"role": "user", "content": " " * 100_000}]},
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_odd_but_sound_requests_are_answered(
    server: StandInServer, odd: dict[str, Any], stream: bool
) -> None:
    status, _, answer = post(server, {**SOUND, **odd, **({"stream": True} if stream else {})})
    assert status == 200, answer
    assert (b"[DONE]" in answer) is stream


def test_other_addresses_and_methods(server: StandInServer) -> None:
    got = {}
    for method, path in (
        ("POST", "/v1/embeddings"),
        ("POST", "/chat/completions"),
        ("GET", CHAT),
        ("POST", "/v1/models"),
        ("PUT", CHAT),
        ("BREW", "/pot"),
        ("GET", "/v1/models/?limit=3"),
    ):
        connection = connected(server)
        connection.request(method, path, b"{}")
        response = connection.getresponse()
        got[method, path] = response.status
        assert json.loads(response.read()), (method, path)
        connection.close()
    assert list(got.values()) == [404, 404, 405, 405, 405, 405, 200]
    assert server.hits == 7


HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET http://[/v1 HTTP/1.0\r\n\r\n", 400),
        (b"GET /v1/models HTTP/9.9\r\n\r\n", 505),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
        (HEAD + b"Content-Length: -1\r\n\r\n", 400),
        (HEAD + b"Content-Length: 1_0\r\n\r\n{}", 400),
        (HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        (HEAD + b"Content-Length: 99999999999\r\n\r\n{}", 413),
        (HEAD + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", 415),
        (HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n", 400),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n{}\r\n0\r\n\r\n", 413),
    ],
)
def test_broken_http_is_answered_in_json(
    server: StandInServer, request_: bytes, status: int
) -> None:
    head, _, body = raw(server, request_).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"connection: close" in head
    assert json.loads(body)["error"]["type"] == "invalid_request_error"
    assert server.hits == 1


@pytest.mark.parametrize(
    "request_",
    [
        b"",
        b"POST",
        HEAD,
        HEAD + b"Content-Length: 10\r\n\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_a_client_that_leaves_gets_nothing_and_harms_nobody(
    server: StandInServer, request_: bytes
) -> None:
    raw(server, request_)
    assert post(server, SOUND)[0] == 200


def test_bodies_may_come_in_chunks(server: StandInServer) -> None:
    body = json.dumps(SOUND).encode()
    connection = connected(server)
    for _ in range(2):  # the second on the same connection: the first was read to its end
        connection.request("POST", CHAT, iter([body[:7], body[7:]]), encode_chunked=True)
        response = connection.getresponse()
        assert b"You said: hi" in response.read()
    connection.close()
    trailers = HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x;a=b\r\n%b\r\n0\r\nx: y\r\n\r\n"
    assert b"You said: hi" in raw(server, trailers % (len(body), body))


@pytest.mark.parametrize("name", ["completion", "read"])
def test_a_fault_of_the_server_itself_is_kept_too(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(f"pytest_todeval.models.fake_server.handler.{name}", broken)
    with StandInServer(lambda request: "x") as server:
        status, headers, body = post(server, SOUND)
    assert (status, headers["connection"]) == (500, "close")
    assert b"stand-in itself failed: LookupError: a bug" in body
    assert isinstance(server.failures[0], LookupError)


def test_a_fault_outside_any_request_is_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bool:
        raise LookupError("a bug")

    monkeypatch.setattr(
        "pytest_todeval.models.fake_server.handler.StandInHandler.parse_request", broken
    )
    with StandInServer(lambda request: "x") as server:
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            post(server, SOUND)
        assert isinstance(server.failures[0], LookupError)


def test_a_connection_is_kept_over_errors_and_streams(server: StandInServer) -> None:
    connection = connected(server)
    sockets = set()
    for body in (SOUND, {}, {**SOUND, "stream": True}, SOUND):
        connection.request("POST", CHAT, json.dumps(body))
        connection.getresponse().read()
        sockets.add(connection.sock)
    assert len(sockets) == 1
    assert None not in sockets
    connection.close()
    assert len(server.requests) == 3


def test_two_requests_sent_at_once_get_two_answers(server: StandInServer) -> None:
    body = json.dumps(SOUND).encode()
    one = HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    assert raw(server, one + one).count(b"You said: hi") == 2


def test_an_error_reaches_a_client_that_still_sends(server: StandInServer) -> None:
    for _ in range(5):
        status, _, body = post(server, b"x" * 5_000_000, Content_Encoding="gzip")
        assert (status, json.loads(body)["error"]["type"]) == (415, "invalid_request_error")


def test_headers_of_an_answer_end_with_it() -> None:
    answer = Answer("x", headers={"x-request-id": "r1"})
    with StandInServer(lambda request: answer) as server:
        connection = connected(server)
        got = []
        for body in (SOUND, {}):
            connection.request("POST", CHAT, json.dumps(body))
            response = connection.getresponse()
            response.read()
            got.append((response.status, response.headers["x-request-id"]))
        connection.close()
    assert got == [(200, "r1"), (400, None)]


def test_http_1_0_gets_a_stream_without_chunks(server: StandInServer) -> None:
    body = json.dumps({**SOUND, "stream": True}).encode()
    head = HEAD.replace(b"1.1", b"1.0") + b"Content-Length: %d\r\n\r\n" % len(body)
    answer = raw(server, head + body).partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in answer[0]
    assert answer[2].startswith(b"data: {")
    assert answer[2].endswith(b"data: [DONE]\n\n")


def every_byte(answer: Callable[[ChatRequest], str | Answer]) -> list[bytes]:
    got = []
    body = json.dumps(SOUND).encode()
    stream = json.dumps({**SOUND, "stream": True}).encode()
    with StandInServer(answer, gzip=True) as server:
        for data in (body, body, stream):
            for coding in (b"", b"Accept-Encoding: gzip\r\n"):
                length = b"Content-Length: %d\r\n\r\n" % len(data)
                got.append(raw(server, HEAD + coding + length + data))
    return got


def test_the_same_request_and_answer_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Answer("Which area?", tool_calls=[("find_hotel", {"area": "north"})])
    first = every_byte(lambda request: answer)
    monkeypatch.setattr(time, "time", lambda: 4_000_000_000.0)
    assert every_byte(lambda request: answer) == first
    assert first[0] == first[2], "an earlier request made a difference"


def test_ids_differ_where_request_or_answer_does() -> None:
    other = {**SOUND, "messages": [{"role": "user", "content": "ho"}]}
    with StandInServer.script(["a", "a", "b", Answer(tool_calls=[("f", {}), ("f", {})])]) as server:
        ids = [json.loads(post(server, body)[2])["id"] for body in (SOUND, other, SOUND)]
        calls = json.loads(post(server, SOUND)[2])["choices"][0]["message"]["tool_calls"]
    assert len(set(ids)) == 3
    assert calls[0]["id"] != calls[1]["id"]


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("br, GZIP;q=0.5", True), ("gzip;q=0", False), ("br", False), ("", False)],
)
def test_gzip_where_accepted(accepted: str, packed: bool) -> None:
    with StandInServer(lambda request: "Which area? " * 50, gzip=True) as server:
        for stream in (False, True):
            body = {**SOUND, "stream": stream}
            _, headers, answer = post(server, body, Accept_Encoding=accepted)
            assert ("content-encoding" in headers) is packed
            plain = gzip.decompress(answer) if packed else answer
            assert b"area" in plain
            assert (b"[DONE]" in plain) is stream


def test_no_gzip_unless_wanted(server: StandInServer) -> None:
    assert "content-encoding" not in post(server, SOUND, Accept_Encoding="gzip")[1]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_a_cut_answer_is_short_of_what_it_announced(stream: bool, packed: bool) -> None:
    answer = Answer("Which area? " * 50, error=Broken.CUT)
    with StandInServer(lambda request: answer, gzip=packed) as server:
        with pytest.raises(http.client.IncompleteRead):
            post(server, {**SOUND, "stream": stream}, Accept_Encoding="gzip")
        assert server.failures == ()


def test_a_reset_is_a_reset_and_an_empty_body_empty() -> None:
    with StandInServer.script([Answer(error=Broken.RESET), Answer(error=Broken.EMPTY)]) as server:
        with pytest.raises(ConnectionResetError):
            post(server, SOUND)
        status, headers, body = post(server, SOUND)
    assert (status, headers["content-length"], body) == (200, "0", b"")


def test_a_malformed_body_arrives_whole() -> None:
    with StandInServer(lambda request: Answer("x", error=Broken.MALFORMED)) as server:
        status, headers, body = post(server, SOUND)
        assert (status, int(headers["content-length"])) == (200, len(body))
        with pytest.raises(json.JSONDecodeError):
            json.loads(body)


def serving() -> set[threading.Thread]:
    """The threads that serve connections, or listen for them."""
    names = ("process_request_thread", "todeval stand-in")
    return {t for t in threading.enumerate() if any(name in t.name for name in names)}


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_closing_ends_hanging_answers_and_idle_connections_at_once() -> None:
    before = serving()
    server = StandInServer(lambda request: Answer(error=Broken.HANG)).start()
    idle = socket.create_connection(address(server), timeout=5)
    with ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(post, server, SOUND) for _ in range(5)]
        wait_for(lambda: len(server.requests) == 5)
        server.close()
        for answer in waiting:
            with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
                answer.result()
    assert idle.recv(1) == b""
    idle.close()
    wait_for(lambda: not serving() - before)


def test_a_client_that_stops_waiting_frees_the_thread() -> None:
    with StandInServer(lambda request: Answer(error=Broken.HANG)) as server:
        before = serving()
        connection = connected(server)
        connection.request("POST", CHAT, json.dumps(SOUND))
        wait_for(lambda: bool(server.requests))
        assert len(serving() - before) == 1
        connection.close()
        wait_for(lambda: not serving() - before)


def test_after_closing_there_is_nobody_but_what_was_asked_stays() -> None:
    with StandInServer(lambda request: "x") as server:
        where = address(server)
        post(server, SOUND)
        with pytest.raises(UsageError, match="already runs"):
            server.start()
    assert len(server.requests) == 1
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(where, timeout=1)
    server.close()  # once more does no harm
    with server:  # and it may serve again
        assert post(server, SOUND)[0] == 200
    assert server.hits == 2


def test_two_servers_at_once_do_not_mix() -> None:
    with StandInServer(lambda r: "one") as one, StandInServer(lambda r: "two") as two:
        assert b'"one"' in post(one, SOUND)[2]
        assert b'"two"' in post(two, SOUND)[2]
    assert (one.hits, two.hits) == (1, 1)


def test_a_hundred_connections_at_once() -> None:
    with StandInServer(lambda request: request.last_user) as server:

        def one(number: int) -> bool:
            body = {**SOUND, "messages": [{"role": "user", "content": f"n{number}"}]}
            return f'"n{number}"'.encode() in post(server, body)[2]

        with ThreadPoolExecutor(100) as pool:
            assert all(pool.map(one, range(300)))
    assert server.hits == len(server.requests) == 300
    assert sorted(r.number for r in server.requests) == list(range(1, 301))
