"""What the user told of its goal, by a model: the question that `--todeval-coverage=model` asks."""

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault
from pytest_todeval.judge.llm_judge.coverage import judge_coverage
from pytest_todeval.judge.question import ModelBench, Question
from pytest_todeval.metrics.coverage import CoverageReport

__all__ = ["CONVEYED"]

SHOWN = 300


def _conveyed(bench: ModelBench, dialogue: Dialogue) -> CoverageReport:
    """The goal's keywords, each with the turn in which the user made it known.

    Raises JudgeFault if no answer can be read, ModelUnavailable if the model could not be asked.
    """
    report = judge_coverage(
        dialogue, bench.panel, bench.prompts, language=bench.language, document="conveyed"
    )
    if report.score.value is None and report.score.unscored != Score.NOT_APPLICABLE:
        raise JudgeFault(
            f"{dialogue.goal.name}: what the user told of its goal (--todeval-coverage=model) "
            f"could not be read: {report.score.reason:.{SHOWN}}"
        )
    return report


CONVEYED = Question("conveyed", _conveyed)
"""Not in the judges' table: it is about the user, and asked for the verdicts' sake."""
