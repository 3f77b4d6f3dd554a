"""Print all that a results file says: rates, scores, rules, turns, times, costs, and by part."""

import argparse
import sys
from pathlib import Path

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval report`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "--composite",
        action="append",
        default=[],
        metavar="NAME=FORMULA",
        help="a score with weights of your own, e.g. 'ours = 0.7 success + 0.3 booking'; may be "
        "given several times",
    )
    parser.add_argument(
        "--failures",
        nargs="?",
        const="",
        metavar="OTHER",
        help="only the failures of tasks by kind; with another results file, both side by side",
    )


def run(args: argparse.Namespace) -> int:
    """Print the report.

    Raises UsageError on a wrong composite, InvalidFile if the file is misshapen.
    """
    from pytest_todeval.commands.report_failures import failures_text
    from pytest_todeval.recording.words import harmless
    from pytest_todeval.reports.report import report_lines
    from pytest_todeval.reports.results import read_results
    from pytest_todeval.reports.summary import summary
    from pytest_todeval.statistics.composite import Composite, composites_from

    found = read_results(args.file)
    if args.failures is not None:
        sys.stdout.write(harmless(failures_text(args.file, found, args.failures)))
        return 0
    weights = found["environment"].get("composites", {})
    composites = {name: Composite.parse(name, formula) for name, formula in weights.items()}
    composites |= {each.name: each for each in composites_from(args.composite)}
    now = summary(found["dialogues"], list(composites.values()))
    # numbers of the whole file that no dialogue has, such as BLEU, stand in its summary alone
    now["metrics"] = {**now["metrics"], **found["summary"]["metrics"]}
    text = "\n".join(report_lines({**found, "summary": now}))
    sys.stdout.write(harmless(text + "\n"))
    return 0
