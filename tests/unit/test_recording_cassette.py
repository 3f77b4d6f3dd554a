"""The contract with vcrpy: its stubs, asking our cassette, play and record."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]
from vcr.stubs.httpx_stubs import vcr_handle_request  # type: ignore[import-untyped]

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.cassette import RoutedCassette
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.tape import Tape


class Transport:
    """Answers with the number of the call; stands for what a stub of vcrpy wraps."""

    def __init__(self) -> None:
        self.calls = 0

    def handle(self, _: object, request: httpx.Request) -> httpx.Response:
        self.calls += 1
        stream = httpx.ByteStream(f'{{"number":{self.calls}}}'.encode())
        headers = [("content-type", "application/json"), ("set-cookie", "a=b")]
        return httpx.Response(200, headers=headers, stream=stream, request=request)


def stub(transport: Transport) -> Callable[[str], Any]:
    handle = vcr_handle_request(RoutedCassette(Router.of_process()), transport.handle, httpx)

    def ask(prompt: str) -> Any:
        response = handle(None, httpx.Request("POST", "http://model.test/v1", json={"p": prompt}))
        response.read()
        return response.json()["number"]

    return ask


def open_tape(path: Path, mode: str) -> Tape:
    return Tape(path, test="t", dialogue="d", modes=modes_from(mode))


def test_a_stub_of_vcrpy_records_and_plays(tmp_path: Path) -> None:
    transport = Transport()
    ask = stub(transport)
    with open_tape(tmp_path / "t", "rewrite") as tape, in_lane("d", Lane.SYSTEM, 1):
        assert [ask("a"), ask("b"), ask("a")] == [1, 2, 3]
        tape.finish(keep=True)
    with open_tape(tmp_path / "t", "replay") as tape, in_lane("d", Lane.SYSTEM, 1):
        assert [ask("b"), ask("a"), ask("a")] == [2, 1, 3]
        with pytest.raises(CassetteMiss):
            ask("c")
        assert len(tape.misses) == 1
    assert transport.calls == 3


def test_without_a_tape_a_stub_only_makes_the_call() -> None:
    transport = Transport()
    assert stub(transport)("a") == 1


def test_threads_do_not_take_each_others_response(tmp_path: Path) -> None:
    transport = Transport()
    ask = stub(transport)
    with open_tape(tmp_path / "t", "rewrite") as tape, in_lane("d", Lane.SYSTEM, 1):
        recorded = {f"p{i}": ask(f"p{i}") for i in range(40)}
        tape.finish(keep=True)
    played: dict[str, int] = {}

    def some(start: int) -> None:
        for number in range(start, 40, 8):
            played[f"p{number}"] = ask(f"p{number}")

    with open_tape(tmp_path / "t", "replay"), in_lane("d", Lane.SYSTEM, 1):
        threads = [threading.Thread(target=some, args=(start,)) for start in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert played == recorded


def test_bodies_and_headers_as_other_stubs_give_them(tmp_path: Path) -> None:
    cassette = RoutedCassette(Router.of_process())
    request = VcrRequest("GET", "http://model.test:81/x?q=1", None, {"Content-Type": ["a/b"]})
    with open_tape(tmp_path / "t", "rewrite") as tape, in_lane("d", Lane.SYSTEM, 1):
        assert not cassette.can_play_response_for(request)
        answer = {"status": {"code": 204}, "headers": {"x": "y"}, "body": {}}
        cassette.append(request, answer)
        assert cassette.filter_request(request) is request
        tape.finish(keep=True)
    with open_tape(tmp_path / "t", "replay"), in_lane("d", Lane.SYSTEM, 1):
        assert cassette.can_play_response_for(request)
        assert cassette.play_response(request)["status"]["code"] == 204
