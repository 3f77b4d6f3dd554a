"""vcrpy's YAML, both ways, so that nobody is locked in.

vcrpy knows no lanes, turns or transport errors. What is exported carries lane, turn and dialogue in
headers of the request (`x-todeval-lane`, ...), which vcrpy does not match on; transport errors are
left out.
"""

import zlib
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import responses
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import yaml

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.bodies import MAX_DEPTH, split_events
from pytest_todeval.recording.call import Call, Request, Response
from pytest_todeval.recording.cassette_text import MAX_BYTES, MAX_EXPANDED, read_text
from pytest_todeval.recording.files import replace_file
from pytest_todeval.recording.key import call_key, neutral_boundary
from pytest_todeval.recording.secrets import Scanner, kept_headers, kept_query
from pytest_todeval.recording.store import checked_lines

BASE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
OURS = "x-todeval-"


class _CassetteLoader(BASE_LOADER):  # type: ignore[misc]
    """The safe loader without merge keys, which grow without bound."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Leaves `<<` to fail as an unknown tag."""


@dataclass(frozen=True, slots=True)
class VcrCassette:
    """The interactions of a vcrpy cassette, in its order, with what no call of ours has."""

    calls: tuple[Call, ...]
    uris: tuple[str, ...]
    """What each call asked, with its host."""
    headers: tuple[str, ...]
    """The names of all headers of answers, once for each answer."""


def read_vcr_yaml(path: Path, *, lane: Lane, dialogue: str = "") -> tuple[Call, ...]:
    """The calls of `read_vcr_cassette`."""
    return read_vcr_cassette(path, lane=lane, dialogue=dialogue).calls


def read_vcr_cassette(path: Path, *, lane: Lane, dialogue: str = "") -> VcrCassette:
    """Returns the interactions of a vcrpy cassette as calls of a lane and dialogue.

    Files that `write_vcr_yaml` made keep theirs. Bodies compressed with gzip or deflate are
    unpacked. Raises InvalidFile naming the interaction.
    """
    value = _load(path)
    interactions = value.get("interactions") if isinstance(value, dict) else None
    if not isinstance(interactions, list):
        raise InvalidFile(f"{path}: not a vcrpy cassette: it has no list `interactions`")
    reading = _Interactions(path, lane, dialogue)
    calls = tuple(reading.calls(interactions))
    return VcrCassette(calls, tuple(reading.uris), tuple(reading.names))


def write_vcr_yaml(
    path: Path, calls: Sequence[Call], *, base_url: str, scanner: Scanner | None = None
) -> int:
    """Write the calls as a vcrpy cassette without transport errors. Returns how many stand in it.

    `base_url`: scheme, host and port to give the requests, which cassettes do not keep. Raises
    SecretFound, with nothing written, and UsageError if the place cannot be written to.
    """
    for _ in checked_lines(path, calls, scanner or Scanner()):
        pass
    answered = [(call, call.outcome) for call in calls if isinstance(call.outcome, Response)]
    interactions = [_interaction(call, outcome, base_url) for call, outcome in answered]
    value = {"interactions": interactions, "version": 1}
    text: str = yaml.dump(value, Dumper=DUMPER, allow_unicode=True)
    replace_file(path, [text.encode()])
    return len(interactions)


