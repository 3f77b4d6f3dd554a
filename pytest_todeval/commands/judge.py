"""Judge stored dialogues, of a results file or of transcripts, without simulating them again."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from pytest_todeval.commands.judge_asking import Asking, OtherDialogues, questions_asked
from pytest_todeval.commands.judge_results import (
    judged_entries,
    judged_lines,
    judged_results,
    old_entries,
    side_by_side,
)
from pytest_todeval.commands.judge_source import (
    Source,
    SourceDialogue,
    add_source_arguments,
    read_source,
    with_slots,
)
from pytest_todeval.commands.judging import (
    Findings,
    JudgedDialogues,
    add_model_arguments,
    at_least_one,
    by_model,
    check_model,
    judge_of,
    judged_at_once,
    why_not,
)
from pytest_todeval.commands.output import check_output, say, warn
from pytest_todeval.errors import InvalidFile, TodevalError, UsageError, known_names
from pytest_todeval.runs.reports.results import write_results
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.runs.reports.table import counted, listed, one_line
from pytest_todeval.runs.reports.terminal import model_lines

__all__ = ["add_arguments", "run"]

LISTED = 10
LONGEST_NOTE = 400


def run(args: argparse.Namespace) -> int:
    """Judges, print a table, write the results file; 1 if the judge could not tell something.

    Raises TodevalError, with what to do, on wrong options and files, and if a model could not be
    asked: what was judged until then is written and printed.
    """
    check(args)
    source = read_source(args.file, args)
    questions = _questions(args, source)
    judge, models = judge_of(args)
    if any(each.takes_labels for each in questions):
        source = replace(source, dialogues=with_slots(source.dialogues))
    asked, skipped = _selected(args, source)
    judged = judged_at_once(args, asked, judge, questions)
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
        warn(f"todeval judge: {advice}")
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


def _selected(
    args: argparse.Namespace, source: Source
) -> tuple[list[SourceDialogue], list[tuple[SourceDialogue, str]]]:
    """Returns the dialogues to judge, and those that are not judged, with why."""
    wanted = [
        each
        for each in source.dialogues
        if args.goal is None or fnmatchcase(each.entry["goal"], args.goal)
    ]
    if not wanted:
        goals = sorted({each.entry["goal"] for each in source.dialogues})
        known = known_names(args.goal or "", goals[:20])
        raise UsageError(f"{args.file} holds no dialogue to judge; {known}")
    why = [(each, why_not(each.entry, each.dialogue)) for each in wanted[: args.limit]]
    return [each for each, no in why if no is None], [(each, no) for each, no in why if no]


def _print(
    args: argparse.Namespace,
    source: Source,
    reached: Sequence[tuple[SourceDialogue, Findings]],
    skipped: Sequence[tuple[SourceDialogue, str]],
    entries: Sequence[DialogueEntry],
    models: Sequence[str],
) -> None:
    by = " + ".join(models) or "the rule judge (no model is set)"
    names = list(dict.fromkeys(name for _, f in reached for name in f.scores))
    verdicts = list(dict.fromkeys(name for _, f in reached for name in f.verdicts))
    lines = [f"{args.file.name}: {counted(len(reached), 'dialogue')} judged by {by}", ""]
    lines += judged_lines([each.entry for each, _ in reached], entries, names, verdicts)
    lines += side_by_side(entries)
    lines += model_lines(entries)
    lines += [f"note: {one_line(note, LONGEST_NOTE)}" for note in source.notes]
    lines += _without_goal(entries, source)
    untold = [
        f"no answer: {each.place}: {one_line(why, LONGEST_NOTE)}"
        for each, f in reached
        for why in f.untold
    ]
    lines += listed(untold, LISTED, "and {} more questions that the judge could not answer")
    left = [f"not judged: {each.place}: {why}" for each, why in skipped]
    lines += listed(left, LISTED, "and {} more dialogues that were not judged")
    say(lines)


def _without_goal(entries: Sequence[DialogueEntry], source: Source) -> list[str]:
    count = sum("goal_record" not in entry for entry in entries)
    if not count:
        return []
    why = "from an older version, without their goal"
    if source.transcripts:
        why = "without a goal in the file (--goal-set finds those that it names)"
    return [
        f"note: {counted(count, 'dialogue')} {why}: what needs its domains and slots (rules of a "
        "domain, slots in the prompt) was left out"
    ]


def _stopped(args: argparse.Namespace, judged: JudgedDialogues) -> BaseException:
    """Returns what stopped the judge, with what is there and how to go on."""
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval judge`."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a results file, or a file of transcripts"
    )
    parser.add_argument(
        "--ask",
        nargs="+",
        action="append",
        metavar=("QUESTION", "ARGUMENT"),
        help="a question of the judge with what it takes: turns, quality empathy, units FILE "
        'per=dialogue, holds "SENTENCE", goal_completion "SOLUTION", rules FILE ..., compare FILE; '
        "or several with commas between; may be repeated (default: turns)",
    )
    add_model_arguments(parser)
    parser.add_argument("--fused", action="store_true", help="one call per turn in place of three")
    parser.add_argument("--language", metavar="NAME", help="of the dialogues (default: English)")
    parser.add_argument("--goal", metavar="PATTERN", help="only these goals, e.g. 'multiwoz/MUL*'")
    parser.add_argument(
        "--limit", type=at_least_one, metavar="N", help="only the first N dialogues"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a results file")
    add_source_arguments(parser)


def check(args: argparse.Namespace) -> None:
    """Raises UsageError if the options do not go together."""
    if not args.file.is_file():
        raise UsageError(f"no file to judge at {args.file}")
    check_output("--json", args.json, [args.file])
    check_model(args)
