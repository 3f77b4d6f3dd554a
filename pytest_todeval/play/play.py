"""What one test's dialogue needs: resolved once, read by whatever plays and judges it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane
from pytest_todeval.core.protocol import STRICT, STRICT_TURNS
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import (
    BackendError,
    JudgeFault,
    SimulatorFault,
    TodevalError,
    UsageError,
)
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.conversation import DrawnConversation
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.play.time_limits import DEFAULT, TimeLimits
from pytest_todeval.play.who import OWN_USERS
from pytest_todeval.simulation.backend_faults import faulty
from pytest_todeval.simulation.faults import raised_line
from pytest_todeval.simulation.limits import Limits
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.upstream import SCORED, as_upstream
from pytest_todeval.worlds.world import SentenceJudge, World

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue, Turn
    from pytest_todeval.evaluate.metrics.coverage import CoverageReport
    from pytest_todeval.simulation.llm_user import LLMUser
    from pytest_todeval.simulation.variation import Variation
    from pytest_todeval.worlds.upstream import OwnWays


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """One goal, once: where it is played, by whom, and for how long."""

    goal: Goal
    goal_set: GoalSet
    trial: int
    """Which of the goal's repeats, from 0; seeds whatever is random."""
    how: PlaySettings
    cast: Cast
    upstream: str = ""
    """How the benchmark's own ways are taken: `counted`, `scored`, or empty for not at all."""
    strict_outputs: bool = False
    """Whether a task's outputs must be told as words of their own, with no guess beside them."""
    exclude_trivial: bool = False
    """Whether a goal that a bot passes by doing nothing is not to be played."""
    time: TimeLimits = DEFAULT
    """What the run's options say of seconds."""
    refuses_claims: bool = False
    """Whether a verdict that is only claimed does not count as passed."""
    conversation: DrawnConversation | None = None
    """How an example that was drawn goes about."""

    @property
    def world(self) -> World:
        """Returns where the goal is played."""
        return self.goal_set.world

    @property
    def plays_user(self) -> str:
        """Who plays the user: `agenda`, `recorded`, or a model's strategy."""
        usual = self.own_ways.users[0] if self.own_ways else self.world.user_prompt
        return self.cast.plays_user(self.how, usual)

    @property
    def own_ways(self) -> "OwnWays | None":
        """How the goal's benchmark counts and scores, if the run asks for that and it has some."""
        return self.world.upstream() if self.upstream else None

    @property
    def variation_definition(self) -> str:
        """Returns what a variation rests on: sheet or prompts; empty for none."""
        variation = self.variation()
        return "" if variation is None else variation.definition

    @property
    def hears(self) -> str:
        """Who hears the bot: `rules`, or `model` with its name."""
        model = self.cast.ear_model
        return "rules" if model is None else f"model {model.model}"

    def backend(self) -> Any:
        """Returns a fresh backend of the goal's world; None if it has none.

        Raises BackendError if the world raises anything but an error of ours.
        """
        with self._faults("backend", BackendError):
            found = self.world.backend(self.goal)
        if self.own_ways is not None and found is not None:
            found.asks_again = False
        return found

    def user(self) -> Any:
        """Returns the user that the goal's world brings. Raises SimulatorFault likewise."""
        with self._faults("user", SimulatorFault):
            goal, seed = self._spoken
            return self.world.user(goal, style=self.how.user_style, seed=seed)

    @property
    def _spoken(self) -> tuple[Goal, int]:
        """Returns the goal as the user has it, and what it leaves to chance."""
        drawn = self.conversation
        return (self.goal, self.trial) if drawn is None else (drawn.spoken(), drawn.seed)

    def faulty(self, backend: Any) -> AbstractContextManager[None]:
        """While its body runs, the backend has the faults that were drawn. Raises UsageError."""
        return faulty(backend, () if self.conversation is None else self.conversation.faults)

    def variation(self) -> "Variation | None":
        """In what other words the bot hears the user; None for those that the user says.

        What was recorded is heard as it was then. Raises UsageError if a model is lacking.
        """
        if self.plays_user == "recorded":
            return None
        goal, seed = self._spoken
        return self.cast.make_variation(goal, self.how, seed)

    def model_user(self, name: str, backend: Any) -> Any:
        """Returns the model that plays the user, as the benchmark itself has it, or by a strategy.

        Raises UsageError if there is none, or not for this goal.
        """
        if name not in OWN_USERS:
            return self.llm_user(name, backend)
        ways = self.world.upstream()
        if ways is None or name not in ways.users:
            raise UsageError(
                f"the user {name!r} plays the tasks of its own benchmark, which {self.goal.name} "
                "is not: choose another with --todeval-user or the marker todeval(user=...)"
            )
        settings = self.cast.one_model(Lane.USER, f"the user {name!r}")
        return ways.user(name, self.goal, settings, backend, self.trial)

    def llm_user(self, strategy: str, backend: Any) -> "LLMUser":
        """The model that plays the user by a strategy. Raises UsageError if there is none."""
        from pytest_todeval.simulation.llm_user.strategy import find_strategy

        reference: Sequence[Turn] = ()
        if find_strategy(strategy).follows_reference:
            with self._faults("reference", SimulatorFault):
                reference = self.world.reference(self.goal)
        return self.cast.llm_user(self.goal, strategy, self.how, backend, self.trial, reference)

    def impossible(self) -> str | None:
        """Says why no bot can meet the goal; None if one can. Raises JudgeFault likewise."""
        with self._faults("impossible", JudgeFault):
            return self.world.impossible(self.goal)

    def evaluate(self, dialogue: "Dialogue", backend: Any) -> Mapping[str, Verdict]:
        """Returns the verdicts of the dialogue, by metric.

        Raises JudgeFault likewise, and if the world returns anything but verdicts.
        """
        with self._faults("evaluate", JudgeFault):
            found: object = self._verdicts(dialogue, backend)
            if self.strict_outputs and isinstance(found, Mapping):
                from pytest_todeval.evaluate.metrics.strict_outputs import strict_rewards

                found = strict_rewards(dialogue, self.world.outputs(self.goal), found)
        if not isinstance(found, Mapping):
            told, got = "returned", found
        elif wrong := [name for name, each in found.items() if not isinstance(each, Verdict)]:
            told, got = f"returned, as {wrong[0]!r},", found[wrong[0]]
        else:
            return found
        raise JudgeFault(
            f"{self._told('evaluate')} {told} {type(got).__name__} {got!r:.60}, expected a mapping "
            "of names to pytest_todeval.Verdict; correct it there"
        )

    def _verdicts(self, dialogue: "Dialogue", backend: Any) -> object:
        ways, judge = self.own_ways, self.sentence_judge(backend)
        if ways is None or not self.world.scores(backend):
            return self.world.evaluate(dialogue, backend, judge)
        if self.upstream == SCORED:
            return as_upstream(ways.scored(dialogue, backend), "upstream scored")
        return as_upstream(ways.verdicts(dialogue, backend, judge), "upstream")

    def counted(self, dialogue: "Dialogue") -> "Dialogue":
        """The dialogue with the fault that it is counted by: ours, or the benchmark's own."""
        ways = self.own_ways
        return dialogue if ways is None else ways.counted(dialogue)

    @contextmanager
    def _faults(self, method: str, owner: type[TodevalError]) -> Iterator[None]:
        """Makes what the world's code raises a fault of its own, not of the bot."""
        try:
            yield
        except TodevalError:
            raise
        except Exception as error:
            told = f"{self._told(method)} raised {raised_line(error)}; correct it there"
            raise owner(told) from error

    def _told(self, method: str) -> str:
        return f"{self.goal.name}: {type(self.world).__name__}.{method}"

    def limits(self, backend: Any) -> Limits:
        """Returns how long the dialogue may get.

        As the test says, else 15 turns if the protocol is strict, else as the paper of the user's
        strategy says, else the backend, else 30 turns.
        """
        from pytest_todeval.backends.protocol import steps_of

        turns = self.how.max_turns or (STRICT_TURNS if self.how.protocol == STRICT else None)
        turns = turns or self._turns_of_strategy()
        if turns is None and self.world.scores(backend):
            turns = steps_of(backend)
        turns = turns or Limits().max_turns
        asked = (Lane.USER, Lane.SYSTEM, Lane.EAR)
        models = (model for lane in asked for model in self.cast.models.get(lane, ()))
        return self.time.of(turns, self.how, models)

    def _turns_of_strategy(self) -> int | None:
        if self.plays_user in ("agenda", "recorded", *OWN_USERS):
            return None
        from pytest_todeval.simulation.llm_user.strategy import find_strategy

        return find_strategy(self.plays_user).max_turns

    def why_trivial(self, backend: Any) -> str:
        """Says why a bot that does nothing passes the goal; empty if it does not, or nobody asks.

        On a backend of the test's own no reward is computed, and a task's tools need not be there.
        """
        if not (self.exclude_trivial or self.world.scores(backend)):
            return ""
        from pytest_todeval.worlds.trivial import trivial

        return trivial(self.goal, self.goal_set).passes or ""

    def judged_coverage(self, dialogue: "Dialogue", backend: Any) -> "CoverageReport | None":
        """What the user told of its goal as the judge's model says; None if rules are to say it.

        Raises JudgeFault if its answer cannot be read, ModelUnavailable if it could not be asked.
        """
        if self.cast.coverage != "model" or not (self.goal.parts and dialogue.turns):
            return None
        from pytest_todeval.evaluate.judge.llm_judge.coverage import CONVEYED

        return self.cast.llm_judge(self.how, backend).ask(CONVEYED, dialogue)

    def sentence_judge(self, backend: Any) -> SentenceJudge | None:
        """What reads the sentences that a task's reward hangs on; None if no model judges."""
        if not self.cast.models[Lane.JUDGE]:
            return None

        judge = cache(lambda: self.cast.llm_judge(self.how, backend))  # few tasks ask it

        def holds(sentence: str, dialogue: "Dialogue") -> "Verdict":
            return judge().holds(dialogue, sentence)

        return holds
