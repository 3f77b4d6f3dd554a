"""Recorded calls that count as failed: what recording goes on from does not hold them."""

import pytest

from pytest_todeval.recording.call import Call, RaisedError, Response
from pytest_todeval.recording.shelf import got_over, has_failed
from tests.support.recorded_calls import ask

HTML = b"<h1>Bad gateway</h1>"


def call(outcome: Response | RaisedError, key: str = "k") -> Call:
    return Call(key, ask({}), outcome, 1, "d")


def response(body: bytes, kind: str, *, events: bool = False) -> Response:
    return Response(200, (("content-type", kind),), body, (body,) if events else None)


@pytest.mark.parametrize(
    ("outcome", "failed"),
    [
        (response(b'{"a": 1}', "application/json"), False),
        (response(b'{"a": ', "application/json"), True),
        (response(HTML, "application/json; charset=utf-8"), True),
        (response(HTML, "application/problem+json"), True),
        (response(b"", "application/json"), True),
        (response(HTML, "text/html"), False),
        (response(b"data: {\n\n", "application/json", events=True), False),
        (Response(200, (), HTML), False),
        (Response(500, (), b"{}"), True),
        (RaisedError("read", "x"), True),
    ],
)
def test_what_says_it_is_json_and_is_none_has_failed(
    outcome: Response | RaisedError, failed: bool
) -> None:
    assert has_failed(call(outcome)) == failed


def test_a_garbled_answer_is_got_over_by_one_that_can_be_read() -> None:
    garbled = call(response(HTML, "application/json"))
    fine = call(response(b"{}", "application/json"))
    assert got_over([garbled]) == ()
    assert got_over([garbled, fine]) == (garbled, fine)
    assert got_over([fine, garbled]) == (fine,)
