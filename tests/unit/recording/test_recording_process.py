"""Which calls are the process's, and its cassette, which several processes write."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import RaisedError, Request, Response
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.process_rules import ProcessRules, process_rules_from
from pytest_todeval.recording.store import read_cassette

SHARED = [
    ("POST", "/oauth"),
    ("POST", "/oauth2/v2.0/token"),
    ("POST", "/realms/x/protocol/openid-connect/token"),
    ("PUT", "/latest/api/token"),
    ("GET", "/v1/models"),
    ("GET", "/v1beta/models/gemini-2.0-flash"),
    ("GET", "/BerriAI/litellm/main/model_prices_and_context_window.json"),
    ("GET", "/.well-known/openid-configuration"),
    ("GET", "/api/agent-harnesses"),
]
OF_DIALOGUES = [
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1beta/models/gemini-2.0-flash:generateContent"),
    ("POST", "/v1/messages/count_tokens"),
    ("POST", "/v1/embeddings"),
    ("POST", "/bookings"),
    ("GET", "/hotels"),
    ("GET", "/cars/models/fiat"),
    ("GET", "/tokenizer"),
    ("DELETE", "/oauth/token"),
]


@pytest.mark.parametrize(("method", "path"), SHARED)
def test_commonly_known_calls_are_the_processs(method: str, path: str) -> None:
    assert ProcessRules().shares(method, "api.example.com", path)


@pytest.mark.parametrize(("method", "path"), OF_DIALOGUES)
def test_others_are_not(method: str, path: str) -> None:
    assert not ProcessRules().shares(method, "api.example.com", path)


@pytest.mark.parametrize(
    ("line", "matches", "others"),
    [
        ("POST /warm-*", ("POST", "h", "/warm-up"), ("GET", "h", "/warm-up")),
        ("*.example.com", ("PUT", "a.example.com:80", "/x"), ("PUT", "example.com.evil", "/x")),
        ("get h.io/v1/*", ("GET", "H.io", "/v1/a/b"), ("GET", "h.io", "/v2")),
        ("https://h.io/v1", ("GET", "h.io", "/v1"), ("GET", "h.io", "/v1/")),
        ("POST /", ("POST", "sts.io", "/"), ("POST", "sts.io", "/x")),
        ("/a[b]", ("GET", "h", "/a[b]"), ("GET", "h", "/ab")),
    ],
)
def test_a_line_names_calls(
    line: str, matches: tuple[str, str, str], others: tuple[str, str, str]
) -> None:
    rules = process_rules_from([], [line])
    assert rules.ignores(*matches)
    assert not rules.ignores(*others)


@pytest.mark.parametrize("line", ["", "a b c", "P-T /x"])
def test_a_line_that_names_no_call_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match=r"todeval_shared: .* does not name a call; expected"):
        process_rules_from([line], [])


def request(path: str, lane: Lane = Lane.SYSTEM) -> Request:
    return Request(lane, "GET", path, "", "", b"")


def response(text: str, status: int = 200) -> Response:
    return Response(status, (("content-type", "text/plain"),), text.encode())


def opened(path: Path, mode: str) -> ProcessCassette:
    return ProcessCassette(path, modes=modes_from(mode))


def test_an_answer_is_every_lanes_and_is_given_again(tmp_path: Path) -> None:
    path = tmp_path / "_process.todeval.jsonl"
    opened(path, "missing").keep(request("/v1/models", Lane.USER), response("a"))
    replaying = opened(path, "replay")
    for lane in Lane:
        assert replaying.take(request("/v1/models", lane), Mode.REPLAY) == response("a")
    assert replaying.take(request("/v1/models"), Mode.REWRITE) is None


def test_an_earlier_answer_stays_and_a_failure_does_not(tmp_path: Path) -> None:
    path = tmp_path / "_process.todeval.jsonl"
    opened(path, "missing").keep(request("/a"), RaisedError("connect", "ConnectError: no"))
    assert opened(path, "replay").take(request("/a"), Mode.REPLAY) is not None
    again = opened(path, "missing")
    assert again.take(request("/a"), Mode.MISSING) is None  # asked anew
    again.keep(request("/a"), response("one"))
    opened(path, "missing").keep(request("/a"), response("two"))
    opened(path, "missing").keep(request("/a"), response("broken", 500))
    assert opened(path, "replay").take(request("/a"), Mode.REPLAY) == response("one")
    opened(path, "rewrite").keep(request("/a"), response("three"))
    assert opened(path, "replay").take(request("/a"), Mode.REPLAY) == response("three")


def record(path: Path, number: int) -> None:
    cassette = opened(path, "missing")
    for each in range(10):
        cassette.keep(request(f"/{number}/{each}"), response(f"{number} {each}"))


def test_processes_that_record_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cassettes" / "_process.todeval.jsonl"
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        list(pool.map(record, [path] * 4, range(4)))
    assert len(read_cassette(path).calls) == 40
    assert [kept.name for kept in path.parent.iterdir()] == [path.name]
