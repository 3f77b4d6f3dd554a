"""Suites as a user would write them, run through pytester."""

import importlib
import os
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import pytest_todeval
from tests.conftest import NO_OTHERS, PROJECT
from tests.support.forks import Forks

FORKS = Forks()
ASKING = Forks(
    "openai",
    "openai.resources.chat",
    "http.server",
    "urllib.request",
    "pytest_todeval.evaluate.judge.llm_judge.judge",
    "pytest_todeval.evaluate.judge.llm_judge.dimensions",
    "pytest_todeval.simulation.llm_user",
    "pytest_todeval.simulation.systems.chat",
)

RULE_SYSTEM = """
import pytest

@pytest.fixture(scope="session")
def tod_system():
    from pytest_todeval.systems import RuleSystem
    return RuleSystem
"""

BOOKING_TEST = """
import pytest

@pytest.mark.goals("demo", booking=True, limit=6, seed=1)
def test_books(dialogue):
    assert dialogue.booking
"""

PROCESSES = [
    pytest.param(["-n0"], id="n0"),
    pytest.param(["-n2"], id="n2", marks=pytest.mark.thorough),
]
WITHOUT_XDIST = [
    pytest.param(["-p", "no:xdist"], id="no-xdist", marks=pytest.mark.thorough),
    *PROCESSES,
]
"""For what asks if xdist is there: plans, progress, orphans, gates, shards, cassettes."""

Suite = Callable[..., pytest.Pytester]


@pytest.fixture(scope="session", autouse=True)
def loaded() -> None:
    """Runs in this process forget what they import: all that they may need is imported before.

    Else each of them would put its own patches of the HTTP clients over those of the one before.
    """
    with suppress(ImportError):
        import aiohttp  # noqa: F401 - first, as an import of its adapter would else meet itself
    for module in pkgutil.walk_packages(pytest_todeval.__path__, "pytest_todeval."):
        importlib.import_module(module.name)


def recordings(folder: Path) -> dict[Path, bytes]:
    """The cassettes below a folder."""
    found = folder.glob("cassettes/**/*.todeval.jsonl")
    return {path.relative_to(folder): path.read_bytes() for path in found}


def put_back(kept: Mapping[Path, bytes], folder: Path) -> None:
    """Write what `recordings` found into another folder."""
    for path, content in kept.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


@pytest.fixture(scope="module")
def kept() -> dict[Path, bytes]:
    """What the suite of a module records, once it was recorded."""
    return {}


@contextmanager
def recorded_once(kept: dict[Path, bytes], folder: Path) -> Iterator[bool]:
    """Whether the suite is to be recorded; from then on its cassettes are put into each folder."""
    yield not kept
    if not kept:
        kept.update(recordings(folder))
    put_back(kept, folder)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A run that calls no model, in this process unless it is spread: starting one costs most.

    Not for runs that hang, record, or patch what the outer run needs.
    """
    spread = not {"-n1", "-n2"}.isdisjoint(arguments)
    return apart(pytester, *arguments) if spread else pytester.runpytest_inprocess(*arguments)


def apart(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A run in a process of its own, where it may record, hang, or leave by `os._exit`."""
    return _forked(FORKS, pytester, arguments)


def asking(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A run apart in which models are asked: openai is imported before this package is."""
    return _forked(ASKING, pytester, arguments)


def _forked(
    forks: Forks, pytester: pytest.Pytester, arguments: tuple[str, ...]
) -> pytest.RunResult:
    can_fork = hasattr(os, "fork")
    return (forks.run if can_fork else pytest.Pytester.runpytest_subprocess)(pytester, *arguments)


@pytest.fixture(scope="session", autouse=True)
def forks() -> Iterator[None]:
    """The processes that fork runs end with these tests."""
    yield
    FORKS.close()
    ASKING.close()


@pytest.fixture(autouse=True)
def no_plugins_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """See `NO_OTHERS`."""
    monkeypatch.setenv("PYTEST_ADDOPTS", NO_OTHERS)


@pytest.fixture
def tests_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run's own conftest can import `tests.support`, wherever this package is installed."""
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))


@pytest.fixture(params=PROCESSES)
def processes(request: pytest.FixtureRequest) -> list[str]:
    """The ways to spread a run; promises hold in each."""
    arguments: list[str] = request.param
    return arguments


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Suite:
    """Write a conftest and a test file: by default the reference bot and a booking test."""

    def write(test: str = BOOKING_TEST, conftest: str = RULE_SYSTEM) -> pytest.Pytester:
        pytester.makeconftest(conftest)
        pytester.makepyfile(test_bot=test)
        return pytester

    return write
