"""The result of state tracking, turn by turn."""

from dataclasses import dataclass, field

from pytest_todeval.core.assertable import Assertable, ByName, Several
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.metrics.state_tracking.belief import Pairs

TURN, JOINT = "turn_state_accuracy", "joint_goal_accuracy"
SCALE = (0, 1)


@dataclass(frozen=True, slots=True, eq=False)
class TurnResult(Assertable):
    """The state tracking of one turn."""

    turn: int
    """1-based."""
    scores: tuple[Score, ...]
    updated: Pairs = field(default_factory=dict)
    """The turn state: pairs new in this turn, or with a new value."""
    removed: Pairs = field(default_factory=dict)
    """Pairs that the bot took out of its state in this turn."""
    missed: Pairs = field(default_factory=dict)
    """What the turn state lacks, with the value it ought to have."""
    incorrect: Pairs = field(default_factory=dict)
    """What the turn state ought not to hold."""
    joint_missed: Pairs = field(default_factory=dict)
    """What the whole state lacks after this turn."""
    joint_incorrect: Pairs = field(default_factory=dict)
    """What the whole state ought not to hold after this turn."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", Several(self.scores))

    def _line(self) -> str:
        return "judge.state(dialogue).turn_state_accuracy >= 1"

    def score(self, name: str) -> Score | None:
        """Returns one of the scores by name."""
        return next((score for score in self.scores if score.name == name), None)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class StateReport(Assertable):
    """How well a bot kept track of what the user said."""

    turns: tuple[TurnResult, ...]
    method: str
    """`two_dimensional`, ..., or how it was compared with labels."""
    definition: str
    """What the scores mean; only those of equal definitions are comparable."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", Several(self.turns))

    def _line(self) -> str:
        return "judge.state(dialogue).joint_goal_accuracy >= 1"

    def __repr__(self) -> str:
        series = ", ".join(map(repr, self.scores.values()))
        return f"<state tracking by {self.method}: {series}>"

    @property
    def turn_state_accuracy(self) -> ScoreSeries:
        """1 if nothing that the user said in the turn is missed, and nothing is incorrect."""
        return self._series(TURN)

    @property
    def joint_goal_accuracy(self) -> ScoreSeries:
        """1 if the whole state after the turn is right.

        Raises UsageError if the method names no pairs (`direct`, `cot`).
        """
        return self._series(JOINT)

    @property
    def slot_accuracy(self) -> ScoreSeries:
        """Returns the share of the schema's slots that are right after the turn; needs labels."""
        return self._series("slot_accuracy")

    @property
    def slot_f1(self) -> ScoreSeries:
        """F1 of the pairs in the state after the turn; needs labels."""
        return self._series("slot_f1")

    @property
    def scores(self) -> ByName[ScoreSeries]:
        """Returns the series by name, for the results file."""
        names = dict.fromkeys(score.name for turn in self.turns for score in turn.scores)
        return ByName({name: self._series(name) for name in names})

    def _series(self, name: str) -> ScoreSeries:
        found = [score for turn in self.turns if (score := turn.score(name)) is not None]
        if not found:
            known = ", ".join(dict.fromkeys(s.name for turn in self.turns for s in turn.scores))
            raise UsageError(f"state tracking by {self.method} gives no {name} (it gives {known})")
        return ScoreSeries(name, found)
