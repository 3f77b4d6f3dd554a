"""What vcrpy's stubs ask of a cassette, answered by the router."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_todeval.recording.call import Raised
from pytest_todeval.recording.transport import Exchange, Playing, response_of

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["RoutedCassette"]

_EXCHANGE: ContextVar[tuple[Any, Exchange] | None] = ContextVar("todeval_exchange", default=None)


class RoutedCassette:
    """A cassette for `vcr.stubs`: each call goes to the tape of its dialogue.

    A stub asks whether it can play a response, then plays it, or makes the call and appends what
    came of it; errors of the transport it does not tell.
    """

    write_protected = False
    """What cannot be played raises CassetteMiss at once."""

    def __init__(self, router: "Router") -> None:
        self._router = router

    def filter_request(self, request: Any) -> Any:
        """The request, or None for a call that the stub shall only make."""
        return request if self._takes(request) else None

    def can_play_response_for(self, request: Any) -> bool:
        """Begin the exchange. Raises CassetteMiss, BudgetSpent, NoDialogue."""
        _EXCHANGE.set(None)
        if not self._takes(request):
            return False
        url = urlsplit(request.uri)
        headers = {str(name).lower(): value for name, value in dict(request.headers).items()}
        kind = _text(headers.get("content-type", ""))
        body = _bytes(request.body)
        address = (url.hostname or "", url.port)
        path = url.path or "/"
        exchange = self._router.begin(request.method, path, url.query, kind, body, address)
        _EXCHANGE.set((request, exchange))
        return isinstance(exchange, Playing)

    def play_response(self, request: Any) -> dict[str, Any]:
        """The response in vcrpy's form. Raises ConnectionError where one was recorded."""
        found = _EXCHANGE.get()
        assert found is not None, "vcrpy plays without having asked"
        assert isinstance(found[1], Playing)
        _EXCHANGE.set(None)
        outcome = found[1].outcome
        if isinstance(outcome, Raised):
            raise ConnectionError(outcome.message)
        headers: dict[str, list[str]] = {}
        for name, value in outcome.headers:
            headers.setdefault(name, []).append(value)
        return {
            "status": {"code": outcome.status, "message": ""},
            "headers": headers,
            "body": {"string": outcome.body},
        }

    def append(self, request: Any, response: Mapping[str, Any]) -> None:
        """Record what came of the call that this context asked for last."""
        found, _ = _EXCHANGE.get(), _EXCHANGE.set(None)
        if found is None or isinstance(found[1], Playing):
            return
        headers = [
            (name, _text(value))
            for name, values in dict(response["headers"]).items()
            for value in ([values] if isinstance(values, str) else values)
        ]
        body = _bytes(response["body"].get("string"))
        found[1].answered(response_of(response["status"]["code"], headers, body))

    def find_requests_with_most_matches(self, request: Any) -> list[Any]:
        """None: CassetteMiss says it better."""
        return []

    def _takes(self, request: Any) -> bool:
        url = urlsplit(request.uri)
        port = url.port or {"http": 80, "https": 443}.get(url.scheme)
        what = f"{request.method} {url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"
        return self._router.takes(what, url.hostname or "", port)


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if value else ""
    return value.decode("iso-8859-1") if isinstance(value, bytes) else str(value)


def _bytes(value: Any) -> bytes:
    if value is None:
        return b""
    return value.encode() if isinstance(value, str) else bytes(value)
