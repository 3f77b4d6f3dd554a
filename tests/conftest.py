"""Shared fixtures of the project's own tests."""

import gc
import os
import runpy
import signal
import ssl
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from _pytest.capture import CaptureResult
from hypothesis import settings

import tests.support.examples  # noqa: F401 - hypothesis' profiles, before its plugin loads one
from pytest_todeval.recording.jail import kernel

pytest_plugins = ["pytester"]

PROJECT = Path(__file__).resolve().parent.parent
NO_OTHERS = "-p no:hypothesispytest -p no:anyio -p no:rerunfailures"
"""PYTEST_ADDOPTS of runs within tests: what else is installed here costs more CPU than the run."""

# Runs within tests start a few hundred processes: without bytecode kept on disk, pytest rewrites
# the assertions of the whole package in each of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# What a run refuses in CI has tests of its own, which say that they are there.
os.environ.pop("CI", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough",
        action="store_true",
        help="Run the tests marked `thorough` too, and try properties on all their examples.",
    )
    parser.addoption(
        "--room",
        action="append",
        default=[],
        help="Run the tests of a folder of the package: `--room evidence`. May be given again.",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: to look through it for garbage again and again is a waste."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def files_of(room: str) -> list[str]:
    """The test files that look after a room, as `benchmarks/mutants.py` lists them."""
    rooms = runpy.run_path(str(PROJECT / "benchmarks" / "mutants.py"))["ROOMS"]
    if room not in rooms:
        raise pytest.UsageError(f"there is no room {room!r}; rooms: {', '.join(rooms)}")
    return [str(path) for pattern in rooms[room].tests for path in sorted(PROJECT.glob(pattern))]


def pytest_configure(config: pytest.Config) -> None:
    if rooms := config.getoption("--room"):
        config.args = [path for room in rooms for path in files_of(room)]
    if config.getoption("--thorough"):
        seeded = config.getoption("--hypothesis-seed") is not None
        settings.load_profile("random" if seeded else "thorough")
    if getattr(config.option, "dist", None) == "load":
        config.option.dist = "worksteal"  # the slow tests lie together


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--thorough"):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session", autouse=True)
def no_kernel() -> Iterator[None]:
    """No filter over this process: it would hold for good, and those that it starts get no own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "why_not", lambda: "not over these tests")
        yield


@pytest.fixture(scope="session", autouse=True)
def no_certificates() -> Iterator[None]:
    """No server of these tests speaks TLS, and reading the certificates costs each client 20 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl.SSLContext, "load_verify_locations", lambda *_, **__: None)
        yield


class Todeval:
    """The command `todeval`, run in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object, code: int = 0) -> CaptureResult[str]:
        """What it prints, once it has ended with this exit code."""
        from pytest_todeval.cli import main

        ended = main([str(word) for word in words])
        printed = self._capsys.readouterr()
        assert ended == code, printed.out + printed.err
        return printed


@pytest.fixture
def todeval(capsys: pytest.CaptureFixture[str]) -> Todeval:
    """See `Todeval`."""
    return Todeval(capsys)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real data; tests that need it skip, saying so, if it is absent."""
    for place in (os.environ.get("TODEVAL_DATA"), str(PROJECT.parent / "shared" / "data")):
        if place and (Path(place) / "multiwoz").is_dir():
            return Path(place)
    pytest.skip("real data not found: set TODEVAL_DATA to a folder that holds `multiwoz/`")


@pytest.fixture(scope="session")
def tau_home() -> Path:
    """A checkout of tau-bench; tests that need it skip, saying so, if there is none."""
    place = os.environ.get("TAU_BENCH_HOME")
    if not place:
        pytest.skip("no tau-bench: set TAU_BENCH_HOME to a checkout of it")
    return Path(place)


@contextmanager
def must_end(seconds: int = 60) -> Iterator[None]:
    """Fail what does not come to an end; no measure of speed, which benchmarks take."""

    def fail(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"it has not ended after {seconds} s")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
