"""Merge results files of several runs into one, e.g. of several machines.

Exits with 1 if dialogues of a shard are missing; the file is written all the same.
"""

import argparse
from pathlib import Path

from pytest_todeval.commands.output import check_output, say
from pytest_todeval.reports.results import merge, read_results, write_results
from pytest_todeval.reports.shards import gaps, repeats
from pytest_todeval.reports.terminal import summary_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval merge`."""
    parser.add_argument("files", type=Path, nargs="+", metavar="RESULTS", help="results files")
    parser.add_argument(
        "--json", type=Path, metavar="OUT", required=True, help="the results file to write"
    )


def run(args: argparse.Namespace) -> int:
    """Write the merged file and print its summary.

    Raises UsageError if the files cannot be compared, InvalidFile if one of them is misshapen.
    """
    check_output("--json", args.json, args.files)
    parts = [read_results(path) for path in args.files]
    missing = gaps(parts)
    merged = merge(parts)
    write_results(args.json, merged)
    say(summary_lines(merged, [f"{len(args.files)} files"]))
    say(repeats(parts, merged))
    say(f"missing: {each}" for each in missing)
    say([f"results: {args.json}"])
    return int(bool(missing))
