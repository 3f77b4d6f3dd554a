"""vcrpy's YAML both ways: what we write vcrpy replays, what it wrote we read."""

import gzip
import zlib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording import vcr_yaml
from pytest_todeval.recording.call import Call, RaisedError, Request, Response
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.vcr_yaml import read_vcr_yaml, write_vcr_yaml
from tests.support.recorded_calls import ask, chat, dialogue, streamed

EVENTS = (b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n', b"data: [DONE]\n\n")
AUDIO = Request(Lane.JUDGE, "POST", "/v1/audio", "a=b", "audio/wav", bytes(range(256)))
CALLS = [
    *dialogue(2),
    streamed(ask({"stream": True}), EVENTS, turn=3),
    Call(call_key(AUDIO), AUDIO, Response(500, (("content-type", "a/b"),), b"\xff\xfe"), 4, "d é"),
    chat("line\r\nends, \x85, \u2028 and emoji \U0001f600 # : - ' \""),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.yaml"


def test_there_and_back(path: Path) -> None:
    assert write_vcr_yaml(path, CALLS, base_url="http://127.0.0.1:8000/") == len(CALLS)
    assert list(read_vcr_yaml(path, lane=Lane.USER)) == CALLS


def test_transport_errors_are_left_out(path: Path) -> None:
    failed = replace(CALLS[0], outcome=RaisedError("timeout", ""))
    assert write_vcr_yaml(path, [failed, CALLS[1]], base_url="http://x") == 1
    assert list(read_vcr_yaml(path, lane=Lane.USER)) == [CALLS[1]]


def test_vcrpy_reads_what_we_write(path: Path) -> None:
    write_vcr_yaml(path, CALLS, base_url="http://127.0.0.1:8000")
    serializer = import_module("vcr.serializers.yamlserializer")
    requests, responses = import_module("vcr.serialize").deserialize(
        path.read_text(encoding="utf-8"), serializer
    )[:2]
    assert [request.uri for request in requests][-2] == "http://127.0.0.1:8000/v1/audio?a=b"
    assert [request.body for request in requests] == [call.request.body for call in CALLS]
    bodies = [call.outcome.body for call in CALLS if isinstance(call.outcome, Response)]
    assert [response["body"]["string"] for response in responses] == bodies
    assert responses[-2]["status"] == {"code": 500, "message": "Internal Server Error"}


def interaction(**response: Any) -> dict[str, Any]:
    request = {
        "method": "POST",
        "uri": "https://api.example.com:8443/v1/chat/completions?a=1",
        "body": '{"model": "m", "messages": []}',
        "headers": {"Content-Type": ["application/json"], "Authorization": ["Bearer x"]},
    }
    answer: dict[str, Any] = {
        "status": {"code": 200, "message": "OK"},
        "headers": {"Content-Type": ["application/json"], "Set-Cookie": ["a=b"]},
        "body": {"string": '{"ok": true}'},
    }
    return {"request": request, "response": answer | response}


def imported(path: Path, *interactions: object) -> tuple[Call, ...]:
    path.write_text(yaml.safe_dump({"interactions": list(interactions), "version": 1}))
    return read_vcr_yaml(path, lane=Lane.JUDGE, dialogue="demo/1#0")


def test_a_file_of_vcrpy(path: Path) -> None:
    (call,) = imported(path, interaction())
    body = b'{"model": "m", "messages": []}'
    request = Request(Lane.JUDGE, "POST", "/v1/chat/completions", "a=1", "application/json", body)
    response = Response(200, (("content-type", "application/json"),), b'{"ok": true}')
    assert call == Call(call_key(request), request, response, 0, "demo/1#0")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "Deflate"])
def test_compressed_bodies_are_unpacked(path: Path, encoding: str) -> None:
    pack = gzip.compress if encoding == "gzip" else zlib.compress
    headers = {"Content-Encoding": [encoding], "content-type": "text/event-stream"}
    body = {"string": pack(b"".join(EVENTS))}
    (call,) = imported(path, interaction(headers=headers, body=body))
    assert isinstance(call.outcome, Response)
    assert call.outcome.events == EVENTS
    assert call.outcome.headers == (("content-type", "text/event-stream"),)


GZIP = {"content-encoding": "gzip"}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("text", "interaction 2: not a mapping"),
        ({"request": {}}, "interaction 2: a request without `uri`"),
        ({**interaction(), "response": None}, "interaction 2: no mapping `response`"),
        (interaction(status="200"), "interaction 2: a response without a status"),
        (interaction(body={"string": 7}), "interaction 2: a body that is neither"),
        (interaction(headers=[1]), "interaction 2: `headers` is not a mapping"),
        (interaction(headers=GZIP), "interaction 2: a response that is not gzip"),
        (
            interaction(headers=GZIP, body={"string": gzip.compress(b"abc")[:-9]}),
            "interaction 2: a response that was cut off",
        ),
        (
            interaction(headers={"content-encoding": "br"}),
            "interaction 2: a response encoded with 'br'; record it again",
        ),
    ],
)
def test_broken_interactions_are_named(path: Path, broken: object, message: str) -> None:
    with pytest.raises(InvalidFile) as refused:
        imported(path, interaction(), broken)
    assert str(refused.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it has no list `interactions`"),
        ("[]", "it has no list `interactions`"),
        ("a: [", "not a vcrpy cassette"),
        ("a: !!python/object/apply:os.system ['true']", "not a vcrpy cassette"),
        ("a: &a {b: 1}\nc: {<<: [*a, *a]}", "not a vcrpy cassette"),
        ("interactions: " + "[" * 50_000, "not a vcrpy cassette"),
        ("a: \x01", "not a vcrpy cassette"),
        ("a: 2001-99-99", "not a vcrpy cassette"),
    ],
)
def test_other_files_are_refused(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(InvalidFile, match=message):
        read_vcr_yaml(path, lane=Lane.USER)


def test_bombs_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vcr_yaml, "MAX_BYTES", 1000)
    bomb = gzip.compress(bytes(100_000))
    with pytest.raises(InvalidFile, match="cut off"):
        imported(path, interaction(headers=GZIP, body={"string": bomb}))
    monkeypatch.setattr(vcr_yaml, "MAX_EXPANDED", 100)
    with pytest.raises(InvalidFile, match="interaction 3: the bodies add up to"):
        imported(path, *[interaction() for _ in range(9)])