def _load(path: Path) -> Any:
    text = read_text(path)
    try:
        _check_extent(path, text)
        return yaml.load(text, Loader=_CassetteLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise InvalidFile(f"{path}{line}: not a vcrpy cassette: {problem}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"{path}: not a vcrpy cassette: {error}") from error


def _check_extent(path: Path, text: str) -> None:
    """Before it is loaded: the loader in C ends the process on too deep nesting.

    An alias counts as much as what it stands for.
    """
    sizes, anchors = [0], list[str | None]()
    known: dict[str, int] = {}
    for event in yaml.parse(text, Loader=BASE_LOADER):
        if isinstance(event, yaml.AliasEvent):
            sizes[-1] += known.get(event.anchor or "", 0)
        elif isinstance(event, yaml.ScalarEvent):
            sizes[-1] += len(event.value)
            if event.anchor:
                known[event.anchor] = len(event.value)
        elif isinstance(event, yaml.CollectionStartEvent):
            sizes.append(0)
            anchors.append(event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            size, anchor = sizes.pop(), anchors.pop()
            sizes[-1] += size
            if anchor:
                known[anchor] = size
        if len(anchors) > MAX_DEPTH:
            raise InvalidFile(f"{path}: not a vcrpy cassette: nested too deeply")
        if sizes[-1] > MAX_EXPANDED + len(text):
            line = f":{event.start_mark.line + 1}" if event.start_mark else ""
            raise InvalidFile(
                f"{path}{line}: not a vcrpy cassette: its aliases stand for more than "
                f"{MAX_EXPANDED >> 20} MiB"
            )


class _Interactions:
    """Makes calls of the interactions of one file, and says which one is wrong."""

    def __init__(self, path: Path, lane: Lane, dialogue: str) -> None:
        self.path, self.lane, self.dialogue = path, lane, dialogue
        self.number = self.size = 0
        self.uris: list[str] = []
        self.names: list[str] = []

    def fail(self, what: str) -> NoReturn:
        raise InvalidFile(f"{self.path}: interaction {self.number}: {what}")

    def calls(self, interactions: Iterable[object]) -> Iterator[Call]:
        for interaction in interactions:
            self.number += 1
            if not isinstance(interaction, dict):
                self.fail("not a mapping")
            try:
                yield self.call(interaction)
            except UnicodeEncodeError as error:
                self.fail(f"text that UTF-8 cannot hold ({error.reason})")

    def call(self, interaction: Mapping[Hashable, Any]) -> Call:
        packed = self.mapping(interaction, "request")
        headers = self.headers(packed)
        uri = packed.get("uri")
        if not isinstance(uri, str) or not isinstance(packed.get("method"), str):
            self.fail("a request without `uri` and `method`")
        try:
            url = urlsplit(uri)
        except ValueError as error:
            self.fail(f"`uri` is no URL ({error})")
        self.uris.append(uri)
        request = Request(
            self.lane_of(headers),
            packed["method"].upper(),
            url.path or "/",
            url.query,
            headers.get("content-type", ""),
            self.body(packed.get("body")),
        )
        dialogue = headers.get(OURS + "dialogue", self.dialogue)
        return Call(
            call_key(request), request, self.response(interaction), self.turn(headers), dialogue
        )

    def response(self, interaction: Mapping[Hashable, Any]) -> Response:
        packed = self.mapping(interaction, "response")
        headers = self.headers(packed)
        body = self.body(packed.get("body"))
        body = self.decoded(body, headers.get("content-encoding", "identity"))
        media = headers.get("content-type", "").partition(";")[0].strip().lower()
        events = split_events(body) if media == "text/event-stream" else None
        kept = kept_headers(headers.items())
        self.names += headers
        return Response(self.status(packed), kept, body, events)

    def status(self, packed: Mapping[Hashable, Any]) -> int:
        status = packed.get("status")
        code = status.get("code") if isinstance(status, dict) else status
        if type(code) is not int or not 100 <= code <= 999:
            self.fail("a response without a status code")
        return code

    def lane_of(self, headers: Mapping[str, str]) -> Lane:
        name = headers.get(OURS + "lane", self.lane.value)
        return Lane(name) if name in set(Lane) else self.fail("an unknown `x-todeval-lane`")

    def turn(self, headers: Mapping[str, str]) -> int:
        text = headers.get(OURS + "turn", "0")
        ascii_digits = text.isascii() and text.isdigit() and len(text) < 10
        return int(text) if ascii_digits else self.fail("`x-todeval-turn` is not a number")

    def mapping(self, of: Mapping[Hashable, Any], name: str) -> Mapping[Hashable, Any]:
        value = of.get(name)
        return value if isinstance(value, dict) else self.fail(f"no mapping `{name}`")

    def headers(self, packed: Mapping[Hashable, Any]) -> dict[str, str]:
        """By name in lower case; of a list of values the first."""
        headers = packed.get("headers") or {}
        if not isinstance(headers, dict):
            self.fail("`headers` is not a mapping")
        firsts = {n: v[0] if isinstance(v, list) and v else v for n, v in headers.items()}
        return {str(n).lower(): str(v) for n, v in firsts.items() if isinstance(v, str | int)}

    def body(self, packed: object) -> bytes:
        """Returns the body of a request (text, bytes or nothing) or response (`string: ...`)."""
        found = packed.get("string") if isinstance(packed, dict) else packed
        body = found.encode() if isinstance(found, str) else b"" if found is None else found
        if not isinstance(body, bytes):
            self.fail("a body that is neither text nor bytes")
        self.size += len(body)
        if self.size > MAX_EXPANDED:
            self.fail(f"the bodies add up to more than {MAX_EXPANDED >> 20} MiB")
        return body

    def decoded(self, body: bytes, encoding: str) -> bytes:
        if encoding.lower() in ("", "identity") or not body:
            return body
        if encoding.lower() not in ("gzip", "deflate"):
            self.fail(
                f"a response encoded with {encoding[:20]!r}; record it again with vcrpy's option "
                "decode_compressed_response=True, then import"
            )
        unpacker = zlib.decompressobj(wbits=47)
        try:
            unpacked = unpacker.decompress(body, MAX_BYTES)
        except zlib.error as error:
            self.fail(f"a response that is not {encoding.lower()} ({error})")
        return self.body(unpacked) if unpacker.eof else self.fail("a response that was cut off")


def _interaction(call: Call, outcome: Response, base_url: str) -> dict[str, Any]:
    request = neutral_boundary(call.request)
    query = f"?{kept_query(request.query)}" if request.query else ""
    ours = {"lane": request.lane.value, "turn": str(call.turn), "dialogue": call.dialogue}
    headers = {"content-type": [request.content_type]} if request.content_type else {}
    kept = kept_headers(outcome.headers)
    return {
        "request": {
            "body": _text(request.body) if request.body else None,
            "headers": headers | {OURS + name: [value] for name, value in ours.items()},
            "method": request.method,
            "uri": f"{base_url.rstrip('/')}{request.path}{query}",
        },
        "response": {
            "body": {"string": _text(outcome.body)},
            "headers": {name: [v for n, v in kept if n == name] for name in dict(kept)},
            "status": {"code": outcome.status, "message": responses.get(outcome.status, "")},
        },
    }


def _text(body: bytes) -> str | bytes:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body
