"""The nouns of recording: a call, what was asked, and what came of it."""

from dataclasses import dataclass

from pytest_todeval.core.lane import Lane

KINDS = ("connect", "timeout", "read", "protocol", "cancelled")
"""What a `RaisedError` may be: no connection, too slow, broken while reading, not HTTP, or whoever
waited for the answer was cancelled before it came."""
CUT = "x-todeval-cut"
"""A response that broke off says so in this header: `ReadTimeout: the message`; or who read it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked; without host and port, which do not tell one call from another."""

    lane: Lane
    method: str
    """Upper case."""
    path: str
    """From the first slash, as sent, without query."""
    query: str
    """Without the question mark; empty if there is none."""
    content_type: str
    """The header's value; empty if there is none."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    """What came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case. Only those of `secrets.kept_headers` reach a file."""
    body: bytes
    """Without transfer and content encodings."""
    events: tuple[bytes, ...] | None = None
    """The raw events of a `text/event-stream`; their concatenation is the body."""


@dataclass(frozen=True, slots=True)
class RaisedError:
    """A transport error that the client saw instead of a response."""

    kind: str
    """One of `KINDS`."""
    message: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request and its outcome, and where in which dialogue it was made."""

    key: str
    """What a request must equal to be answered with this call: `key.call_key`."""
    request: Request
    outcome: Response | RaisedError
    turn: int
    """1-based; 0 before the first turn and after the last."""
    dialogue: str


@dataclass(frozen=True, slots=True)
class Header:
    """What a cassette says about itself."""

    test: str
    """Node id of the test that recorded it."""
    recorded: str
    """Clock of the recording, ISO 8601 with an offset."""
    seed: int
    models: tuple[str, ...] = ()
    """Models asked for, sorted; `write_cassette` takes them from the calls."""
    goal: str = ""
    """A digest of the goal that the user spoke for; empty if the recording was not told."""
    fault: Lane | None = None
    """The lane whose last answers could not be used, if that ended the dialogue: a fault of the
    user, the ear or the judge."""


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """What was said in one turn of the dialogue whose calls a cassette holds."""

    turn: int
    """1-based."""
    user: str
    system: str


@dataclass(frozen=True, slots=True)
class CassetteFile:
    """A cassette as it was read."""

    header: Header
    calls: tuple[Call, ...]
    """In the order in which they were started."""
    said: tuple[SaidTurn, ...] = ()
    """Turn by turn; empty if the recording was not told."""
