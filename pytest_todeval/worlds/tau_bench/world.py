"""tau-bench as a world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pytest_todeval.core.goal import Goal
from pytest_todeval.goals.homes import ProjectHome
from pytest_todeval.worlds.asked import AskedGoals, task_ids
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.tasks import TaskWorld

if TYPE_CHECKING:
    from pytest_todeval.backends.tool_domain import ToolDomain
    from pytest_todeval.simulation.user import UserSimulator
    from pytest_todeval.worlds.upstream import OwnWays

HOME = ProjectHome(
    project="tau-bench",
    package="tau_bench",
    variable="TAU_BENCH_HOME",
    option="tau-home",
    mark="tau_bench/envs",
    above=1,
)
"""The folder that holds the package `tau_bench`: a checkout, or where it is installed."""


@dataclass(frozen=True)
class TauBenchWorld(TaskWorld):
    """A domain of tau-bench: its tasks, tools, tables, policy and reward."""

    name: ClassVar[str] = "tau_bench"
    domains: ClassVar[tuple[str, ...]] = ("retail", "airline")
    rules: ClassVar[tuple[str | Path, ...]] = (Path(__file__).with_name("rules.yaml"),)
    published: ClassVar[bool] = True
    settings: ClassVar[Mapping[str, str]] = {"home": "tau-home"}

    domain: str
    home: str | Path | None = None
    """A checkout; None for the place that `HOME` finds."""

    def load(self, split: str = "test") -> GoalSet:
        """Returns the tasks of a split: `test` (the default); retail has `train` and `dev`, too."""
        from pytest_todeval.worlds.tau_bench.tasks import load_tau_bench_tasks

        place = HOME.find(self.home)
        goals, fingerprint = load_tau_bench_tasks(place, self.domain, split)
        world = TauBenchWorld(self.domain, place)
        return GoalSet(f"{self.name}/{self.domain}", goals, fingerprint, world)

    def tool_domain(self) -> "ToolDomain":
        """Returns the checkout's tools over its tables."""
        return _loaded(HOME.find(self.home), self.domain)

    def user(self, goal: Goal, *, style: str = "plain", seed: int = 0) -> "UserSimulator":
        """Returns the agenda user, with the gold actions of the task as its steps.

        Raises UsageError if these cannot be said so.
        """
        from pytest_todeval.worlds.gold_user import gold_user

        return gold_user(goal, goal.raw, self.tool_domain().tables, style, seed)

    def upstream(self) -> "OwnWays":
        """tau-bench's users and its code, of the checkout."""
        from pytest_todeval.worlds.tau_bench.upstream import TauBenchUpstream

        return TauBenchUpstream(HOME.find(self.home), self.domain)


@lru_cache(maxsize=8)
def _loaded(home: Path, domain: str) -> "ToolDomain":
    from pytest_todeval.worlds.tau_bench.domain import load_tau_bench

    return load_tau_bench(home, domain)


def asked(
    domain: str,
    split: str = "test",
    tasks: Sequence[int | str] | None = None,
    limit: int | None = None,
    seed: int | None = None,
) -> AskedGoals:
    """Returns what the marker `tau_bench` asks for."""
    ids = task_ids("tau_bench", tasks, f"{split}-")
    return AskedGoals(f"tau_bench/{domain}", split, {"limit": limit, "seed": seed, "ids": ids})
