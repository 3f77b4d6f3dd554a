"""Worlds whose goals are tasks over tools and tables, rewarded as tau-bench rewards them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.worlds.trivial import GOODBYE, Trivial, idle_dialogue
from pytest_todeval.worlds.world import SentenceJudge, World

if TYPE_CHECKING:
    from pytest_todeval.backends.tool_domain import ToolDomain


class TaskWorld(World):
    """A world with a `ToolDomain`. A goal's `raw` holds the gold `actions` and the `outputs`.

    `says` in `raw` are the lines of a scripted user.
    """

    rules: ClassVar[tuple[str | Path, ...]] = ("tasks",)
    user_prompt: ClassVar[str] = "llm"  # tau-bench's own user, made for instructions

    def tool_domain(self) -> "ToolDomain":
        """Returns its tools, tables and policy; loaded once per process, when a test runs."""
        raise NotImplementedError(
            f"{type(self).__name__} has no method `tool_domain`: a world of tasks returns its "
            "tools, tables and policy there (docs/worlds.md)"
        )

    def backend(self, goal: Goal) -> Any:
        """Returns the tools over tables that are copied on write."""
        return ToolBackend(self.tool_domain(), TAU_BENCH_STEPS, first_call_only=True)

    def scores(self, backend: Any) -> bool:
        """Rewards compare the end states of a `ToolBackend`'s tables."""
        return isinstance(backend, ToolBackend)

    def evaluate(
        self, dialogue: Dialogue, backend: Any, judge: SentenceJudge | None = None
    ) -> Mapping[str, Verdict]:
        """tau-bench's reward and its parts; on another backend inform, success and booking."""
        if not isinstance(backend, ToolBackend):
            return super().evaluate(dialogue, backend, judge)
        from pytest_todeval.evaluate.metrics.reward import rewards

        return rewards(dialogue, backend)

    def outputs(self, goal: Goal) -> Sequence[str]:
        """Returns the `outputs` of a task."""
        return list(goal.raw.get("outputs") or ())

    def trivial(self, goal: Goal) -> Trivial:
        """Says whether the reward is earned by doing nothing."""
        verdicts = self.evaluate(idle_dialogue(goal), ToolBackend(self.tool_domain()))
        if not verdicts["reward"]:
            return Trivial()
        told = "nothing is to be told"
        if verdicts["reward_outputs"].applicable:
            told = f"{GOODBYE!r} holds all that is to be told"
        return Trivial(passes=f"its actions leave the database as it was, and {told}")

    def tables(self, backend: Any) -> str | None:
        """tau-bench's hash of the tables."""
        from pytest_todeval.backends.state_hash import base_hash

        return base_hash(self.tool_domain())
