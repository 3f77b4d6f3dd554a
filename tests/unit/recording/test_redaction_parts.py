"""Parts of redaction by themselves: placeholders, what is learned of them, memory, names."""

import json
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.bodies import FORM
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.json_path import root
from pytest_todeval.recording.matching import EXACT
from pytest_todeval.recording.miss import Miss, Misses
from pytest_todeval.recording.redaction.learned import Learned
from pytest_todeval.recording.redaction.memory import (
    SecretMemory,
    in_base64,
    is_memorable,
    of_environment,
)
from pytest_todeval.recording.redaction.names import is_random, is_secret_value
from pytest_todeval.recording.redaction.personal import PERSONAL
from pytest_todeval.recording.redaction.placeholder import (
    PLACEHOLDER,
    REMOVED,
    token_like,
    without_tokens,
)
from pytest_todeval.recording.redaction.redactor import multipart_parts


def token(claims: object) -> str:
    body = urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"eyJhbGciOiJIUzI1NiJ9.{body}.signature"


def claims_of(text: str) -> dict[str, Any]:
    part = text.split(".")[1]
    found: dict[str, Any] = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


def test_a_token_says_for_whom_it_is_and_nothing_of_anybody() -> None:
    claims = {"iss": "shop", "sub": "ann", "iat": 5, "nbf": 1.5, "exp": 6, "n": 7, "aud": ["a"]}
    found = token_like(token(claims))
    kept = claims_of(found)
    far = datetime.fromtimestamp(kept.pop("exp"), UTC)
    assert far == datetime(2100, 1, 1, tzinfo=UTC)
    gone = dict.fromkeys(("sub", "n"), PLACEHOLDER)
    assert kept == {"iss": "shop", "iat": 5, "nbf": 1.5, "aud": ["a"], **gone}
    assert list(kept) == sorted(kept), "the same claims are the same text"
    assert token_like(token({"iat": "yesterday"})) == token_like(token({"iat": "today"}))
    assert " " not in found
    assert "=" not in found
    assert without_tokens(f"a {found} b") == f"a {PLACEHOLDER} b"
    assert without_tokens("a") == "a"


@pytest.mark.parametrize("text", ["eyJ.e30.x", "eyJ.W10.x", "eyJ.!!.x", "eyJ.eyJ.x"])
def test_a_token_that_says_nothing(text: str) -> None:
    assert claims_of(token_like(text)) == {}


def asked(body: object = None, kind: str = "application/json", query: str = "") -> Request:
    data = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
    return Request(Lane.SYSTEM, "POST", "/v1", query, kind, data)


def test_what_stands_where_a_placeholder_stood_may_be_another() -> None:
    kept = {"a": [PLACEHOLDER, {"b": PLACEHOLDER}], "c": "x"}
    learned = Learned([asked(kept)])
    found = learned.applied(asked({"a": ["one", {"b": "two"}], "c": "x"}))
    assert found is not None
    assert json.loads(found.body) == kept
    others: list[Any] = [{"a": [1, {"b": 2}]}, {"a": []}, {"a": "x"}, {"A": ["x"]}, []]
    for other in others:
        assert learned.applied(asked(other)) is None
    short = learned.applied(asked({"a": ["one"]}))
    assert short is not None
    assert json.loads(short.body) == {"a": [PLACEHOLDER]}
    assert learned.applied(asked(b"{", "application/json")) is None
    assert learned.applied(asked(kept)) is None
    elsewhere = Request(Lane.SYSTEM, "POST", "/v2", "", "application/json", b'{"a": ["x"]}')
    assert learned.applied(elsewhere) is None
    whole = Learned([asked(PLACEHOLDER)]).applied(asked("word"))
    assert whole is not None
    assert json.loads(whole.body) == PLACEHOLDER


def test_the_same_in_queries_and_forms() -> None:
    learned = Learned(
        [asked(query=f"k={REMOVED}&q=1"), asked(f"pin={PLACEHOLDER}&a=b".encode(), FORM)]
    )
    found = learned.applied(asked(b"", query="q=2&k=secret&&x"))
    assert found is not None
    assert found.query == f"q=2&k={REMOVED}&&x"
    found = learned.applied(asked(b"pin=12&a=&c=d", f"{FORM}; charset=utf-8"))
    assert found is not None
    assert found.body == f"pin={PLACEHOLDER}&a=&c=d".encode()
    assert learned.applied(asked(b"a=b%20c", FORM)) is None, "as it was sent"
    spaced = Learned([asked(f"pin={PLACEHOLDER}".encode(), f" {FORM.upper()} ;x")])
    assert spaced.applied(asked(b"pin=12", FORM)) is not None


def test_secrets_of_the_environment_are_known_by_their_names() -> None:
    names = ("API_KEY", "MY_TOKEN", "db_pass", "X_PWD", "USER_PASSWORD")
    environ = dict.fromkeys(names, " secret12 ") | {"HOME": "secret12", "A_KEY": "short12"}
    assert list(of_environment(environ)) == [(name, "secret12") for name in sorted(names)]


@pytest.mark.parametrize(
    ("value", "known"),
    [
        ("abcdef12", True),
        ("abcde12", False),
        ("abcdefgh", False),
        ("12345678", False),
        ("a1" * 4096, True),
        ("a1" * 4096 + "a", False),
    ],
)
def test_what_may_be_remembered(value: str, known: bool) -> None:
    assert is_memorable(value) is known
    memory = SecretMemory({})
    memory.add(f" {value} ")
    memory.add(value)
    assert memory.version - SecretMemory({}).version == known
    assert bool(list(memory.spans(f"it is {value}!"))) is known


