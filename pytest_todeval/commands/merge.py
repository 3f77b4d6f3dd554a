"""Merge results files of several runs into one, e.g. of several machines.

Exits with 1 if dialogues of a shard are missing; the file is written all the same.
"""

import argparse
import sys
from pathlib import Path

from pytest_todeval.errors import UsageError


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
    from pytest_todeval.reports.results import merge, read_results, write_results
    from pytest_todeval.reports.shards import gaps, repeats
    from pytest_todeval.reports.terminal import summary_lines

    places = [path.resolve() for path in args.files]
    if args.json.resolve() in places:
        raise UsageError(f"--json {args.json} is one of the files to merge: name another")
    parts = [read_results(path) for path in args.files]
    missing = gaps(parts)
    merged = merge(parts)
    write_results(args.json, merged)
    text = "\n".join(
        [
            *summary_lines(merged, [f"{len(args.files)} files"]),
            *repeats(parts, merged),
            *(f"missing: {each}" for each in missing),
            f"results: {args.json}",
        ]
    )
    # names and reasons come from files: no control characters to the terminal
    sys.stdout.write("".join(c if c.isprintable() or c == "\n" else " " for c in text) + "\n")
    return int(bool(missing))
