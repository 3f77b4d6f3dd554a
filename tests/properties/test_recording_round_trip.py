"""Whatever was recorded comes back, whatever happened to the file."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.bodies import UNREADABLE, parse, split_events
from pytest_todeval.recording.call import KINDS, Call, RaisedError, Request, Response, SaidTurn
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.secrets import Scanner, kept_headers
from pytest_todeval.recording.store import read_cassette, write_cassette
from tests.support.examples import examples
from tests.support.json_values import JSON_VALUES
from tests.support.recorded_calls import HEADER, dialogue

NONE = Scanner({})
MEDIA = st.sampled_from(["application/json", "a/b+json; charset=utf-8", "text/plain", ""])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.dictionaries(st.sampled_from(["messages", "tools", "$", "a", "system"]), JSON_VALUES)
BODIES = st.binary(max_size=60) | (VALUES | JSON_VALUES).map(
    lambda value: json.dumps(value).encode()
)
STREAMS = st.lists(
    st.sampled_from(
        [b"data: ", b"event: a\n", b'{"a": [1]}', b"\n", b"\r\n", b"\n\n", b"x", b"\xff"]
    )
).map(b"".join)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    request = Request(
        draw(st.sampled_from(list(Lane))),
        draw(st.sampled_from(["GET", "POST"])),
        "/" + draw(TEXTS),
        draw(st.sampled_from(["", "a=b", "a=b&a=%20&c"])),
        draw(MEDIA),
        draw(BODIES),
    )
    outcome: Response | RaisedError = RaisedError(draw(st.sampled_from(KINDS)), draw(TEXTS))
    if draw(st.booleans()):
        headers = (("content-type", draw(MEDIA)), ("retry-after", draw(TEXTS)))
        outcome = Response(draw(st.integers(100, 999)), headers, draw(BODIES))
    elif draw(st.booleans()):
        body = draw(STREAMS)
        outcome = Response(200, (("content-type", "text/event-stream"),), body, split_events(body))
    return Call(call_key(request), request, outcome, draw(st.integers(0, 99)), draw(TEXTS))


@contextmanager
def new_cassette() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "a.todeval.jsonl"


def meaning(media: str, body: bytes) -> Any:
    value = parse(media, body)
    return body if value is UNREADABLE else ("json", json.dumps(value))


def what_replay_needs(call: Call) -> Any:
    """All of a call, JSON bodies by their value."""
    request, outcome = call.request, call.outcome
    asked = (request.lane, request.method, request.path, request.query, request.content_type)
    came: Any = outcome
    if isinstance(outcome, Response):
        media = dict(outcome.headers).get("content-type", "")
        body: Any = meaning(media, outcome.body)
        if outcome.events is not None:
            body = [event.replace(b" ", b"") for event in outcome.events]
        came = outcome.status, kept_headers(outcome.headers), body
    return call.key, asked, meaning(asked[-1], request.body), came, call.turn, call.dialogue


@examples(150)
@given(st.lists(calls(), max_size=4), st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_what_replay_needs_comes_back(recorded: list[Call], texts: list[tuple[str, str]]) -> None:
    said = tuple(SaidTurn(turn, *both) for turn, both in enumerate(texts, 1))
    with new_cassette() as path:
        write_cassette(path, HEADER, recorded, NONE, said)
        found = read_cassette(path)
        assert found.said == said
        assert [*map(what_replay_needs, found.calls)] == [*map(what_replay_needs, recorded)]
        assert all(call.key == call_key(call.request) for call in found.calls)
        first = path.read_bytes()
        write_cassette(path, HEADER, found.calls, NONE, found.said)
        assert path.read_bytes() == first


@examples(60)
@given(st.lists(calls(), min_size=1, max_size=4), st.data())
def test_a_journal_cut_anywhere_gives_every_whole_call(
    recorded: list[Call], data: st.DataObject
) -> None:
    with new_cassette() as path:
        sizes = []
        with closing(Journal(path, HEADER, scanner=NONE)) as journal:
            for call in recorded:
                journal.append(call)
                sizes.append(journal_path(path).stat().st_size)
        whole = journal_path(path).read_bytes()
        size = data.draw(st.integers(0, len(whole)))
        journal_path(path).write_bytes(whole[:size])
        found = Journal.recover(path)
        kept = [call.key for call in recorded[: sum(end <= size for end in sizes)]]
        assert [call.key for call in found.calls] == kept if found else not kept
        with closing(Journal(path, HEADER, scanner=NONE)) as journal:
            for call in recorded[len(kept) :]:
                journal.append(call)
        found = Journal.recover(path)
        assert found
        assert [call.key for call in found.calls] == [call.key for call in recorded]


@given(STREAMS)
def test_events_add_up_to_the_body(body: bytes) -> None:
    assert b"".join(split_events(body)) == body
    assert b"" not in split_events(body)


def read_or_refused(path: Path) -> None:
    """Anything but an InvalidFile that names the file fails."""
    message = ""
    try:
        read_cassette(path)
    except InvalidFile as error:
        message = str(error)
    assert not message or message.startswith(f"{path}:")


LINES = json.dumps(["{}", "[]", "null", "<<<<<<<", '{"end":2}', '{"m0":1}', '{"call":{}}', "\x00"])
ODD: st.SearchStrategy[Any] = (
    st.none()
    | st.integers()
    | st.text(max_size=3)
    | st.just([])
    | st.just({})
    | st.just({"$": "m9"})
)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Each container of a JSON value with each of its keys."""
    items = list(value.items() if isinstance(value, dict) else enumerate(value))
    found = [(value, key) for key, _ in items]
    for _, item in items:
        if isinstance(item, dict | list):
            found += spots(item)
    return found


@examples(250)
@given(st.data())
def test_a_file_that_was_tampered_with_is_read_or_refused(data: st.DataObject) -> None:
    with new_cassette() as path:
        write_cassette(path, HEADER, dialogue(1), NONE)
        lines = path.read_text(encoding="utf-8").splitlines()
        number = data.draw(st.integers(0, len(lines) - 1))
        if data.draw(st.booleans()):
            value = json.loads(lines[number])
            container, key = data.draw(st.sampled_from(spots(value)))
            container[key] = data.draw(ODD)
            lines[number] = json.dumps(value)
        else:
            lines.insert(number, data.draw(st.sampled_from(json.loads(LINES)) | TEXTS))
        path.write_text("\n".join(lines), encoding="utf-8")
        read_or_refused(path)


@examples(100)
@given(st.binary(max_size=100), st.integers(0, 400))
def test_bytes_that_were_changed_are_read_or_refused(noise: bytes, at: int) -> None:
    with new_cassette() as path:
        write_cassette(path, HEADER, dialogue(1), NONE)
        data = path.read_bytes()
        path.write_bytes(data[:at] + noise + data[at + len(noise) :])
        read_or_refused(path)
