"""Cassettes on disk: what is written, what comes back, and what is refused."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.recording import cassette_text, files
from pytest_todeval.recording.bodies import split_events
from pytest_todeval.recording.call import Call, RaisedError, Request, Response, SaidTurn
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.store import read_cassette, write_cassette
from tests.support.recorded_calls import (
    HEADER,
    answered,
    ask,
    chat,
    dialogue,
    reply,
    streamed,
    tools,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cassettes" / "hotel.todeval.jsonl"


def written(path: Path, *calls: Call) -> list[str]:
    write_cassette(path, HEADER, calls)
    return path.read_text(encoding="utf-8").splitlines()


def read_back(path: Path, call: Call) -> Call:
    write_cassette(path, HEADER, [call])
    (found,) = read_cassette(path).calls
    return found


def test_a_small_cassette_reads_like_this(path: Path) -> None:
    header, message, call, end = written(path, chat("hello"))
    assert json.loads(header) == {
        "todeval_cassette": 1,
        "test": "tests/test_hotel.py::test_books[demo/1]",
        "recorded": "2025-03-01T12:00:00+00:00",
        "seed": 7,
        "models": ["stand-in"],
    }
    assert message == '{"m0":{"role":"user","content":"hello"}}'
    assert json.loads(call) == {
        "call": {"lane": "system", "turn": 1, "dialogue": "demo/1#0"},
        "request": {
            "method": "POST",
            "path": "/v1/chat/completions",
            "type": "application/json",
            "json": {"model": "stand-in", "messages": {"$": "m0"}},
        },
        "response": {
            "status": 200,
            "headers": [["content-type", "application/json"]],
            "json": reply("re hello"),
        },
    }
    assert end == '{"end":1}'


def test_a_dialogue_comes_back_with_its_keys(path: Path) -> None:
    calls = dialogue(4)
    write_cassette(path, HEADER, calls)
    file = read_cassette(path)
    assert file.header == replace(HEADER, models=("stand-in",))
    assert [call.key for call in file.calls] == [call.key for call in calls]
    assert [call_key(call.request) for call in file.calls] == [call.key for call in calls]
    for found, call in zip(file.calls, calls, strict=True):
        assert json.loads(found.request.body) == json.loads(call.request.body)
        assert isinstance(found.outcome, Response)
        assert isinstance(call.outcome, Response)
        assert json.loads(found.outcome.body) == json.loads(call.outcome.body)
        assert found.outcome.status == call.outcome.status
        assert (found.turn, found.dialogue) == (call.turn, call.dialogue)
        assert replace(found.request, body=b"") == replace(call.request, body=b"")
    first = path.read_bytes()
    write_cassette(path, HEADER, file.calls)
    assert path.read_bytes() == first
    assert list(path.parent.iterdir()) == [path]


def test_what_was_said_stands_before_the_end(path: Path) -> None:
    said = (SaidTurn(1, "A room, please.", "For \u202e when?\n"), SaidTurn(2, "Today.", ""))
    write_cassette(path, HEADER, dialogue(1), said=said)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[-2] == '{"said":{"turn":2,"user":"Today.","system":""}}'
    assert "\u202e" not in lines[-3]
    assert read_cassette(path).said == said
    write_cassette(path, HEADER, dialogue(1))
    assert read_cassette(path).said == ()


def test_each_message_and_tool_list_stands_there_once(path: Path) -> None:
    lines = written(path, *dialogue(5))
    parts = [line for line in lines if line.startswith(('{"m', '{"t'))]
    parts = [line for line in parts if not line.startswith('{"todeval')]
    values = [json.dumps(next(iter(json.loads(line).values()))) for line in parts]
    assert len(values) == len(set(values))
    assert sum("find_0" in line for line in lines) == 1


def test_a_changed_prompt_changes_one_line(path: Path) -> None:
    before = written(path, *dialogue(6, system="You book hotels. Be kind. " * 9))
    after = written(path, *dialogue(6, system="You book hotels. Be brief. " * 9))
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


EVENTS = (
    b'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n',
    b'event: message_delta\ndata: {"delta":{"text":"lo"}}\n\n',
    b": keep-alive\n\n",
    b"data: plain\ndata: text\n\n",
    b"data:{}\r\n\r\n",
    b"data: \xff\n\n",
    b"data: [DONE]\n\n",
    b'data: {"choices":[{"del',
)


def test_streams_come_back_event_by_event(path: Path) -> None:
    assert split_events(b"".join(EVENTS)) == EVENTS
    found = read_back(path, streamed(ask({"stream": True}), EVENTS)).outcome
    assert isinstance(found, Response)
    assert found.events == EVENTS
    assert found.body == b"".join(EVENTS)
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[1])
    assert line["response"]["events"][1] == {
        "event": "message_delta",
        "data": {"delta": {"text": "lo"}},
    }


@pytest.mark.parametrize("ending", ["\n\n", "\r\n\r\n", "\r\r"])
def test_events_end_at_blank_lines(ending: str) -> None:
    body = f"data: a{ending}data: b{ending}data: c".encode()
    assert [event.strip() for event in split_events(body)] == [b"data: a", b"data: b", b"data: c"]


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("text/html", b"<h1>502 Bad Gateway</h1>\r\n"),
        ("audio/wav", bytes(range(256))),
        ("application/json", b'{"a": NaN}'),
        ("application/json", b'{"a": 1, "a": 2}'),
        ("application/json", b'{"cut off": '),
        ("application/json", b""),
        ("application/x-ndjson", b'{"a": 1}\n'),
        ("", b'{"a": 1}'),
        ("text/plain", "bidi \u202e, line \u2028, esc \x1b[31m, nul \x00".encode()),
    ],
)
def test_what_is_not_json_comes_back_byte_for_byte(path: Path, media: str, body: bytes) -> None:
    request = Request(Lane.JUDGE, "POST", "/v1/audio", "a=b&c=%20", media, body)
    call = Call(call_key(request), request, Response(502, (("content-type", media),), body), 3, "d")
    assert read_back(path, call) == call
    line = path.read_text(encoding="utf-8").splitlines()
    assert len(line) == 3
    assert "\u202e" not in line[1]


def test_halves_of_characters_come_back(path: Path) -> None:
    call = answered(ask({"messages": [{"content": "\ud83d"}]}), {"a": "\udc00 é"})
    found = read_back(path, call)
    assert isinstance(found.outcome, Response)
    assert json.loads(found.outcome.body) == {"a": "\udc00 é"}
    assert found.key == call.key


def test_transport_errors_come_back(path: Path) -> None:
    call = Call("", ask({"a": 1}), RaisedError("timeout", "timed out after 5 s"), 2, "d")
    call = replace(call, key=call_key(call.request))
    assert replace(read_back(path, call), request=call.request) == call


@pytest.mark.parametrize(
    "body",
    [
        {"tools": tools(), "messages": []},
        {"messages": {"$": "m0"}, "$": {"$": ["x"]}},
        {"messages": [1, 2], "input": "a long text " * 20, "stop": ["\n"]},
        {"input": ["a", "b", {"role": "user"}], "stream_options": {"include_usage": True}},
        {"system": "s" * 200, "é": {"e\u0301": None}, "n": None},
        [1, {"$": "m0"}],
        "text",
        None,
    ],
)
def test_bodies_of_any_shape_come_back(path: Path, body: object) -> None:
    call = answered(ask(body), body)
    found = read_back(path, call)
    assert json.loads(found.request.body) == body
    assert found.key == call.key == call_key(found.request)


def test_only_allowed_headers_are_kept(path: Path) -> None:
    headers = [
        ("Retry-After", "1"),
        ("retry-after-ms", "900"),
        ("X-Should-Retry", "true"),
        ("Set-Cookie", "session=1"),
        ("openai-organization", "acme"),
        ("x-request-id", "7"),
        ("date", "today"),
    ]
    found = read_back(path, answered(ask({}), {}, headers=headers)).outcome
    assert isinstance(found, Response)
    assert found.headers == (
        ("content-type", "application/json"),
        ("retry-after", "1"),
        ("retry-after-ms", "900"),
        ("x-should-retry", "true"),
    )
    assert "acme" not in path.read_text(encoding="utf-8")


def edited(number: int, edit: Callable[[Any], object]) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        value = json.loads(lines[number])
        edit(value)
        lines[number] = json.dumps(value)

    return change


# Of two calls: header, m0, call, m1, call, end.
BROKEN: dict[str, tuple[Callable[[list[str]], object], str]] = {
    "empty": (lambda x: x.clear(), ":1: not a line of JSON"),
    "no end": (lambda x: x.pop(), ":5: cut off: no end line after 2 calls"),
    "a call less": (lambda x: x.pop(4), ":5: the end line says 2 calls, the file has 1"),
    "no parts": (lambda x: x.pop(1), ":2: refers to 'm0', which no line above is"),
    "a part twice": (lambda x: x.insert(1, x[1]), ":3: a line of 'm0'; expected the next message"),
    "after the end": (lambda x: x.append(x[2]), ":7: a line after the end line"),
    "no header": (lambda x: x.pop(0), ":1: not a cassette"),
    "version": (
        edited(0, lambda h: h.update(todeval_cassette=0)),
        ":1: format '0'",
    ),
    "seed": (edited(0, lambda h: h.update(seed="x")), ":1: `seed` is str, expected a whole"),
    "models": (edited(0, lambda h: h.update(models=[1])), ":1: `models` is not a list"),
    "fault": (edited(0, lambda h: h.update(fault="bot")), ":1: `fault` is 'bot'; expected"),
    "faults": (edited(0, lambda h: h.update(fault=["user"])), ":1: `fault` is list"),
    "half a line": (lambda x: x.__setitem__(2, x[2][:50]), ":3: not a line of JSON"),
    "a list": (lambda x: x.__setitem__(2, "[]"), ":3: not a JSON object"),
    "conflict": (lambda x: x.insert(2, "<<<<<<< HEAD"), ":3: a merge conflict"),
    "lane": (edited(2, lambda c: c["call"].update(lane="bot")), ":3: unknown lane 'bot'"),
    "turn": (edited(2, lambda c: c["call"].update(turn=True)), ":3: `turn` is bool"),
    "path": (edited(2, lambda c: c["request"].pop("path")), ":3: `path` is missing"),
    "status": (edited(2, lambda c: c["response"].update(status=99999)), ":3: status 99999"),
    "headers": (edited(2, lambda c: c["response"].update(headers=[["a"]])), ":3: `headers` is not"),
    "no outcome": (edited(2, lambda c: c.pop("response")), ":3: `response` is missing"),
    "kind": (edited(2, lambda c: c.update(raised={"kind": "x"})), ":3: unknown kind 'x'"),
    "reference": (
        edited(2, lambda c: c["request"]["json"].update(messages={"$": 1})),
        ":3: the reference in 'messages' is not a text",
    ),
    "base64": (
        edited(2, lambda c: c.update(response={"status": 200, "headers": [], "base64": "?"})),
        ":3: a body that cannot be read",
    ),
    "event": (
        edited(2, lambda c: c.update(response={"status": 200, "headers": [], "events": [1]})),
        ":3: a body that cannot be read: an event is not an object",
    ),
    "said": (lambda x: x.insert(5, '{"said":"hello"}'), ":6: `said` is str, expected an object"),
    "said by nobody": (
        lambda x: x.insert(5, '{"said":{"turn":1,"user":"hello"}}'),
        ":6: `system` is missing",
    ),
    "said too early": (
        lambda x: x.insert(5, '{"said":{"turn":2,"user":"a","system":"b"}}'),
        ":6: said in turn 2, expected turn 1",
    ),
    "deep": (lambda x: x.__setitem__(1, '{"m0":' + "[" * 99999), ":2: nested too deeply"),
    "infinite": (lambda x: x.__setitem__(1, '{"m0":1e999}'), ":2: Out of range"),
    "digits": (lambda x: x.__setitem__(1, '{"m0":' + "9" * 9999 + "}"), ":2: not a line of JSON"),
    "not a number": (lambda x: x.__setitem__(1, '{"m0":NaN}'), ":2: not a line of JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused_by_line(path: Path, name: str) -> None:
    change, message = BROKEN[name]
    lines = written(path, chat("one"), chat("two"))
    assert len(lines) == 6
    change(lines)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InvalidFile) as raised:
        read_cassette(path)
    assert str(raised.value).startswith(f"{path}{message}")
    assert str(raised.value).endswith("--todeval-record=rewrite")


@pytest.mark.parametrize("keep", range(0, 100, 7))
def test_a_cut_off_file_is_never_read_as_a_shorter_one(path: Path, keep: int) -> None:
    written(path, *dialogue(2))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * keep // 100])
    with pytest.raises(InvalidFile):
        read_cassette(path)


def test_line_ends_of_another_system_are_read(path: Path) -> None:
    written(path, *dialogue(2))
    file = read_cassette(path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_cassette(path) == file


def test_not_text_is_refused_by_line(path: Path) -> None:
    written(path, chat("one"))
    path.write_bytes(path.read_bytes() + b"\xff")
    with pytest.raises(InvalidFile, match=":5: not UTF-8"):
        read_cassette(path)


def test_no_file(path: Path) -> None:
    with pytest.raises(InvalidFile, match="no such file"):
        read_cassette(path)


def test_a_folder_in_its_place(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(InvalidFile, match=r"is a folder, expected a cassette.*move or delete"):
        read_cassette(path)
    path.rmdir()
    journal_path(path).mkdir()
    with pytest.raises(InvalidFile, match=r"journal: is a folder, expected a cassette"):
        Journal.recover(path)


def test_a_message_repeated_without_end_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = written(path, chat("x" * 1000))
    lines[2] = lines[2].replace('"$":"m0"', '"$":"' + "m0 " * 999 + 'm0"')
    path.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(cassette_text, "MAX_EXPANDED", 900_000)
    with pytest.raises(InvalidFile, match=":3: the bodies add up to more than"):
        read_cassette(path)


def test_files_too_large_are_neither_read_nor_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(path, chat("x" * 1000))
    monkeypatch.setattr(cassette_text, "MAX_BYTES", 1000)
    with pytest.raises(InvalidFile, match="larger than"):
        read_cassette(path)
    before = path.read_bytes()
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    with pytest.raises(UsageError, match="split the test"):
        write_cassette(path, HEADER, [chat("y" * 1000)])
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "cassettes").write_text("a file")
    with pytest.raises(UsageError, match="cannot write the cassette"):
        write_cassette(tmp_path / "cassettes" / "a.todeval.jsonl", HEADER, [])


def test_the_goal_stands_in_the_header_where_it_is_known(path: Path) -> None:
    write_cassette(path, replace(HEADER, goal="0a1b"), [chat("hello")])
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["goal"] == "0a1b"
    assert read_cassette(path).header.goal == "0a1b"


def test_a_goal_that_is_no_text_is_refused(path: Path) -> None:
    write_cassette(path, replace(HEADER, goal="0a1b"), [chat("hello")])
    path.write_text(path.read_text(encoding="utf-8").replace('"0a1b"', "7"), encoding="utf-8")
    with pytest.raises(InvalidFile, match=r":1: `goal` is int, expected a text"):
        read_cassette(path)