def test_where_remembered_secrets_stand() -> None:
    memory = SecretMemory({"API_KEY": "secret/12"})
    assert sorted(set(memory.spans("secret/12, secret%2F12 secret/12"))) == [
        (0, 9),
        (11, 22),
        (23, 32),
    ]
    memory.add("other/12")
    assert list(memory.spans("xother/12")) == [(1, 9)]
    assert not list(SecretMemory({}).spans("other/12"))


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_a_secret_is_found_within_base64(before: str) -> None:
    memory = SecretMemory({"API_KEY": "secret/12"})
    coded = b64encode(f"{before}secret/12".encode()).decode()
    assert any(piece in coded for piece in in_base64(b"secret/12"))
    assert set(memory.spans(coded)) == {(0, len(coded))}
    assert set(memory.spans(f"{coded}.a")) == {(0, len(coded))}
    assert set(memory.spans(f"a.{coded}")) == {(2, 2 + len(coded))}


@pytest.mark.parametrize(
    ("text", "random"),
    [
        ("abcdefghijklmnopqr12", True),
        ("abcdefghijklmn12", True),
        ("abcdefghijklm12", False),
        ("abcdefghijklmnopqrs1", False),
        ("12345678901234567890", False),
        ("aaaaaaaaaaaaaaaaaa12", True),
        ("zzzzzzzzzzzzzzzzzz12", False),
        ("abcdefghijklmn 12345", False),
        ("a1" * 2048, True),
        ("a1" * 2048 + "a", False),
        ("deadbeefdeadb31f", True),
        ("f0a1c2d3e4b5968778695a4b3c2d1e0f", True),
        ("deadbeefdeadbe1f", False),  # one digit: it may be a word with a number
        ("deadbeefdeadbeef", False),
    ],
)
def test_what_a_machine_drew(text: str, random: bool) -> None:
    assert is_random(text) is random


def test_what_a_name_holds() -> None:
    def secret(name: str, value: str, **how: bool) -> bool:
        return is_secret_value(name, value, **{"parameter": False, "given": False, **how})

    assert secret("password", "x")
    assert not secret("password", "")
    assert not secret("password", PLACEHOLDER)
    assert not secret("password", "is too short")
    assert secret("password", "is too short", given=True)
    assert secret("-" * 52 + "password", "x")
    assert not secret("-" * 53 + "password", "x")
    assert not secret("text", "abcdefghijklmnopqr12")
    assert secret("usertoken", "abcdefghijklmnopqr12") is not secret("usertoken", "x")


@pytest.mark.parametrize("boundary", ['"b d"', "bd"])
def test_fields_of_a_multipart_form(boundary: str) -> None:
    mark = b"--" + boundary.strip('"').encode()
    head = b'\r\nContent-Disposition: form-data; name="pin"\r\n\r\n'
    body = b"pre" + mark + head + b"12\r\n" + mark + b"\r\nX: y\r\n\r\n34" + mark + b"--"
    found = list(multipart_parts(f"multipart/form-data; boundary={boundary}; x", body))
    assert found == [
        (None, b"pre"),
        (None, mark + head),
        ("pin", b"12"),
        (None, b"\r\n"),
        (None, mark + b"\r\nX: y\r\n\r\n"),
        ("", b"34"),
        (None, b""),
        (None, mark + b"--"),
    ]
    assert list(multipart_parts("multipart/form-data", body)) == [(None, body)]


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("card", "4" + "0" * 11 + "6", True),
        ("card", "4" + "0" * 10 + "6", False),
        ("card", "4111 1111 1111 1111", True),
        ("card", "4111 1111 1111 1112", False),
        ("card", "0" * 19, True),
        ("card", "0" * 20, False),
        ("iban", "GB82 WEST 1234 5698 7654 32", True),
        ("iban", "GB82 WEST 1234 5698 7654 33", False),
        ("iban", "NO9386011117947", True),
        ("phone", "+44 1223 35", False),
        ("phone", "+44 1223 356", True),
        ("phone", "0123456789012345", False),
        ("phone", "012345678901234", True),
    ],
)
def test_personal_data_by_its_digits(kind: str, text: str, found: bool) -> None:
    assert [text[start:end] for start, end in PERSONAL[kind].spans(text)] == [text] * found


def test_a_path_has_twenty_steps_at_most() -> None:
    root(["$" + ".a" * 20])
    for wrong in ("$" + ".a" * 21, "$", "a", "$.a.", "$.a]"):
        with pytest.raises(Exception, match="is not a path into JSON"):
            root([wrong])


def test_a_miss_is_found_once_for_each_key_and_turn(tmp_path: Path) -> None:
    misses = Misses("t", "d", tmp_path / "x", partial(Miss, recorded=None, matching=EXACT))

    def add(key: str, turn: int) -> Any:
        misses.count(Lane.SYSTEM, turn)
        return misses.add(key, asked(), turn, frozenset(), read_on=False)

    first = add("k", 1)
    assert add("k", 1) is first
    others = [add("k", 2), add("l", 1)]
    assert misses.found == [first, *others]
    assert [each.where.number for each in misses.found] == [1, 1, 3]
