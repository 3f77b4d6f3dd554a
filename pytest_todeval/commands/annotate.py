"""Have people rate what a judge rated: write a sheet for them, or read their answers back."""

import argparse
from pathlib import Path

from pytest_todeval.commands.output import check_output, say, write_output
from pytest_todeval.errors import UsageError
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.research.annotation.items import items_of_all, sampled
from pytest_todeval.research.annotation.saved import ratings_csv, read_answers
from pytest_todeval.research.annotation.sheet import sheet
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.viewer.page import page_with


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval annotate`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file with scores")
    parser.add_argument(
        "--sheet", type=Path, metavar="HTML", help="write a sheet to rate in a browser, from disk"
    )
    parser.add_argument(
        "--ask", nargs="+", default=[], metavar="SCORE", help="only these scores (default: all)"
    )
    parser.add_argument(
        "--dialogues", type=int, metavar="N", help="a sample of N dialogues (default: all)"
    )
    parser.add_argument("--seed", type=int, default=0, help="which sample (default: 0)")
    parser.add_argument(
        "--answers", nargs="+", type=Path, default=[], metavar="JSON", help="what raters saved"
    )
    parser.add_argument(
        "--ratings", type=Path, metavar="CSV", help="write their answers and the judge's there"
    )


def run(args: argparse.Namespace) -> int:
    """Writes the sheet, or the table of ratings.

    Raises UsageError on options that do not go together, InvalidFile on what cannot be read.
    """
    if bool(args.sheet) == bool(args.answers) or bool(args.answers) != bool(args.ratings):
        raise UsageError(
            "expected either `--sheet sheet.html`, to write a sheet, or "
            "`--answers ANSWERS.json ... --ratings ratings.csv`, to read answers back"
        )
    if args.dialogues is not None and args.dialogues < 1:
        raise UsageError(f"--dialogues: got {args.dialogues}, expected 1 or more")
    check_output("--sheet", args.sheet, [args.file])
    check_output("--ratings", args.ratings, [args.file, *args.answers])
    dialogues = items_of_all(read_results(args.file)["dialogues"], args.ask)
    if args.sheet:
        chosen = sampled(dialogues, args.dialogues, args.seed)
        page = page_with("Rate a bot's dialogues", "sheet", sheet(chosen, Prompts()))
        write_output("--sheet", args.sheet, page)
        ratings = sum(len(items) for _, items in chosen)
        told = f"{args.sheet}: {len(chosen)} dialogues, {ratings} ratings. Open it in a browser, "
        told += f"save the answers, then: todeval annotate {args.file} "
        say([f"{told}--answers ratings-NAME.json --ratings ratings.csv"])
        return 0
    items = [item for _, each in dialogues for item in each]
    answers = read_answers(args.answers, items)
    write_output("--ratings", args.ratings, ratings_csv(items, answers))
    told = ", ".join(f"{len(given)} by {name}" for name, given in answers.items())
    then = f"todeval agreement {args.ratings} --scale 1-5 --judge judge --by dimension"
    say([f"{args.ratings}: {told}. Next: {then}"])
    return 0
