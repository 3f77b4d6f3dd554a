"""Combines several non-numeric answers by majority: a fault counts if most answers name it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Sample, Verdict
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel, PanelAnswer, lacking, several
from pytest_todeval.models.prompt import Message, Prompt
from pytest_todeval.models.reading.replies import yes_no_reader
from pytest_todeval.models.reading.yes_no import YesNoReply

METRIC_SET = "model"
"""Verdicts of a model are comparable to no others of the same name."""

T = TypeVar("T")


def most_name(named: Sequence[Iterable[str]]) -> list[str]:
    """Returns what more than half of the answers name, in the order in which it was first named."""
    counts = Counter(name for names in named for name in dict.fromkeys(names))
    return [name for name, count in counts.items() if 2 * count > len(named)]


def nothing_said(samples: Sequence[Sample]) -> str | None:
    """Says why the answers do not settle the question: fewer than half of them could be read.

    None if they do.
    """
    read = sum(sample.value is not None for sample in samples)
    if samples and 2 * read >= len(samples):
        return None
    return lacking(samples, "cannot be read")


def yes_or_no(samples: Sequence[Sample]) -> tuple[bool | None, str]:
    """Returns what more than half of the answers (1 or 0) say, with the first reason given for it,
    if any.

    None with why if they do not settle it.
    """
    for value in (0.0, 1.0):
        agreeing = [sample.reason for sample in samples if sample.value == value]
        if 2 * len(agreeing) > len(samples):
            return bool(value), next(filter(None, agreeing), "")
    return None, nothing_said(samples) or "the answers are divided"


def verdict_by_vote(
    name: str,
    dialogue: Dialogue,
    panel: Panel,
    prompt: Prompt,
    messages: Sequence[Message],
    *,
    definition: str = "",
    about: str = "",
    idle: str = "",
) -> Verdict:
    """Makes a verdict of what more than half of the answers to a yes/no question say.

    The answers are read as `prompt`, which the messages are made of, asks for them.
    `definition` is what the verdict means (default: that of `prompt`), `about` names the question
    in messages (default: `name`). With `idle` an answer may be that the
    question does not apply, and that is what it then stands for. Raises JudgeFault if the answers
    do not tell, ModelUnavailable if a model could not be asked.
    """
    answers = panel.ask(messages, yes_no_reader(prompt, not_applicable=bool(idle)))
    samples = tuple(sample_of(answer, idle) for answer in answers)
    passed, reason = yes_or_no(samples)
    if passed is None:
        what = about or name
        raise JudgeFault(f"{dialogue.goal.name}: {what} could not be judged: {reason}")
    reason = reason or f"the answer is a bare {'yes' if passed else 'no'}"
    return Verdict(
        name,
        passed,
        reason,
        basis=panel.basis,
        version=definition or panel.definition(prompt),
        metric_set=METRIC_SET,
        samples=several(samples),
    )


def sample_of(answer: PanelAnswer[YesNoReply], idle: str = "") -> Sample:
    """Writes an answer as one of several; `idle` is the text for one that is neither yes nor no."""
    by, asked = answer
    if asked.value is None:
        return Sample(by, None, answer.why)
    if asked.value.value is None:
        return Sample(by, None, idle or answer.why)
    return Sample(by, float(asked.value.value), asked.value.reason)
