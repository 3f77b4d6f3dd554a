"""A bot behind HTTP."""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from pytest_todeval.core.dialogue import Reply, Turn
from pytest_todeval.errors import SystemContractError, UsageError
from pytest_todeval.recording.gateway.asked import DIALOGUE_HEADER
from pytest_todeval.recording.outside import to_bot
from pytest_todeval.simulation.history import History, turn_after
from pytest_todeval.simulation.reply import described, reply_from_json

__all__ = ["HttpStatusError", "HttpSystem"]

MAX_BODY = 10_000_000
"""Bytes read of an answer; a longer one is no reply of a bot."""
SHOWN_BODY = 300
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class HttpStatusError(Exception):
    """The bot's server answered with a status that says it failed."""


class HttpSystem:
    """A bot that answers POST requests; may be shared by any number of dialogues at once.

    Each turn posts `{"text", "history", "dialogue_id", "goal_id"}` as JSON; the server tells
    dialogues apart by `dialogue_id`, which also stands, percent-encoded, in the header
    `x-todeval-dialogue`: a server that asks a gateway may pass it on. It answers with plain text,
    or with `{"text": ..., "tool_calls": [{"name", "arguments", "result" | "error"}], "state": ...,
    "retrieved": [...], "usage": ..., "done": ...}`, of which only `text` is required.

    A server with a JSON of its own needs `request`, which makes the body from ours, and `reply`,
    which makes text, a `Reply` or the object above from its answer (parsed if it is JSON, else
    the text). `timeout` in seconds holds for connecting and for each wait for data.

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
        timeout: float = 30.0,
    ) -> None:
        host = _host(url)
        self.url = url
        """Where the bot answers."""
        self._shown_url = _without_query(url)
        self._request, self._reply = request, reply
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/plain",
            "User-Agent": "pytest-todeval",
            **(headers or {}),
        }
        self._timeout = timeout
        # A proxy could not reach this machine; many environments set one without NO_PROXY.
        proxies = [urllib.request.ProxyHandler({})] if host in LOOPBACK else []
        self._opener = urllib.request.build_opener(_NoRedirect, *proxies)

    def __repr__(self) -> str:
        return f"HttpSystem({self._shown_url!r})"

    def respond(
        self,
        text: str,
        history: History,
        dialogue_id: str,
        goal_id: str,
        opening: Sequence[Turn] = (),
    ) -> Reply:
        """The bot's answer; `history` begins with what was said in the goal's `opening`.

        Raises ConnectionError if the server is not reached, TimeoutError if it does not
        answer in time, HttpStatusError for a status other than 2xx, and SystemContractError for an
        answer of the wrong shape.
        """
        body: Any = {
            "text": text,
            "history": list(history),
            "dialogue_id": dialogue_id,
            "goal_id": goal_id,
        }
        if self._request is not None:
            body = self._request(body)
        content_type, answer = self._post(body, {DIALOGUE_HEADER: quote(dialogue_id, safe="")})
        place = f"the answer of {self._shown_url} in turn {turn_after(history, len(opening))}"
        return self._read(content_type, answer, place)

    def _post(self, body: Any, headers: Mapping[str, str]) -> tuple[str, bytes]:
        data = json.dumps(body).encode()
        headers = {**headers, **self._headers}
        request = urllib.request.Request(self.url, data, headers, method="POST")
        try:
            with to_bot(), self._opener.open(request, timeout=self._timeout) as response:
                return response.headers.get("Content-Type", ""), _body(response)
        except urllib.error.HTTPError as error:
            raise self._status_error(error) from None
        except TimeoutError:
            raise self._late() from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late() from None
            raise ConnectionError(f"{self._shown_url} is not reached: {error.reason}") from None
        except (ConnectionError, http.client.HTTPException) as error:
            what = f"{type(error).__name__}: {error}"
            raise ConnectionError(f"{self._shown_url} broke off: {what}") from None

    def _late(self) -> TimeoutError:
        return TimeoutError(f"{self._shown_url} gave no answer within {self._timeout:g} s")

    def _status_error(self, error: urllib.error.HTTPError) -> HttpStatusError:
        with error:
            try:
                body = error.read(SHOWN_BODY * 4)
            except (OSError, http.client.HTTPException):
                body = b""
        moved = error.headers.get("Location")
        hint = f" (it sends to {_without_query(moved)}: give that URL)" if moved else ""
        return HttpStatusError(
            f"{self._shown_url} answered {error.code} {error.reason}{hint}: {_start_of(body)}"
        )

    def _read(self, content_type: str, body: bytes, place: str) -> Reply:
        if len(body) > MAX_BODY:
            raise SystemContractError(f"{place} is longer than {MAX_BODY} bytes")
        value = _parsed(content_type, body, place)
        if self._reply is not None:
            value = self._mapped(value, body, place)
        if isinstance(value, Reply):
            return value
        return Reply(value) if isinstance(value, str) else reply_from_json(value, place)

    def _mapped(self, value: Any, body: bytes, place: str) -> Any:
        assert self._reply is not None
        try:
            return self._reply(value)
        except Exception as error:
            raise SystemContractError(
                f"{place}: `reply` could not read it ({type(error).__name__}: {error}); "
                f"it was {described(value)}: {_start_of(body)}"
            ) from error


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _body(response: http.client.HTTPResponse) -> bytes:
    body = response.read(MAX_BODY + 1)
    if response.length and len(body) <= MAX_BODY:  # a bounded read does not tell that it was cut
        raise http.client.IncompleteRead(body, response.length)
    return body


def _parsed(content_type: str, body: bytes, place: str) -> Any:
    """The answer as JSON if it says it is or is an object, else as text."""
    kind = content_type.partition(";")[0].strip().lower()
    text = body.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if kind.endswith("json"):
            raise SystemContractError(
                f"{place} claims to be JSON and is not ({error}): {_start_of(body)}"
            ) from None
        if kind == "text/html":
            raise SystemContractError(
                f"{place} is a web page, expected JSON or plain text; is the URL that of the bot? "
                f"{_start_of(body)}"
            ) from None
        return text
    # Plain text such as `42` or `true` parses too, and is meant as said.
    return value if kind.endswith("json") or isinstance(value, dict) else text


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
            'HttpSystem(url, headers={"Authorization": ...})'
        )
    return host


def _without_query(url: str) -> str:
    """For messages: a query may hold a key."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _start_of(body: bytes) -> str:
    text = " ".join(body[: SHOWN_BODY * 4].decode("utf-8", "replace").split())
    return repr(text[:SHOWN_BODY] + ("..." if len(text) > SHOWN_BODY else ""))
