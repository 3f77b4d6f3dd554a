"""A bot behind HTTP."""

import http.client
import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from pytest_todeval.core.deadline import remaining
from pytest_todeval.core.dialogue import Reply, Turn
from pytest_todeval.errors import SystemContractError, UsageError, known_names
from pytest_todeval.recording.gateway.asked import DIALOGUE_HEADER
from pytest_todeval.recording.outside import to_bot
from pytest_todeval.simulation.event_stream import StreamedError
from pytest_todeval.simulation.history import History, turn_after
from pytest_todeval.simulation.http_answer import HttpAnswer, read_answer, start_of
from pytest_todeval.simulation.http_headers import BotHeaders
from pytest_todeval.simulation.reply import described
from pytest_todeval.simulation.session import SessionNote

__all__ = ["HttpStatusError", "HttpSystem"]

TIMEOUT = 30.0
"""Seconds to wait for a server outside of a dialogue, which has limits of its own."""
GRACE = 1.0
"""Seconds longer than the dialogue waits, so that its message tells which limit it was."""
LEAST = 0.001
GONE = (404, 410)
SHOWN_STATUS = 65536
"""Bytes read of an answer that says that the server failed."""
EXAMPLES = {"open": "POST /sessions", "close": "DELETE /sessions/{session}"}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PLACES = ("dialogue_id", "goal_id", "session")
_PLACE = re.compile(r"\{([^{}]*)\}")
_TEMPLATE = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/\S*)")


