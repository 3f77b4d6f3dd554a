"""Judge stored dialogues, of a results file or of transcripts, without simulating them again."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_todeval.commands.judge_asking import Asking, OtherDialogues, questions_asked
from pytest_todeval.commands.judge_cassettes import judging, mode_of
from pytest_todeval.commands.judge_options import add_arguments, by_model, check
from pytest_todeval.commands.judge_source import (
    Source,
    SourceDialogue,
    read_source,
    with_slots,
)
from pytest_todeval.commands.judged import Findings, JudgedDialogues, ask, judge_all, why_not
from pytest_todeval.errors import InvalidFile, TodevalError, UsageError, known_names

if TYPE_CHECKING:
    from pytest_todeval.judge.judge import Judge
    from pytest_todeval.llm.settings import ModelSettings
    from pytest_todeval.prices import Prices
    from pytest_todeval.recording.mode import Mode
    from pytest_todeval.reports.schema import DialogueEntry

__all__ = ["add_arguments", "run"]

LISTED = 10
LONGEST_NOTE = 400


def run(args: argparse.Namespace) -> int:
    """Judge, print a table, write the results file; 1 if the judge could not tell something.

    Raises TodevalError, with what to do, on wrong options and files, and if a model could not be
    asked: what was judged until then is written and printed.
    """
    from pytest_todeval.commands.judge_results import judged_entries, judged_results, old_entries
    from pytest_todeval.reports.results import write_results

    check(args)
    source = read_source(args.file, args)
    questions = _questions(args, source)
    judge, models = _judge(args)
    if any(each.takes_labels for each in questions):
        source = replace(source, dialogues=with_slots(source.dialogues))
    selected = _selected(args, source)
    skipped = [(each, why) for each in selected if (why := why_not(each.entry, each.dialogue))]
    asked = [each for each in selected if why_not(each.entry, each.dialogue) is None]
    judged = _judged(args, asked, judge, questions)
    reached = [(a, f) for a, f in zip(asked, judged.found, strict=True) if f is not None]
    name = type(judge).__name__
    entries = judged_entries(
        [(each.entry, findings) for each, findings in reached], name, settle=source.transcripts
    )
    names = [each.model for each in models]
    if args.json:
        found = [findings for _, findings in reached]
        rest = old_entries([each.entry for each, _ in skipped], found)
        whole = judged_results([*entries, *rest], found, source.environment, judge, names)
        write_results(args.json, whole)
    if reached or not isinstance(judged.stopped, UsageError | InvalidFile):
        _print(args, source, reached, skipped, entries, names)
    for advice in dict.fromkeys(text for _, findings in reached for text in findings.advice):
        print(f"todeval judge: {advice}", file=sys.stderr)
    if judged.stopped is not None:
        raise _stopped(args, judged) from judged.stopped
    return int(any(findings.untold for _, findings in reached))


def _questions(args: argparse.Namespace, source: Source) -> list[Asking]:
    def read_other(path: Path) -> OtherDialogues:
        other = read_source(path, args)
        return OtherDialogues(path, {each.place: each.dialogue for each in other.dialogues})

    asked = args.ask or [["turns"]]
    found = questions_asked(asked, by_model=by_model(args), read_other=read_other)
    labelled = any(each.labels is not None for each in source.dialogues)
    if not labelled and any(each.by_labels_alone for each in found):
        raise UsageError(
            "--ask state needs a model as the judge (--model), or a file with labels: predicted "
            "states of MultiWOZ (--format dst), or transcripts whose turns have a `label`"
        )
    return found


def _judge(
    args: argparse.Namespace,
) -> "tuple[Judge, tuple[ModelSettings, ...]]":
    """The judge, and the models that it asks: none of the rule judge."""
    from pytest_todeval.judge.rule_judge import RuleJudge

    if not by_model(args):
        return RuleJudge(), ()
    from pytest_todeval.core.lane import Lane
    from pytest_todeval.judge.llm_judge.judge import LLMJudge
    from pytest_todeval.llm.models_file import settings_for

    models = settings_for(Lane.JUDGE, file=args.models, model=args.model, base_url=args.base_url)
    if not models:
        raise UsageError("no model is set for the judge: name one with --model")
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


def _selected(args: argparse.Namespace, source: Source) -> list[SourceDialogue]:
    wanted = [
        each
        for each in source.dialogues
        if args.goal is None or fnmatchcase(each.entry["goal"], args.goal)
    ]
    if not wanted:
        goals = sorted({each.entry["goal"] for each in source.dialogues})
        known = known_names(args.goal or "", goals[:20])
        raise UsageError(f"{args.file} holds no dialogue to judge; {known}")
    return wanted[: args.limit]


def _judged(
    args: argparse.Namespace,
    asked: Sequence[SourceDialogue],
    judge: "Judge",
    questions: Sequence[Asking],
) -> JudgedDialogues:
    from contextlib import closing

    from pytest_todeval.llm.connections import KeptConnections
    from pytest_todeval.prices import Prices

    mode = mode_of(args.cassette, args.record) if args.cassette else None
    prices = Prices.read(args.prices) if args.prices else Prices()
    tasks: list[Callable[[], Findings]] = [
        partial(_judge_one, each, judge, questions, prices, args.cassette, mode) for each in asked
    ]
    # The rule judge remembers the dialogue it was asked about last, and waits for nothing.
    with closing(KeptConnections()) as kept, kept.used():
        return judge_all(tasks, args.concurrency if by_model(args) else 1)


def _judge_one(
    stored: SourceDialogue,
    judge: "Judge",
    questions: Sequence[Asking],
    prices: "Prices",
    folder: Path | None,
    mode: "Mode | None",
) -> Findings:
    from pytest_todeval.llm.usage import ledger, plain_totals, totals

    with ledger() as spent, judging(stored.entry, stored.place, folder, mode):
        findings = ask(judge, questions, stored)
    findings.prompts.update(spent.prompts)
    findings.rule_sets.update(spent.rules)
    findings.calls.update(plain_totals(totals(spent.calls, prices)))
    findings.advice.update(spent.advice)
    return findings


def _print(
    args: argparse.Namespace,
    source: Source,
    reached: Sequence[tuple[SourceDialogue, Findings]],
    skipped: Sequence[tuple[SourceDialogue, str]],
    entries: "Sequence[DialogueEntry]",
    models: Sequence[str],
) -> None:
    from pytest_todeval.commands.judge_side_by_side import side_by_side
    from pytest_todeval.commands.judge_table import judged_lines, one_line
    from pytest_todeval.reports.terminal import model_lines

    by = " + ".join(models) or "the rule judge (no model is set)"
    names = list(dict.fromkeys(name for _, f in reached for name in f.scores))
    verdicts = list(dict.fromkeys(name for _, f in reached for name in f.verdicts))
    lines = [f"{args.file.name}: {_dialogues(len(reached))} judged by {by}", ""]
    lines += judged_lines([each.entry for each, _ in reached], entries, names, verdicts)
    lines += side_by_side(entries)
    lines += model_lines(entries)
    lines += [f"note: {one_line(note, LONGEST_NOTE)}" for note in source.notes]
    lines += _without_goal(entries, source)
    lines += _first(
        [
            f"no answer: {each.place}: {one_line(why, LONGEST_NOTE)}"
            for each, f in reached
            for why in f.untold
        ],
        "questions that the judge could not answer",
    )
    lines += _first(
        [f"not judged: {each.place}: {why}" for each, why in skipped],
        "dialogues that were not judged",
    )
    text = "\n".join(lines) + "\n"
    # names and places come from a file: no control characters to the terminal
    sys.stdout.write("".join(c if c.isprintable() or c == "\n" else " " for c in text))


def _without_goal(entries: "Sequence[DialogueEntry]", source: Source) -> list[str]:
    count = sum("goal_record" not in entry for entry in entries)
    if not count:
        return []
    why = "from an older version, without their goal"
    if source.transcripts:
        why = "without a goal in the file (--goal-set finds those that it names)"
    return [
        f"note: {_dialogues(count)} {why}: what needs its domains and slots (rules of a domain, "
        "slots in the prompt) was left out"
    ]


def _dialogues(count: int) -> str:
    return f"{count} {'dialogue' if count == 1 else 'dialogues'}"


def _first(lines: Sequence[str], what: str) -> list[str]:
    more = len(lines) - LISTED
    return [*lines[:LISTED], *([f"and {more} more {what}"] if more > 0 else [])]


def _stopped(args: argparse.Namespace, judged: JudgedDialogues) -> BaseException:
    """What stopped the judge, with what is there and how to go on."""
    if not isinstance(judged.stopped, TodevalError):
        return KeyboardInterrupt()
    if isinstance(judged.stopped, UsageError | InvalidFile):
        return judged.stopped
    done = sum(each is not None for each in judged.found)
    written = f"; they are in {args.json}" if args.json else ""
    go_on = "add --cassette DIR: what is asked is recorded, and nothing is paid for twice"
    if args.cassette:
        go_on = "the same with --record missing asks only what is not recorded yet"
    return TodevalError(
        f"{judged.stopped}\n{done} of {len(judged.found)} dialogues are judged{written}. "
        f"To go on: {go_on}"
    )
