"""http.client from inside: requests held back until they are whole, answers as bytes, errors."""

import http.client
import io
from types import SimpleNamespace
from typing import Any

import pytest
import urllib3

from pytest_todeval.recording.call import CUT, RaisedError, Response
from pytest_todeval.recording.clients.http_client import _address, _Held, error_of
from pytest_todeval.recording.clients.wire import Tee, all_played, replayed, unchunked
from pytest_todeval.recording.transport import CANCELLED, STOPPED, Playing
from tests.support.recorded_calls import Told

HEAD = b"POST /a?b=1 HTTP/1.1\r\nHost: h\r\nContent-Type: text/x\r\n"


def held(*parts: Any) -> _Held:
    found = _Held()
    for part in parts:
        found.add(part)
    return found


@pytest.mark.parametrize(
    ("sent", "whole"),
    [
        (b"POST /a?b=1 HTTP/1.1\r\nHost: h\r\n", False),
        (HEAD + b"\r\n", True),
        (HEAD + b"Content-Length: 3\r\n\r\nab", False),
        (HEAD + b"Content-Length: 3\r\n\r\nabc", True),
        (HEAD + b"Content-Length: many\r\n\r\n", True),
        (HEAD + b"Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n", False),
        (HEAD + b"Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", True),
    ],
)
def test_a_request_is_whole_once_its_body_is(sent: bytes, whole: bool) -> None:
    assert held(sent).whole is whole


def test_a_body_may_come_as_anything_that_send_takes() -> None:
    length = b"Content-Length: 8\r\n\r\n"
    for parts in (
        [b"abcdefgh"],
        [bytearray(b"abcd"), memoryview(b"efgh")],
        [io.BytesIO(b"abcdefgh")],
        [io.StringIO("abcdefgh")],
        [[b"abcd", b"efgh"]],
    ):
        found = held(HEAD + length, *parts)
        assert found.whole
        assert found.request() == ("POST", "/a", "b=1", "text/x", b"abcdefgh")
    assert not held(HEAD + length, b"abcdefg").whole


