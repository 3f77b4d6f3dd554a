"""Asking a judge about stored dialogues: what it finds, in each dialogue and in all of them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.commands.judge_asking import Asking
from pytest_todeval.commands.judge_source import SourceDialogue
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import JudgeFault, OracleFault, TodevalError
from pytest_todeval.judge.judge import Judge
from pytest_todeval.judge.question import Question
from pytest_todeval.judge.rule_judge import RuleJudge
from pytest_todeval.metrics.state_tracking.belief import NoStateReported
from pytest_todeval.metrics.state_tracking.labels import labelled
from pytest_todeval.reports.answers import Answers
from pytest_todeval.reports.schema import DialogueEntry
from pytest_todeval.rules.report import RuleReport

JUDGED = (Outcome.PASSED, Outcome.FAILED, Outcome.JUDGE_FAULT)
"""A dialogue that the user, the goal or the network spoiled says nothing about the bot."""
NO_STATE_IN_FILE = "no turn has a `state`, or a `turn_state`: add the bot's to the file"
LABELLED = "labelled_"
"""How the names of scores begin that come of labels: those of the judge stand beside them."""


@dataclass(frozen=True)
class Findings(Answers):
    """What a judge found in one dialogue, and what it asked with."""

    prompts: dict[str, str] = field(default_factory=dict)
    """The definitions of the prompts that it asked with, by name."""
    rule_sets: dict[str, str] = field(default_factory=dict)
    """A hash of each rule set that it went by, by name."""
    untold: list[str] = field(default_factory=list)
    """What it ought to have told and could not, each in a sentence."""
    calls: dict[str, dict[str, object]] = field(default_factory=dict)
    """What asking models took, by lane."""
    advice: dict[str, None] = field(default_factory=dict)
    """What the person should know of the endpoints that were asked."""


@dataclass(frozen=True)
class JudgedDialogues:
    """What became of the dialogues, in their order."""

    found: Sequence[Findings | None]
    """None for those that were not reached."""
    stopped: BaseException | None = None
    """Why the rest was not: a model could not be asked, a call is not recorded, Ctrl-C."""


def why_not(entry: DialogueEntry, dialogue: Dialogue) -> str | None:
    """Why a stored dialogue is not judged at all; None if it is."""
    if not dialogue.turns:
        return "its turns are not in the file"
    if entry["outcome"] not in JUDGED:
        return f"its outcome is {entry['outcome']}"
    return None


def ask(judge: Judge, questions: Sequence[Asking], asked: SourceDialogue) -> Findings:
    """What the judge answers. If it cannot tell, `untold` says so, and the rest is asked."""
    findings = Findings()
    for asking in questions:
        if _lacks_goal(judge, asking.question, asked):
            findings.untold.append(f"{asking.name}: the file does not hold the goal")
            continue
        try:
            if asking.takes_labels and asked.labels is not None:
                _keep_labelled(asking, asked, findings)
            if not asking.by_labels_alone:
                _keep_answer(judge, asking, asked, findings)
        except (JudgeFault, OracleFault) as error:
            why = str(error).removeprefix(f"{asked.entry['goal']}: ")
            if asked.transcript and isinstance(error, NoStateReported):
                why = NO_STATE_IN_FILE
            findings.untold.append(f"{asking.name}: {why}")
    findings.untold.extend(_unscored(findings))
    return findings


def _lacks_goal(judge: Judge, question: Question[..., Any], asked: SourceDialogue) -> bool:
    needed = question.needs_goal or (question.rules_need_goal and isinstance(judge, RuleJudge))
    return needed and "goal_record" not in asked.entry


def _keep_answer(judge: Judge, asking: Asking, asked: SourceDialogue, findings: Findings) -> None:
    arguments = asking.given(asked.dialogue, asked.place)
    slots = {"schema": asked.slots} if asking.takes_labels and asked.slots is not None else {}
    found = judge.ask(asking.question, asked.dialogue, **slots, **arguments)
    findings.keep(found, asked.dialogue, asked.dialogue, *arguments.values())
    if isinstance(found, RuleReport):
        findings.untold.extend(
            f"rule {each.rule} in turn {each.turn}: {each.reason}" for each in found.untold
        )


def _keep_labelled(asking: Asking, asked: SourceDialogue, findings: Findings) -> None:
    """Its states held against the labels of the file, beside what the judge says of them."""
    match = str(asking.arguments.get("match", "normalised"))
    report = labelled(asked.dialogue, asked.labels or (), match, schema=asked.slots)
    scores = {f"{LABELLED}{name}": series for name, series in report.scores.items()}
    findings.keep(scores, asked.dialogue)


def _unscored(findings: Findings) -> Iterator[str]:
    for name, scores in findings.scores.items():
        for score in scores:
            if score.is_fault:
                where = "" if score.turn is None else f" of turn {score.turn}"
                yield f"{name}{where} is unscored: {score.unscored}"


def judge_all(tasks: Sequence[Callable[[], Findings]], concurrency: int) -> JudgedDialogues:
    """Do the tasks, so many at once; the first error stops those not begun, and keeps the rest."""
    found: list[Findings | None] = []
    stopped: BaseException | None = None
    with ThreadPoolExecutor(concurrency, "todeval-judge") as pool:
        begun = [pool.submit(copy_context().run, task) for task in tasks]
        for future in begun:
            try:
                found.append(future.result())
            except CancelledError:
                found.append(None)
            except (TodevalError, KeyboardInterrupt) as error:
                found.append(None)
                stopped = stopped or error
                pool.shutdown(wait=False, cancel_futures=True)
    return JudgedDialogues(found, stopped)
