"""Whatever a file of tasks says, it becomes goals or a complaint, and none of it is run."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.goals.checkout import commit
from pytest_todeval.worlds.goal_set import GoalSet
from tests.support.examples import examples
from tests.support.tau_world import (
    LIBRARY_TASKS,
    marks,
    tau2_checkout,
    tau2_goals,
    tau2_task,
    tau_bench_checkout,
    tau_bench_goals,
)

RUN = "__import__('pathlib').Path(__file__).with_name('executed').touch()"
ODD = st.sampled_from(
    (
        RUN,
        f"[{RUN}]",
        f"@{RUN}\nclass A: pass",
        f"if True: {RUN}",
        f"TASKS_TEST = [lambda: {RUN}]",
        f"TASKS_TEST = [Task(user_id={RUN})]",
        f"TASKS_TEST.append(f'{{{RUN}}}')",
        f"TASKS_TEST: {RUN} = []",
        "TASKS_TEST += TASKS_TEST",
        "TASKS_TEST.append(TASKS_TEST)",
        "TASKS_TEST.extend(TASKS_TEST)",
        "A = [TASKS_TEST] * 1000",
        "TASKS_TEST = 1",
        "from os import *",
        "del TASKS_TEST",
        "TASKS_TEST = -" * 50 + "1",
        "x = 0x" + "f" * 9999,
        "x = ['" + "\\ud800" + "']",
    )
)
SYNTAX = st.text(alphabet="TASKS_=[](){}*+-.,:\n 'd1a", max_size=40)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
KEYS = st.sampled_from(("id", "user_scenario", "instructions", "persona", "base")) | st.text(
    max_size=4
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def outcome(home: Path, load: Callable[[Path], GoalSet]) -> tuple[Goal, ...]:
    """The goals, or none with a complaint that names the place; and nothing was run."""
    goals: tuple[Goal, ...] = ()
    said = str(home)
    try:
        goals = load(home).goals
    except InvalidFile as error:
        said = str(error)
    assert said.startswith(str(home))
    assert marks(home) == []
    return goals


def is_plain(value: object) -> bool:
    return bool(value == json.loads(json.dumps(value, allow_nan=False)))


@examples(60)
@given(statements=st.lists(ODD | SYNTAX, max_size=3), first=st.booleans())
@example(statements=[RUN], first=True)
def test_any_python_becomes_tasks_or_a_complaint(statements: list[str], first: bool) -> None:
    odd = "\n".join(statements)
    text = f"{odd}\n{LIBRARY_TASKS}" if first else f"{LIBRARY_TASKS}\n{odd}"
    with tempfile.TemporaryDirectory() as folder:
        home = tau_bench_checkout(Path(folder), text)
        goals = outcome(home, lambda home: tau_bench_goals(home, "library"))
        assert all(is_plain(goal.raw) for goal in goals)


@examples(50)
@given(source=st.binary(max_size=60))
@example(source=b"\xff\xfe")
@example(source=b"# coding: utf-7\nTASKS = []")
@example(source=b"TASKS = ['\x00']")
def test_any_bytes_become_a_complaint(source: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = tau_bench_checkout(Path(folder))
        (home / "tau_bench/envs/library/tasks_test.py").write_bytes(source)
        assert outcome(home, lambda home: tau_bench_goals(home, "library")) == ()


@examples(80)
@given(value=VALUES, whole=st.booleans(), splits=st.none() | VALUES)
@example(value={"id": "x", "user_scenario": {"instructions": "x"}}, whole=False, splits=None)
def test_any_json_becomes_tasks_or_a_complaint(value: Any, whole: bool, splits: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = tau2_checkout(Path(folder), value if whole else [tau2_task("0"), value], splits)
        if isinstance(splits, dict) and "base" not in splits:
            with pytest.raises(UsageError, match="no split 'base'"):
                tau2_goals(home, "garden")
            return
        goals = outcome(home, lambda home: tau2_goals(home, "garden"))
        assert all(is_plain(goal.raw) for goal in goals)


@examples(60)
@given(head=st.binary(max_size=50), packed=st.binary(max_size=80), file=st.booleans())
def test_any_git_folder_tells_a_commit_or_none(head: bytes, packed: bytes, file: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        git = Path(folder) / ".git"
        if file:
            git.write_bytes(b"gitdir: " + head)
        else:
            git.mkdir()
            (git / "HEAD").write_bytes(b"ref: refs/" + head)
            (git / "packed-refs").write_bytes(packed)
        found = commit(Path(folder))
        assert found == "" or (found.isalnum() and len(found) in (40, 64))
