"""Reading the lines of a cassette, as hostile input: checked, bounded, never evaluated."""

import json
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.blobs import read_blob
from pytest_todeval.recording.bodies import json_bytes, not_json, to_json, unpack
from pytest_todeval.recording.call import (
    KINDS,
    Call,
    CassetteFile,
    Header,
    RaisedError,
    Request,
    Response,
    SaidTurn,
)
from pytest_todeval.recording.cassette_text import MAX_EXPANDED, TOO_MUCH, next_step
from pytest_todeval.recording.key import (
    KeyPart,
    composed,
    key_of_parts,
    message_part,
    part_of,
    request_parts,
)
from pytest_todeval.recording.lines import FORMAT, FORMAT_WITHOUT_BLOBS, REFERENCE, Lines
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.meaning import are_messages, endpoint_of

MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
LANES = {lane.value: lane for lane in Lane}
SHOWN = 60
T = TypeVar("T")


_DECODE = json.JSONDecoder(parse_constant=not_json).decode


class _Wrong(ValueError):
    """What is wrong with a line; becomes an InvalidFile with the place."""


class _Newer(_Wrong):
    """A line that a later version of this package reads."""


class CassetteReader:
    """Takes the lines of one file, first to last."""

    def __init__(self, path: Path, matching: Matching = EXACT) -> None:
        self.path, self.matching = path, matching
        self.header: Header | None = None
        self.calls: list[tuple[int, Call]] = []
        self.said: list[SaidTurn] = []
        self.count: int | None = None
        """What the end line says; None before it."""
        self.number = 0
        self._values: dict[str, Any] = {}
        self._bytes: dict[str, bytes] = {}
        self._parts: dict[tuple[str, str, str], KeyPart | list[KeyPart] | None] = {}
        self._messages: dict[tuple[str, str], KeyPart] = {}
        self._names: dict[str, bytes] = {}
        self._many = {"m": 0, "t": 0}
        self._expanded = 0

    def fail(self, what: str) -> NoReturn:
        """Raises InvalidFile for the line read last."""
        test = self.header.test if self.header else ""
        raise InvalidFile(f"{self.path}:{self.number}: {what}; {next_step(self.path, test)}")

    def file(self) -> CassetteFile:
        """Returns what was read, calls in the order in which they were started."""
        if self.header is None:
            self.number = 1
            self.fail("empty: a cassette starts with a header line")
        ordered = sorted(self.calls, key=lambda numbered: numbered[0])
        return CassetteFile(self.header, tuple(call for _, call in ordered), tuple(self.said))

    def lines(self) -> Lines:
        """Returns a writer that goes on where the file ends."""
        known = Lines()
        known.calls = len(self.calls)
        for name, value in self._values.items():
            known.parts[name[0]][to_json(value)] = name
        return known

    def take(self, text: str) -> None:
        """Reads one line. Raises InvalidFile."""
        self.number += 1
        try:
            self._take(text)
        except _Newer as error:
            raise InvalidFile(f"{self.path}:{self.number}: {error}") from None
        except ValueError as error:
            self.fail(str(error))
        except RecursionError:
            self.fail("nested too deeply")

    def end(self) -> None:
        """There are no more lines. Raises InvalidFile if the end line is missing."""
        if self.header is not None and self.count is None:
            self.fail(f"cut off: no end line after {len(self.calls)} calls")

    def _take(self, text: str) -> None:
        line = self._object(text)
        if self.count is not None:
            raise _Wrong("a line after the end line")
        if self.header is None:
            self.header = _header(line)
        elif "call" in line:
            self.calls.append(self._call(line))
        elif "said" in line:
            self.said.append(self._said(_dict(line, "said")))
        elif "end" in line:
            self._end(line["end"])
        else:
            self._part(line)

    def _object(self, text: str) -> dict[str, Any]:
        if text.startswith(MARKERS):
            raise _Wrong(
                "a merge conflict; recordings cannot be merged line by line, take one side whole "
                "(git checkout --ours or --theirs)"
            )
        try:
            line = _DECODE(text)
        except ValueError as error:
            raise _Wrong(f"not a line of JSON ({error})") from error
        if not isinstance(line, dict):
            raise _Wrong("not a JSON object")
        return line

    def _end(self, count: object) -> None:
        if type(count) is not int:
            raise _Wrong("`end` is not a number")
        if count != len(self.calls):
            raise _Wrong(f"the end line says {count} calls, the file has {len(self.calls)}")
        self.count = count

    def _said(self, line: dict[str, Any]) -> SaidTurn:
        turn = _number(line, "turn")
        if turn != len(self.said) + 1:
            raise _Wrong(f"said in turn {str(turn)[:SHOWN]}, expected turn {len(self.said) + 1}")
        return SaidTurn(turn, _text(line, "user"), _text(line, "system"))

    def _part(self, line: dict[str, Any]) -> None:
        expected = {f"{kind}{many}" for kind, many in self._many.items()}
        if len(line) != 1 or not expected.issuperset(line):
            names = ", ".join(sorted(line))[:SHOWN]
            raise _Wrong(
                f"a line of {names!r}; expected the next message or part "
                f"({' or '.join(sorted(expected))}), a call, or the end"
            )
        ((name, value),) = line.items()
        self._many[name[0]] += 1
        self._values[name] = value
        self._bytes[name] = json_bytes(value)

    def _call(self, line: dict[str, Any]) -> tuple[int, Call]:
        where = _dict(line, "call")
        lane = LANES.get(_text(where, "lane"))
        if lane is None:
            raise _Wrong(f"unknown lane {where['lane'][:SHOWN]!r}; expected {', '.join(LANES)}")
        request, parts = self._request(lane, _dict(line, "request"))
        key = key_of_parts(lane, request.method, request.path, request.query, parts, self.matching)
        started = _number(where, "started", len(self.calls))
        turn, dialogue = _number(where, "turn"), _text(where, "dialogue")
        return started, Call(key, request, self._outcome(line), turn, dialogue)

    def _request(self, lane: Lane, packed: dict[str, Any]) -> tuple[Request, Any]:
        method, path = _text(packed, "method"), _text(packed, "path")
        query, media = _text(packed, "query", ""), _text(packed, "type", "")
        value = packed.get("json")
        if isinstance(value, dict):
            endpoint, _ = endpoint_of(path, value)
            body, parts = self._members(value, endpoint)
            return Request(lane, method, path, query, media, body), parts
        request = Request(lane, method, path, query, media, self._unpacked(packed)[0])
        return request, request_parts(request, self.matching)

    def _members(
        self, packed: dict[str, Any], endpoint: str
    ) -> tuple[bytes, dict[str, KeyPart | list[KeyPart]]]:
        pieces: list[bytes] = []
        parts: dict[str, KeyPart | list[KeyPart]] = {}
        for name, value in packed.items():
            if isinstance(value, dict) and REFERENCE in value:
                piece, part = self._reference(name, value[REFERENCE], endpoint)
            else:
                piece = json_bytes(value)
                self._grow(len(piece))
                part = part_of(name, value, endpoint, self.matching)
            pieces.append(self._name(name) + piece)
            if part is not None:
                parts[name if name.isascii() else composed(name)] = part
        return b"{" + b",".join(pieces) + b"}", parts

    def _reference(
        self, name: str, reference: object, endpoint: str
    ) -> tuple[bytes, KeyPart | list[KeyPart] | None]:
        if not isinstance(reference, str):
            raise _Wrong(f"the reference in {name[:SHOWN]!r} is not a text")
        try:
            names = reference.split(" ")
            pieces = [self._bytes[each] for each in names]
        except KeyError as error:
            missing = str(error.args[0])[:SHOWN]
            raise _Wrong(f"refers to {missing!r}, which no line above is") from error
        self._grow(sum(map(len, pieces)))
        if reference.startswith("t") and len(names) == 1:
            return pieces[0], self._part_of(name, reference, endpoint)
        body = b"[" + b",".join(pieces) + b"]"
        values = [self._values[each] for each in names]
        if are_messages(name, values) and not self.matching.ignored.at(name):
            return body, [self._message(each, endpoint) for each in names]
        return body, part_of(name, values, endpoint, self.matching)

    def _part_of(self, name: str, line: str, endpoint: str) -> KeyPart | list[KeyPart] | None:
        """Returns the part that a line is under a name."""
        known = name, line, endpoint
        if known not in self._parts:
            self._parts[known] = part_of(name, self._values[line], endpoint, self.matching)
        return self._parts[known]

    def _message(self, line: str, endpoint: str) -> KeyPart:
        """Returns the part that the message of a line is."""
        known = line, endpoint
        if known not in self._messages:
            self._messages[known] = message_part(self._values[line], endpoint, self.matching)
        return self._messages[known]

    def _name(self, name: str) -> bytes:
        if name not in self._names:
            self._names[name] = json_bytes(name) + b":"
        return self._names[name]

    def _outcome(self, line: dict[str, Any]) -> Response | RaisedError:
        if "raised" in line:
            raised = _dict(line, "raised")
            kind = _text(raised, "kind")
            if kind not in KINDS:
                raise _Wrong(f"unknown kind {kind[:SHOWN]!r}; expected {', '.join(KINDS)}")
            return RaisedError(kind, _text(raised, "message"))
        response = _dict(line, "response")
        body, events = self._unpacked(response)
        return Response(_status(response), _headers(response), body, events)

    def _unpacked(self, packed: dict[str, Any]) -> tuple[bytes, tuple[bytes, ...] | None]:
        try:
            body, events = (
                (read_blob(self.path, packed), None) if "file" in packed else unpack(packed)
            )
        except ValueError as error:
            raise _Wrong(f"a body that cannot be read: {error}") from error
        self._grow(len(body))
        return body, events

    def _grow(self, size: int) -> None:
        self._expanded += size
        if self._expanded > MAX_EXPANDED:
            raise _Wrong(TOO_MUCH)


