"""Hold a results file against gates, such as `booking >= 0.85`.

Exits with 0 if all pass or are undecided, 10 if one fails, 11 if one is undecided and --strict is
given, 12 if too many dialogues were spoiled by others, 2 if a gate cannot be read.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from pytest_todeval.commands.output import check_output, write_output

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval gate`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "gates",
        nargs="+",
        metavar="GATE",
        help="'booking >= 0.85', 'policy_compliance.min >= 3', 'latency.p90 <= 3s', "
        "'cost <= 2', 'rules.no-phantom-booking == 0', 'success >= 0.8 for domain hotel'",
    )
    parser.add_argument("--strict", action="store_true", help="fail if a gate is undecided")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the findings there, too")


def run(args: argparse.Namespace) -> int:
    """Print each gate's value and finding.

    Raises UsageError on a gate that cannot be read or asks for what no dialogue has, InvalidFile on
    a broken results file.
    """
    from pytest_todeval.recording.words import harmless
    from pytest_todeval.reports.gates.deciding import EXIT, UNDECIDED, decide, gate_lines, overall
    from pytest_todeval.reports.results import read_results
    from pytest_todeval.reports.sequential.stopped import stopped_early

    check_output("--json", args.json, [args.file])
    results = read_results(args.file)
    found = decide(args.gates, results["dialogues"])
    lines = [*gate_lines(found)]
    if (early := stopped_early(results["environment"])) is not None:
        lines.append(
            f"the run {early}: what it found stands; these intervals are too narrow for it"
        )
    sys.stdout.write(harmless("\n".join(lines) + "\n"))
    if args.json:
        told = {"finding": overall(found), "gates": [asdict(each) for each in found]}
        write_output("--json", args.json, json.dumps(told, indent=1) + "\n")
    finding = overall(found)
    return UNDECIDED if finding == "undecided" and args.strict else EXIT[finding]
