"""Hold runs against an earlier one, goal by goal: what broke, and what of it is more than chance.

Exits with 1 if a goal broke for sure or a value is worse, 11 if goals broke, or most are missing,
and that may be chance, 0 else; with 2 if the runs cannot be compared.
"""

import argparse
from dataclasses import asdict
from pathlib import Path

from pytest_todeval.commands.output import check_output, say, write_json
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.comparison.comparing import MARGIN, compare_runs
from pytest_todeval.runs.reports.comparison.text import comparison_lines, comparison_markdown
from pytest_todeval.runs.reports.gates.ruling import UNDECIDED
from pytest_todeval.runs.reports.results import read_results


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval compare`."""
    parser.add_argument("before", type=Path, metavar="BEFORE", help="the earlier results file")
    parser.add_argument("now", nargs="+", type=Path, metavar="NOW", help="results files after it")
    parser.add_argument(
        "--margin",
        type=float,
        default=MARGIN,
        metavar="SHARE",
        help="the smallest loss that matters, as a share of a value's scale (default: 0.05)",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="compare runs over other data, rules, prompts, users or judges all the same",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there, too")


def run(args: argparse.Namespace) -> int:
    """Prints what changed from the first run to each of the others.

    Raises UsageError if they cannot be compared, InvalidFile on a broken results file.
    """
    if not 0 < args.margin < 1:
        raise UsageError(f"--margin: got {args.margin:g}, expected a share above 0 and below 1")
    check_output("--json", args.json, [args.before, *args.now])
    before = read_results(args.before)
    told, worse, doubtful = {}, False, False
    for path in args.now:
        try:
            found = compare_runs(before, read_results(path), margin=args.margin, forced=args.force)
        except UsageError as error:
            raise UsageError(f"{args.before} and {path}: {error}") from None
        told[str(path)] = {**asdict(found), "worse": found.worse}
        worse |= found.worse
        doubtful |= found.doubtful
        say([f"{args.before} -> {path}"] if len(args.now) > 1 else [])
        say(comparison_markdown(found).splitlines() if args.markdown else comparison_lines(found))
    if args.json:
        write_json("--json", args.json, told)
    return 1 if worse else UNDECIDED if doubtful else 0
