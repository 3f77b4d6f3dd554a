"""tau2-bench as a world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.goals.homes import ProjectHome
from pytest_todeval.worlds.asked import AskedGoals, task_ids
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.trivial import Trivial, idle_dialogue
from pytest_todeval.worlds.world import SentenceJudge, World

if TYPE_CHECKING:
    from pytest_todeval.simulation.user import UserSimulator
    from pytest_todeval.worlds.upstream import OwnWays

HOME = ProjectHome(
    project="tau2-bench",
    package="tau2",
    variable="TAU2_BENCH_HOME",
    option="tau2-home",
    mark="data/tau2/domains",
    above=2,
)
"""The folder that holds `data/tau2`. An installed `tau2` counts if it runs from a checkout."""


@dataclass(frozen=True)
class Tau2World(World):
    """A domain of tau2: its tasks, and its own environment, tools and reward."""

    name: ClassVar[str] = "tau2"
    domains: ClassVar[tuple[str, ...]] = (
        *("airline", "retail", "telecom", "mock", "banking_knowledge"),
    )
    rules: ClassVar[tuple[str | Path, ...]] = (Path(__file__).with_name("rules.yaml"),)
    published: ClassVar[bool] = True
    settings: ClassVar[Mapping[str, str]] = {"home": "tau2-home"}
    user_prompt: ClassVar[str] = "llm"

    domain: str
    home: str | Path | None = None
    """A checkout; None for the place that `HOME` finds."""

    def load(self, split: str = "base") -> GoalSet:
        """The tasks of a split: `base` (the default), and the others that the domain has."""
        from pytest_todeval.worlds.tau2.tasks import load_tau2_tasks

        place = HOME.find(self.home)
        goals, fingerprint = load_tau2_tasks(place, self.domain, split)
        world = Tau2World(self.domain, place)
        return GoalSet(f"{self.name}/{self.domain}", goals, fingerprint, world)

    def backend(self, goal: Goal) -> Any:
        """tau2's own environment, set to the task's initial state."""
        from pytest_todeval.worlds.tau2.backend import Tau2Backend

        return Tau2Backend(HOME.find(self.home), self.domain, goal.raw)

    def scores(self, backend: Any) -> bool:
        """Rewards need tau2's own environment."""
        from pytest_todeval.worlds.tau2.backend import Tau2Backend

        return isinstance(backend, Tau2Backend)

    def evaluate(
        self, dialogue: Dialogue, backend: Any, judge: SentenceJudge | None = None
    ) -> Mapping[str, Verdict]:
        """tau2's reward and its parts; on another backend inform, success and booking."""
        from pytest_todeval.worlds.tau2.backend import Tau2Backend
        from pytest_todeval.worlds.tau2.reward import tau2_rewards

        if not isinstance(backend, Tau2Backend):
            return super().evaluate(dialogue, backend, judge)
        return tau2_rewards(dialogue, backend, dialogue.goal.raw, judge)

    def user(self, goal: Goal, *, style: str = "plain", seed: int = 0) -> "UserSimulator":
        """The agenda user, with the reference actions of a task of airline or retail as its steps.

        Raises UsageError if these cannot be said so, and what `tables_of` raises.
        """
        from pytest_todeval.worlds.gold_user import gold_user, unsayable
        from pytest_todeval.worlds.tau2.steps import SAID, tables_of, task_said

        if self.domain not in SAID:
            raise unsayable(goal, f"only tasks of {' and '.join(SAID)} become steps")
        tables = tables_of(HOME.find(self.home), self.domain)
        return gold_user(goal, task_said(goal.raw, tables), tables, style, seed)

    def upstream(self) -> "OwnWays":
        """tau2's user and its code, of the checkout."""
        from pytest_todeval.worlds.tau2.upstream import Tau2Upstream

        return Tau2Upstream(HOME.find(self.home), self.domain)

    def outputs(self, goal: Goal) -> Sequence[str]:
        """Returns the `communicate_info` of a task."""
        criteria = goal.raw.get("evaluation_criteria") or {}
        return list(criteria.get("communicate_info") or ())

    def trivial(self, goal: Goal) -> Trivial:
        """Says whether the reward is earned by doing nothing."""
        from pytest_todeval.worlds.tau2.reward import tau2_rewards

        verdicts = tau2_rewards(idle_dialogue(goal), self.backend(goal), goal.raw)
        if not verdicts["reward"]:
            return Trivial()
        parts = ", ".join(name for name in verdicts if name != "reward")
        return Trivial(passes=f"all that its reward hangs on holds: {parts or 'nothing'}")

    def tables(self, backend: Any) -> str | None:
        """tau2's hash of its tables; None on another backend, as its tools need not be there."""
        from pytest_todeval.worlds.tau2.backend import Tau2Backend

        return backend.domain.hash_on_file if isinstance(backend, Tau2Backend) else None


def asked(
    domain: str,
    split: str = "base",
    tasks: Sequence[int | str] | None = None,
    limit: int | None = None,
    seed: int | None = None,
) -> AskedGoals:
    """Returns what the marker `tau2` asks for."""
    ids = task_ids("tau2", tasks)
    return AskedGoals(f"tau2/{domain}", split, {"limit": limit, "seed": seed, "ids": ids})
