"""What a worker is told, and which workers cannot take part."""

import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.integration.option_values import SAID, START
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.workers import NUMBER, prepare

OURS = version("pytest-todeval")
HERE = sys.version_info[:2]


class Spec:
    """Of xdist: how a worker was asked for."""

    def __init__(self, id: str, **given: Any) -> None:
        self.id = id
        self.popen, self.chdir, self.python = True, None, None
        vars(self).update(given)

    def __str__(self) -> str:
        return "execmodel=main_thread_only//ssh=far//python=x"


def node(spec: Spec, *others: Spec, says: Any = (HERE, OURS), start: str = ".") -> Any:
    """A worker before its start, whose Python says of itself what it is."""
    asked: list[str] = []

    def remote_exec(source: str) -> Any:
        asked.append(source)
        return SimpleNamespace(receive=lambda: says)

    root = Path("/shop")
    config = SimpleNamespace(
        rootpath=root, invocation_params=SimpleNamespace(dir=root / start, args=())
    )
    return SimpleNamespace(
        gateway=SimpleNamespace(spec=spec, remote_exec=remote_exec),
        config=config,
        nodemanager=SimpleNamespace(specs=[*others, spec] if spec.id != "gw9" else list(others)),
        workerinput={},
        asked=asked,
    )


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The settings of the run."""
    given = {"record": "replay", "user": "agenda"}
    monkeypatch.setattr(Settings, "of", lambda _: Settings(**given))  # type: ignore[arg-type]
    return given


def test_workers_are_numbered_and_one_that_stands_in_comes_after_all(record: Any) -> None:
    first, second = Spec("gw0"), Spec("gw1")
    found = node(second, first)
    prepare(found)
    assert (found.workerinput, found.asked) == ({NUMBER: 1, SAID: []}, [])
    found = node(Spec("gw9"), first, second)
    prepare(found)
    assert found.workerinput == {NUMBER: 2, SAID: []}


@pytest.mark.parametrize("given", [{"popen": False}, {"chdir": "copy"}])
def test_one_elsewhere_is_told_where_the_run_began(record: Any, given: dict[str, Any]) -> None:
    found = node(Spec("gw0", **given), start="tests/deep", says=((2, 7), OURS))
    prepare(found)
    assert found.workerinput == {NUMBER: 0, START: "tests/deep", SAID: []}
    assert len(found.asked) == 1


@pytest.mark.parametrize("mode", ["missing", "rewrite", "user:missing"])
def test_one_elsewhere_cannot_record(record: dict[str, str], mode: str) -> None:
    record["record"] = mode
    with pytest.raises(
        pytest.UsageError, match=rf"record={mode}: worker gw0 \(ssh=far//python=x\)"
    ):
        prepare(node(Spec("gw0", popen=False)))
    prepare(node(Spec("gw0", python="x")))
    record["record"] = "live"
    prepare(node(Spec("gw0", popen=False)))


def test_one_of_another_package_or_python_is_refused(record: dict[str, str]) -> None:
    other, here = Spec("gw0", popen=False), Spec("gw0", python="x")
    for spec in (other, here):
        with pytest.raises(
            pytest.UsageError, match=rf": pytest-todeval 0\.0, here it is {OURS} \("
        ):
            prepare(node(spec, says=(HERE, "0.0")))
        with pytest.raises(pytest.UsageError, match=rf": no pytest-todeval \(.*=={OURS}` there"):
            prepare(node(spec, says=(HERE, "")))
    with pytest.raises(pytest.UsageError, match=rf"Python 2\.7, here it is {HERE[0]}\.{HERE[1]}, "):
        prepare(node(here, says=([2, 7], OURS)))
    prepare(node(here, says=(list(HERE), OURS)))
    record.clear()
    prepare(node(here, says=([2, 7], OURS)))
