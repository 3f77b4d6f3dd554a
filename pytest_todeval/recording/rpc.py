"""JSON-RPC, which MCP speaks: what of a message makes no other call, and whose answer one is.

A request's id is drawn by its client, and answers bear it: a recorded answer is given the id of the
request that it now answers. What clients say of themselves (`_meta`, versions) makes no other call.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_todeval.recording.bodies import json_bytes
from pytest_todeval.recording.call import CUT, RaisedError, Request, Response

RPC = "jsonrpc"
"""The member that all messages of JSON-RPC 2.0 have; also what `meaning` calls the protocol."""
OF_CLIENT = frozenset(
    {"_meta", "clientInfo", "protocolVersion", "capabilities", "requestId", "progressToken"}
)
"""Parameters that tell of the client, or name another message by its id."""
HANDSHAKE = frozenset({"initialize", "notifications/initialized"})
"""Methods that open a session."""
LISTEN = "subscriptions/listen"
SETUP = HANDSHAKE | {
    "server/discover",
    "logging/setLevel",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
}
STREAM = "text/event-stream"
_DATA = re.compile(rb"^data:[ ]?(.*)$", re.MULTILINE)
NO_STREAM = Response(405, (), b"")
"""MCP's answer of a server that sends nothing unasked, and has no sessions to end."""


def said_by(name: str, value: Any) -> Any:
    """Returns a member of a message in the form that counts; None if it makes no other call."""
    if name == "id":
        return None
    if name == "params" and isinstance(value, dict):
        return {inner: item for inner, item in value.items() if inner not in OF_CLIENT} or None
    return value


def message_of(body: bytes) -> Mapping[str, Any]:
    """Returns the message that a body holds; empty if it holds none."""
    if RPC.encode() not in body:
        return {}
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) and RPC in value else {}


def called_by(request: Request) -> str:
    """Returns the method, and the name of the tool, of a message; empty for another request."""
    message = message_of(request.body)
    params = message.get("params")
    name = params.get("name", "") if isinstance(params, dict) else ""
    return f"{message.get('method', '')} {name}".strip()


def opens_session(request: Request) -> bool:
    """Says whether a server has to hear a request before it takes others."""
    return request.method == "POST" and message_of(request.body).get("method") in HANDSHAKE


def is_setup(request: Request) -> bool:
    """Whether a call opens a session or asks for lists: a client that lives on makes it once."""
    return request.method == "POST" and message_of(request.body).get("method") in SETUP


def is_standing(request: Request, headers: Iterable[tuple[str, str]]) -> bool:
    """Whether an answer is a stream that a server keeps open for what it may yet have to say."""
    kinds = (value for name, value in headers if name.lower() == "content-type")
    if next(kinds, "").partition(";")[0].strip().lower() != STREAM:
        return False
    return request.method == "GET" or message_of(request.body).get("method") == LISTEN


def without_cut(request: Request, outcome: Response) -> Response:
    """Returns an answer that its reader left, and of which nothing is missing, as one that ended.

    A standing stream is left in the end; another has ended with the answer to its request.
    """
    if outcome.events is None or not any(name == CUT for name, _ in outcome.headers):
        return outcome
    if is_standing(request, outcome.headers) or (outcome.events and _answers(outcome.events[-1])):
        kept = tuple(pair for pair in outcome.headers if pair[0] != CUT)
        return replace(outcome, headers=kept)
    return outcome


def _answers(event: bytes) -> bool:
    message = _message_in(event)
    return "method" not in message and ("result" in message or "error" in message)


def unasked(request: Request, recorded: Iterable[Request]) -> Response | None:
    """The answer to a stream or an end of a session that clients ask for at times, or do not.

    None for another request, and for a place where no messages were recorded.
    """
    if request.method not in ("GET", "DELETE") or request.query or request.body:
        return None
    there = (each for each in recorded if each.path == request.path and each.method == "POST")
    return NO_STREAM if any(message_of(each.body) for each in there) else None


def as_answer(
    outcome: Response | RaisedError, recorded: Request, now: Request
) -> Response | RaisedError:
    """Returns what came of a recorded request, as the answer to one of now: with its ids."""
    before, after = message_of(recorded.body), message_of(now.body)
    if isinstance(outcome, RaisedError) or not before or "method" not in after:
        return outcome
    ids = _Ids(before, after)
    if ids.same:
        return outcome
    if outcome.events is None:
        return replace(outcome, body=ids.in_body(outcome.body))
    events = tuple(map(ids.in_event, outcome.events))
    return replace(outcome, events=events, body=b"".join(events))


class _Ids:
    """The ids of a request as it was recorded, and as it is now."""

    def __init__(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        self._id = before.get("id"), after.get("id")
        self._token = progress_token(before), progress_token(after)

    @property
    def same(self) -> bool:
        return self._id[0] == self._id[1] and self._token[0] == self._token[1]

    def in_event(self, event: bytes) -> bytes:
        found = _DATA.search(event)
        if found is None:
            return event
        return event[: found.start(1)] + self.in_body(found[1]) + event[found.end(1) :]

    def in_body(self, body: bytes) -> bytes:
        message = dict(message_of(body))
        if not message:
            return body
        params = message.get("params")
        if "method" not in message and message.get("id") == self._id[0]:
            message["id"] = self._id[1]
        elif isinstance(params, dict):
            message["params"] = {name: self._named(name, item) for name, item in params.items()}
        return json_bytes(message)

    def _named(self, name: str, value: Any) -> Any:
        """Returns a parameter of a notification, by which it may name the request it belongs to."""
        if name == "progressToken" and value == self._token[0]:
            return self._token[1]
        if name == "_meta" and isinstance(value, dict):
            old, new = self._id
            return {inner: new if item == old else item for inner, item in value.items()}
        return value


class Turns:
    """Who speaks when on recorded streams: what follows a server's request waits for its answer."""

    def __init__(self) -> None:
        self._answered: Counter[str] = Counter()

    def hear(self, request: Request) -> None:
        """A client speaks: it may answer a server's request."""
        message = message_of(request.body)
        if "id" in message and "method" not in message:
            self._answered[repr(message["id"])] += 1

    def of(self, events: Sequence[bytes], may_end: Callable[[], bool]) -> Callable[[int], bool]:
        """What says whether the event at a place may be played now; behind the last the end."""
        ids = [_id_asked(event) for event in events]
        before: dict[int, int] = {}
        """By the place of a server's request, how many answers to its id there had been."""

        def may_play(place: int) -> bool:
            asked = [(ids[each], count) for each, count in before.items() if each < place]
            if any(id_ is not None and self._answered[id_] <= count for id_, count in asked):
                return False
            if place >= len(ids):
                return may_end()
            id_ = ids[place]
            if id_ is not None:
                before[place] = self._answered[id_]
            return True

        return may_play


def _id_asked(event: bytes) -> str | None:
    """Returns the id of a server's request."""
    message = _message_in(event)
    return repr(message["id"]) if "method" in message and "id" in message else None


def _message_in(event: bytes) -> Mapping[str, Any]:
    found = _DATA.search(event)
    return {} if found is None else message_of(found[1])


def progress_token(message: Mapping[str, Any]) -> Any:
    """Returns what a request's client will know its progress by; None if it asked for none."""
    params = message.get("params")
    about = params.get("_meta") if isinstance(params, dict) else None
    return about.get("progressToken") if isinstance(about, dict) else None
