"""Which cassettes belong to no test, and which runs can tell."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.integration import orphans
from pytest_todeval.integration.case import CASSETTE
from pytest_todeval.integration.orphans import DESELECTED, Orphans

Source = pytest.Config.ArgsSource


class Config:
    """What is asked of pytest's configuration."""

    args_source = Source.TESTPATHS

    def __init__(self, root: Path, **options: Any) -> None:
        self.rootpath, self.args = root, [str(root)]
        self.invocation_params = SimpleNamespace(dir=root)
        self.options, self.paths = options, list[str]()

    def getoption(self, name: str, default: object) -> object:
        return self.options.get(name, default)

    def getini(self, name: str) -> list[str]:
        assert name == "testpaths"
        return self.paths


@pytest.fixture
def config(tmp_path: Path) -> Any:
    return Config(tmp_path)


def cassette(root: Path, name: str, header: object) -> Path:
    path = root / "cassettes" / f"{name}.todeval.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text(header if isinstance(header, str) else json.dumps(header) + "\n")
    return path


def report(nodeid: str, played: Path | None = None) -> Any:
    extra = {} if played is None else {CASSETTE: str(played)}
    return SimpleNamespace(nodeid=nodeid, **extra)


def found(seen: Orphans, exit: int = 0, *, fail: str = "", stop: str = "") -> list[str]:
    session: Any = SimpleNamespace(shouldfail=fail, shouldstop=stop)
    seen._found = []
    seen.pytest_sessionfinish(session, exit)
    return [path.name.partition(".")[0] for path in seen._found]


@pytest.fixture
def seen(config: Any) -> Orphans:
    """A whole run of `test_a.py`, in which one test played, beside cassettes of all kinds."""
    root = config.rootpath
    (root / "test_b.py").touch()
    played = cassette(root, "played", {"test": "test_gone.py::test"})
    for name, test in {
        "ran": "test_a.py::test_ran",
        "renamed": "test_a.py::test_old",
        "not_run": "test_b.py::test",
        "deleted": "test_c.py::test",
        "process": "(the process)",
    }.items():
        cassette(root, name, {"test": test})
    for name, header in {"list": [], "none": {}, "odd": {"test": 7}, "torn": "{"}.items():
        cassette(root, name, header)
    seen = Orphans(config)
    seen.pytest_runtest_logreport(report("test_a.py::test_ran", played))
    return seen


def test_an_orphan_is_of_a_test_that_a_file_of_the_run_or_no_file_has(seen: Orphans) -> None:
    assert found(seen) == ["deleted", "renamed"]
    assert found(seen, pytest.ExitCode.TESTS_FAILED) == ["deleted", "renamed"]


def test_a_run_that_did_not_come_to_its_end_tells_nothing(seen: Orphans) -> None:
    assert found(seen, pytest.ExitCode.INTERRUPTED) == []
    assert found(seen, fail="stopping after 1 failures") == []
    assert found(seen, stop="stopping after 1 failures") == []
    seen.pytest_deselected()
    assert found(seen) == []


@pytest.mark.parametrize(
    ("told", "count"), [({DESELECTED: False}, 2), ({DESELECTED: True}, 0), ({}, 0)]
)
def test_workers_tell_what_was_deselected(seen: Orphans, told: dict[str, bool], count: int) -> None:
    seen.pytest_testnodedown(SimpleNamespace(workeroutput=told))
    assert len(found(seen)) == count


def test_a_worker_tells_the_controller_alone(config: Any) -> None:
    config.workerinput, config.workeroutput = {}, {}
    worker = Orphans(config)
    assert found(worker) == []
    assert config.workeroutput == {DESELECTED: False}
    worker.pytest_deselected()
    found(worker)
    assert config.workeroutput == {DESELECTED: True}


@pytest.mark.parametrize("name", ["collectonly", "todeval_limit", "todeval_trials", "lf"])
def test_a_run_of_some_is_not_whole(tmp_path: Path, name: str) -> None:
    config: Any = Config(tmp_path, **{name: 1})
    assert not orphans._is_whole(config)


def test_arguments_that_name_the_whole_suite(config: Any) -> None:
    root = config.rootpath
    assert orphans._is_whole(config)
    config.args_source = Source.ARGS
    assert orphans._is_whole(config)
    config.args = ["tests", "more"]
    assert not orphans._is_whole(config)
    config.paths = ["tests"]
    assert orphans._is_whole(config)
    config.paths = ["tests", "more"]
    assert orphans._is_whole(config)
    config.paths = ["tests", "more", "others"]
    assert not orphans._is_whole(config)
    config.invocation_params.dir, config.args = root / "deep", [".."]
    assert orphans._is_whole(config)


def test_the_line_counts_them_and_lists_five() -> None:
    root = Path("/shop")
    one, *_ = many = [root / f"cassettes/{n}\x1b" for n in range(6)]
    line = orphans._line([one], root)
    assert line.startswith("orphans: 1 cassette belongs to no test: cassettes/0\\x1b; `pytest")
    assert orphans._line(many[:5], root).count("cassettes/") == 5
    assert "..." not in orphans._line(many[:5], root)
    line = orphans._line(many, root)
    assert line.startswith("orphans: 6 cassettes belong to no test: cassettes/0")
    assert "cassettes/4\\x1b, ...; " in line
