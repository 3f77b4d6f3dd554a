"""Hold a results file against gates, such as `booking >= 0.85`, and against a baseline.

Exits with 0 if all pass, 10 if a gate fails, a goal broke or a value is worse than the baseline's,
11 if goals broke or failed and it is undecided what that shows (with --strict whatever is
undecided), 1 if dialogues failed that nothing allows and too few goals were played to show more, 12
if too many were spoiled by others, 2 if a gate cannot be read, or the baseline is of another kind
of run.
"""

import argparse
from dataclasses import asdict
from pathlib import Path

from pytest_todeval.commands.output import check_output, say, write_json
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.deciding import decide
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.sequential.stopped import stopped_early


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval gate`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "gates",
        nargs="*",
        metavar="GATE",
        help="'booking >= 0.85', 'policy_compliance.min >= 3', 'latency.p90 <= 3s', "
        "'cost <= 2', 'rules.no-phantom-booking == 0', 'success >= 0.8 for domain hotel'",
    )
    parser.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="an earlier run's results or baseline, goal by goal: no value may be worse",
    )
    parser.add_argument(
        "--undecided",
        choices=("pass", "fail"),
        help="whether what is undecided passes (default: unless goals broke or failed)",
    )
    parser.add_argument("--strict", action="store_true", help="as --undecided fail")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the findings there, too")


def run(args: argparse.Namespace) -> int:
    """Prints the finding, then each gate's value and each value beside the baseline.

    Raises UsageError on a gate that cannot be read or asks for what no dialogue has, and on a
    baseline that rests on other things; InvalidFile on a broken results file.
    """
    if not args.gates and args.baseline is None:
        raise UsageError("nothing to hold the run against: name a gate, or --baseline FILE")
    read = [args.file, *([args.baseline] if args.baseline else [])]
    check_output("--json", args.json, read)
    found = read_results(args.file)
    before = read_results(args.baseline) if args.baseline else None
    ruling = Ruling.of(
        found["dialogues"],
        decide(args.gates, found["dialogues"]),
        before,
        None if before is None else compare_runs(before, found),
        str(args.baseline),
        "fail" if args.strict else args.undecided,
    )
    say(ruling.markdown().splitlines() if args.markdown else ruling.lines())
    if (early := stopped_early(found["environment"])) is not None:
        say([""] if args.markdown else [])  # else a row of the table
        say([f"the run {early}: what it found stands; these intervals are too narrow for it"])
    if args.json:
        told = {
            "finding": ruling.finding,
            "exit_code": ruling.exit_code,
            "stopped_early": early,
            "gates": [asdict(each) for each in ruling.decided],
            "baseline": None if ruling.compared is None else asdict(ruling.compared),
        }
        write_json("--json", args.json, told)
    return ruling.exit_code