class HttpStatusError(Exception):
    """The bot's server answered with a status, or streamed an event, that says it failed."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status
        """The status; 0 for an event."""


class _Asked(NamedTuple):
    method: str
    url: str
    """With `{session}` and the like."""


class HttpSystem:
    """A bot that answers POST requests; may be shared by any number of dialogues at once.

    Each turn posts `{"text", "history", "dialogue_id", "goal_id"}` as JSON; the server tells
    dialogues apart by `dialogue_id`, which also stands, percent-encoded, in the header
    `x-todeval-dialogue`: a server that asks a gateway may pass it on. It answers with plain text,
    or with `{"text": ..., "tool_calls": [{"name", "arguments", "result" | "error"}], "state": ...,
    "retrieved": [...], "usage": ..., "done": ...}`, of which only `text` is required, or streams it
    as server-sent events.

    A server with a format of its own needs `request`, which makes the body from ours (JSON; text or
    bytes are sent as they are, and need their Content-Type in `headers`), and `reply`, which makes
    text, a `Reply` or the object above from its answer (parsed if it is JSON, a list of events if
    it is a stream, else the text).

    A server that hands out sessions: `open="POST /sessions"`, or a function `open(dialogue_id)`
    that returns the session's id; `close="DELETE /sessions/{session}"`, or a function
    `close(session)`. The URL and values of headers may hold `{session}`, too; without an `open` it
    is an id of our own, as it is with `open="PUT /sessions/{session}"`. `{dialogue_id}` and
    `{goal_id}` are percent-encoded in URLs, which suits queries: in paths many servers decode `%2F`
    too early.

    `headers` may take values from the environment: `{"Authorization": "Bearer ${SHOP_TOKEN}"}`.
    `timeout` in seconds holds for connecting and for each wait for data; without one the limits of
    turn and dialogue do.

    The standard library's client: its proxy settings (`HTTPS_PROXY`, `NO_PROXY`) hold, except for
    this machine itself. Redirects are not followed, since that would turn the POST into a GET.
    """

    def __init__(
        self,
        url: str,
        *,
        request: Callable[[dict[str, Any]], Any] | None = None,
        reply: Callable[[Any], Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        open: str | Callable[[str], Any] | None = None,
        close: str | Callable[[str], Any] | None = None,
    ) -> None:
        """Raises UsageError for a URL or template that is none, and for an environment variable
        that is not set.
        """
        __tracebackhide__ = True
        host = _host(url)
        _check_places(url, "the bot's URL")
        self.url = url
        """Where the bot answers."""
        self.shown_url = _without_query(url)
        """The same for messages: a query may hold a key."""
        self._request, self._reply = request, reply
        self._headers = BotHeaders(
            {
                "Content-Type": "application/json",
                "Accept": "application/json, text/plain, text/event-stream",
                "User-Agent": "pytest-todeval",
                **(headers or {}),
            }
        )
        self._timeout = timeout
        self._open = _asked(open, url, "open") if isinstance(open, str) else open
        self._close = _asked(close, url, "close") if isinstance(close, str) else close
        # A proxy could not reach this machine; many environments set one without NO_PROXY.
        proxies = [urllib.request.ProxyHandler({})] if host in LOOPBACK else []
        self._opener = urllib.request.build_opener(_NoRedirect, *proxies)

    def __repr__(self) -> str:
        return f"HttpSystem({self.shown_url!r})"

    def respond(
        self,
        text: str,
        history: History,
        dialogue_id: str,
        goal_id: str,
        opening: Sequence[Turn] = (),
        session: str = "",
    ) -> Reply:
        """The bot's answer; `history` begins with what was said in the goal's `opening`.

        Raises ConnectionError if the server is not reached, TimeoutError if it does not
        answer in time, HttpStatusError for a status other than 2xx, and SystemContractError for an
        answer of the wrong shape.
        """
        ids = {"dialogue_id": dialogue_id, "goal_id": goal_id, "session": session or dialogue_id}
        ours: dict[str, Any] = {"text": text, "history": list(history), **ids}
        if self._request is not None:
            body = self._request(ours)
        else:
            body = ours if self._open else {n: v for n, v in ours.items() if n != "session"}
        answer = self._ask(_Asked("POST", self.url), ids, body)
        place = f"the answer of {self.shown_url} in turn {turn_after(history, len(opening))}"
        try:
            return answer.reply(self._reply, place)
        except SystemContractError as error:
            raise SystemContractError(self._headers.hidden(str(error))) from error.__cause__

    def open_session(self, dialogue_id: str, goal_id: str, session: str) -> Any:
        """The id of a new session: the server's, or what `open` returns; else `session`."""
        if self._open is None:
            return session
        if not isinstance(self._open, _Asked):
            return self._open(dialogue_id)
        ids = {"dialogue_id": dialogue_id, "goal_id": goal_id, "session": session}
        proposed = "{session}" in self._open.url
        body = ids if proposed else {n: v for n, v in ids.items() if n != "session"}
        answer = self._ask(self._open, ids, body)
        place = f"the answer of {self._shown(self._open)}"
        return session if proposed else answer.session(place)

    def close_session(self, session: str, dialogue_id: str, goal_id: str) -> Any:
        """Close the session; a note if the server does not know it any more."""
        if self._close is None:
            return None
        if not isinstance(self._close, _Asked):
            return self._close(session)
        ids = {"dialogue_id": dialogue_id, "goal_id": goal_id, "session": session}
        try:
            self._ask(self._close, ids, ids)
        except HttpStatusError as error:
            if error.status not in GONE:
                raise
            shown = self._shown(self._close)
            return SessionNote(
                f"the bot's session was gone before it was closed: {shown} gave {error.status}"
            )
        return None

    def _ask(self, asked: _Asked, ids: Mapping[str, str], body: Any) -> HttpAnswer:
        shown = self._shown(asked)
        has_body = asked.method in ("POST", "PUT", "PATCH")
        headers = {
            DIALOGUE_HEADER: quote(ids["dialogue_id"], safe=""),
            **{name: _with_ids(value, ids) for name, value in self._headers.sent.items()},
        }
        request = urllib.request.Request(
            _PLACE.sub(lambda found: quote(ids[found[1]], safe=""), asked.url),
            _encoded(body) if has_body else None,
            headers,
            method=asked.method,
        )
        try:
            with to_bot(), self._opener.open(request, timeout=self._patience()) as response:
                answer = read_answer(response, shown)
        except urllib.error.HTTPError as error:
            raise self._status_error(error, shown) from None
        except TimeoutError:
            raise self._late(shown) from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late(shown) from None
            raise ConnectionError(f"{shown} is not reached: {error.reason}") from None
        except StreamedError as error:
            told = self._headers.hidden(start_of(str(error).encode()))
            raise HttpStatusError(f"{shown} streamed an error: {told}") from None
        except http.client.RemoteDisconnected:
            raise ConnectionError(f"{shown} closed the connection without an answer") from None
        except http.client.IncompleteRead:
            raise ConnectionError(
                f"{shown} broke off: the connection ended in the middle of its answer"
            ) from None
        except (ConnectionError, http.client.HTTPException) as error:
            what = f"{type(error).__name__}: {error}"
            raise ConnectionError(f"{shown} broke off: {what}") from None
        if answer.stream is not None and not answer.stream.ended:
            raise ConnectionError(
                f"the stream from {shown} ended after {len(answer.stream.values)} events without "
                "`data: [DONE]`, and nothing tells that this was its end: send `[DONE]`, or answer "
                "by HTTP/1.1"
            )
        return answer

    def _patience(self) -> float:
        """Seconds to wait for the server; the least, if nobody waits any more."""
        left = remaining()
        if left is None:
            return self._timeout or TIMEOUT
        return max(min(left + GRACE, self._timeout or left + GRACE), LEAST)

    def _shown(self, asked: _Asked) -> str:
        url = _without_query(asked.url)
        return url if asked.url == self.url else f"{asked.method} {url}"

    def _late(self, shown: str) -> TimeoutError:
        limit = self._timeout or TIMEOUT
        return TimeoutError(f"{shown} gave no answer within {limit:g} s")

    def _status_error(self, error: urllib.error.HTTPError, shown: str) -> HttpStatusError:
        with error:
            try:
                body = error.read(SHOWN_STATUS)
            except (OSError, http.client.HTTPException):
                body = b""
        moved = error.headers.get("Location")
        hint = f" (it sends to {_without_query(moved)}: give that URL)" if moved else ""
        told = self._headers.hidden(start_of(body))
        what = f"{shown} answered {error.code} {error.reason}{hint}: {told}"
        return HttpStatusError(what, error.code)


