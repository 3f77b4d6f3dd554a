"""Which requests count as equal."""

import re
from dataclasses import replace

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.key import call_key, neutral_boundary
from pytest_todeval.recording.matching import Matching
from pytest_todeval.recording.secrets import kept_query
from tests.support.recorded_calls import JSON, PATH, ask, encoded

BODY = {"model": "m", "messages": [{"role": "user", "content": "hello"}], "temperature": 0}


def raw(body: str, media: str = JSON) -> Request:
    return Request(Lane.SYSTEM, "POST", PATH, "", media, body.encode())


def key(body: str, media: str = JSON) -> str:
    return call_key(raw(body, media))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a": 1, "b": [2]}', '{"b":[2],"a":1}'),
        ('{"a": 1, "b": {"c": 100}}', '{"a": 1.0, "b": {"c": 1e2}}'),
        ('{"a": "\\u00e9"}', '{"a": "é"}'),
        ('{"a": "e\\u0301"}', '{"a": "é"}'),
        ('{"messages": [{"e\\u0301": 1}]}', '{"messages": [{"é": 1}]}'),
        ('{"a": 1, "b": null}', '{"a": 1}'),
        ('{"messages": [{"name": null, "content": "x"}]}', '{"messages": [{"content": "x"}]}'),
        (
            '{"messages": [{"tool_calls": [{"function": {"arguments": "{\\"a\\": 1}"}}]}]}',
            '{"messages": [{"tool_calls": [{"function": {"arguments": "{\\"a\\":1.0}"}}]}]}',
        ),
    ],
)
def test_equal(one: str, other: str) -> None:
    assert key(one) == key(other)
    assert key(one, "application/vnd.api+json; charset=utf-8") == key(other)


@pytest.mark.parametrize(
    "other",
    [
        '{"a": [1, 2, {"b": "c"}], "stream": true}',
        '{"a": [2, 1, {"b": "c"}]}',
        '{"a": [1, 2, {"b": "C"}]}',
        '{"a": [1, 2, {"b": "c "}]}',
        '{"a": [1, "2", {"b": "c"}]}',
        '{"a": [1, 2, null, {"b": "c"}]}',
        '{"a": [true, 2, {"b": "c"}]}',
        '[{"a": [1, 2, {"b": "c"}]}]',
    ],
)
def test_different(other: str) -> None:
    assert key('{"a": [1, 2, {"b": "c"}]}') != key(other)


def test_lane_method_path_and_query_count() -> None:
    request = ask(BODY, query="a=1&b=2")
    assert call_key(request) == call_key(replace(request, query="b=2&a=1", method="post"))
    for changed in (
        replace(request, lane=Lane.USER),
        replace(request, method="PUT"),
        replace(request, path="/v1/responses"),
        replace(request, query="a=2&b=2"),
        replace(request, query="a=1&b=2&b="),
    ):
        assert call_key(request) != call_key(changed)


def test_masks_are_for_keys() -> None:
    masks = Matching((re.compile(r"\d{4}-\d\d-\d\d"),))
    today = ask({"messages": [{"content": "today is 2025-03-01"}]}, query="on=2025-03-01")
    tomorrow = ask({"messages": [{"content": "today is 2025-03-02"}]}, query="on=2025-03-02")
    assert call_key(today) != call_key(tomorrow)
    assert call_key(today, masks) == call_key(tomorrow, masks)
    text = raw("on 2025-03-01", "text/plain")
    assert call_key(text, masks) == call_key(raw("on 2025-03-02", "text/plain"), masks)


def multipart(boundary: str, text: str = "hello") -> Request:
    name = 'Content-Disposition: form-data; name="a"'
    body = f"--{boundary}\r\n{name}\r\n\r\n{text}\r\n--{boundary}--\r\n"
    media = f"multipart/form-data; boundary={boundary}"
    return Request(Lane.SYSTEM, "POST", "/v1/files", "", media, body.encode())


def test_multipart_boundaries_do_not_count() -> None:
    assert call_key(multipart("abc123")) == call_key(multipart("xyz"))
    assert call_key(multipart("abc123")) != call_key(multipart("abc123", "bye"))
    assert b"abc123" not in neutral_boundary(multipart("abc123")).body
    quoted = neutral_boundary(multipart('"a b"'))
    assert "a b" not in quoted.content_type


@pytest.mark.parametrize("media", [JSON, "text/plain; boundary=abc", "multipart/form-data", ""])
def test_what_is_no_multipart_body_has_no_boundary(media: str) -> None:
    request = raw("--abc", media)
    assert neutral_boundary(request) is request
    spaced = raw("--abc", " Multipart/Form-Data; Boundary=abc")
    assert neutral_boundary(spaced) != spaced


def test_whoever_has_the_key_replays() -> None:
    mine = ask(BODY, query="key=AIza" + "x1" * 20 + "&alt=sse", path="/v1beta/models/g")
    yours = replace(mine, query="alt=sse&key=AIza" + "y2" * 20)
    assert call_key(mine) == call_key(yours)
    assert kept_query(mine.query) == "key=removed&alt=sse"
    assert kept_query("api_key=hello&q=a%20b") == "api_key=removed&q=a%20b"
    assert kept_query("key=hotel&token_count=3") == "key=hotel&token_count=3"


@pytest.mark.parametrize(
    "body", ['{"a": NaN}', '{"a": 1, "a": 2}', "[" * 90 + "]" * 90, "{", "1e999"]
)
def test_json_that_cannot_be_given_back_counts_by_its_bytes(body: str) -> None:
    assert key(body) == key(body, "text/plain")
    assert key(body) != key(body + " ")


def test_bytes_count_byte_by_byte() -> None:
    requests = [
        replace(raw("", "audio/wav"), body=body) for body in (b"\xff\x00", b"\xff\x01", b"")
    ]
    assert len({call_key(request) for request in requests}) == 3


def test_a_key_does_not_depend_on_where_parts_end() -> None:
    assert call_key(ask({"messages": ["a", "b"]})) != call_key(ask({"messages": ["ab"]}))
    assert call_key(ask({"messages": [["a"]]})) != call_key(ask({"messages": ["a"]}))
    assert encoded({"messages": []}) != encoded({})
    assert call_key(ask({"messages": []})) != call_key(ask({}))
