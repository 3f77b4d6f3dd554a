"""What bots of other processes ask through the gateway is recorded, replayed and refused."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.budget import Budget
from pytest_todeval.recording.call import RaisedError, Response
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.tape import Tape
from tests.support import recording_world
from tests.support.examples import examples
from tests.support.gateway_world import (
    answer_of,
    answer_to,
    asked,
    gateway_to,
    open_tape,
    raw,
    told_to,
)
from tests.support.recording_world import SYNC, Server, body_of, refused_url

CHAT = "/v1/chat/completions"
CLOSE = "Connection: close"
JSON = {"content-type": "application/json"}
LOST = refused_url()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients that give up when a machine is busy would see now this, now that."""
    monkeypatch.setattr(recording_world, "TIMEOUT", 60)
    client = recording_world.OPENAI.with_options(timeout=60)
    monkeypatch.setattr(recording_world, "OPENAI", client)


def chat(prompt: str, kind: str = "plain") -> bytes:
    return json.dumps(body_of(kind, prompt)).encode()


def recorded(path: Path) -> list[Any]:
    return [call.outcome for call in read_cassette(path).calls]


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("kind", ["plain", "stream", "tools"])
@pytest.mark.parametrize("client", SYNC)
def test_what_was_recorded_is_replayed_without_the_upstream(
    server: Server, tmp_path: Path, client: str, kind: str
) -> None:
    words = ["hello", "crowded", "crowded", "broken", "reset"] + ["cut"] * (kind == "stream")
    prompts = [f"{word} {client} {kind}" for word in words]
    path = tmp_path / "a"
    with open_tape(path) as tape, gateway_to(server.url) as gateway:
        url = gateway.base_url("model")
        first = [SYNC[client](url, kind, prompt) for prompt in prompts]
        tape.finish(keep=True)
    assert len(recorded(path)) == len(prompts)
    hits = server.hits
    with open_tape(path, mode="replay") as tape, gateway_to(LOST) as gateway:
        url = gateway.base_url("model")
        second = [SYNC[client](url, kind, prompt) for prompt in prompts]
        assert (tape.misses, tape.refusals, tape.unused()) == ([], [], ())
    assert second == first
    assert server.hits == hits


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("client", "kind"), [("httpx", "plain"), ("requests", "stream")])
def test_recordings_of_this_process_and_of_the_gateway_answer_for_each_other(
    server: Server, tmp_path: Path, client: str, kind: str
) -> None:
    ask, prompt = SYNC[client], f"hello {client} {kind}"
    with open_tape(tmp_path / "here") as tape:
        with in_lane("d", Lane.SYSTEM, 1):
            here = ask(server.url, kind, prompt)
        tape.finish(keep=True)
    with open_tape(tmp_path / "there") as tape, gateway_to(server.url) as gateway:
        there = ask(gateway.base_url("model"), kind, prompt)
        tape.finish(keep=True)
    with open_tape(tmp_path / "there", mode="replay"), in_lane("d", Lane.SYSTEM, 1):
        assert ask(server.url, kind, prompt) == there
    with open_tape(tmp_path / "here", mode="replay"), gateway_to(LOST) as gateway:
        assert ask(gateway.base_url("model"), kind, prompt) == here


def test_events_come_one_by_one(server: Server, tmp_path: Path) -> None:
    server.gate.clear()
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        with httpx.stream(
            "POST", gateway.url + f"/model{CHAT}", content=chat("hold", "stream")
        ) as got:
            lines = got.iter_lines()
            assert "one" in next(lines)
            server.gate.set()
            assert [line for line in lines if line][-1] == "data: [DONE]"
        tape.finish(keep=True)
    [outcome] = recorded(tmp_path / "a")
    assert len(outcome.events) == 4


def test_thirty_at_once_get_their_own_answers(server: Server, tmp_path: Path) -> None:
    prompts = [f"wait {number}" for number in range(30)]

    def ask_all(url: str) -> list[Any]:
        with ThreadPoolExecutor(30) as pool:
            return list(pool.map(lambda prompt: posted(f"{url}{CHAT}", prompt), prompts))

    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        first = ask_all(gateway.base_url("model"))
        tape.finish(keep=True)
    with open_tape(tmp_path / "a", mode="replay"), gateway_to(LOST) as gateway:
        assert ask_all(gateway.base_url("model")) == first


def posted(url: str, prompt: str) -> str:
    return httpx.post(url, content=chat(prompt), headers=JSON, timeout=60).text