def _encoded(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _with_ids(header: str, ids: Mapping[str, str]) -> str:
    """The value of a header with the ids that it names; what no header can hold is quoted."""

    def held(found: re.Match[str]) -> str:
        value = ids.get(found[1], found[0])
        return value if value.isascii() and value.isprintable() else quote(value, safe="")

    return _PLACE.sub(held, header)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _asked(template: str, url: str, name: str) -> _Asked:
    """What `open` or `close` asks for, on the server of `url`."""
    found = _TEMPLATE.fullmatch(template)
    if found is None:
        raise UsageError(
            f"HttpSystem({name}={template!r}): expected a method and a path on the bot's server, "
            f"such as {EXAMPLES[name]!r}, or a function"
        )
    _check_places(template, f"HttpSystem({name}={template!r})")
    parts = urlsplit(url)
    return _Asked(found[1], f"{parts.scheme}://{parts.netloc}{found[2]}")


def _check_places(text: str, what: str) -> None:
    for name in _PLACE.findall(text):
        if name not in PLACES:
            raise UsageError(f"{what} has {{{name}}}; {known_names(name, PLACES)}")


def _host(url: str) -> str:
    expected = "expected one like `http://localhost:8000/chat`"
    if not isinstance(url, str):
        raise UsageError(f"the bot's URL is {described(url)}; {expected}")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise UsageError(f"the bot's URL cannot be read ({error}); {expected}") from None
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise UsageError(f"the bot's URL is {_without_query(url)!r}; {expected}")
    if parts.username or parts.password:
        raise UsageError(
            f"the bot's URL holds a name or password for {host}; pass it in a header instead: "
            'HttpSystem(url, headers={"Authorization": "Bearer ${NAME_OF_A_VARIABLE}"})'
        )
    return host


def _without_query(url: str) -> str:
    """For messages: a query may hold a key."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
