"""Connections to endpoints are kept open while a run lasts, and not a moment longer."""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from contextvars import copy_context
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models import connections
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.connections import KeptConnections
from pytest_todeval.models.limits import Passage, limiter
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape
from tests.conftest import must_end
from tests.support.counting_server import CountingServer, Manners

ASKED = [{"role": "user", "content": "Hello?"}]


@pytest.fixture
def run() -> Iterator[KeptConnections]:
    """As in a run: connections are kept open until it is over."""
    with closing(KeptConnections()) as kept, kept.used():
        yield kept


def client(server: CountingServer, model: str = "m", **settings: Any) -> ChatClient:
    return ChatClient(ModelSettings(model, server.base_url, **settings))


def ask(model: ChatClient, times: int) -> None:
    for _ in range(times):
        assert model.complete(ASKED).text == "Hi."


def at_once(threads: int, work: Callable[[], None]) -> None:
    """Do it in so many threads, each in a copy of the context, as judges ask."""
    contexts = [copy_context() for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda context: context.run(work), contexts))


@pytest.mark.usefixtures("run")
def test_calls_one_after_another_share_a_connection() -> None:
    with CountingServer() as server:
        ask(client(server), 10)
        ask(client(server, timeout=5, retries=0, key="OTHER_KEY"), 10)  # of another lane
        assert (server.accepted, server.asked) == (1, 20)


def test_outside_of_a_run_each_call_has_its_own_and_none_stays_open() -> None:
    with CountingServer() as server:
        ask(client(server), 3)
        assert server.accepted == 3
        assert server.all_closed()


def test_none_is_open_when_the_run_is_over(run: KeptConnections) -> None:
    with CountingServer() as server:
        ask(client(server), 2)
        assert server.keeps_open(1)
        run.close()
        assert server.all_closed()
        ask(client(server), 2)  # who calls now is late: nothing stays open
        assert server.accepted == 3
        assert server.all_closed()


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    ("manners", "connections"),
    [
        (Manners(chunked=True), 1),
        (Manners(version="HTTP/1.0"), 6),
        (Manners(ends_after=2), 3),
        (Manners(resets_after=2), 3),
    ],
    ids=["chunked", "HTTP/1.0", "ends unannounced", "resets"],
)
def test_servers_with_other_manners(manners: Manners, connections: int) -> None:
    with CountingServer(manners=manners) as server:
        ask(client(server, retries=0), 6)
        assert server.accepted == connections


@pytest.mark.usefixtures("run")
def test_a_connection_that_broke_while_it_was_kept_is_no_failure_of_the_endpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passages: list[Passage] = []
    enter = Passage.wait

    def wait(made: Passage) -> None:
        passages.append(made)
        enter(made)

    monkeypatch.setattr(Passage, "wait", wait)
    with CountingServer(manners=Manners(resets_after=1)) as server:
        ask(client(server, retries=3), 4)
        assert [made.tries for made in passages] == [1, 1, 1, 1]
        assert len(limiter(server.base_url, "m")._begun) == 4
        assert server.accepted == 4


@pytest.mark.usefixtures("run")
def test_all_kept_connections_may_be_broken_at_once() -> None:
    """As after a restart behind a balancer: each is found out, and left, one after the other."""
    together = Barrier(4)

    broken = Event()

    def answer(body: object) -> str:
        if not broken.is_set():
            together.wait(10)
        return "Hi."

    with CountingServer(answer) as server, must_end():
        model = client(server, retries=0)
        with ThreadPoolExecutor(4) as pool:
            list(
                pool.map(
                    lambda context: context.run(ask, model, 1), [copy_context() for _ in range(4)]
                )
            )
        assert server.accepted == 4
        broken.set()
        server.manners = Manners(resets_after=1)
        ask(model, 1)
        assert server.accepted == 5
        server.manners = Manners()
        ask(model, 3)
        assert server.accepted == 5


@pytest.mark.usefixtures("run")
def test_what_a_fresh_connection_does_counts() -> None:
    with CountingServer(manners=Manners(resets_after=-1)) as server:
        with pytest.raises(ModelUnavailable, match="tried 2 times"):
            client(server, retries=1).complete(ASKED)
        assert (server.accepted, server.asked) == (2, 2)


