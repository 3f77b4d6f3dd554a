"""Calls outside of dialogues: which are made in replay, and which would be paid for."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request, Response
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.outside import ModelAskedOutside, OutsideCalls
from pytest_todeval.recording.process import ProcessCassette
from pytest_todeval.recording.transport import LESS, Playing

HOST = "api.provider.example"
CHAT = {"model": "m", "messages": [{"role": "user", "content": "Hello."}]}
ASKED = [
    ("/v1/chat/completions", CHAT),
    ("/v1/messages", CHAT),
    ("/v1/responses", {"model": "m", "input": "Hello."}),
    ("/v1/completions", {"model": "m", "prompt": "Hello."}),
    ("/v1/embeddings", {"model": "m", "input": ["Hello."]}),
    ("/api/chat", CHAT),
    ("/v1beta/models/gemini-2.0-flash:generateContent", {"contents": []}),
    ("/v1beta/models/gemini-2.0-flash:streamGenerateContent", {"contents": []}),
    ("/openai/deployments/d/chat/completions", {"messages": CHAT["messages"]}),
    ("/model/anthropic.claude/converse-stream", {"messages": []}),
    ("/model/anthropic.claude/invoke", {"prompt": "Hello."}),
]
OTHERS: list[tuple[str, Any]] = [
    ("/rules", {"of": "hotel"}),
    ("/cars", {"model": "Fiat Panda"}),
    ("/v1/messages", {"to": "+15550100", "body": "Hello."}),
    ("/inbox", {"messages": ["Hello."]}),
    ("/v1/chat/completions", []),
]


def outside(folder: Path, mode: str) -> OutsideCalls:
    path = folder / "_process.todeval.jsonl"
    return OutsideCalls(ProcessCassette(path, modes=modes_from(mode)))


def request(path: str, body: Any, method: str = "POST") -> Request:
    return Request(
        Lane.SYSTEM, method, path, "", "application/json; charset=utf-8", json.dumps(body).encode()
    )


def really_made(calls: OutsideCalls, asked: Request, host: str = HOST) -> None:
    begun = calls.begin(asked, host, 443)
    assert not isinstance(begun, Playing)
    begun.answered(Response(200, (("content-type", "application/json"),), b"{}"))
    calls.settle()


@pytest.mark.parametrize(("path", "body"), ASKED)
@pytest.mark.parametrize("mode", ["replay", "accept"])
def test_no_model_is_asked_in_replay(tmp_path: Path, mode: str, path: str, body: Any) -> None:
    calls = outside(tmp_path, mode)
    with pytest.raises(ModelAskedOutside) as caught:
        calls.begin(request(path, body), HOST, 443)
    assert calls.failures == [caught.value]
    for part in (f"POST {HOST}:443{path}", "--todeval-record=missing", f"--todeval-allow={HOST}"):
        assert part in str(caught.value).replace('"', "")


@pytest.mark.parametrize(("path", "body"), OTHERS)
def test_what_fixtures_ask_of_services_is_made_and_told(
    tmp_path: Path, path: str, body: Any
) -> None:
    calls = outside(tmp_path, "replay")
    really_made(calls, request(path, body))
    assert dict(calls.made) == {f"POST {HOST}:443{path}": 1}
    assert calls.failures == []


def test_an_answer_that_cannot_be_unpacked_is_named(tmp_path: Path) -> None:
    """It comes to the code that asked, but into no cassette."""
    for mode in ("rewrite", "replay"):
        calls = outside(tmp_path, mode)
        begun = calls.begin(request("/rules", {}), HOST, 443)
        assert not isinstance(begun, Playing)
        begun.abandoned("a response unpacks to more than 256 MiB", LESS)
        calls.settle()
        said = [str(failure) for failure in calls.failures]
        if mode == "rewrite":
            (line,) = said
            for part in (f"not recorded: POST {HOST}:443/rules", "more than 256 MiB", LESS):
                assert part in line
        else:
            assert (said, calls.made.total()) == ([], 1)


def test_a_model_on_this_machine_is_asked(tmp_path: Path) -> None:
    calls = outside(tmp_path, "replay")
    really_made(calls, request(*ASKED[0]), "127.0.0.1")
    assert calls.made.total() == 1


def test_what_was_recorded_is_answered(tmp_path: Path) -> None:
    asked = request(*ASKED[0])
    really_made(outside(tmp_path, "missing"), asked)
    assert isinstance(outside(tmp_path, "replay").begin(asked, HOST, 443), Playing)


def test_a_call_that_was_given_up_is_not_counted_when_its_answer_comes_after_all(
    tmp_path: Path,
) -> None:
    calls = outside(tmp_path, "replay")
    begun = calls.begin(request("/cars", {}), HOST, 443)
    assert not isinstance(begun, Playing)
    begun.abandoned("cancelled")
    begun.answered(Response(200, (), b"{}"))
    calls.settle()
    assert not calls.made
    really_made(calls, request("/cars", {}))
    assert sum(calls.made.values()) == 1
