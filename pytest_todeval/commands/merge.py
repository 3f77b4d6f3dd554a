"""Merge results files of several runs into one, e.g. of several machines.

Exits with 1 if dialogues of a shard are missing; the file is written all the same.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_todeval.commands.output import check_output, say
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.results import merge, read_results, write_results
from pytest_todeval.runs.reports.schema import Results
from pytest_todeval.runs.reports.terminal import summary_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval merge`."""
    parser.add_argument("files", type=Path, nargs="+", metavar="RESULTS", help="results files")
    parser.add_argument(
        "--json", type=Path, metavar="OUT", required=True, help="the results file to write"
    )


def run(args: argparse.Namespace) -> int:
    """Writes the merged file and print its summary.

    Raises UsageError if the files cannot be compared, InvalidFile if one of them is misshapen.
    """
    check_output("--json", args.json, args.files)
    parts = [read_results(path) for path in args.files]
    missing = _gaps(parts)
    merged = merge(parts)
    write_results(args.json, merged)
    say(summary_lines(merged, [f"{len(args.files)} files"]))
    say(_repeats(parts, merged))
    say(f"missing: {each}" for each in missing)
    say([f"results: {args.json}"])
    return int(bool(missing))


def _gaps(parts: Sequence[Results]) -> list[str]:
    """Returns what the shards' files lack, a line each; none of files that are no shards.

    Raises UsageError if the shards are of different runs: cut into other numbers, or from other
    tests.
    """
    shards = [part["environment"].get("shards", {}) for part in parts]
    planned: dict[str, Mapping[str, Any]] = {n: e for each in shards for n, e in each.items()}
    if not planned:
        return []
    numbers = {name.partition("/")[2] for name in planned}
    if len(numbers) > 1:
        raise UsageError(f"the files are shards of different runs: {', '.join(sorted(planned))}")
    tests = {each for found in planned.values() for each in found["collection"]}
    if len(tests) > 1:
        raise UsageError(
            "the shards were cut from different tests: collect the same ones in each, and give "
            "each the same --todeval-times"
        )
    (of,) = numbers
    absent = [f"{n}/{of}" for n in range(1, int(of) + 1) if f"{n}/{of}" not in planned]
    return [
        *(f"shard {name}: no file" for name in absent),
        *_cut_short(parts),
    ]


def _cut_short(parts: Sequence[Results]) -> Iterator[str]:
    for part in parts:
        shards = part["environment"].get("shards", {})
        if len(shards) != 1:  # of a merged file nobody can tell which dialogue is of which shard
            continue
        ((name, found),) = shards.items()
        wanted, there = found["planned"][0], len({each["test"] for each in part["dialogues"]})
        if isinstance(wanted, int) and there < wanted:
            yield f"shard {name}: {wanted - there} of {wanted} dialogues"


def _repeats(parts: Sequence[Results], merged: Results) -> list[str]:
    """Returns a line if dialogues stand in several files."""
    more = sum(len(part["dialogues"]) for part in parts) - len(merged["dialogues"])
    return [f"{more} dialogues stand in several files and were kept once"] if more else []
