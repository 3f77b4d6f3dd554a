"""Limits of real calls: they hold over all clients and threads, and replayed calls never wait."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from pytest_todeval.core.deadline import queueing, waited_for
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.limits import Limiter, Passage, limiter
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.simulation.worker import TimedOut, Worker, within
from pytest_todeval.testing import Answer, Broken, ChatRequest, StandInServer, Status
from tests.conftest import must_end

ASKED = [{"role": "user", "content": "Hello?"}]


class Clock(threading.Condition):
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def read(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.now += timeout
        return False


@pytest.fixture
def clock() -> Clock:
    return Clock()


def starts(limit: Limiter, clock: Clock, per_minute: int | None, calls: int) -> list[float]:
    """Seconds from the beginning at which each of the calls begins."""
    found = []
    for _ in range(calls):
        limit.begin(per_minute)
        found.append(clock.now - 1000)
    return found


def test_no_more_than_so_many_begin_in_any_minute(clock: Clock) -> None:
    limit = Limiter(clock.read, clock)
    assert starts(limit, clock, 3, 7) == [0, 0, 0, 60, 60, 60, 120]


def test_calls_spread_over_a_minute_need_not_wait(clock: Clock) -> None:
    limit = Limiter(clock.read, clock)
    for _ in range(5):
        before = clock.now
        limit.begin(2)
        assert clock.now == before
        clock.now += 31


def test_calls_without_a_limit_count_for_those_that_have_one(clock: Clock) -> None:
    limit = Limiter(clock.read, clock)
    assert starts(limit, clock, None, 4) == [0, 0, 0, 0]
    assert starts(limit, clock, 5, 2) == [0, 60]
    assert starts(limit, clock, 1, 1) == [120]


class Crowd:
    """How many requests are being answered at once, by model."""

    def __init__(self, together: int) -> None:
        self._lock, self._pairs = threading.Lock(), threading.Barrier(together)
        self.now: dict[str, int] = {}
        self.most: dict[str, int] = {}

    def __call__(self, request: ChatRequest) -> str:
        model = request.model
        with self._lock:
            self.now[model] = self.now.get(model, 0) + 1
            self.most[model] = max(self.most.get(model, 0), self.now[model])
        self._pairs.wait(30)  # so many do come together
        time.sleep(0.05)  # and more would, if they could
        with self._lock:
            self.now[model] -= 1
        return "Hi."


def test_no_more_than_so_many_are_under_way_whichever_client_asks() -> None:
    crowd = Crowd(2)
    with StandInServer(crowd) as server, must_end():
        clients = [
            ChatClient(ModelSettings("m", server.base_url, concurrency=2, temperature=t))
            for t in (0.0, 1.0)
        ]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: clients[n % 2].complete(ASKED), range(8)))
        assert not server.failures
    assert crowd.most == {"m": 2}


def test_a_call_ends_with_the_turn_that_it_is_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with StandInServer(lambda request: Answer(error=Broken.HANG)) as server, must_end():
        client = ChatClient(ModelSettings("m", server.base_url, timeout=600, retries=5))
        with waited_for(-1), pytest.raises(ModelUnavailable):
            client.complete(ASKED)
        assert server.hits == 0  # nobody waits any more: not one request
        left = iter([0.2])
        monkeypatch.setattr("pytest_todeval.models.limits.remaining", lambda: next(left, -1))
        monkeypatch.setattr("pytest_todeval.models.limits.GRACE", 0.0)
        with pytest.raises(ModelUnavailable):
            client.complete(ASKED)
        assert server.hits == 1  # it ends with the turn, and is not tried again


def test_another_model_has_a_limit_of_its_own() -> None:
    crowd = Crowd(2)
    with StandInServer(crowd) as server, must_end():
        clients = [ChatClient(ModelSettings(m, server.base_url, concurrency=1)) for m in "ab"]
        with ThreadPoolExecutor(2) as pool:  # each is answered only while the other one is
            assert len(list(pool.map(lambda client: client.complete(ASKED), clients))) == 2
    assert crowd.most == {"a": 1, "b": 1}


@pytest.mark.parametrize("broken", [Status(500), Broken.RESET, Broken.MALFORMED, Broken.CUT])
def test_a_call_that_fails_makes_room_for_the_next(broken: Status | Broken) -> None:
    with StandInServer(lambda request: Answer("Hi.", error=broken)) as server, must_end():
        client = ChatClient(ModelSettings("m", server.base_url, concurrency=1, retries=0))
        for _ in range(2):
            with pytest.raises(ModelUnavailable):
                client.complete(ASKED)


def test_every_try_counts_as_a_call() -> None:
    busy = Answer(error=Status(429, retry_after=0.01))
    with StandInServer.script([busy, busy, "Hi."]) as server:
        ChatClient(ModelSettings("m", server.base_url, retries=2)).complete(ASKED)
        began = limiter(server.base_url, "m")._begun
        assert len(began) == server.hits == 3


def test_time_spent_waiting_for_a_limit_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 5000.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks))
    passed = Passage(Limiter(), ModelSettings("m"))
    passed.wait()
    assert passed.waited == 5000.0


def test_a_call_makes_room_once_and_waits_again_if_it_is_tried_after_that() -> None:
    limit = Limiter()
    passed = Passage(limit, ModelSettings("m"))
    for _ in range(2):
        passed.wait()
        passed.wait()
        assert limit._under_way == 1
        passed.leave()
        passed.leave()
        assert limit._under_way == 0


def test_latency_is_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Passage, "wait", lambda passed: setattr(passed, "waited", 1e6))
    with StandInServer(lambda request: "Hi.") as server:
        assert ChatClient(ModelSettings("m", server.base_url)).complete(ASKED).spent.latency == 0


def tape(path: Path, mode: str) -> Tape:
    return Tape(path, test="test_it", dialogue="d", modes=modes_from(mode))


def test_a_replayed_call_waits_for_nothing_and_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.todeval.jsonl"
    with StandInServer(lambda request: "Hi.") as server:
        settings = ModelSettings("m", server.base_url, per_minute=1, concurrency=1)
        client = ChatClient(settings)
        with tape(path, "rewrite") as recording, in_lane("d", Lane.USER, 1):
            client.complete(ASKED)
            recording.finish(keep=True)
        limit = limiter(server.base_url, "m")
        assert len(limit._begun) == 1
        limit.enter(1)  # full by both limits: a real call would have to wait
        for _ in range(3):
            with must_end(), tape(path, "replay"), in_lane("d", Lane.USER, 1):
                assert client.complete(ASKED).text == "Hi."
        assert (server.hits, len(limit._begun)) == (1, 1)


def test_no_call_begins_before_the_pause_that_an_endpoint_asks_for_is_over(clock: Clock) -> None:
    limit = Limiter(clock.read, clock)
    limit.pause(7)
    limit.pause(3)  # asked for by an answer to another call: the longer one holds
    assert starts(limit, clock, None, 2) == [7, 7]
    limit.pause(5)
    assert starts(limit, clock, 3, 1) == [12]


def test_an_endpoint_that_has_too_many_requests_slows_all_who_ask_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    monkeypatch.setattr(Limiter, "pause", lambda _, seconds: asked.append(seconds))
    answers = iter([Answer(error=Status(429, retry_after=20)), Answer("Hello.")])
    with StandInServer(lambda _: next(answers)) as server:
        client = ChatClient(ModelSettings("m", base_url=server.base_url, retries=1))
        with tape(tmp_path / "c.jsonl", "rewrite") as recording, in_lane("d", Lane.USER, 1):
            with must_end():  # the client itself waits for nothing
                assert client.complete(ASKED).text == "Hello."
            recording.finish(keep=True)
        assert asked == [20]
    with must_end(), tape(tmp_path / "c.jsonl", "replay"), in_lane("d", Lane.USER, 1):
        assert client.complete(ASKED).text == "Hello."
    assert asked == [20]  # a replayed answer asks for nothing


def test_time_in_the_queue_is_no_time_of_the_one_who_is_waited_for() -> None:
    def slow(queued: bool) -> str:
        with queueing() if queued else nullcontext():
            time.sleep(0.3)
        return "said"

    async def ask(queued: bool) -> str:
        worker = Worker("queue")
        try:
            with waited_for(0.1) as deadline:
                found: str = await within(deadline, worker.call(slow, queued))
        finally:
            worker.close()
        return found

    assert asyncio.run(ask(True)) == "said"
    with pytest.raises(TimedOut):
        asyncio.run(ask(False))
