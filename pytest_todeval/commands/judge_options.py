"""What `todeval judge` can be told, and what of it goes together."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_todeval.commands.judged import Asking
from pytest_todeval.errors import UsageError, known_names

if TYPE_CHECKING:
    from pytest_todeval.judge.question import Question

__all__ = ["add_arguments", "check", "questions_of"]

FOR_MODELS = (
    "samples",
    "fused",
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
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "--ask",
        metavar="WHAT",
        help="comma-separated: turns, rules, completion, quality, conversation, units, state, or "
        "what installed packages bring (default: turns, and rules with --rules)",
    )
    parser.add_argument(
        "--rules", nargs="+", metavar="FILE", help="rule files, or names of shipped rule sets"
    )
    parser.add_argument("--model", help="who judges (default: the rule judge, which asks no model)")
    parser.add_argument("--base-url", metavar="URL", help="the model's endpoint")
    parser.add_argument("--models", type=Path, metavar="FILE", help="settings of models by lane")
    parser.add_argument("--samples", type=_count, metavar="N", help="ask each model N times")
    parser.add_argument("--fused", action="store_true", help="one call per turn in place of three")
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="prompts that replace ours")
    parser.add_argument(
        "--policy", type=Path, metavar="FILE", help="the policy that the bot has to follow"
    )
    parser.add_argument("--prices", type=Path, metavar="FILE", help="US dollars by model")
    parser.add_argument("--language", metavar="NAME", help="of the dialogues (default: English)")
    parser.add_argument("--goal", metavar="PATTERN", help="only these goals, e.g. 'multiwoz/MUL*'")
    parser.add_argument("--limit", type=_count, metavar="N", help="only the first N dialogues")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a results file")
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
        raise UsageError(f"no results file at {args.file}")
    if args.json and args.json.resolve() == args.file.resolve():
        raise UsageError(f"--json {args.json} would overwrite the file being judged; name another")
    if args.record and not args.cassette:
        raise UsageError("--record needs --cassette DIR, the folder to record to or replay from")
    given = [name for name in FOR_MODELS if getattr(args, name)]
    if given and not (args.model or args.models):
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} needs a model as the judge: name one with --model")


def questions_of(args: argparse.Namespace) -> list[Asking]:
    """What is asked. Raises UsageError and InvalidFile before anything is paid for."""
    default = "turns,rules" if args.rules else "turns"
    names = list(dict.fromkeys(part.strip() for part in (args.ask or default).split(",")))
    asked = [_question(name, by_model=bool(args.model or args.models)) for name in names]
    if ("rules" in names) != bool(args.rules):
        raise UsageError("--ask rules and --rules FILE go together: name the rules to check")
    from pytest_todeval.judge.rule_answers import merged_rules

    rules = merged_rules(args.rules) if args.rules else None
    return [Asking(each, (rules,) if each.name == "rules" else ()) for each in asked]


def _question(name: str, *, by_model: bool) -> "Question[..., Any]":
    from pytest_todeval.judge.judge import TABLE, find_question

    try:
        found = find_question(name)
    except UsageError as error:
        raise UsageError(f"--ask {name!r}: {error}") from None
    on_files = [each.name for each in TABLE.values() if each.on_files != "nobody"]
    if found.on_files == "nobody":
        raise UsageError(f"--ask {name!r}: not for stored dialogues; {known_names(name, on_files)}")
    if found.on_files == "model" and not by_model:
        told = [each.name for each in TABLE.values() if each.on_files == "any judge"]
        raise UsageError(
            f"--ask {name} needs a model as the judge: name one with --model; the rule judge "
            f"answers {', '.join(told)}"
        )
    return found
