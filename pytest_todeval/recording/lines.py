"""The lines of a cassette: a header, each message and other part once, the calls, the end.

Described in `docs/cassette_file.md`. This module writes them; `reading` reads them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.recording.blobs import is_blob, name_of
from pytest_todeval.recording.bodies import UNREADABLE, pack, parse, to_json
from pytest_todeval.recording.call import Call, Header, RaisedError, Request, SaidTurn
from pytest_todeval.recording.key import neutral_boundary
from pytest_todeval.recording.meaning import are_messages
from pytest_todeval.recording.secrets import kept_headers, kept_query

FORMAT, FORMAT_WITHOUT_BLOBS = 2, 1
REFERENCE = "$"
"""The one name of an object that stands for messages (`m0 m1`) or another part (`t0`)."""
INLINE = 80
"""Parts of at most so many characters of JSON stay in the line of the call."""

# Invisible, or able to reorder what a reviewer sees; in JSON they can only stand in strings.
_DECEPTIVE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line to be written."""

    place: str
    """What it is, for messages."""
    value: dict[str, Any]
    text: str
    """`value` as JSON, without the line's end."""
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    """What of it goes to files of their own, by name."""

    def bytes(self) -> bytes:
        """What is written, with the line's end; nothing in it can mislead a reader's terminal."""
        return _DECEPTIVE.sub(_escaped, self.text).encode() + b"\n"


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _line(place: str, value: dict[str, Any], blobs: Mapping[str, bytes] | None = None) -> Line:
    return Line(place, value, to_json(value), blobs or {})


def header_line(header: Header, *, blobs: bool = False) -> Line:
    """The first line; whether calls refer to `blobs` decides which versions can read the file."""
    return _line(
        "the header",
        {
            "todeval_cassette": FORMAT if blobs else FORMAT_WITHOUT_BLOBS,
            "test": header.test,
            "recorded": header.recorded,
            "seed": header.seed,
            "models": list(header.models),
            **({"goal": header.goal} if header.goal else {}),
            **({"fault": header.fault.value} if header.fault else {}),
        },
    )


def end_line(calls: int) -> Line:
    """Returns the last line; a file without it was cut off."""
    return _line("the end", {"end": calls})


def said_line(said: SaidTurn) -> Line:
    """Returns what was said in a turn."""
    value = {"turn": said.turn, "user": said.user, "system": said.system}
    return _line(f"what was said in turn {said.turn}", {"said": value})


def models_of(calls: Sequence[Call]) -> tuple[str, ...]:
    """The models the calls asked for, sorted."""
    bodies = (parse(call.request.content_type, call.request.body) for call in calls)
    named = (body.get("model") for body in bodies if isinstance(body, dict))
    return tuple(sorted({model for model in named if isinstance(model, str)}))


class Lines:
    """Makes the lines of one call after the other; knows which parts already have one."""

    def __init__(self) -> None:
        self.parts: dict[str, dict[str, str]] = {"m": {}, "t": {}}
        self.calls = 0

    def of(self, call: Call, started: int | None = None) -> list[Line]:
        """Returns the lines of parts not seen before, then the call's. `keep` them once written."""
        return list(_CallLines(self, call, started).lines())

    def keep(self, lines: list[Line]) -> None:
        for line in lines:
            if "call" in line.value:
                self.calls += 1
                continue
            ((name, value),) = line.value.items()
            self.parts[name[0]][to_json(value)] = name


class _CallLines:
    def __init__(self, known: Lines, call: Call, started: int | None) -> None:
        self.known, self.call, self.started = known, call, started
        self.number = known.calls + 1
        self.new: dict[str, dict[str, str]] = {"m": {}, "t": {}}
        self.made: list[Line] = []
        self.blobs: dict[str, bytes] = {}

    def lines(self) -> Iterator[Line]:
        call = self.call
        where: dict[str, Any] = {
            "lane": call.request.lane.value,
            "turn": call.turn,
            "dialogue": call.dialogue,
        }
        if self.started is not None:
            where["started"] = self.started
        value = {"call": where, "request": self._request(), **self._outcome()}
        yield from self.made
        place = f"call {self.number} ({call.request.lane}, turn {call.turn})"
        yield _line(place, value, self.blobs)

    def _request(self) -> dict[str, Any]:
        request = neutral_boundary(self.call.request)
        value: dict[str, Any] = {"method": request.method, "path": request.path}
        if request.query:
            value["query"] = kept_query(request.query)
        if request.content_type:
            value["type"] = request.content_type
        return value | self._body(request)

    def _body(self, request: Request) -> dict[str, Any]:
        body = parse(request.content_type, request.body)
        if body is UNREADABLE:
            return self._packed("", request.body, None)
        if isinstance(body, dict):
            body = {name: self._member(name, value) for name, value in body.items()}
        return {"json": body}

    def _member(self, name: str, value: Any) -> Any:
        if value and are_messages(name, value):
            return {REFERENCE: " ".join(self._part("m", item, to_json(item)) for item in value)}
        if not isinstance(value, dict | list | str):
            return value
        text = to_json(value)
        if len(text) > INLINE or (isinstance(value, dict) and REFERENCE in value):
            return {REFERENCE: self._part("t", value, text)}
        return value

    def _part(self, kind: str, value: Any, text: str) -> str:
        known, new = self.known.parts[kind], self.new[kind]
        name = known.get(text) or new.get(text)
        if name is None:
            name = new[text] = f"{kind}{len(known) + len(new)}"
            what = "message" if kind == "m" else "part"
            self.made.append(
                _line(f"{what} {name}, first used by call {self.number}", {name: value})
            )
        return name

    def _outcome(self) -> dict[str, Any]:
        outcome = self.call.outcome
        if isinstance(outcome, RaisedError):
            return {"raised": {"kind": outcome.kind, "message": outcome.message}}
        headers = kept_headers(outcome.headers)
        media = next((value for name, value in headers if name == "content-type"), "")
        value: dict[str, Any] = {"status": outcome.status, "headers": list(map(list, headers))}
        return {"response": value | self._packed(media, outcome.body, outcome.events)}

    def _packed(self, media: str, body: bytes, events: tuple[bytes, ...] | None) -> dict[str, Any]:
        if events is not None or not is_blob(body):
            return pack(media, body, events)
        name = name_of(body)
        self.blobs[name] = body
        return {"file": name, "size": len(body)}