def test_a_chunked_body_and_a_request_to_a_proxy() -> None:
    chunked = held(HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    assert chunked.whole
    assert chunked.request()[4] == b"abc"
    lines = {b"http://h/c?d=2": ("/c", "d=2"), b"http://h": ("/", ""), b"*": ("*", "")}
    for target, asked in lines.items():
        found = held(b"GET " + target + b" HTTP/1.1\r\n\r\n")
        assert found.whole
        assert found.request() == ("GET", *asked, "", b"")


def test_the_address_asked_is_the_one_behind_a_proxy() -> None:
    tunnel = SimpleNamespace(_tunnel_host="far", _tunnel_port=443, host="proxy", port=8080)
    plain = SimpleNamespace(_tunnel_host=None, _tunnel_port=None, host="proxy", port=8080)
    assert _address(tunnel, "http://other/") == ("far", 443)
    assert _address(plain, "/a?to=http://other/") == ("proxy", 8080)
    assert _address(plain, "http://other/") == ("other", 80)
    assert _address(plain, "https://other/") == ("other", 443)
    assert _address(plain, "ftp://other:21/") == ("other", 21)
    assert _address(plain, "ftp://other/") == ("other", None)
    assert _address(plain, "http:///a") == ("", 80)


@pytest.mark.parametrize(
    ("raised", "found"),
    [
        (RaisedError("read", "ConnectionAbortedError: gone"), ConnectionAbortedError("gone")),
        (RaisedError("protocol", "BadStatusLine: x"), http.client.BadStatusLine("x")),
        (RaisedError("timeout", "ReadTimeoutError: late"), TimeoutError("late")),
        (RaisedError("connect", "Unheard: no"), ConnectionRefusedError("no")),
        (RaisedError("protocol", "Unheard: no"), http.client.RemoteDisconnected("no")),
        (RaisedError("read", "KeyboardInterrupt: no"), ConnectionResetError("no")),
        (RaisedError("cancelled", "open: no"), OSError("no")),
    ],
)
def test_errors_of_http_client(raised: RaisedError, found: Exception) -> None:
    error = error_of(raised, http.client.HTTPConnection("h"))
    assert (type(error), str(error)) == (type(found), str(found))


def test_errors_of_urllib3_are_raised_by_its_own_connections_alone() -> None:
    connection = urllib3.connection.HTTPConnection("h")
    for name, kind in (("NewConnectionError", "connect"), ("ReadTimeoutError", "timeout")):
        error = error_of(RaisedError(kind, f"{name}: no"), connection)
        assert type(error) is getattr(urllib3.exceptions, name)
    assert type(error_of(RaisedError("read", "ProtocolError: no"), connection)) is (
        urllib3.exceptions.ProtocolError
    )


def answer(response: Response, method: str = "GET") -> http.client.HTTPResponse:
    """What http.client reads of a recorded answer."""
    file = replayed(Playing(response), method)
    found = http.client.HTTPResponse(SimpleNamespace(makefile=lambda *_: file), method=method)  # type: ignore[arg-type]
    found.begin()
    return found


def test_an_answer_is_replayed_as_it_was() -> None:
    found = answer(Response(404, (("x-a", "b\r\nc"),), b"abc"))
    assert (found.status, found.reason, found.read()) == (404, "Not Found", b"abc")
    assert found.getheader("x-a") == "b  c"
    assert found.getheader("content-length") == "3"
    assert answer(Response(299, (), b"")).reason == ""
    assert answer(Response(200, (), b"abc"), "HEAD").read() == b""


def test_a_stream_is_replayed_event_by_event() -> None:
    found = answer(Response(200, (), b"ab", (b"a", b"", b"b")))
    assert found.chunked
    assert [found.read1(9), found.read1(9), found.read1(9)] == [b"a", b"b", b""]


@pytest.mark.parametrize(
    ("cut", "error"),
    [
        ("ReadTimeout: late", TimeoutError),
        ("ConnectionResetError: gone", ConnectionResetError),
        ("IncompleteRead: x", http.client.IncompleteRead),
        (STOPPED, EOFError),
        (CANCELLED, EOFError),
    ],
)
@pytest.mark.parametrize("events", [None, (b"abc",)])
def test_an_answer_that_broke_off_breaks_off_again(
    cut: str, error: type[Exception], events: tuple[bytes, ...] | None
) -> None:
    found = answer(Response(200, ((CUT, cut),), b"abc", events))
    assert found.read(3) == b"abc"
    with pytest.raises(error):
        found.read()


def test_who_stopped_has_all_that_was_played() -> None:
    for events in (None, (b"a", b"bc")):
        found = answer(Response(200, ((CUT, STOPPED),), b"abc", events))
        assert not all_played(found)
        got = b""
        while len(got) < 3:
            got += found.read1(1)
        assert all_played(found) is bool(found.chunk_left == 0)
    assert not all_played(SimpleNamespace(fp=None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (b"", (b"", False)),
        (b"3\r\nabc\r\n0\r\n\r\n", (b"abc", True)),
        (b"3;x=1\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", (b"abcde", True)),
        (b"A\r\n0123456789\r\n", (b"0123456789", False)),
        (b"5\r\nabc", (b"abc", False)),
        (b"no\r\nabc", (b"", False)),
        (b"5", (b"", False)),
    ],
)
def test_broken_chunks_are_not_whole(data: bytes, body: tuple[bytes, bool]) -> None:
    assert unchunked(data) == body


def tee(told: Told, data: bytes, *, length: int | None = None, chunked: bool = False) -> Tee:
    response = SimpleNamespace(
        fp=io.BufferedReader(io.BytesIO(data)),
        chunked=chunked,
        length=length,
        status=200,
        getheaders=list,
    )
    return Tee(response, told)


@pytest.mark.parametrize(
    ("size", "given", "cut"),
    [
        (-1, {}, None),
        (-1, {"length": 3}, None),
        (-1, {"length": 4}, "IncompleteRead"),
        (3, {"length": 3}, None),
        (3, {}, STOPPED),
        (2, {"length": 3}, STOPPED),
        (0, {}, STOPPED),
    ],
)
def test_how_the_reading_of_an_answer_ended(
    size: int, given: dict[str, Any], cut: str | None
) -> None:
    told = Told()
    with tee(told, b"abc", **given) as file:
        got = file.read(size)
        if size < 0:
            assert file.read() == b""
    (found,) = told.answers
    assert found.body == got == b"abc"[: len(got)]
    cuts = [value.partition(":")[0] for name, value in found.headers if name == CUT]
    assert cuts == [] if cut is None else cuts == [cut]


def test_all_ways_to_read_are_heard() -> None:
    told = Told()
    with tee(told, b"line\nabcdefgh") as file:
        assert file.readable()
        assert file.peek(2)[:2] == b"li"
        assert file.readline(None) == b"line\n"
        assert file.read1(1) == b"a"
        buffer = bytearray(2)
        assert file.readinto(buffer) == 2
        assert buffer == b"bc"
        assert file.readinto1(buffer) == 2
        assert file.readline(1) == b"f"
        assert file.read(None) == b"gh"
        assert file.readline() == b""
    assert [each.body for each in told.answers] == [b"line\nabcdefgh"]
    assert told.answers[0].headers == ()


def test_an_error_while_reading_is_told_once() -> None:
    told = Told()
    file = tee(told, b"abc")
    file._file = SimpleNamespace(read=lambda _: 1 / 0, close=lambda: None)
    with pytest.raises(ZeroDivisionError):
        file.read()
    file.close()
    file.close()
    assert [dict(each.headers)[CUT] for each in told.answers] == [
        "ZeroDivisionError: division by zero"
    ]