def _header(line: dict[str, Any]) -> Header:
    version = line.get("todeval_cassette")
    if version is None:
        raise _Wrong("not a cassette: the first line has no `todeval_cassette`")
    if type(version) is int and version > FORMAT:
        raise _Newer(
            f"format {str(version)[:SHOWN]}, written by a newer version; upgrade: "
            f"pip install --upgrade pytest-todeval (this version reads format {FORMAT})"
        )
    if version not in (FORMAT, FORMAT_WITHOUT_BLOBS) or type(version) is not int:
        raise _Wrong(
            f"format {str(version)[:SHOWN]!r}; this version of pytest-todeval reads format {FORMAT}"
        )
    models = line.get("models")
    if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
        raise _Wrong("`models` is not a list of texts")
    fault = LANES.get(_text(line, "fault")) if "fault" in line else None
    if "fault" in line and fault is None:
        raise _Wrong(f"`fault` is {line['fault'][:SHOWN]!r}; expected {', '.join(LANES)}")
    return Header(
        _text(line, "test"),
        _text(line, "recorded"),
        _number(line, "seed"),
        tuple(models),
        _text(line, "goal", ""),
        fault,
    )


def _dict(line: dict[str, Any], name: str) -> dict[str, Any]:
    return _of_type(dict, "an object", line, name)


def _text(line: dict[str, Any], name: str, default: str | None = None) -> str:
    return _of_type(str, "a text", line, name, default)


def _number(line: dict[str, Any], name: str, default: int | None = None) -> int:
    return _of_type(int, "a whole number", line, name, default)


def _of_type(
    kind: type[T], expected: str, line: dict[str, Any], name: str, default: T | None = None
) -> T:
    value = line.get(name, default)
    if type(value) is not kind:
        raise _Wrong(f"`{name}` is {_kind(value)}, expected {expected}")
    return value


def _status(response: dict[str, Any]) -> int:
    status = _number(response, "status")
    if not 100 <= status <= 999:
        raise _Wrong(f"status {str(status)[:SHOWN]}, expected 100 to 999")
    return status


def _headers(response: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    headers: list[Any] = _of_type(list, "a list", response, "headers")
    for pair in headers:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(p) is str for p in pair):
            raise _Wrong("`headers` is not a list of [name, value]")
    return tuple((name, value) for name, value in headers)


def _kind(value: object) -> str:
    return "missing" if value is None else type(value).__name__