def test_a_client_that_hangs_up_in_a_stream_cuts_the_recording_there(
    server: Server, tmp_path: Path
) -> None:
    server.gate.clear()
    request = asked(f"/model{CHAT}", chat("hold", "stream"))
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        with raw(gateway, request) as connection:
            while b"one" not in connection.recv(65536):
                pass
        tape.finish(keep=True)
        server.gate.set()
    [outcome] = recorded(tmp_path / "a")
    assert b"one" in outcome.body
    assert b"two" not in outcome.body
    with open_tape(tmp_path / "a", mode="replay") as tape, gateway_to(LOST) as gateway:
        answer = answer_to(gateway, request)
        assert (tape.misses, tape.refusals) == ([], [])
    assert b"one" in answer
    assert not answer.endswith(b"0\r\n\r\n")


def test_a_client_that_waits_no_longer_is_a_time_out(server: Server, tmp_path: Path) -> None:
    request = asked(f"/model{CHAT}", chat("timeout 1"))
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        hits = server.hits
        with raw(gateway, request):
            wait_until(lambda: server.hits > hits)
        tape.finish(keep=True)
    [outcome] = recorded(tmp_path / "a")
    assert isinstance(outcome, RaisedError)
    assert outcome.kind == "timeout"
    with open_tape(tmp_path / "a", mode="replay"), gateway_to(LOST) as gateway:
        assert answer_to(gateway, request) == b""


def wait_until(true: Any) -> None:
    until = time.monotonic() + 10
    while not true():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_stream_whose_reader_stopped_in_process_ends_there(
    server: Server, tmp_path: Path
) -> None:
    """The gateway reads on for a client that does not: that is no miss."""
    response = Response(200, (("content-type", "text/event-stream"), CUT), b"data: 1\n\n", EVENTS)
    path = tmp_path / "a"
    with open_tape(path) as tape, gateway_to(server.url) as gateway:
        SYNC["httpx"](gateway.base_url("model"), "stream", "hello")
        tape.finish(keep=True)
    kept = read_cassette(path)
    write_cassette(path, kept.header, [replace(kept.calls[0], outcome=response)])
    with open_tape(path, mode="replay") as tape, gateway_to(LOST) as gateway:
        answer = answer_to(gateway, asked(f"/model{CHAT}", chat("hello", "stream")))
        assert tape.misses == []
    assert b"data: 1\n\n" in answer
    assert b"todeval" not in answer


CUT = ("x-todeval-cut", "reader stopped")
EVENTS = (b"data: 1\n\n",)


@pytest.mark.parametrize(
    ("request_line", "headers", "said"),
    [
        (f"/nobody{CHAT}", (), "Known: model"),
        ("/", (), "has no provider ''"),
        (f"/model{CHAT}", ("Upgrade: websocket",), "WebSocket"),
        (f"/model{CHAT}/../../admin", (), "is not below model's address"),
        ("/model/v1/%2e%2e/admin", (), "is not below model's address"),
        (f"/model{CHAT}", ("Transfer-Encoding: gzip",), "Transfer-Encoding"),
    ],
)
def test_what_the_gateway_cannot_bring_anywhere_is_refused_and_told(
    server: Server, tmp_path: Path, request_line: str, headers: tuple[str, ...], said: str
) -> None:
    hits = server.hits
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        answer = answer_to(gateway, asked(request_line, b"{}", *headers, CLOSE))
    assert answer.startswith(b"HTTP/1.1 424 ")
    assert said in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]
    assert [said in str(error) for error in tape.refusals] == [True]
    assert server.hits == hits


def test_a_method_that_a_known_provider_lacks_is_refused(server: Server, tmp_path: Path) -> None:
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url, openai=server.url) as gateway:
        for name, taken in (("openai", False), ("model", True)):
            answer = answer_to(gateway, asked(f"/{name}{CHAT}", b"{}", CLOSE, method="PUT"))
            assert (b"424" not in answer.partition(b"\r\n")[0]) is taken
    assert "openai knows no PUT" in str(tape.refusals[0])
    assert len(tape.refusals) == 1


@pytest.mark.parametrize(
    "change",
    [
        (b"Host: ", b"Host: evil."),
        (b"Host: ", b"Host: evil.example\r\nHost: "),
        (b"Host: ", b"Origin: https://evil.example\r\nHost: "),
        (b"POST /", b"POST http://127.0.0.1/"),
        (b"POST /", b"POST /guessed/"),
        (b"POST /", b"OPTIONS /"),
        (b"POST /", b"TRACE /"),
    ],
)
def test_who_is_no_bot_of_the_run_is_turned_away_and_changes_nothing(
    server: Server, tmp_path: Path, change: tuple[bytes, bytes]
) -> None:
    """A web page that found the port, another user of this machine, a scanner."""
    hits = server.hits
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        sound = told_to(gateway, asked(f"/model{CHAT}", chat("hello"), CLOSE))
        answer = answer_of(gateway, sound.replace(*change, 1))
        assert not answer.startswith(b"HTTP/1.1 200")
        assert b"access-control" not in answer.lower()
        assert (server.hits, tape.refusals, gateway.outside) == (hits, [], ())
        assert answer_of(gateway, sound).startswith(b"HTTP/1.1 200")


