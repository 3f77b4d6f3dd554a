"""How xdist hands out the tests of a run that ends once it is decided."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_todeval.integration.one_at_a_time import OneAtATime

TESTS = [f"t{number}" for number in range(12)]


class Options:
    """What the scheduler asks of pytest's configuration."""

    def getvalue(self, name: str) -> list[str]:
        assert name == "tx"
        return ["popen", "popen"]

    def getoption(self, name: str) -> None:
        assert name == "maxschedchunk"


class Process:
    """A worker, as far as the scheduler sees it."""

    gateway = SimpleNamespace(id="gw")

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.shutting_down = False

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        self.sent += indices

    def shutdown(self) -> None:
        self.shutting_down = True


class Spread:
    """Two workers with the same tests, and the scheduler that serves them."""

    def __init__(self, tests: Sequence[str] = TESTS) -> None:
        self.left_out: set[str] = set()
        config = cast("pytest.Config", Options())
        self.scheduler: Any = OneAtATime(config, None, lambda: self.left_out)
        self.processes = Process(), Process()
        for process in self.processes:
            self.scheduler.add_node(process)
            self.scheduler.add_node_collection(process, tests)
        self.scheduler.schedule()

    def finish(self, process: Process, place: int) -> None:
        self.scheduler.mark_test_complete(process, place, duration=0.0)


def test_a_process_has_the_test_it_runs_and_the_next_one_in_order() -> None:
    spread = Spread()
    one, other = spread.processes
    assert (one.sent, other.sent) == ([0, 1], [2, 3])

    spread.finish(other, 2)
    spread.finish(other, 3)
    spread.finish(one, 0)

    assert (one.sent, other.sent) == ([0, 1, 6], [2, 3, 4, 5])


def test_once_a_run_is_decided_tests_that_are_left_out_do_not_begin() -> None:
    spread = Spread()
    one, other = spread.processes

    spread.left_out = {*TESTS} - {"t9"}
    spread.finish(one, 0)
    assert one.sent == [0, 1, 9]
    spread.finish(other, 2)

    assert other.sent == [2, 3]
    assert other.shutting_down
    assert spread.scheduler.pending == []


def test_a_crash_gives_back_only_what_is_still_wanted() -> None:
    spread = Spread()
    one, other = spread.processes
    spread.left_out = {*TESTS}

    assert spread.scheduler.remove_node(one) == "t0"

    assert other.sent == [2, 3]
    assert other.shutting_down


def test_fewer_tests_than_two_for_each_process() -> None:
    spread = Spread(TESTS[:3])
    one, other = spread.processes
    assert (one.sent, other.sent) == ([0, 2], [1])
    assert one.shutting_down
    assert other.shutting_down
