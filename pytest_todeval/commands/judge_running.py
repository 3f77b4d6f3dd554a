"""Asking a judge about many dialogues at once; its calls are kept in a file per dialogue."""

import argparse
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from pytest_todeval.commands.judge_asking import Asking
from pytest_todeval.commands.judge_options import by_model
from pytest_todeval.commands.judge_source import SourceDialogue
from pytest_todeval.commands.judged import Findings, JudgedDialogues, ask, judge_all
from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.judge.judge import Judge
from pytest_todeval.judge.llm_judge.judge import LLMJudge
from pytest_todeval.judge.rule_judge import RuleJudge
from pytest_todeval.llm.connections import KeptConnections
from pytest_todeval.llm.models_file import settings_for
from pytest_todeval.llm.run_models import require_trust
from pytest_todeval.llm.settings import ModelSettings
from pytest_todeval.llm.usage import ledger, plain_totals
from pytest_todeval.prices import Prices
from pytest_todeval.recording.location import SUFFIX
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.reports.schema import DialogueEntry

LONGEST_NAME = 120
"""Characters of a cassette's name."""


def judge_of(args: argparse.Namespace) -> tuple[Judge, tuple[ModelSettings, ...]]:
    """The judge, and the models that it asks: none of the rule judge.

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
    """Run the body in the judge's lane; with a folder, its calls are recorded or replayed.

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
    """The place as a file name; a hash ends it if something was lost on the way."""
    plain = re.sub(r"[^A-Za-z0-9_.,=#-]", "-", place)
    if plain == place.replace("/", "-") and len(plain) <= LONGEST_NAME:
        return plain
    return f"{plain[:LONGEST_NAME]}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
