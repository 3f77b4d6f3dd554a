"""What `todeval judge` can be told, and what of it goes together."""

import argparse
from pathlib import Path

from pytest_todeval.commands.judge_source import add_source_arguments
from pytest_todeval.commands.output import check_output
from pytest_todeval.errors import UsageError

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
    parser.add_argument("--limit", type=_count, metavar="N", help="only the first N dialogues")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a results file")
    add_source_arguments(parser)


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what tells which model judges, how it is asked, and where its calls are kept."""
    parser.add_argument("--model", help="who judges (default: rules, which ask no model)")
    parser.add_argument("--base-url", metavar="URL", help="the model's endpoint")
    parser.add_argument("--models", type=Path, metavar="FILE", help="settings of models by lane")
    parser.add_argument("--samples", type=_count, metavar="N", help="ask each model N times")
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
        "--concurrency", type=_count, default=4, metavar="N", help="dialogues at once (default: 4)"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a whole number from 1 up")
    return int(text)


def check(args: argparse.Namespace) -> None:
    """Raise UsageError if the options do not go together."""
    if not args.file.is_file():
        raise UsageError(f"no file to judge at {args.file}")
    check_output("--json", args.json, [args.file])
    check_model(args)


def check_model(args: argparse.Namespace) -> None:
    """Raise UsageError if the options about models do not go together."""
    if args.record and not args.cassette:
        raise UsageError("--record needs --cassette DIR, the folder to record to or replay from")
    given = [name for name in FOR_MODELS if getattr(args, name)]
    if given and not by_model(args):
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} needs a model as the judge: name one with --model")


def by_model(args: argparse.Namespace) -> bool:
    """Whether a model judges."""
    return bool(args.model or args.models)
