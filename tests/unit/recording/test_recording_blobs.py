"""Large bodies: files of their own beside the cassette, searched for secrets without being read."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.commands.cassette_prune import prune
from pytest_todeval.commands.cassette_rename import rename
from pytest_todeval.errors import InvalidFile, SecretFound
from pytest_todeval.recording.blobs import LEAST_BINARY, LEAST_TEXT
from pytest_todeval.recording.call import Call, Response
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.redaction.excerpt import Excerpt
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.recording.redaction.shape import LONG_TEXT, Shapes
from pytest_todeval.recording.redaction.shapes import SHAPES
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.store import read_cassette, write_cassette
from tests.support.recorded_calls import HEADER, chat

KEY = "sk-proj-" + "a1B2c3D4" * 4
SPEECH = bytes(random.Random(1).choices(range(128, 256), k=LEAST_BINARY))


def answered(body: bytes, kind: str = "audio/mpeg") -> Call:
    return replace(chat("one"), outcome=Response(200, (("content-type", kind),), body))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "test_a" / "test_it.todeval.jsonl"


@pytest.mark.parametrize(
    ("body", "kind", "files"),
    [
        (SPEECH, "audio/mpeg", 1),
        (SPEECH[1:], "audio/mpeg", 0),
        (b"a" * LEAST_BINARY, "text/plain", 0),
        (b"a" * LEAST_TEXT, "text/plain", 1),
        (json.dumps(["a" * LEAST_TEXT]).encode(), "application/json", 1),
    ],
)
def test_a_large_body_is_a_file_and_read_back_byte_for_byte(
    path: Path, body: bytes, kind: str, files: int
) -> None:
    call = answered(body, kind)
    asked = replace(call, request=replace(call.request, content_type=kind, body=body))
    write_cassette(path, HEADER, [call, call, asked])
    assert len(list(path.parent.glob("blobs/*"))) == files
    assert json.loads(path.read_text().splitlines()[0])["todeval_cassette"] == 1 + files
    found = read_cassette(path).calls
    assert [each.outcome for each in found] == [call.outcome] * 3
    assert found[2].request.body == body


def test_a_journal_has_blobs_too_and_is_gone_on_with(path: Path) -> None:
    journal = Journal(path, HEADER)
    journal.append(answered(SPEECH))
    journal.close()
    assert journal_path(path).stat().st_size < 2000
    left = Journal.recover(path)
    assert left is not None
    assert [call.outcome for call in left.calls] == [answered(SPEECH).outcome]


def changed(text: str) -> Iterator[tuple[str, str]]:
    yield text.replace('"file":"', '"file":"../'), "32 hexadecimal digits"
    yield text.replace(f'"size":{len(SPEECH)}', '"size":true'), "32 hexadecimal digits"
    yield text.replace(f'"size":{len(SPEECH)}', '"size":7'), "is not the one that was recorded"
    yield re.sub(r'"file":"\w+"', f'"file":"{"0" * 32}"', text), "cannot be read"


def test_a_blob_that_is_not_the_recorded_one_is_told(path: Path) -> None:
    write_cassette(path, HEADER, [answered(SPEECH)])
    text = path.read_text()
    for hostile, told in changed(text):
        path.write_text(hostile)
        with pytest.raises(InvalidFile, match=rf"jsonl:3: a body that cannot be read: .*{told}"):
            read_cassette(path)
    path.write_text(text)
    [blob] = path.parent.glob("blobs/*")
    blob.write_bytes(SPEECH[::-1])
    with pytest.raises(InvalidFile, match="is not the one that was recorded"):
        read_cassette(path)


def test_secrets_are_taken_out_of_bytes_and_the_scan_finds_them_there(path: Path) -> None:
    environ = {"BOT_PASSWORD": "Zürich-4711"}
    for secret in (KEY.encode(), "Zürich-4711".encode()):
        body = SPEECH + secret + SPEECH
        with pytest.raises(SecretFound, match="its blob"):
            write_cassette(path, HEADER, [answered(body)], Scanner({"K_KEY": KEY, **environ}))
        kept = Redactor(environ=environ).outcome(answered(body).outcome)
        assert isinstance(kept, Response)
        assert len(kept.body) == len(body)
        assert secret not in kept.body
        assert kept.body.startswith(SPEECH)
        assert kept.body.endswith(SPEECH)
    assert not list(path.parent.glob("*/*"))


def test_bytes_that_are_no_text_are_not_searched_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """90 shapes over each byte took 6 s for each megabyte."""
    searched: list[int] = []
    real = Shapes.found_in

    def found_in(self: Shapes, text: str, *others: Any) -> Any:
        searched.append(len(text))
        return real(self, text, *others)

    monkeypatch.setattr(Shapes, "found_in", found_in)
    body = random.Random(2).randbytes(1 << 20)
    Redactor().outcome(answered(body).outcome)
    assert Scanner().find_in("a", body) is None
    assert Scanner().find_in("a", body) is None
    assert max(searched) < len(body) / 100


@pytest.mark.parametrize("before", ["", "deploy key: ", '{"a": "', "x" * 13 + " "])
def test_in_a_long_text_the_same_is_found_as_in_a_short_one(before: str) -> None:
    secrets = (
        KEY,
        "AKIAIOSFODNN7EXAMPLE",
        "postgres://bot:s3cret@db/x",
        "password=hunter22x",
        "curl -u bot:hunter22 https://example.com",
        "xoxb-1234567890",
    )
    for secret in secrets:
        text = f"{before}{secret} rest"
        short = {text[start:end] for _, (start, end) in SHAPES.found_in(text)}
        assert short
        long = "a hotel, " * LONG_TEXT + text + " a hotel" * LONG_TEXT
        assert {long[start:end] for _, (start, end) in SHAPES.found_in(long)} == short


@pytest.mark.parametrize(
    "text",
    [
        'deploy key: AKIAIOSFODNN7EXAMPLE secret SECRET, "x"',
        "secret SECRET of AKIAIOSFODNN7EXAMPLE",
        '{"env": [{"name": "DB_PASSWORD", "value": "SECRET"}]}',
        '{"Parameters": [{"ParameterKey": "DbPassword", "ParameterValue": "SECRET"}]}',
        "env:\n  - name: DB_PASSWORD\n    value: SECRET\n",
        '{"card": {"cvv": "SECRET"}}',
    ],
)
def test_what_leaked_is_redacted_and_the_scan_finds_it(path: Path, text: str) -> None:
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    kind = "application/json" if text.startswith("{") else "text/plain"
    body = text.replace("SECRET", secret).encode()
    kept = Redactor(environ={}).outcome(answered(body, kind).outcome)
    assert isinstance(kept, Response)
    assert secret.encode() not in kept.body
    assert b"todeval-redacted" in kept.body
    with pytest.raises(SecretFound):
        write_cassette(path, HEADER, [answered(body, kind)], Scanner({}))


def test_spans_of_an_excerpt_lead_back() -> None:
    excerpt = Excerpt([(10, "abc"), (20, "de"), (30, "f")])
    assert excerpt.text == "abc\nde\nf"
    assert list(excerpt.places((1, 2))) == [(11, 12)]
    assert list(excerpt.places((1, 8))) == [(11, 13), (20, 22), (30, 31)]
    assert list(excerpt.places((3, 4))) == []
    assert list(Excerpt([]).places((0, 1))) == []


def test_blobs_go_with_their_cassettes(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("test_a.py", "test_b.py"):
        (tmp_path / name).write_text("")
    header = replace(HEADER, test="test_a.py::test_it")
    write_cassette(path, header, [answered(SPEECH)])
    list(rename(tmp_path / "cassettes", "test_a.py::test_it", "test_b.py::test_it"))
    [moved] = (tmp_path / "cassettes").rglob("*.jsonl")
    assert moved.parent.name == "test_b"
    assert read_cassette(moved).calls[0].outcome == answered(SPEECH).outcome
    told = list(prune(tmp_path / "cassettes", ["test_b.py::test_it"], delete=True))
    assert told[-1] == "0 cassettes of tests that are gone deleted, and 1 blob"
    assert len(list((tmp_path / "cassettes").rglob("blobs/*"))) == 1
    assert read_cassette(moved).calls
