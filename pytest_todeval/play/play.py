"""What one test's dialogue needs: resolved once, read by whatever plays and judges it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.simulation.stage import Limits, dialogue_id
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import SentenceJudge, World

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue
    from pytest_todeval.core.verdict import Verdict

__all__ = ["Play"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """One goal, once: where it is played, by whom, and for how long."""

    goal: Goal
    goal_set: GoalSet
    trial: int
    """Which of the goal's repeats, from 0; seeds whatever is random."""
    how: PlaySettings
    cast: Cast
    exclude_trivial: bool = False
    """Whether a goal that a bot passes by doing nothing is not to be played."""

    @property
    def world(self) -> World:
        """Where the goal is played."""
        return self.goal_set.world

    @property
    def dialogue(self) -> str:
        """What the dialogue is called in lanes and messages: `multiwoz/MUL0148#0`."""
        return dialogue_id(self.goal, self.trial)

    @property
    def plays_user(self) -> str:
        """Who plays the user: `agenda`, `recorded`, or a model's strategy."""
        return self.cast.plays_user(self.how, self.world.user_prompt)

    def limits(self, backend: Any) -> Limits:
        """How long the dialogue may get: as the test says, else as the backend does, else 30."""
        from pytest_todeval.backends.protocol import steps_of

        turns = self.how.max_turns
        if turns is None:
            turns = (steps_of(backend) if self.world.scores(backend) else None) or Limits().max_turns
        return Limits(turns, self.how.turn_timeout, self.how.dialogue_timeout)

    def why_trivial(self, backend: Any) -> str:
        """Why a bot that does nothing passes the goal; empty if it does not, or nobody asks.

        On a backend of the test's own no reward is computed, and a task's tools need not be there.
        """
        if not (self.exclude_trivial or self.world.scores(backend)):
            return ""
        from pytest_todeval.worlds.trivial import trivial

        return trivial(self.goal, self.goal_set).passes or ""

    def sentence_judge(self, backend: Any) -> SentenceJudge | None:
        """What reads the sentences that a task's reward hangs on; None if no model judges."""
        from pytest_todeval.core.lane import Lane

        if not self.cast.models[Lane.JUDGE]:
            return None

        def holds(sentence: str, dialogue: "Dialogue") -> "Verdict":
            return self.cast.llm_judge(self.how, backend).holds(dialogue, sentence)

        return holds
