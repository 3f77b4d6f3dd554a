"""What is redacted, by which rule, and what is left alone."""

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import RaisedError, Request, Response
from pytest_todeval.recording.json_path import root
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER
from pytest_todeval.recording.redaction.redactor import Redactor, has_lost_secret
from pytest_todeval.recording.redaction.rules import rules_from
from pytest_todeval.recording.secrets import Scanner
from tests.conftest import must_end

JSON = "application/json"


def redactor(*lines: str, **environ: str) -> Redactor:
    return Redactor(rules_from(lines), environ)


def request(body: Any, *, path: str = "/x", query: str = "", kind: str = JSON) -> Request:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Request(Lane.SYSTEM, "POST", path, query, kind, data)


def response(body: Any, *headers: tuple[str, str], kind: str = JSON) -> Response:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(200, (("content-type", kind), *headers), data)


def sent(made: Redactor, body: Any) -> Any:
    return json.loads(made.request(request(body)).body)


def came(made: Redactor, body: Any) -> Any:
    outcome = made.outcome(response(body))
    assert isinstance(outcome, Response)
    return json.loads(outcome.body)


LEFT_ALONE: list[Any] = [
    {"model": "m", "max_tokens": 300, "messages": [{"role": "user", "content": "my password?"}]},
    {"tools": [{"parameters": {"properties": {"password": {"type": "string"}}}}]},
    {"logprobs": {"content": [{"token": "Hello", "logprob": -0.1}]}},
    {"usage": {"prompt_tokens": 12, "completion_tokens": 3}},
    {"error": {"code": "context_length_exceeded_v2", "message": "Password: must have 8 letters"}},
    {"next_page_token": "CAoQAA2b3c4d5e6f7g8h9", "nextPageToken": "CAoQAA2b3c4d5e6f7g8h9"},
    {"booking": {"reference": "AB12CD34", "code": "7GAWK763", "key": "hotel-12"}},
    {"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "etag": "33a64df551425fcc55e4d42a148795d9f25f"},
    {"text": "the token: is a word, the key=value too; secret: keep it, password = what"},
    {"text": "see https://example.com/a:b@c and mail a@b.example at 10:30"},
    {"password": "", "api_key": None, "secret": 12},
    {"text": "Basic understanding of basic research, bearer of good news"},
    {"phone": "01223 351241", "postcode": "cb21ab", "mail": "guest@example.com"},
]


@pytest.mark.parametrize("body", LEFT_ALONE)
def test_left_alone(body: Any) -> None:
    made = redactor()
    asked, answer = request(body), response(body)
    assert made.request(asked) is asked
    assert made.outcome(answer) is answer
    assert Scanner({}).find(json.dumps(body)) is None
    assert Scanner({}).place(body, json.dumps(body)) is None


def test_words_about_a_password_come_back() -> None:
    """Under such a name an answer may hold what is wrong with it; a request holds it."""
    words = {"errors": {"password": "is too short"}}
    assert came(redactor(), words) == words
    assert sent(redactor(), words) == {"errors": {"password": PLACEHOLDER}}


def test_to_redact_twice_is_to_redact_once() -> None:
    made = redactor()
    once = made.request(request({"password": "x1y2", "text": "Bearer abcdefgh12345678"}))
    assert redactor().request(once) == once


def test_a_header_is_kept_with_a_placeholder() -> None:
    headers = (("X-Account-Id", "4711-0815"), ("Set-Cookie", "sid=a1b2c3d4e5; Path=/"))
    made = redactor("header: x-account-id", "header: set-cookie")
    outcome = made.outcome(response({}, *headers))
    assert isinstance(outcome, Response)
    assert outcome.headers[1:] == (
        ("X-Account-Id", PLACEHOLDER),
        ("Set-Cookie", f"sid={PLACEHOLDER}"),
    )
    assert sent(made, {"of": "4711-0815"}) == {"of": "4711-0815"}  # no letters: may be a number
    assert sent(made, {"of": "a1b2c3d4e5"}) == {"of": PLACEHOLDER}


def test_a_parameter_a_field_and_members() -> None:
    made = redactor("query: guest", "form: pin", "json: ssn", "json: $.guest.cards[*].number")
    assert made.request(request({}, query="guest=ann&q=a")).query == "guest=removed&q=a"
    form = "application/x-www-form-urlencoded"
    kept = made.request(request(b"pin=1234&a=b", kind=form))
    assert parse_qsl(kept.body.decode()) == [("pin", PLACEHOLDER), ("a", "b")]
    body = {"guest": {"ssn": 12, "cards": [{"number": "1"}, {"number": "2", "of": ["x"]}]}}
    redacted = {
        "guest": {
            "ssn": 0,
            "cards": [{"number": PLACEHOLDER}, {"number": PLACEHOLDER, "of": ["x"]}],
        }
    }
    assert sent(made, body) == redacted
    assert came(made, body) == redacted
    assert sent(made, {"number": "1"}) == {"number": "1"}


def test_all_below_a_path_gives_way() -> None:
    made = redactor("json: $.guest")
    body = {"guest": {"name": "Ann", "age": 7, "tags": ["a", True, None]}}
    assert sent(made, body) == {
        "guest": {"name": PLACEHOLDER, "age": 0, "tags": [PLACEHOLDER, True, None]}
    }


def test_a_pattern() -> None:
    made = redactor(r"pattern: ACC-\d{8}")
    assert sent(made, {"text": "of ACC-12345678."}) == {"text": f"of {PLACEHOLDER}."}
    raised = made.outcome(RaisedError("connect", "cannot reach /ACC-12345678"))
    assert raised == RaisedError("connect", f"cannot reach /{PLACEHOLDER}")


PERSONAL = {
    "email": "ann.b+c@mail.example.com",
    "card": "4111 1111 1111 1111",
    "iban": "GB82 WEST 1234 5698 7654 32",
    "phone": "+44 1223 351241",
    "ssn": "123-45-6789",
    "ip": "192.168.10.24",
}


@pytest.mark.parametrize("kind", PERSONAL)
def test_personal_data_on_request(kind: str) -> None:
    text = {"text": f"it is {PERSONAL[kind]}, thanks"}
    redacted = {"text": f"it is {PLACEHOLDER}, thanks"}
    assert sent(redactor(), text) == text
    assert sent(redactor("personal"), text) == redacted
    assert sent(redactor(f"personal: {kind}"), text) == redacted


@pytest.mark.parametrize(
    "text",
    ["room 4111 1111 1111 1112", "GB82 WEST 1234 5698 7654 33", "at 10.30 for 2", "a@b", "1.2.3"],
)
def test_what_looks_like_personal_data_only(text: str) -> None:
    assert sent(redactor("personal: card iban email ip"), {"t": text}) == {"t": text}


def test_a_name_may_hold_no_secret() -> None:
    body = {"wifi_password": "sunny-day-12", "text": 'say "wifi_password": "sunny-day-12"'}
    assert sent(redactor(), body) != body
    made = redactor("keep: wifi_password")
    assert came(made, body) == body
    assert Scanner({}, kept=made.rules.kept).find(json.dumps(body)) is None
    assert Scanner({}).find(json.dumps(body)) is not None


def test_the_environment_is_known_if_it_is_no_word() -> None:
    made = redactor(HOTEL_KEY="zeta-9931-omega", NAME_TOKEN="stand-in", HOME="a1b2c3d4e5")
    text = {"t": "zeta-9931-omega, stand-in, a1b2c3d4e5"}
    assert sent(made, text) == {"t": f"{PLACEHOLDER}, stand-in, a1b2c3d4e5"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cookie: a", "did you mean|Known: header"),
        ("header", "names no header"),
        ("pattern: [", "is not a regular expression"),
        ("json: $.a[", "is not a path into JSON"),
        ("personal: names", "Known: email"),
    ],
)
def test_lines_that_cannot_be_read_are_named(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rules_from([line])


def test_a_token_that_was_redacted_is_asked_for_anew() -> None:
    made = redactor()
    token, words = {"access_token": "a1b2c3d4e5f6"}, {"text": "use gh" + "p_" + "a1B2" * 9}
    assert not has_lost_secret(response(token))
    assert has_lost_secret(made.outcome(response(token)))
    assert not has_lost_secret(made.outcome(response(words)))


PATHS = {
    "$.a": {"a"},
    "$['a'].b": {"a.b"},
    "$..b": {"a.b", "c.0.b", "b"},
    "$.c[*].b": {"c.0.b"},
    "$.c[0]": {"c.0"},
    "$.*.b": {"a.b"},
}


@pytest.mark.parametrize("path", PATHS)
def test_paths(path: str) -> None:
    found = set()

    def walk(value: Any, place: Any, names: tuple[str, ...]) -> None:
        if place.found:
            found.add(".".join(names))
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, item in items if isinstance(value, dict | list) else ():
            walk(item, place.at(name), (*names, str(name)))

    value = {"a": {"b": {}}, "c": [{"b": {}}], "b": {}}
    walk(value, root([path]), ())
    assert found == PATHS[path]


@pytest.mark.parametrize(
    "text",
    [
        '{"password":"' * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 4_000,
        "curl -u a:" * 10_000,
        "://a:" * 20_000,
        "api_key=" * 12_000,
        "a1.b2-" * 16_000,
        "[" * 60 + '{"secret":"x1"}' * 3_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text: str) -> None:
    with must_end():
        made = redactor("personal")
        made.text(text)
        made.request(request({"text": text}))