def test_the_path_of_each_run_is_another(server: Server) -> None:
    with gateway_to(server.url) as one, gateway_to(server.url) as other:
        first, second = (each.base_url("model").split("/")[3] for each in (one, other))
    assert first != second
    assert len(first) == 16


def test_a_miss_is_told_to_the_bot_and_kept(tmp_path: Path) -> None:
    with open_tape(tmp_path / "a", mode="replay") as tape, gateway_to(LOST) as gateway:
        answer = answer_to(gateway, asked(f"/model{CHAT}", chat("hello"), CLOSE))
        assert [miss.where.lane for miss in tape.misses] == [Lane.SYSTEM]
    assert b"x-should-retry: false" in answer
    assert b"not in the cassette" in answer


def test_the_budget_holds(server: Server, tmp_path: Path) -> None:
    modes = modes_from("rewrite")
    budget = Budget(max_calls=1)
    tape = Tape(tmp_path / "a", test="t", dialogue="d", modes=modes, budget=budget)
    hits = server.hits
    with tape, gateway_to(server.url) as gateway:
        for number in range(3):
            answer_to(gateway, asked(f"/model{CHAT}", chat(f"hello {number}"), CLOSE))
    assert (server.hits - hits, len(tape.refusals)) == (1, 2)


def test_outside_all_dialogues_calls_are_told_and_in_replay_refused(server: Server) -> None:
    hits = server.hits
    with gateway_to(server.url) as gateway:
        assert b" 200 " in answer_to(gateway, asked("/model/v1/models", b"", CLOSE, method="GET"))
        assert list(gateway.outside) == ["GET /model/v1/models"]
    assert server.hits == hits + 1
    with gateway_to(server.url, replays=True) as gateway:
        assert b" 424 " in answer_to(gateway, asked("/model/v1/models", b"", CLOSE, method="GET"))
        assert list(gateway.outside) == ["GET /model/v1/models"]
    assert server.hits == hits + 1


def test_bodies_in_chunks_count_as_their_content(server: Server, tmp_path: Path) -> None:
    body = chat("hello")
    head = f"POST /model{CHAT} HTTP/1.1\r\nHost: gateway\r\n".encode()
    head += b"Content-Type: application/json\r\n"
    chunks = b"5;x=y\r\n%b\r\n%x\r\n%b\r\n0\r\nTrailer: 1\r\n\r\n" % (
        body[:5],
        len(body) - 5,
        body[5:],
    )
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        chunked = head + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunks
        first = answer_to(gateway, chunked).partition(b"\r\n\r\n")[2]
        tape.finish(keep=True)
    with open_tape(tmp_path / "a", mode="replay"), gateway_to(LOST) as gateway:
        answer = answer_to(gateway, asked(f"/model{CHAT}", body, CLOSE))
    assert answer.partition(b"\r\n\r\n")[2] == first


def test_http_1_0_gets_an_answer_that_ends_with_its_connection(
    server: Server, tmp_path: Path
) -> None:
    request = asked(f"/model{CHAT}", chat("hello", "stream")).replace(b"HTTP/1.1", b"HTTP/1.0", 1)
    with open_tape(tmp_path / "a"), gateway_to(server.url) as gateway:
        answer = answer_to(gateway, request)
    assert answer.endswith(b"data: [DONE]\n\n")
    assert b"chunked" not in answer


@examples(60, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
@example(b"POST /model/v1 HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n")
@example(b"POST /model/v1 HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef")
@example(b"POST /model/v1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
@example(b"GET /dialogue/%ff%00/model HTTP/1.1\r\n\r\n")
@example(b"POST /model/\xff\x80 HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
@example(b"GET /model/a b HTTP/1.1\r\n\r\n")
@example(b"GET " + b"/" * 70000 + b" HTTP/1.1\r\n\r\n")
def test_hostile_bytes_reach_no_upstream_and_stop_nothing(data: bytes) -> None:
    with gateway_to(LOST, replays=True) as gateway:
        with raw(gateway, data) as connection:
            connection.shutdown(1)
            while connection.recv(65536):
                pass
        answer = answer_to(gateway, asked("/model/v1", b"", CLOSE))
    assert answer.startswith(b"HTTP/1.1 424 ")


def test_the_tape_knows_whether_the_last_call_was_answered(server: Server, tmp_path: Path) -> None:
    said = []
    with open_tape(tmp_path / "a") as tape, gateway_to(server.url) as gateway:
        said.append(tape.unanswered(Lane.SYSTEM))
        for prompt in ("broken here", "hello here", "reset here"):
            SYNC["httpx"](gateway.base_url("model"), "plain", prompt)
            said.append(tape.unanswered(Lane.SYSTEM))
        assert tape.unanswered(Lane.USER) == ""
    assert [bool(each) for each in said] == [False, True, False, True]
    assert said[1] == f"POST {CHAT} in turn 1: status 500"
