"""urllib3-future's pools, recorded and replayed. It takes urllib3's name, so that it cannot be
installed beside what other tests need: here its pool is a function, its responses are urllib3's.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import urllib3

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.clients import urllib3_future
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.recording.tape import Tape
from pytest_todeval.recording.under_way import CallLost

POOL = SimpleNamespace(scheme="http", host="shop.example", port=80)
Ask = Callable[..., Any]


class AsyncResponse(urllib3.HTTPResponse):
    """An answer that is waited for."""

    async def read(self, *args: Any, **options: Any) -> bytes:  # type: ignore[override]
        return super().read(*args, **options)


class Upstream:
    """What the client would really do: answers, or raises."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.error: BaseException | None = None

    def __call__(self, pool: Any, connection: Any, method: str, url: str, **options: Any) -> Any:
        return self.answer(urllib3.HTTPResponse, method, url, options)

    async def wait(self, pool: Any, connection: Any, method: str, url: str, **options: Any) -> Any:
        return self.answer(AsyncResponse, method, url, options)

    def answer(self, kind: type[Any], method: str, url: str, options: dict[str, Any]) -> Any:
        self.asked.append({"method": method, "url": url, **options})
        if self.error is not None:
            raise self.error
        headers = {"content-type": "text/plain"}
        return kind(io.BytesIO(b"Hello."), headers=headers, status=201, preload_content=False)


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@pytest.fixture(params=["sync", "async"])
def ask(request: pytest.FixtureRequest, upstream: Upstream) -> Ask:
    """Ask the pool, whichever kind of client it is."""
    router = Router.of_process()
    if request.param == "sync":
        adapter = urllib3_future._Urllib3FutureAdapter(router, urllib3.HTTPResponse)
        make = adapter.sync(upstream)
        return lambda method, url, **options: make(POOL, None, method, url, **options)
    adapter = urllib3_future._Urllib3FutureAdapter(router, AsyncResponse)
    wait = adapter.asynchronous(upstream.wait)
    return lambda method, url, **options: asyncio.run(wait(POOL, None, method, url, **options))


@pytest.fixture
def taped(tmp_path: Path) -> Callable[..., Any]:
    """Call something while a dialogue is recorded, or replayed."""

    def run(mode: str, function: Callable[[], Any]) -> Any:
        tape = Tape(tmp_path / "t", test="test_it", dialogue="d", modes=modes_from(mode))
        with tape, in_lane("d", Lane.SYSTEM, 1):
            try:
                return function()
            finally:
                tape.finish(keep=True)

    return run


def test_an_answer_is_recorded_and_replayed(
    ask: Ask, upstream: Upstream, taped: Callable[..., Any], tmp_path: Path
) -> None:
    def call() -> tuple[Any, ...]:
        found = ask("POST", "/v1/a?b=1", body="Hi.", headers={"Content-Type": "text/x"})
        whole = found.status, found.reason, found.version, found.data, found.headers["content-type"]
        read = ask("GET", "/v1/a", preload_content=False)
        return (*whole, urllib3.HTTPResponse.read(read))

    assert taped("rewrite", call) == (201, "Created", 11, b"Hello.", "text/plain", b"Hello.")
    assert taped("replay", call) == (201, "Created", 11, b"Hello.", "text/plain", b"Hello.")

    held = {"multiplexed": False, "preload_content": False}
    posted = {"method": "POST", "url": "/v1/a?b=1", "body": b"Hi."}
    assert upstream.asked == [
        {**posted, "headers": {"Content-Type": "text/x"}, **held},
        {"method": "GET", "url": "/v1/a", **held},
    ]
    first = read_cassette(tmp_path / "t").calls[0].request
    assert (first.method, first.path, first.query) == ("POST", "/v1/a", "b=1")
    assert (first.content_type, first.body) == ("text/x", b"Hi.")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError("late"), "read"),
        (asyncio.CancelledError(), "cancelled"),
    ],
)
def test_an_error_is_recorded_and_raised_again(
    ask: Ask,
    upstream: Upstream,
    taped: Callable[..., Any],
    tmp_path: Path,
    error: BaseException,
    kind: str,
) -> None:
    upstream.error = error
    with pytest.raises(type(error)):
        taped("rewrite", lambda: ask("GET", "/"))
    (call,) = read_cassette(tmp_path / "t").calls
    assert getattr(call.outcome, "kind", None) == {"read": "timeout"}.get(kind, kind)
    upstream.error = None
    if kind == "read":
        with pytest.raises(TimeoutError, match="late"):
            taped("replay", lambda: ask("GET", "/"))
    assert len(upstream.asked) == 1


def test_who_ends_the_process_leaves_no_call(
    ask: Ask, upstream: Upstream, taped: Callable[..., Any], tmp_path: Path
) -> None:
    upstream.error = KeyboardInterrupt()
    with pytest.raises(CallLost, match=r"not recorded: GET / .*: KeyboardInterrupt"):
        taped("rewrite", lambda: ask("GET", "/"))
    assert not (tmp_path / "t").exists()


def test_without_a_dialogue_it_is_really_asked(ask: Ask, upstream: Upstream) -> None:
    assert ask("GET", "/", multiplexed=True).status == 201
    assert upstream.asked == [{"method": "GET", "url": "/", "multiplexed": True}]


@pytest.mark.parametrize(
    ("body", "sent"),
    [
        (None, b""),
        ("ä", "ä".encode()),
        (bytearray(b"a"), b"a"),
        (iter(["ä", b"b"]), "äb".encode()),
        (SimpleNamespace(read=lambda: "text"), b"text"),
    ],
)
def test_what_may_be_a_body(body: Any, sent: bytes) -> None:
    assert urllib3_future._whole(body) == sent


def test_a_body_that_comes_part_by_part(upstream: Upstream, taped: Callable[..., Any]) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for part in (b"a", b"b"):
            yield part

    adapter = urllib3_future._Urllib3FutureAdapter(Router.of_process(), AsyncResponse)
    wait = adapter.asynchronous(upstream.wait)
    taped("rewrite", lambda: asyncio.run(wait(POOL, None, "POST", "/", body=parts())))
    assert upstream.asked[0]["body"] == b"ab"


def test_in_replay_a_call_of_no_dialogue_is_refused(
    ask: Ask, upstream: Upstream, tmp_path: Path
) -> None:
    with (
        Tape(tmp_path / "t", test="test_it", dialogue="d", modes=modes_from("replay")),
        pytest.raises(Exception, match=r"GET http://shop\.example:80/a belongs to no dialogue"),
    ):
        ask("GET", "/a?secret=1")
    assert upstream.asked == []


def test_urllib3_itself_is_left_alone() -> None:
    before = urllib3.HTTPConnectionPool._make_request
    installers = urllib3_future.installers(Router.of_process())
    assert sorted(installers) == [
        "urllib3._async.connectionpool",
        "urllib3.connectionpool",
        "urllib3_future._async.connectionpool",
        "urllib3_future.connectionpool",
    ]
    installers["urllib3.connectionpool"]()
    assert urllib3.HTTPConnectionPool._make_request is before
