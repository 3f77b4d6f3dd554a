"""The published tasks, read from the checkouts that TAU_BENCH_HOME and TAU2_BENCH_HOME name."""

import builtins
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.tau2.world import HOME as TAU2_HOME
from pytest_todeval.worlds.tau_bench.world import HOME as TAU_BENCH_HOME
from tests.support.tau_world import tau2_goals, tau_bench_goals

TAU_BENCH = [("retail", "test", 115), ("retail", "train", 500), ("retail", "dev", 20)]
TAU_BENCH += [("airline", "test", 50)]
TAU2 = [("airline", "base", 50), ("airline", "train", 30), ("airline", "test", 20)]
TAU2 += [("retail", "base", 114), ("retail", "train", 74), ("retail", "test", 40)]
TAU2 += [("telecom", "base", 114), ("telecom", "small", 20), ("telecom", "full", 2285)]
TAU2 += [("mock", "base", 10), ("banking_knowledge", "base", 97)]
MAX_OPENED = 60
"""Files per split: tasks, tables, policy and each tool's module; not the users' results."""
MAX_OPENED_PER_TASK = 2
"""Of a domain with a file per task: to read it, and for the fingerprint."""


@pytest.fixture(scope="module")
def tau_bench() -> Path:
    try:
        return TAU_BENCH_HOME.find()
    except DataMissing:
        pytest.skip("no tau-bench: set TAU_BENCH_HOME to a checkout of it")


@pytest.fixture(scope="module")
def tau2() -> Path:
    try:
        return TAU2_HOME.find()
    except DataMissing:
        pytest.skip("no tau2-bench: set TAU2_BENCH_HOME to a checkout of it")


@contextmanager
def opened(monkeypatch: pytest.MonkeyPatch, below: Path) -> Iterator[list[str]]:
    """The files below a folder that are opened meanwhile."""
    files: list[str] = []
    original = io.open

    def watched(file: Any, *arguments: Any, **options: Any) -> Any:
        if str(file).startswith(str(below)):
            files.append(str(file))
        return original(file, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(io, "open", watched)
        patch.setattr(builtins, "open", watched)
        yield files


def whole(goal_set: GoalSet, count: int) -> None:
    """As many goals as published, each with an id of its own and something to tell its user."""
    assert len(goal_set.goals) == count
    assert len({goal.id for goal in goal_set.goals}) == count
    assert all(any(line.strip() for line in goal.message) for goal in goal_set.goals)


@pytest.mark.parametrize(("domain", "split", "count"), TAU_BENCH)
def test_tau_bench_has_as_many_tasks_as_published(
    tau_bench: Path, monkeypatch: pytest.MonkeyPatch, domain: str, split: str, count: int
) -> None:
    with opened(monkeypatch, tau_bench) as files:
        whole(tau_bench_goals(tau_bench, domain, split), count)
    assert 0 < len(files) <= MAX_OPENED
    assert "tau_bench" not in sys.modules


@pytest.mark.parametrize(
    ("domain", "split"), [("retail", "test"), ("retail", "dev"), ("airline", "test")]
)
def test_tasks_read_from_python_equal_those_kept_as_json(
    tau_bench: Path, shared_data: Path, domain: str, split: str
) -> None:
    kept = shared_data / "tau_bench" / domain / f"tasks_{split}.json"
    if not kept.is_file():
        pytest.skip(f"no {kept.name} of {domain} among the shared data")
    goals = tau_bench_goals(tau_bench, domain, split).goals
    assert [goal.raw for goal in goals] == json.loads(kept.read_text(encoding="utf-8"))


def test_every_published_action_is_read(tau_bench: Path) -> None:
    counts = [
        sum(len(g.raw["actions"]) for g in tau_bench_goals(tau_bench, domain, split).goals)
        for domain, split, _ in TAU_BENCH
    ]
    assert counts == [582, 768, 25, 158]


@pytest.mark.parametrize(("domain", "split", "count"), TAU2)
def test_tau2_has_as_many_tasks_as_published(
    tau2: Path, monkeypatch: pytest.MonkeyPatch, domain: str, split: str, count: int
) -> None:
    before = set(sys.modules)
    with opened(monkeypatch, tau2) as files:
        try:
            whole(tau2_goals(tau2, domain, split), count)
        except DataMissing as error:
            pytest.skip(f"this checkout of tau2-bench is incomplete: {str(error).splitlines()[0]}")
    assert 0 < len(files) <= MAX_OPENED + MAX_OPENED_PER_TASK * count
    assert not [name for name in set(sys.modules) - before if name.partition(".")[0] == "tau2"]


def test_retail_is_half_a_matter_of_sentences(tau2: Path) -> None:
    goals = tau2_goals(tau2, "retail").goals
    bases = [set(goal.raw["evaluation_criteria"]["reward_basis"]) for goal in goals]
    assert bases.count({"DB", "NL_ASSERTION"}) == 112


def test_the_registry_finds_both(tau_bench: Path, tau2: Path) -> None:
    places = {"tau_bench": tau_bench, "tau2": tau2}
    assert len(registry.load("tau_bench/airline", settings=places).goals) == 50
    assert len(registry.load("tau2/airline", settings=places).goals) == 50