@pytest.mark.usefixtures("run")
def test_an_answer_that_is_no_http_is_the_endpoints_fault_on_a_kept_connection_too() -> None:
    with CountingServer(manners=Manners(malformed_after=1)) as server:
        model = client(server, retries=0)
        ask(model, 1)
        with pytest.raises(ModelUnavailable):
            model.complete(ASKED)
        assert server.asked == 2  # it was not asked, and paid, once more


@pytest.mark.usefixtures("run")
def test_a_timeout_closes_the_connection_of_that_call_alone() -> None:
    goes_on = Event()

    def answer(body: Mapping[str, Any]) -> str:
        if body["model"] == "slow":
            goes_on.wait(30)
        return "Hi."

    with CountingServer(answer) as server, must_end():
        together = client(server, timeout=30, retries=0)
        hasty = client(server, model="slow", timeout=0.2, retries=0)
        ask(together, 1)
        with pytest.raises(ModelUnavailable):
            hasty.complete(ASKED)
        ask(together, 2)  # over a connection of their own: the late answer is nobody's
        goes_on.set()
        ask(together, 1)
        assert server.accepted == 2


@pytest.mark.usefixtures("run")
def test_no_more_connections_than_calls_at_once() -> None:
    with CountingServer() as server, must_end():
        model = client(server, concurrency=3)
        with ThreadPoolExecutor(8) as pool:
            list(
                pool.map(
                    lambda context: context.run(ask, model, 5), [copy_context() for _ in range(8)]
                )
            )
        assert server.asked == 40
        assert server.accepted <= 3


@pytest.mark.usefixtures("run")
def test_waiting_for_a_limit_holds_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server ends a connection that idles: none must be chosen before the waiting is over."""
    with CountingServer(manners=Manners(ends_after=1)) as server:
        model = client(server, retries=0)
        seen: list[bool] = []
        ask(model, 1)
        enter = Passage.wait

        def wait(made: Passage) -> None:
            seen.append(server.all_closed())
            enter(made)

        monkeypatch.setattr(Passage, "wait", wait)
        ask(model, 1)
        assert seen == [True]
        assert server.asked == 2  # nothing was sent over the one that had ended


def test_in_replay_no_connection_is_made(run: KeptConnections, tmp_path: Path) -> None:
    path = tmp_path / "t.todeval.jsonl"

    def tape(mode: str) -> Tape:
        return Tape(path, test="test_it", dialogue="d", modes=modes_from(mode))

    with CountingServer(manners=Manners(resets_after=2)) as server:
        model = client(server)
        with tape("rewrite") as recording, in_lane("d", Lane.USER, 1):
            ask(model, 5)
            recording.finish(keep=True)
            # What broke while it was kept is no part of the recording.
            assert recording.calls[Lane.USER].recorded == 5
            assert not recording.has_faulty
        before = server.accepted
        with tape("replay") as replay, in_lane("d", Lane.USER, 1):
            ask(model, 5)
            assert (len(replay.unused()), replay.misses) == (0, [])
        assert server.accepted == before


def test_two_runs_in_one_process_do_not_share() -> None:
    with CountingServer() as server:
        model = client(server)
        with closing(KeptConnections()) as outer, outer.used():
            ask(model, 1)
            with closing(KeptConnections()) as inner, inner.used():
                ask(model, 2)
            ask(model, 2)
            assert server.accepted == 2
            assert server.keeps_open(1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="takes os.fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python 3.12 warns of the threads
def test_a_forked_process_uses_none_of_its_parents(run: KeptConnections) -> None:
    with CountingServer() as server, must_end():
        model = client(server)
        ask(model, 1)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                ask(model, 2)
                run.close()  # as at its end: what is the parent's stays open
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert server.accepted == 3
        ask(model, 2)
        assert server.accepted == 3


@pytest.mark.usefixtures("run")
def test_a_server_that_is_started_anew_is_found() -> None:
    with CountingServer() as first:
        ask(client(first), 1)
        port = first.server_address[1]
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port))
    with CountingServer() as second:
        ask(client(second), 1)
        assert second.accepted == 1


@pytest.mark.usefixtures("run")
def test_threads_that_come_at_once_share_one_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    together, kind = Barrier(8), connections._Clients

    def clients(kept: int) -> object:
        made.append(kind(kept))
        return made[-1]

    monkeypatch.setattr(connections, "_Clients", clients)
    with CountingServer() as server, must_end():
        model = client(server)

        def one() -> None:
            together.wait(10)
            ask(model, 1)

        at_once(8, one)
    assert len(made) == 1
