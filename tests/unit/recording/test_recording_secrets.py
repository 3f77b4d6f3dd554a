"""Planted secrets: none reaches a file, and the refusal names the place, never the secret."""

import base64
import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import SecretFound
from pytest_todeval.recording.call import Call, RaisedError, Request, Response, SaidTurn
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.secrets import Scanner, is_credential
from pytest_todeval.recording.store import read_cassette, write_cassette
from pytest_todeval.recording.vcr_yaml import write_vcr_yaml
from tests.conftest import must_end
from tests.support.recorded_calls import HEADER, answered, ask, encoded, reply, streamed

# Put together here, so that scanners of this repository do not stumble over the file.
SK = "sk-" + "proj-Ab12" * 4
AWS = "AKIA" + "ABCDEFGH12345678"
GITHUB = "ghp_" + "a1B2" * 9
SLACK = "xoxb-" + "1234567890-abcdef"
GOOGLE = "AIza" + "Sy" + "D1_-" * 9
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0" + ".abc-123_x"
BEARER = "Bearer " + "0123456789abcdefABCDEF"
PASSWORD = 'p&ss "wörd"/9\\'
ENVIRON = {
    "BOT_PASSWORD": PASSWORD,
    "my_api_key": "not-in-any-known-shape",
    "SHORT_KEY": "short",
    "HOME": "/home/hotel-guest",
}


def said(text: str) -> Call:
    return answered(ask({"messages": [{"role": "user", "content": text}]}), reply("fine"))


def heard(text: str, status: int = 200) -> Call:
    return answered(ask({"messages": []}), {"error": {"message": text}}, status=status)


def delta(text: str) -> bytes:
    return b"data: %b\n\n" % encoded({"choices": [{"delta": {"content": text}}]})


def with_body(body: bytes, media: str) -> Call:
    request = Request(Lane.SYSTEM, "POST", "/upload", "", media, body)
    return Call(call_key(request), request, Response(200, (), b""), 1, "d")


def raised(message: str) -> Call:
    return replace(said("hi"), outcome=RaisedError("connect", message))


REFUSED: Mapping[str, tuple[Call, str]] = {
    "prompt": (said(f"my key is {SK}."), SK),
    "prompt, after a line's end": (said(f"keys:\n{SK}"), SK),
    "prompt, after an escape": (said(f"\x85{SK}"), SK),
    "aws": (said(AWS), AWS),
    "github": (said(f"token={GITHUB}"), GITHUB),
    "slack": (heard(SLACK), SLACK),
    "jwt": (said(f"cookie: jwt={JWT};"), JWT),
    "bearer": (said(f"curl -H 'Authorization: {BEARER}'"), BEARER),
    "bearer in lower case": (said(BEARER.lower()), BEARER.lower()),
    "environment": (said("it is not-in-any-known-shape!"), "not-in-any-known-shape"),
    "environment, escaped": (said(f"log in with {PASSWORD}"), "wörd"),
    "tool schema": (answered(ask({"tools": [{"default": SK}]}), {}), SK),
    "tool arguments": (said(json.dumps({"password": PASSWORD})), "p&ss"),
    "tool arguments, nested": (said(json.dumps({"a": json.dumps([f"\n{SK}"])})), SK),
    "a name": (answered(ask({"metadata": {SK: 1}}), {}), SK),
    "parameter": (answered(ask({"user": GITHUB}), {}), GITHUB),
    "form": (
        with_body(
            f"password={quote(PASSWORD, safe='')}".encode(), "application/x-www-form-urlencoded"
        ),
        quote(PASSWORD, safe=""),
    ),
    "binary request": (with_body(b"\xff\x00" + SK.encode(), "audio/wav"), SK),
    "response": (heard(GOOGLE), GOOGLE),
    "error body": (heard(f"Incorrect API key provided: {SK}", 401), SK),
    "error page": (
        replace(said("hi"), outcome=Response(502, (), f"<pre>{JWT}</pre>".encode())),
        JWT,
    ),
    "transport error": (raised(f"cannot connect to https://x/?k={SK}"), SK),
    "one event": (streamed(ask({}), [delta("hi"), delta(AWS)]), AWS),
    "several events": (
        streamed(ask({}), [delta(SK[:7]), delta(SK[7:20]), delta(SK[20:])]),
        SK[7:20],
    ),
    "events of plain text": (
        streamed(ask({}), [f"data: {GITHUB[:9]}\n\n".encode(), f"data: {GITHUB[9:]}\n\n".encode()]),
        GITHUB[9:],
    ),
    "basic authentication": (
        said(base64.b64encode(b"me:not-in-any-known-shape").decode()),
        base64.b64encode(b"me:not-in-any-known-shape").decode()[4:],
    ),
    "query": (answered(ask({}, query="q=not-in-any-known-shape"), {}), "known-shape"),
    "path": (answered(ask({}, path=f"/bot{GITHUB}/send"), {}), GITHUB),
    "dialogue's id": (replace(said("hi"), dialogue=SK), SK),
}


