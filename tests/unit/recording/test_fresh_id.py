"""A dialogue's id has a token that is another in each run: no cassette has it, no call differs."""

import gzip
from pathlib import Path
from urllib.parse import quote

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request, Response
from pytest_todeval.recording.gateway.asked import DIALOGUE_HEADER
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.transport import Playing
from tests.support.gateway_world import answer_to, asked, gateway_to
from tests.support.recording_world import served

RUNS = ("5f0c81e2a9b4", "0123456789ab")


def tape(path: Path, token: str, mode: str = "replay") -> Tape:
    return Tape(path, test="t", dialogue="demo/1#0", modes=modes_from(mode), token=token)


def requests(token: str) -> list[Request]:
    """What a bot may do with its id."""
    id = f"demo/1#0~{token}"
    json = f'{{"user":"{id}","messages":[{{"role":"user","content":"I am {id}"}}]}}'.encode()
    form = f"session={quote(id, safe='')}&text=a".encode()
    java = f"session={quote(id, safe='').replace('~', '%7E')}".encode()
    of_form = "application/x-www-form-urlencoded"
    each = (
        ("/v1/chat/completions", "", "application/json", json),
        (f"/sessions/{quote(id, safe='')}/x", "", "", b""),
        ("/x", f"session={quote(id, safe='')}", "", b""),
        ("/form", "", of_form, form),
        ("/java", "", of_form, java),
        ("/zipped", "", "application/json", gzip.compress(json)),
        ("/slug", "", "text/plain", f"demo-1-{token}".encode()),
    )
    return [Request(Lane.SYSTEM, "POST", *parts) for parts in each]


def record(path: Path, token: str) -> None:
    recording = tape(path, token, "rewrite")
    for number, request in enumerate(requests(token)):
        exchange = recording.begin(request, 1)
        assert not isinstance(exchange, Playing)
        kind = "text/event-stream" if number else "application/json"
        body = f'data: {{"session":"demo/1#0~{token}"}}\n\n' if number else f'{{"for":"~{token}"}}'
        events = (body.encode(),) if number else None
        headers = (("content-type", kind),)
        exchange.answered(Response(200, headers, body.encode(), events))
    recording.said(1, "hello", f"you are demo/1#0~{token}")
    recording.finish(keep=True)


def test_a_recording_of_another_run_is_the_same_bytes_and_answers_this_one(tmp_path: Path) -> None:
    paths = [tmp_path / f"{token}.todeval.jsonl" for token in RUNS]
    for path, token in zip(paths, RUNS, strict=True):
        record(path, token)
        assert token not in path.read_text()
    lines = [path.read_text().splitlines()[1:] for path in paths]  # the first has the clock
    assert lines[0] == lines[1]
    assert read_cassette(paths[0]).said[0].system == "you are demo/1#0"
    replay = tape(paths[0], RUNS[1])
    played = [replay.begin(request, 1) for request in requests(RUNS[1])]
    assert [type(each) for each in played] == [Playing] * 7
    assert replay.misses == []


def test_a_dialogue_without_a_token_is_kept_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "t.todeval.jsonl"
    recording = tape(path, "", "rewrite")
    exchange = recording.begin(Request(Lane.SYSTEM, "GET", "/~a", "b=~c", "", b""), 1)
    assert not isinstance(exchange, Playing)
    exchange.answered(Response(200, (), b"~d"))
    recording.finish(keep=True)
    [call] = read_cassette(path).calls
    assert (call.request.path, call.request.query) == ("/~a", "b=~c")
    assert isinstance(call.outcome, Response)
    assert call.outcome.body == b"~d"


@pytest.mark.parametrize("named", ["demo/1#0", f"demo/1#0~{RUNS[0]}", f"demo-1-0-{RUNS[0]}"])
def test_the_gateway_knows_a_dialogue_by_all_its_ids(tmp_path: Path, named: str) -> None:
    header = f"{DIALOGUE_HEADER}: {quote(named, safe='')}"
    with served() as server, tape(tmp_path / "a", RUNS[0], "rewrite") as open_tape:
        with gateway_to(server.url) as gateway:
            answer_to(gateway, asked("/model/plain", b"{}", "Connection: close", header))
            by_path = f"/dialogue/{quote(named, safe='')}/model/plain"
            answer_to(gateway, asked(by_path, b"{}", "Connection: close"))
        assert open_tape.calls[Lane.SYSTEM].recorded == 2


def test_a_call_of_a_dialogue_that_is_over_is_charged_to_nobody(tmp_path: Path) -> None:
    """A test of the same goal plays now: what the one before left running is not its own."""
    header = f"{DIALOGUE_HEADER}: demo%2F1%230~{RUNS[0]}"
    with tape(tmp_path / "a", RUNS[0], "rewrite"):
        pass
    with served() as server, tape(tmp_path / "b", RUNS[1], "rewrite") as now:
        with gateway_to(server.url) as gateway:
            answer = answer_to(gateway, asked("/model/plain", b"{}", "Connection: close", header))
        assert b"which is over" in answer
        assert (now.strays, now.refusals, now.calls[Lane.SYSTEM].recorded) == ([], [], 0)
    assert Router.of_process().tapes == ()
