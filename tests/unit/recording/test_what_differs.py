"""Where two requests differ, as a person reads it; which calls are whose."""

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.difference import differences, shown, shown_name
from pytest_todeval.recording.process_rules import ProcessRules, asks_model, process_rules_from
from pytest_todeval.recording.words import word_difference

JSON = "application/json"


def asked(
    body: bytes = b"",
    *,
    method: str = "POST",
    path: str = "/v1/x",
    query: str = "",
    kind: str = JSON,
) -> Request:
    return Request(Lane.SYSTEM, method, path, query, kind, body)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'["a", "b"]', b'["a", "c"]', ("body[1]", "b", "c")),
        (b"[1, 2]", b"[1, 2, 3]", ("body[2]", "", "3")),
        (b'["one two", 2]', b'["one three", 2]', ("body[0] word 2", "two", "three")),
        (b"no json", b"not json", ("body word 1", "no", "not")),
        (b"no json", b'["json"]', ("body word 1", "no json", None)),
        (b'["a b"]', b'["a  b"]', ("body[0] character 3 (white space)", "a b", "a  b")),
    ],
)
def test_the_first_difference_of_two_bodies(
    old: bytes, new: bytes, told: tuple[str, str, str | None]
) -> None:
    (found,) = differences(asked(old), asked(new))
    where, before, after = told
    assert found.where == where
    assert found.recorded.strip('"') == before
    assert after is None or found.now.strip('"') == after


def test_method_path_and_query_are_told_apart() -> None:
    one, other = asked(query="a=1"), asked(method="GET", path="/v2/x", query="a=2")
    assert [each.where for each in differences(one, other)] == ["method", "path", "query"]
    assert list(differences(one, one)) == []


def test_what_is_shown_is_short_and_safe_in_a_terminal() -> None:
    assert len(shown("x" * 10_000)) < 1000
    assert shown("x" * 10_000).endswith("...")
    assert "\x1b" not in shown({"a": "\x1b[31m"})
    assert (shown_name("top_p"), shown_name("a b")) == ("top_p", '"a b"')


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("near the park", "near the mill", "near the [-park-]{+mill+}"),
        ("near park", "near the park", "near {+the+} park"),
        ("near the park", "near park", "near [-the-] park"),
        ("a b c", "a b c d", "a b [-c-]{+c d+}"),
    ],
)
def test_texts_differ_word_by_word_with_a_few_words_around(old: str, new: str, told: str) -> None:
    assert word_difference(old, new) == told


@pytest.mark.parametrize(
    ("request_made", "shared"),
    [
        (asked(method="GET"), True),
        (asked(method="HEAD"), True),
        (asked(b"{}", method="GET"), False),
        (asked(method="GET", query="q=inn"), False),
        (asked(path="/auth/login"), True),
        (asked(path="/search"), False),
    ],
)
def test_a_call_that_opens_a_dialogue_may_be_the_process(
    request_made: Request, shared: bool
) -> None:
    assert ProcessRules.may_share(request_made) is shared


@pytest.mark.parametrize(
    ("request_made", "asks"),
    [
        (asked(b'{"model": "m", "messages": []}'), True),
        (asked(b'{"model": "m", "input": "x"}'), True),
        (asked(b'{"model": 7, "input": "x"}'), False),
        (asked(b'{"model": "m"}'), False),
        (asked(b'{"messages": []}'), False),
        (asked(b'["model", "messages"]'), False),
        (asked(b'{"model": "m", "messages": []}', method="GET"), False),
        (asked(b"", path="/v1beta/models/gemini:generateContent"), True),
    ],
)
def test_what_asks_a_model(request_made: Request, asks: bool) -> None:
    assert asks_model(request_made) is asks


def test_a_project_says_which_calls_are_shared_and_which_ignored() -> None:
    rules = process_rules_from(["POST auth.example.com/v1/*"], ["*.stats.example.com", "/ping"])
    assert rules.shares("post", "auth.example.com:8443", "/v1/key")
    assert not rules.shares("GET", "auth.example.com", "/v1/key")
    assert not rules.shares("POST", "auth.example.com", "/v2/key")
    assert rules.shares("POST", "elsewhere", "/oauth/token")
    assert rules.shares("GET", "elsewhere", "/v1/models")
    assert not rules.shares("DELETE", "elsewhere", "/v1/models")
    assert rules.ignores("GET", "a.stats.example.com", "/x")
    assert rules.ignores("PUT", "elsewhere", "/ping")
    assert not rules.ignores("PUT", "elsewhere", "/pong")
