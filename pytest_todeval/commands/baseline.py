"""Keep what a run found as a small file beside the code, to hold later runs against."""

import argparse
from pathlib import Path

from pytest_todeval.commands.output import say
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.baseline import baseline_of
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.comparison.text import comparison_lines
from pytest_todeval.runs.reports.comparison.values import counts
from pytest_todeval.runs.reports.results import read_results, write_results
from pytest_todeval.runs.reports.sequential.stopped import stopped_early


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `todeval baseline`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    update = actions.add_parser("update", help="write or replace the baseline")
    update.add_argument("file", type=Path, metavar="RESULTS", help="the run's results file")
    update.add_argument("baseline", type=Path, metavar="BASELINE", help="the file to keep")


def run(args: argparse.Namespace) -> int:
    """Writes the baseline, and say what changed from the one that was there.

    Raises InvalidFile on a broken results file, UsageError if the run played none or not all of its
    goals, or the baseline's place is taken by a run that has its dialogues.
    """
    found = read_results(args.file)
    counted = sum(map(counts, found["dialogues"]))
    if not counted:
        raise UsageError(f"{args.file} holds no dialogue that passed or failed; play them again")
    if (told := stopped_early(found["environment"])) is not None:
        raise UsageError(
            f"{args.file}: the run {told}, which later runs cannot be held against; keep one that "
            "played all its goals"
        )
    if args.baseline.exists():
        before = read_results(args.baseline)
        if any(entry["turns"] for entry in before["dialogues"]):
            raise UsageError(
                f"{args.baseline} holds a run with its dialogues, which a baseline would replace; "
                "name another file"
            )
        try:
            say(comparison_lines(compare_runs(before, found, forced=True)))
        except UsageError as error:
            say([f"{args.baseline} was replaced: {error}"])
    write_results(args.baseline, baseline_of(found))
    told = "" if counted == len(found["dialogues"]) else f", {counted} of which count"
    kept = f"{args.baseline}: {len(found['dialogues'])} dialogues{told}"
    say([f"{kept}. Commit it, then: pytest --todeval-baseline {args.baseline}"])
    return 0
