"""Asking a judge about stored dialogues, many at once; its calls are kept in a file for each."""

import argparse
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pytest_todeval.commands.judge_asking import Asking
from pytest_todeval.commands.judge_source import SourceDialogue
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, JudgeFault, OracleFault, TodevalError, UsageError
from pytest_todeval.evaluate.judge.judge import Judge
from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
from pytest_todeval.evaluate.judge.question import Question
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.state_tracking.belief import NoStateReported
from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from pytest_todeval.evaluate.rules.report import RuleReport
from pytest_todeval.models.connections import KeptConnections
from pytest_todeval.models.models_file import settings_for
from pytest_todeval.models.run_models import require_trust
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import ledger, plain_totals
from pytest_todeval.prices import Prices
from pytest_todeval.recording.location import SUFFIX
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.runs.reports.answers import Answers
from pytest_todeval.runs.reports.schema import DialogueEntry

FOR_MODELS = (
    "samples",
    "fused",
    "published",
    "prompts",
    "policy",
    "language",
    "prices",
    "base_url",
    "cassette",
    "record",
)
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
    """Says why a stored dialogue is not judged at all; None if it is."""
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


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what tells which model judges, how it is asked, and where its calls are kept."""
    parser.add_argument("--model", help="who judges (default: rules, which ask no model)")
    parser.add_argument("--base-url", metavar="URL", help="the model's endpoint")
    parser.add_argument("--models", type=Path, metavar="FILE", help="settings of models by lane")
    parser.add_argument("--samples", type=at_least_one, metavar="N", help="ask each model N times")
    parser.add_argument(
        "--published", action="store_true", help="ask as the papers do, with their answers"
    )
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="prompts that replace ours")
    parser.add_argument(
        "--policy", type=Path, metavar="FILE", help="the policy that the bot has to follow"
    )
    parser.add_argument("--prices", type=Path, metavar="FILE", help="US dollars by model")
    parser.add_argument(
        "--cassette",
        type=Path,
        metavar="DIR",
        help="record the calls, a file per dialogue; replay them if they are recorded",
    )
    parser.add_argument("--record", metavar="MODE", help="replay, missing, rewrite or live")
    parser.add_argument(
        "--concurrency",
        type=at_least_one,
        default=4,
        metavar="N",
        help="dialogues at once (default: 4)",
    )


def check_model(args: argparse.Namespace) -> None:
    """Raises UsageError if the options about models do not go together."""
    if args.record and not args.cassette:
        raise UsageError("--record needs --cassette DIR, the folder to record to or replay from")
    given = [name for name in FOR_MODELS if getattr(args, name)]
    if given and not by_model(args):
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} needs a model as the judge: name one with --model")


def by_model(args: argparse.Namespace) -> bool:
    """Says whether a model judges."""
    return bool(args.model or args.models)


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a whole number from 1 up")
    return int(text)


LONGEST_NAME = 120
"""Characters of a cassette's name."""


def judge_of(args: argparse.Namespace) -> tuple[Judge, tuple[ModelSettings, ...]]:
    """Returns the judge, and the models that it asks: none of the rule judge.

    Raises UsageError if no model is set, InvalidFile if a file that is named cannot be read.
    """
    if not by_model(args):
        return RuleJudge(), ()
    models = settings_for(Lane.JUDGE, file=args.models, model=args.model, base_url=args.base_url)
    if not models:
        raise UsageError("no model is set for the judge: name one with --model")
    if not args.cassette or args.record not in (None, "replay"):
        require_trust(models)
    judge = LLMJudge(
        models,
        samples=args.samples or 1,
        fused=args.fused,
        prompts=args.prompts,
        policy=_text(args.policy) if args.policy else "",
        language=args.language or "English",
        published=args.published,
    )
    return judge, models


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"--policy {path}: cannot be read: {error}") from None


def judged_at_once(
    args: argparse.Namespace,
    asked: Sequence[SourceDialogue],
    judge: Judge,
    questions: Sequence[Asking],
) -> JudgedDialogues:
    """What the judge answers to the questions about each dialogue, from cassettes if asked."""
    mode = _mode_of(args.cassette, args.record) if args.cassette else None
    prices = Prices.read(args.prices) if args.prices else Prices()
    tasks: list[Callable[[], Findings]] = [
        partial(_judge_one, each, judge, questions, prices, args.cassette, mode) for each in asked
    ]
    # The rule judge remembers the dialogue it was asked about last, and waits for nothing.
    with closing(KeptConnections()) as kept, kept.used():
        return judge_all(tasks, args.concurrency if by_model(args) else 1)


def _judge_one(
    stored: SourceDialogue,
    judge: Judge,
    questions: Sequence[Asking],
    prices: Prices,
    folder: Path | None,
    mode: Mode | None,
) -> Findings:
    with ledger() as spent, _judging(stored.entry, stored.place, folder, mode):
        findings = ask(judge, questions, stored)
    findings.prompts.update(spent.prompts)
    findings.rule_sets.update(spent.rules)
    findings.calls.update(plain_totals(spent.calls, prices))
    findings.advice.update(spent.advice)
    return findings


def _mode_of(folder: Path, record: str | None) -> Mode:
    """What happens to the judge's calls: replay if the folder holds cassettes, else missing.

    Raises UsageError if `record` is no mode.
    """
    if record is not None:
        return modes_from(record)[Lane.JUDGE]
    return Mode.REPLAY if any(folder.glob(f"*{SUFFIX}")) else Mode.MISSING


@contextmanager
def _judging(
    entry: DialogueEntry, place: str, folder: Path | None, mode: Mode | None
) -> Iterator[None]:
    """Runs the body in the judge's lane; with a folder, its calls are recorded or replayed.

    The cassette is put in place when the body has ended well; else what was recorded waits in the
    journal beside it, and the next recording goes on from there. Raises CassetteMiss and what else
    the tape refused, also if the body caught it.
    """
    with in_lane(place, Lane.JUDGE):
        if folder is None or mode is None:
            yield
            return
        path = folder / f"{_file_name(place)}{SUFFIX}"
        modes = {Lane.JUDGE: mode}
        with Tape(path, test=entry["test"], dialogue=place, modes=modes, seed=entry["trial"]) as t:
            yield
            if t.misses:
                raise CassetteMiss(t.misses[0])
            for error in t.refusals:
                raise error
            t.finish(keep=True)


def _file_name(place: str) -> str:
    """Returns the place as a file name; a hash ends it if something was lost on the way."""
    plain = re.sub(r"[^A-Za-z0-9_.,=#-]", "-", place)
    if plain == place.replace("/", "-") and len(plain) <= LONGEST_NAME:
        return plain
    return f"{plain[:LONGEST_NAME]}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
