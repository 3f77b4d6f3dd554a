"""Made-up checkouts in the shapes of tau-bench and tau2, for tests that need none of theirs."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_todeval.backends.state_hash import hashable
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.tau2.tasks import load_tau2_tasks
from pytest_todeval.worlds.tau2.world import Tau2World
from pytest_todeval.worlds.tau_bench.tasks import load_tau_bench_tasks
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld

LIBRARY_TASKS = """
from tau_bench.types import Action, Task

TASKS_TEST = [
    Task(
        annotator="us",
        user_id="ada_1",
        instruction="You are Ada and want to renew " "your loan of 'Tides'.",
        actions=[Action(name="renew", kwargs={"loan": "L1", "weeks": 2, "fee": -0.5})],
        outputs=["3 May"],
    ),
    Task(
        annotator="us",
        user_id="bo_2",
        instruction="You are Bo and want a book that is lent out.",
        actions=[],
        outputs=[],
    ),
    Task(
        annotator="us",
        user_id="cy_3",
        instruction="You are Cy and want to return two books.",
        actions=[
            Action(name="give_back", kwargs={"loan": "L2"}),
            Action(name="give_back", kwargs={"loan": "L3"}),
        ],
        outputs=[],
    ),
]
"""

MARK = """
from pathlib import Path

Path(__file__).with_name("executed").write_text("this file was run")
"""
"""Leaves a mark in the folder where it is run."""


def tau_bench_goals(home: Path, domain: str, split: str = "test") -> GoalSet:
    """The tasks in a checkout as a goal set."""
    goals, fingerprint = load_tau_bench_tasks(home, domain, split)
    return GoalSet(f"tau_bench/{domain}", goals, fingerprint, TauBenchWorld(domain, home))


def tau2_goals(home: Path, domain: str, split: str = "base") -> GoalSet:
    """The tasks in a checkout as a goal set."""
    goals, fingerprint = load_tau2_tasks(home, domain, split)
    return GoalSet(f"tau2/{domain}", goals, fingerprint, Tau2World(domain, home))


def tau_bench_checkout(home: Path, tasks: str = LIBRARY_TASKS, split: str = "test") -> Path:
    """A checkout with the domain `library`, whose every other module leaves a mark when run."""
    folder = home / "tau_bench" / "envs" / "library"
    for place in (folder / "data", folder / "tools"):
        place.mkdir(parents=True, exist_ok=True)
    packages = (home / "tau_bench", home / "tau_bench" / "envs", folder, folder / "tools")
    for package in packages:
        (package / "__init__.py").write_text(MARK, encoding="utf-8")
    (folder / f"tasks_{split}.py").write_text(tasks, encoding="utf-8", errors="surrogatepass")
    (folder / "data" / "loans.json").write_text('{"L1": {"book": "Tides"}}', encoding="utf-8")
    (folder / "wiki.md").write_text("Loans can be renewed once.\n", encoding="utf-8")
    return home


def tau2_task(id: str, **others: Any) -> dict[str, Any]:
    """A task in tau2's shape."""
    instructions = {
        "task_instructions": "You are patient.",
        "domain": "garden",
        "reason_for_call": "You want your hedge cut.",
        "known_info": "You are Dee.",
        "unknown_info": None,
    }
    scenario = {"persona": None, "instructions": instructions}
    criteria = {"actions": [], "reward_basis": ["DB"]}
    return {"id": id, "user_scenario": scenario, "evaluation_criteria": criteria, **others}


GARDEN_TASKS = [tau2_task("0"), tau2_task("1"), tau2_task("cut[hedge|low][PERSONA:Easy]")]
GARDEN_SPLITS = {"base": [task["id"] for task in GARDEN_TASKS], "small": ["1"]}


def tau2_checkout(home: Path, tasks: Any = GARDEN_TASKS, splits: Any = GARDEN_SPLITS) -> Path:
    """A checkout with the domain `garden`, whose code leaves a mark when run."""
    folder = home / "data" / "tau2" / "domains" / "garden"
    code = home / "src" / "tau2" / "domains" / "garden"
    for place in (folder, code):
        place.mkdir(parents=True, exist_ok=True)
    for package in (code, code.parent, code.parent.parent):
        (package / "__init__.py").write_text(MARK, encoding="utf-8")
    (folder / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    (folder / "policy.md").write_text("Hedges are cut in March.\n", encoding="utf-8")
    (folder / "db.json").write_text('{"hedges": {}}', encoding="utf-8")
    if splits is not None:
        (folder / "split_tasks.json").write_text(json.dumps(splits), encoding="utf-8")
    return home


def marks(home: Path) -> list[Path]:
    """The marks left by code that was run."""
    return list(home.rglob("executed"))


def consistent_hash(value: Any) -> str:
    """tau-bench's hash of any plain value, all of it rendered."""
    return sha256(str(hashable(value)).encode("utf-8")).hexdigest()
