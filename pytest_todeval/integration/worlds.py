"""Goals that are tasks over tools and tables: their backend, their user, what they are worth."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    from pytest_todeval.goals.goal_set import World

__all__ = ["evaluated", "is_worlds", "tables_hash", "user_without_slots", "world_backend"]

SentenceJudge = Callable[[str, Dialogue], Verdict]


def world_backend(world: "World", goal: Goal) -> Any:
    """The tools and tables of one dialogue."""
    if world.kind == "tau2":
        from pytest_todeval.backends.tau2.backend import Tau2Backend

        assert world.home is not None  # tau2's tasks come from there
        return Tau2Backend(world.home, world.domain, goal.raw)
    from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
    from pytest_todeval.backends.worlds import domain_of

    domain = domain_of(world.kind, world.domain, world.home)
    return ToolBackend(domain, TAU_BENCH_STEPS, first_call_only=True)


def is_worlds(backend: Any) -> bool:
    """Whether a backend is one of tasks' own, so that rewards are computed."""
    from pytest_todeval.backends.tau2.backend import Tau2Backend
    from pytest_todeval.backends.tool_backend import ToolBackend

    return isinstance(backend, ToolBackend | Tau2Backend)


def tables_hash(world: "World", backend: Any) -> str | None:
    """The hash of the tables as they are before any dialogue, by tau-bench's or tau2's own formula.

    None for tau2 where another backend than its own was played on: its tools need not be there.
    """
    if world.kind == "tau2":
        from pytest_todeval.backends.tau2.backend import Tau2Backend

        return backend.domain.hash_on_file if isinstance(backend, Tau2Backend) else None
    from pytest_todeval.backends.state_hash import base_hash
    from pytest_todeval.backends.worlds import domain_of

    return base_hash(domain_of(world.kind, world.domain, world.home))


def user_without_slots(goal: Goal) -> Any:
    """Who plays a goal that is told in words only, where no model is set: the lines it brings."""
    from pytest_todeval.simulation.scripted import ScriptedUser

    says = goal.raw.get("says")
    if isinstance(says, list) and says:
        return ScriptedUser(says)
    raise UsageError(
        f"{goal.name} is told in words only, which the agenda user cannot play: name a model with "
        "--todeval-model=user:MODEL, or override the fixture `user_simulator`"
    )


def evaluated(
    dialogue: Dialogue, backend: Any, judge: SentenceJudge | None
) -> Mapping[str, Verdict]:
    """The verdicts of a dialogue: the reward of a task, else inform, success and booking.

    Some of tau2's tasks hang on sentences that `judge` reads; raises JudgeFault without one.
    """
    from pytest_todeval.backends.tau2.backend import Tau2Backend
    from pytest_todeval.backends.tool_backend import ToolBackend

    if isinstance(backend, Tau2Backend):
        from pytest_todeval.worlds.tau2.reward import tau2_rewards

        return tau2_rewards(dialogue, backend, dialogue.goal.raw, judge)
    if isinstance(backend, ToolBackend):
        from pytest_todeval.metrics.reward import rewards

        return rewards(dialogue, backend)
    from pytest_todeval.metrics.task_success import evaluate

    return evaluate(dialogue, backend)
