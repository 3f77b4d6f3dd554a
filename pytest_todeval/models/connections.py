"""Connections to endpoints: kept open from call to call in a run, else one for each call."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.context import holding
from pytest_todeval.models.limits import announce, passing, pauses
from pytest_todeval.models.refusal import refuses

if TYPE_CHECKING:
    import openai

MOST_KEPT = 32
EXPIRY = 50.0
"""Seconds for which an unused connection is kept; balancers mostly close theirs after 60."""
CLIENTS = 32
OUT_OF_ORDER = 500
"""From this status on a call is tried again."""
DISCONNECTED = "Server disconnected"
"""What httpcore says of a connection that ended before an answer began."""


class KeptConnections:
    """Connections to all endpoints, each kept open for the next call, from whichever thread.

    Closed, or in a process forked from the one that made them, they are not used: calls then have a
    connection each. `used` has them hold, `close` ends them.
    """

    def __init__(self) -> None:
        self._clients: _Clients | None = None
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._closed = False

    def clients(self) -> "_Clients | None":
        """Returns the clients that keep connections open; None if they do not any more."""
        if self._process != os.getpid():
            return None
        with self._lock:
            if self._clients is None and not self._closed:
                self._clients = _Clients(kept=MOST_KEPT)
            return self._clients

    @contextmanager
    def used(self) -> Iterator[None]:
        """Has them hold for what the body asks, in threads and tasks that it starts as well."""
        with holding(_KEPT, self):
            yield

    def close(self) -> None:
        """Closes all connections; for good."""
        if self._process != os.getpid():
            return
        with self._lock:
            clients, self._clients, self._closed = self._clients, None, True
        if clients is not None:
            clients.close()


_KEPT: ContextVar[KeptConnections | None] = ContextVar("todeval_connections", default=None)


def openai_client(base_url: str, key: str, timeout: float, retries: int) -> "openai.OpenAI":
    """Returns a client of the openai package over the connections that hold here."""
    kept = _KEPT.get()
    clients = None if kept is None else kept.clients()
    return (clients or _apart()).client(base_url, key, timeout, retries)


class _Clients:
    def __init__(self, kept: int) -> None:
        """`kept`: how many connections stay open after their call."""
        import openai

        hooks: Any = {"request": [announce], "response": [pauses, _not_again]}
        module = import_module(openai.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])
        limits = module.Limits(max_keepalive_connections=kept, keepalive_expiry=EXPIRY)
        self._http: Any = openai.DefaultHttpxClient(event_hooks=hooks, limits=limits)
        transports: list[Any] = [self._http._transport, *self._http._mounts.values()]
        for transport in transports:
            if transport is not None:  # as for hosts that are asked without the proxy
                transport._pool = _Pool(transport._pool)
        self.client = lru_cache(maxsize=CLIENTS)(self._client)

    def close(self) -> None:
        self._http.close()

    def _client(self, base_url: str, key: str, timeout: float, retries: int) -> "openai.OpenAI":
        import openai

        return openai.OpenAI(
            base_url=base_url,
            api_key=key,
            timeout=timeout,
            max_retries=retries,
            http_client=self._http,
        )


class _Pool:
    """Stands between a transport of httpx and its pool: only real calls come here.

    What is recorded is seen above, so that a connection that broke while nobody used it is no part
    of a recording, and no failure of the endpoint.
    """

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        core = import_module(type(pool).__module__.partition(".")[0])
        self._broke, self._protocol = core.ReadError, core.RemoteProtocolError

    def handle_request(self, request: Any) -> Any:
        # Before a connection is chosen: one that waits with us would be closed by the other side.
        passing()
        events: list[str] = []
        request.extensions = {**request.extensions, "trace": lambda event, _: events.append(event)}
        while True:
            events.clear()
            try:
                return self._pool.handle_request(request)
            except (self._broke, self._protocol) as error:
                malformed = isinstance(error, self._protocol) and DISCONNECTED not in str(error)
                if malformed or any(".connect" in event for event in events):
                    raise
                # The broken one is gone from the pool: this ends with a fresh one at the latest.

    def close(self) -> None:
        self._pool.close()


_MAKING = threading.Lock()
_APART: _Clients | None = None


def _apart() -> _Clients:
    """Returns the clients of this process that keep nothing open."""
    global _APART
    with _MAKING:
        _APART = _APART or _Clients(kept=0)
        return _APART


def _renew() -> None:
    # In a forked child another thread may have held the locks, which does not exist there.
    global _MAKING, _APART
    _MAKING, _APART = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


def _not_again(response: Any) -> None:
    """An endpoint out of order may mend; one that refuses a parameter refuses it each time."""
    if response.status_code < OUT_OF_ORDER:
        return
    response.read()
    if refuses(response.status_code, response.content, response.request.content):
        response.headers["x-should-retry"] = "false"
