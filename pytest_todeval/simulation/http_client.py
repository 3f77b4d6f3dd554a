"""Asks a bot's server, and says whose fault it is if there is no answer."""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urljoin

from pytest_todeval.core.deadline import remaining
from pytest_todeval.recording.gateway.asked import DIALOGUE_HEADER
from pytest_todeval.recording.outside import to_bot
from pytest_todeval.simulation.event_stream import StreamedError
from pytest_todeval.simulation.http_answer import HttpAnswer, read_answer, start_of
from pytest_todeval.simulation.http_errors import BotNotReached, HttpStatusError
from pytest_todeval.simulation.http_headers import BotHeaders
from pytest_todeval.simulation.http_target import HttpTarget, with_ids, without_query

TIMEOUT = 30.0
"""Seconds to wait for a server outside of a dialogue, which has limits of its own."""
GRACE = 1.0
"""Seconds longer than the dialogue waits, so that its message tells which limit it was."""
LEAST = 0.001
SHOWN_STATUS = 65536
"""Bytes read of an answer that says that the server failed."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
START = " (nobody listens there; `todeval_server(COMMAND)` starts a server for the tests)"
CREDENTIALS = (401, 403, 407)
BUSY = (429, 502, 503, 504)
"""What a server, or one before it, says while the bot is busy, starting or not there."""
WRONG_BODY = (415, 422)
SESSION_HEADER = "x-todeval-session"
"""In a header, as headers count in no cassette: the body of those that are recorded stays."""
NOT_THERE = (404, 405)


class BotClient:
    """The standard library's client, with the headers of one bot; threads may share it."""

    def __init__(self, host: str, headers: BotHeaders, timeout: float | None) -> None:
        """`timeout` in seconds, for each wait; None leaves it to the dialogue's limits."""
        self._headers, self._timeout = headers, timeout
        # A proxy could not reach this machine; many environments set one without NO_PROXY.
        proxies = [urllib.request.ProxyHandler({})] if host in LOOPBACK else []
        self._opener = urllib.request.build_opener(_NoRedirect, *proxies)

    def ask(self, target: HttpTarget, ids: Mapping[str, str], body: Any) -> HttpAnswer:
        """Returns the answer; `body` is sent if the method has one.

        Raises BotNotReached, TimeoutError, HttpStatusError, and SystemContractError for a
        stream that nobody can read.
        """
        headers = {
            DIALOGUE_HEADER: quote(ids["dialogue_id"], safe=""),
            SESSION_HEADER: quote(ids["session"], safe=""),
            **{name: with_ids(value, ids) for name, value in self._headers.sent.items()},
        }
        data = _encoded(body) if target.has_body else None
        request = urllib.request.Request(target.at(ids), data, headers, method=target.method)
        try:
            with to_bot(), self._opener.open(request, timeout=self._patience()) as response:
                answer = read_answer(response, str(target))
        except urllib.error.HTTPError as error:
            raise self._of_status(error, target) from None
        except TimeoutError:
            raise self._late(target) from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._late(target) from None
            hint = START if isinstance(error.reason, ConnectionRefusedError) else ""
            raise BotNotReached(f"{target} is not reached: {error.reason}{hint}") from None
        except StreamedError as error:
            told = self._headers.hidden(start_of(str(error).encode()))
            raise HttpStatusError(f"{target} streamed an error: {told}") from None
        except (ConnectionError, http.client.HTTPException) as error:
            raise BotNotReached(f"{target} {_broken(error)}") from None
        if answer.stream is not None and not answer.stream.ended:
            raise BotNotReached(
                f"the stream from {target} ended after {len(answer.stream.values)} events without "
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

    def _late(self, target: HttpTarget) -> TimeoutError:
        return TimeoutError(f"{target} gave no answer within {self._timeout or TIMEOUT:g} s")

    def _of_status(self, error: urllib.error.HTTPError, target: HttpTarget) -> Exception:
        with error:
            try:
                body = error.read(SHOWN_STATUS)
            except (OSError, http.client.HTTPException):
                body = b""
        told = self._headers.hidden(start_of(body))
        what = f"{target} answered {error.code} {error.reason}: {told}{_hint(error, target)}"
        if error.code in (*CREDENTIALS, *BUSY):
            return BotNotReached(what)
        return HttpStatusError(what, error.code)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _encoded(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _broken(error: Exception) -> str:
    if isinstance(error, http.client.RemoteDisconnected):
        return "closed the connection without an answer"
    if isinstance(error, http.client.IncompleteRead):
        return "broke off: the connection ended in the middle of its answer"
    return f"broke off: {type(error).__name__}: {error}"


def _hint(error: urllib.error.HTTPError, target: HttpTarget) -> str:
    """Returns what to do about a status."""
    if moved := error.headers.get("Location"):
        return f" (it sends to {without_query(urljoin(target.url, moved))}: give that URL)"
    if error.code in CREDENTIALS:
        return ' (credentials: HttpSystem(url, headers={"Authorization": "Bearer ${NAME}"}))'
    if error.code in WRONG_BODY:
        return " (HttpSystem(url, request=...) makes the body that it expects)"
    if error.code in NOT_THERE and "{dialogue_id}" in target.url.partition("?")[0]:
        return " (many servers decode the `%2F` in {dialogue_id}: take {session} in a path)"
    return " (is that the bot's URL?)" if error.code in NOT_THERE else ""
