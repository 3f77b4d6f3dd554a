"""What redaction takes out of an answer is known, so that a dialogue can do without it, too."""

import json
from base64 import urlsafe_b64encode
from typing import Any

import pytest

from pytest_todeval.recording.call import Response
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.redaction.removed import removed_of, without_any

CODE = "HX83K2P9QW21ZT55"
KEY = "sk-proj-" + "a1B2c3D4" * 6


def json_answer(value: Any) -> Response:
    return Response(200, (("content-type", "application/json"),), json.dumps(value).encode())


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"booking": {"code": CODE}}, {"code"}),
        ({"rooms": [{"password": "sunny2024"}, {"password": "rainy2025"}]}, {"password"}),
        ({"note": f"use {KEY}, and then {KEY}"}, {"note"}),
        ([f"a {KEY}", {"b": "plain"}], {""}),
        ({"a": "plain", "b": ["north", 3, None]}, set()),
    ],
)
def test_without_what_was_removed_an_answer_is_as_it_is_kept(value: Any, names: set[str]) -> None:
    answer, redactor = json_answer(value), Redactor(environ={})
    kept = redactor.outcome(answer)
    assert isinstance(kept, Response)
    removed = removed_of(answer, kept)
    assert set(removed.values()) == names
    assert without_any(value, removed) == json.loads(kept.body)


def test_a_stream_and_a_text_tell_it_too() -> None:
    redactor = Redactor(environ={})
    event = f'data: {{"code": "{CODE}"}}\n\n'.encode()
    stream = Response(200, (("content-type", "text/event-stream"),), event, (event,))
    text = Response(200, (("content-type", "text/plain"),), f"the key is {KEY}.".encode())
    for answer, secret in ((stream, CODE), (text, KEY)):
        kept = redactor.outcome(answer)
        assert isinstance(kept, Response)
        assert list(removed_of(answer, kept)) == [secret]


def test_words_stay_where_they_are_said() -> None:
    """Who knows the password "north" only by an answer says "in the north" all the same."""
    answer = json_answer({"password": "northern"})
    kept = Redactor(environ={}).outcome(answer)
    assert isinstance(kept, Response)
    assert removed_of(answer, kept) == {}


def test_nothing_of_it_leaves_a_value_as_it_is() -> None:
    value = {"a": [1, ("x", "y")], "b": "c"}
    assert without_any(value, {CODE: "code"}) is value
    assert without_any((f"{CODE}!",), {CODE: "code"}) == ("todeval-redacted!",)


def test_a_name_in_a_line_of_its_own_is_not_joined_with_the_line_before() -> None:
    secret = "B0MoHhCU418r" + "DqRrVTlH"
    text = Redactor().text(f"HOST=db\nauthorization={secret}\nPORT=5432\n")
    assert text == "HOST=db\nauthorization=todeval-redacted\nPORT=5432\n"


def test_a_token_is_told_as_replay_tells_it() -> None:
    parts = ('{"alg":"RS256"}', '{"sub":"somebody","aud":"bot","exp":1800000000}')
    head, claims = (urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    token = f"{head}.{claims}.{'dBjftJeZ4CVP' * 3}"
    answer = Response(200, (("content-type", "text/plain"),), f"It is {token}.".encode())
    kept = Redactor().outcome(answer)
    assert isinstance(kept, Response)
    told = without_any(f"It is {token}.", removed_of(answer, kept))
    assert told == kept.body.decode() != answer.body.decode()