def header(name: str, value: str) -> Call:
    return answered(ask({}), {}, headers=[(name, value)])


DROPPED: Mapping[str, tuple[Call, str]] = {
    "cookie": (header("Set-Cookie", "session=9f8e7d6c"), "9f8e7d6c"),
    "authorization": (header("Authorization", BEARER), BEARER),
    "organization": (header("openai-organization", "org-acme-private"), "org-acme-private"),
    "api_key=": (answered(ask({}, query="api_key=1f2e3d4c&a=b"), {}), "1f2e3d4c"),
    "key=": (answered(ask({}, query=f"key={GOOGLE}"), {}), GOOGLE),
    "sig=": (answered(ask({}, query="se=2030&sig=Zm9vYmFy%3D"), {}), "Zm9vYmFy"),
}


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("/v1/there?a=b", "/v1/there?a=b"),
        ("https://me:hunter2@x.example/a@b", "https://x.example/a@b"),
        ("//me:hunter2@x.example", "//x.example"),
        ("/a?X-Amz-Signature=hunter2&a=b", "/a?X-Amz-Signature=removed&a=b"),
        ("/a#access_token=hunter2", "/a"),
        ("/a?b=c#access_token=hunter2?d", "/a?b=c"),
    ],
)
def test_redirects_are_kept_without_credentials(tmp_path: Path, url: str, kept: str) -> None:
    path = tmp_path / "a.todeval.jsonl"
    write_cassette(path, HEADER, [header("Location", url)])
    outcome = read_cassette(path).calls[0].outcome
    assert isinstance(outcome, Response)
    assert dict(outcome.headers)["location"] == kept
    assert b"hunter2" not in path.read_bytes()


def test_at_least_thirty_are_planted() -> None:
    assert len(REFUSED) + len(DROPPED) >= 30


@pytest.mark.parametrize("name", REFUSED)
def test_the_write_fails_closed(tmp_path: Path, name: str) -> None:
    call, secret = REFUSED[name]
    path = tmp_path / "a.todeval.jsonl"
    scanner = Scanner(ENVIRON)
    write_cassette(path, HEADER, [said("before")], scanner)
    before = path.read_bytes()
    with pytest.raises(SecretFound) as refused:
        write_cassette(path, HEADER, [said("before"), call], scanner)
    with closing(Journal(path, HEADER, scanner=scanner)) as journal:
        journal.append(said("before"))
        with pytest.raises(SecretFound):
            journal.append(call)
    with pytest.raises(SecretFound):
        write_vcr_yaml(tmp_path / "a.yaml", [call], base_url="http://x", scanner=scanner)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {path.name, journal_path(path).name}
    for part in (secret, SK[:12], PASSWORD):
        assert part not in str(refused.value)
        assert part.encode() not in journal_path(path).read_bytes()
    assert "call 2" in str(refused.value)


