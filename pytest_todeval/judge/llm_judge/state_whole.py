"""The baselines `direct` and `cot`: whether a turn state is right, as one yes or no."""

from collections.abc import Iterable, Sequence

from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.judge.llm_judge.state_step import Step
from pytest_todeval.judge.llm_judge.votes import nothing_said
from pytest_todeval.llm.reading.yes_no import YesNoReply
from pytest_todeval.metrics.state_tracking.report import TURN, TurnResult

__all__ = ["as_whole"]

Answers = Sequence[PanelAnswer[YesNoReply]]


def as_whole(told: Iterable[tuple[Step, Answers]], definition: str) -> list[TurnResult]:
    """The turns, each right unless more than half of the readable answers say no."""
    return [
        TurnResult(step.turn, (_score(step, answers, definition),))
        if step.state is None
        else TurnResult(
            step.turn,
            (_score(step, answers, definition),),
            step.state.updated,
            step.state.removed,
        )
        for step, answers in told
    ]


def _score(step: Step, answers: Answers, definition: str) -> Score:
    if step.state is None:
        return step.unscored(TURN, step.why, definition)
    samples = [_sample(answer) for answer in answers]
    why = nothing_said(samples)
    if why is not None:
        return step.unscored(TURN, why, definition, samples)
    values = [sample.value for sample in samples if sample.value is not None]
    right = 2 * values.count(0) <= len(values)
    reason = next(sample.reason for sample in samples if sample.value == right)
    return step.score(TURN, right, reason, definition, samples)


def _sample(answer: PanelAnswer[YesNoReply]) -> Sample:
    reply = answer.asked.value
    if reply is None or reply.value is None:
        return Sample(answer.by, None, answer.why)
    return Sample(answer.by, float(reply.value), reply.reason)
