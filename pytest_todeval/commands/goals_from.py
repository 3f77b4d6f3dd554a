"""`todeval goals from`: conversations become goals, recorded users and transcripts to judge."""

import argparse
import json
import os
from pathlib import Path

from pytest_todeval.commands.output import check_output, say, warn, write_output
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.research.offline.transcripts.reading import FORMATS, read_transcripts
from pytest_todeval.runs.reports.table import counted
from pytest_todeval.start.drafts.conversations import (
    Drafts,
    drafts_of,
    recorded_test,
    transcript_of,
)
from pytest_todeval.start.drafts.goal_text import yaml_of

MOST_REASONS = 10
SHOWN_IDS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the file and what is made of it."""
    parser.add_argument("file", type=Path, metavar="FILE", help="chats, traces or transcripts")
    parser.add_argument(
        "--format",
        choices=[each for each in FORMATS if each != "dst"],
        help="what the file is (as it shows)",
    )
    parser.add_argument("--out", type=Path, metavar="GOALS", help="a .yaml file for the goals")
    parser.add_argument(
        "--recorded", type=Path, metavar="TEST", help="a test whose users say what people said"
    )
    parser.add_argument(
        "--transcripts", type=Path, metavar="FILE", help="a .jsonl file to judge the dialogues by"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="the first N goals only")
    parser.add_argument(
        "--keep-personal", action="store_true", help="leave names, phones and the like as they are"
    )


def run(args: argparse.Namespace) -> int:
    """Writes what is asked for, or print the goals; 1 if no conversation has one.

    Raises TodevalError if the person must act.
    """
    if args.recorded is not None and args.out is None:
        raise UsageError("--recorded needs --out GOALS: its users' goals stand there")
    if args.limit is not None and args.limit < 1:
        raise UsageError(f"--limit {args.limit}: expected a whole number from 1 up")
    for name in ("out", "recorded", "transcripts"):
        check_output(f"--{name}", getattr(args, name), [args.file])
    if not args.file.is_file():
        raise InvalidFile(f"{args.file}: there is no such file")
    read = read_transcripts(args.file, args.format)
    dialogues = {each.id: each.dialogue for each in read.found}
    drafts = drafts_of(dialogues, keep_personal=args.keep_personal)
    drafts.goals = drafts.goals[: args.limit]
    _tell(drafts, len(dialogues), read.format)
    if not drafts.goals:
        return 1
    _write(args, drafts)
    return 0


def _write(args: argparse.Namespace, drafts: Drafts) -> None:
    note = (
        f"Goals of the conversations in {args.file.name}: those that failed first, then the rarest."
    )
    text = yaml_of([draft.entry for draft in drafts.goals], note)
    if args.out is None:
        say(text.rstrip().split("\n"))
    else:
        write_output("--out", args.out, text)
    if args.recorded is not None:
        start = args.recorded.resolve().parent
        source = Path(os.path.relpath(args.out.resolve(), start)).as_posix()
        write_output("--recorded", args.recorded, recorded_test(drafts.goals, source))
    if args.transcripts is not None:
        lines = [json.dumps(transcript_of(each), ensure_ascii=False) for each in drafts.goals]
        write_output("--transcripts", args.transcripts, "\n".join(lines) + "\n")


def _tell(drafts: Drafts, conversations: int, format: str) -> None:
    folded = sum(len(each.like) for each in drafts.goals)
    failed = sum(bool(each.refused) for each in drafts.goals)
    warn(
        f"{counted(conversations, 'conversation')} ({format}): "
        f"{counted(len(drafts.goals), 'goal')}, "
        f"{folded} folded into others, {failed} with a call that failed, "
        f"{drafts.masked} personal values masked"
    )
    reasons: dict[str, list[str]] = {}
    for id, reason in drafts.left_out.items():
        reasons.setdefault(reason, []).append(id)
    for reason, ids in list(reasons.items())[:MOST_REASONS]:
        shown = ", ".join([*ids[:SHOWN_IDS], *(["..."] if len(ids) > SHOWN_IDS else [])])
        warn(f"left out, {len(ids)}: {reason} ({shown})")