@pytest.mark.parametrize("name", DROPPED)
def test_what_lets_a_caller_in_is_left_out(tmp_path: Path, name: str) -> None:
    call, secret = DROPPED[name]
    path = tmp_path / "a.todeval.jsonl"
    with closing(Journal(path, HEADER)) as journal:
        journal.append(call)
        assert secret.encode() not in journal_path(path).read_bytes()
        write_cassette(path, HEADER, [call])
        journal.discard()
    assert secret.encode() not in path.read_bytes()
    assert read_cassette(path).calls[0].key == call.key
    write_vcr_yaml(tmp_path / "a.yaml", [call], base_url="http://x")
    assert secret.encode() not in (tmp_path / "a.yaml").read_bytes()


def message(call: Call, environ: Mapping[str, str] = ENVIRON) -> str:
    with pytest.raises(SecretFound) as refused:
        write_cassette(Path("never.todeval.jsonl"), HEADER, [call], Scanner(environ))
    return str(refused.value)


def test_the_message_names_the_place() -> None:
    where = "message m0, first used by call 1 holds an API key (sk-...) at $.m0.content"
    assert where in message(said(SK))
    where = "call 1 (system, turn 1) holds an API key (sk-...) at $.response.json.error.message"
    assert where in message(heard(SK))
    assert "the value of the environment variable my_api_key at $.request.query" in message(
        REFUSED["query"][0]
    )
    assert "at $.request.json.metadata (a name)" in message(REFUSED["a name"][0])
    assert "(decoded or put together)" in message(REFUSED["several events"][0])


def test_a_secret_in_the_header_is_refused(tmp_path: Path) -> None:
    named = replace(HEADER, test=f"test_a[{SK}]")
    with pytest.raises(SecretFound, match="the header holds"):
        write_cassette(tmp_path / "a.todeval.jsonl", named, [])
    with pytest.raises(SecretFound, match="the header holds"):
        Journal(tmp_path / "a.todeval.jsonl", named)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "a task-oriented-dialogue-system-for-hotels",
        "task-0f8fad5bd9cb469fa16570867728950e",
        "the bearer of responsibilities-and-duties",
        "Incorrect API key provided: sk-abc12**********3456",
        "sk-learn",
        "short and /home/hotel-guest",
        "eyJ is how they start",
        "write to guest@example.com",
    ],
)
def test_no_secret(text: str) -> None:
    assert Scanner(ENVIRON).find(text) is None


def test_e_mail_addresses_where_asked() -> None:
    assert (
        Scanner({}, emails=True).find("write to guest.7@mail.example.com!") == "an e-mail address"
    )
    assert Scanner({}, emails=True).find("two @ three, a@b") is None


@pytest.mark.parametrize(
    "text", ["eyJ" * 50_000, "sk-" * 50_000, "a@" * 50_000, "bearer+" * 20_000]
)
def test_texts_made_to_be_slow_are_not(text: str) -> None:
    with must_end():
        Scanner({}, emails=True).find(text)


def test_credentials_of_a_query() -> None:
    assert is_credential("api-key", "x")
    assert is_credential("access_token", "x")
    assert is_credential("anything", SK)
    assert not is_credential("key", "hotel")
    assert not is_credential("max_tokens", "5")


@pytest.mark.parametrize(
    "turn", [SaidTurn(1, f"my key is {SK}", ""), SaidTurn(1, "", f"use {PASSWORD}")]
)
def test_what_was_said_is_scanned(tmp_path: Path, turn: SaidTurn) -> None:
    path = tmp_path / "a.todeval.jsonl"
    with pytest.raises(
        SecretFound, match=r"what was said in turn 1 holds .* at \$\.said\."
    ) as raised:
        write_cassette(path, HEADER, [said("hi")], Scanner(ENVIRON), [turn])
    assert SK not in str(raised.value)
    assert PASSWORD not in str(raised.value)
    assert not path.exists()
