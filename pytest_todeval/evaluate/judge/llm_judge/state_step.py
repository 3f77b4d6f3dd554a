"""One turn of state tracking as a judge sees it; by `direct` and `cot` it is scored as a whole."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer, several
from pytest_todeval.evaluate.judge.llm_judge.votes import nothing_said, sample_of
from pytest_todeval.evaluate.metrics.state_tracking.belief import Pairs, TurnState
from pytest_todeval.evaluate.metrics.state_tracking.report import SCALE, TURN, TurnResult
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.reading.yes_no import YesNoReply


@dataclass(frozen=True)
class StateStep:
    """A turn with what changed in the bot's state."""

    turn: int
    context: Mapping[str, str]
    """What fills the prompt, beside the question and the state."""
    before: Pairs
    """The state before the turn."""
    state: TurnState | None
    """None if it is not known."""
    why: str = ""
    """Why it is not."""
    earlier: str = ""
    """What was said before the bot's last words: the history of a document that shows these apart,
    as the paper's tables 4 to 7 do."""
    reported: bool = False
    """Whether the bot predicts turn states, and may repeat in one what has not changed."""

    @property
    def text(self) -> str:
        """Returns the turn state for a prompt, fenced, since slots and values are the bot's
        words.
        """
        if self.state is None:
            return ""
        shown = {
            "new or changed": dict(self.state.updated),
            "taken out": dict(self.state.removed),
        }
        return fenced("state", json.dumps(shown, ensure_ascii=False, indent=1))

    @property
    def label(self) -> str:
        """Returns only what is new or changed, fenced: the turn state as the paper shows it."""
        updated = {} if self.state is None else dict(self.state.updated)
        return fenced("state", json.dumps(updated, ensure_ascii=False, indent=1))

    @property
    def changes(self) -> tuple[Pairs, Pairs]:
        """Returns what the turn state added or changed, and what it removed."""
        return ({}, {}) if self.state is None else (self.state.updated, self.state.removed)

    def score(
        self, name: str, right: bool, reason: str, definition: str, samples: Sequence[Sample] = ()
    ) -> Score:
        """Returns a score of 1 or 0 for this turn."""
        kept = several(samples)
        return Score(name, float(right), reason, self.turn, SCALE, None, kept, definition)

    def unscored(
        self, name: str, why: str, definition: str, samples: Sequence[Sample] = ()
    ) -> Score:
        """Returns an unscored result for this turn, with why."""
        return Score(name, None, why, self.turn, SCALE, why, several(samples), definition)


Answers = Sequence[PanelAnswer[YesNoReply]]


def as_whole(told: Iterable[tuple[StateStep, Answers]], definition: str) -> list[TurnResult]:
    """Scores each turn as a whole: right unless more than half of the readable answers say no."""
    return [
        TurnResult(step.turn, (_score(step, answers, definition),), *step.changes)
        for step, answers in told
    ]


def _score(step: StateStep, answers: Answers, definition: str) -> Score:
    if step.state is None:
        return step.unscored(TURN, step.why, definition)
    samples = [sample_of(answer) for answer in answers]
    why = nothing_said(samples)
    if why is not None:
        return step.unscored(TURN, why, definition, samples)
    values = [sample.value for sample in samples if sample.value is not None]
    right = 2 * values.count(0) <= len(values)
    reason = next(sample.reason for sample in samples if sample.value == right)
    return step.score(TURN, right, reason, definition, samples)
