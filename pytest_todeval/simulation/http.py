"""A bot behind HTTP."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import Reply, Turn
from pytest_todeval.errors import SystemContractError
from pytest_todeval.simulation.history import History, turn_after
from pytest_todeval.simulation.http_client import BotClient
from pytest_todeval.simulation.http_errors import HttpStatusError
from pytest_todeval.simulation.http_headers import BotHeaders
from pytest_todeval.simulation.http_target import HttpTarget, host_of, target_of, without_query
from pytest_todeval.simulation.session import SessionNote

GONE = (404, 410)


class HttpSystem:
    """A bot that answers POST requests; may be shared by any number of dialogues at once.

    Each turn posts `{"text", "history", "dialogue_id", "goal_id"}` as JSON; the server tells
    dialogues apart by `dialogue_id`, which also stands, percent-encoded, in the header
    `x-todeval-dialogue`: a server that asks a gateway may pass it on. The header
    `x-todeval-session` has the same id in letters that a path may have. It answers with plain text,
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
        host = host_of(url)
        self.url = url
        """Where the bot answers."""
        self.shown_url = without_query(url)
        """The same for messages: a query may hold a key."""
        self._request, self._reply = request, reply
        self._target = HttpTarget("POST", url)
        self._open = target_of(open, url, "open") if isinstance(open, str) else open
        self._close = target_of(close, url, "close") if isinstance(close, str) else close
        self._headers = BotHeaders(
            {
                "Content-Type": "application/json",
                "Accept": "application/json, text/plain, text/event-stream",
                "User-Agent": "pytest-todeval",
                **(headers or {}),
            }
        )
        self._client = BotClient(host, self._headers, timeout)

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
        """Returns the bot's answer; `history` begins with what was said in the goal's `opening`.

        Raises BotNotReached (a ConnectionError) if the server could not be asked, TimeoutError if
        it does not answer in time, HttpStatusError for a status that says that it failed, and
        SystemContractError for an answer of the wrong shape.
        """
        ids = {"dialogue_id": dialogue_id, "goal_id": goal_id, "session": session or dialogue_id}
        ours: dict[str, Any] = {"text": text, "history": list(history), **ids}
        if self._request is not None:
            body = self._request(ours)
        else:
            body = ours if self._open else {n: v for n, v in ours.items() if n != "session"}
        answer = self._client.ask(self._target, ids, body)
        place = f"the answer of {self.shown_url} in turn {turn_after(history, len(opening))}"
        try:
            return answer.reply(self._reply, place)
        except SystemContractError as error:
            raise SystemContractError(self._headers.hidden(str(error))) from error.__cause__

    def open_session(self, dialogue_id: str, goal_id: str, session: str) -> Any:
        """Returns the id of a new session: the server's, or what `open` returns; else `session`."""
        if self._open is None:
            return session
        if not isinstance(self._open, HttpTarget):
            return self._open(dialogue_id)
        ids = {"dialogue_id": dialogue_id, "goal_id": goal_id, "session": session}
        proposed = "{session}" in self._open.url
        body = ids if proposed else {n: v for n, v in ids.items() if n != "session"}
        answer = self._client.ask(self._open, ids, body)
        place = f"the answer of {self._open.method} {without_query(self._open.url)}"
        return session if proposed else answer.session(place)

    def close_session(self, session: str, dialogue_id: str, goal_id: str) -> Any:
        """Closes the session; a note if the server does not know it any more."""
        if self._close is None:
            return None
        if not isinstance(self._close, HttpTarget):
            return self._close(session)
        ids = {"dialogue_id": dialogue_id, "goal_id": goal_id, "session": session}
        try:
            self._client.ask(self._close, ids, ids)
        except HttpStatusError as error:
            if error.status not in GONE:
                raise
            gave = f"{self._close} gave {error.status}"
            return SessionNote(f"the bot's session was gone before it was closed: {gave}")
        return None
