"""What a world is: a benchmark, or a domain of one's own, behind one set of methods."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.satisfaction import DECISIVE
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import UsageError
from pytest_todeval.worlds.trivial import GOODBYE, Trivial, idle_dialogue

if TYPE_CHECKING:
    from pytest_todeval.backends.tool_domain import ToolDomain
    from pytest_todeval.nlu.vocabulary import Vocabulary
    from pytest_todeval.simulation.user import UserSimulator
    from pytest_todeval.worlds.goal_set import GoalSet
    from pytest_todeval.worlds.upstream import OwnWays

SentenceJudge = Callable[[str, Dialogue], Verdict]
"""Tells whether a sentence about a dialogue is true; asks a model."""


class World:
    """A benchmark, or a domain of one's own: its goals, and all that it takes to play them.

    A subclass says what differs from the defaults: `load` always, the rest as needed. The defaults
    are those of goals with slots and no database: the agenda user plays them, and inform, success
    and booking rest on what the bot says and does. An installed package offers its world through
    an entry point in the group `pytest_todeval.worlds`, whose object is the class.

    The class is called with keywords: `domain`, if it has `domains`, and the options of the run
    that `settings` names.
    """

    domains: ClassVar[tuple[str, ...]] = ()
    """Its domains, if there are several: goal sets are then called `NAME/DOMAIN`."""
    published: ClassVar[bool] = False
    """Whether its goals are a published data set, which its user cannot mend."""
    settings: ClassVar[Mapping[str, str]] = {}
    """Keyword of the class -> option of the run that it is taken from, e.g. `tau-home`."""
    rules: ClassVar[tuple[str | Path, ...]] = ()
    """The rule sets that its policy implies, by name or file: those of `judge.rules(dialogue)` and
    of policy compliance if a test names none. Empty for the shipped ones of a goal's domains."""
    user_prompt: ClassVar[str] = "vanilla"
    """How a model plays the user, if nobody asks for another strategy."""

    def load(self, *arguments: Any, **options: Any) -> "GoalSet":
        """Its goals. A subclass says which keywords it takes: `split`, if it has any, and others.

        Raises UsageError on an unknown split, DataMissing, and InvalidFile.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no method `load`: a world returns its goals there, as a "
            "GoalSet (docs/worlds.md)"
        )

    def every_goal(self) -> Iterable[Goal]:
        """The goals of all its splits, besides those loaded, which made-up goals must not equal."""
        return ()

    def backend(self, goal: Goal) -> Any:
        """Returns the database and tools of one dialogue, fresh; None if there are none."""
        return None

    def scores(self, backend: Any) -> bool:
        """Says whether `evaluate` computes what this world is known for on this backend.

        A test may bring a backend of its own, which e.g. a benchmark's reward cannot read.
        """
        return True

    def tool_domain(self) -> "ToolDomain | None":
        """The tools and tables of tasks that end states reward; None if it has no such tasks."""
        return None

    def upstream(self) -> "OwnWays | None":
        """How the benchmark itself plays, counts and scores; None if it has no ways of its own.

        Raises DataMissing if its code is not on this machine.
        """
        return None

    def vocabulary(self) -> "Vocabulary | None":
        """The names and values that its bots may say, for whoever listens; None if unknown."""
        return None

    def user(self, goal: Goal, *, style: str = "plain", seed: int = 0) -> "UserSimulator":
        """Who plays the user if no model does: the agenda user, or the lines that the goal brings.

        Raises UsageError if the goal is told in words only and brings none.
        """
        if goal.domains or goal.steps:
            from pytest_todeval.simulation.agenda import AgendaUser

            return AgendaUser(goal, self.vocabulary(), seed=seed, style=style)
        from pytest_todeval.simulation.scripted import ScriptedUser

        says = goal.raw.get("says")
        if isinstance(says, list) and says:
            return ScriptedUser(says)
        raise UsageError(
            f"{goal.name} has a message but no domains, so the agenda user cannot play it: name a "
            "model with --todeval-model=user:MODEL, or override the fixture `user_simulator`"
        )

    def evaluate(
        self, dialogue: Dialogue, backend: Any, judge: SentenceJudge | None = None
    ) -> Mapping[str, Verdict]:
        """Returns the verdicts of a dialogue, by metric.

        `judge` reads the sentences that some rewards hang on. Raises JudgeFault if one is needed
        and there is none, OracleFault if the goal cannot be evaluated.
        """
        from pytest_todeval.evaluate.metrics.task_success import evaluate

        return evaluate(dialogue, backend)

    def reference(self, goal: Goal) -> Sequence[Turn]:
        """Returns the dialogue that people had about the goal, if its data set tells of one."""
        return ()

    def outputs(self, goal: Goal) -> Sequence[str]:
        """What the bot has to tell by a task, which `--todeval-outputs=strict` asks strictly."""
        return ()

    def impossible(self, goal: Goal) -> str | None:
        """Says why no bot can meet the goal, e.g. since no row satisfies it; None if one can."""
        return None

    def trivial(self, goal: Goal) -> Trivial:
        """Says whether a bot that does nothing passes the goal; see `worlds.trivial`.

        By default it passes if `evaluate` finds reward, success and booking of its dialogue, or all
        verdicts if it has none of these.
        """
        verdicts = self.evaluate(idle_dialogue(goal), self.backend(goal))
        if not isinstance(verdicts, Mapping):  # a world of one's own: playing says what is wrong
            return Trivial(untold=f"evaluate returned {type(verdicts).__name__}, not verdicts")
        judged = [verdicts[name] for name in DECISIVE if name in verdicts] or [*verdicts.values()]
        if not any(verdict.applicable for verdict in judged):
            reason = "it names no domains, so success and booking do not apply"
            return Trivial(
                untold=f"{reason}; judge.goal_completion(dialogue) looks for its solution"
            )
        if not all(judged):
            return Trivial()
        told = [f"{v.name} ({v.reason})" for v in judged if v.applicable]
        return Trivial(passes=f"{GOODBYE!r} passes {' and '.join(told)}")

    def tables(self, backend: Any) -> str | None:
        """Returns a hash of its tables as they stand before any dialogue; None if it has none.

        `backend` is the one that was played on.
        """
        return None
