"""Print all that a results file says: rates, scores, rules, turns, times, costs, and by part."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from pytest_todeval.commands.output import say
from pytest_todeval.errors import UsageError
from pytest_todeval.reports.failures import failure_lines
from pytest_todeval.reports.matrix import markdown_lines, matrices, matrix_lines
from pytest_todeval.reports.report import report_lines
from pytest_todeval.reports.results import read_results
from pytest_todeval.reports.schema import DialogueEntry, Results
from pytest_todeval.reports.summary import summary
from pytest_todeval.shown import in_json
from pytest_todeval.statistics.composite import Composite, composites_from


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
        "--matrix",
        action="store_true",
        help="only the tables of systems by users: success, spread over users, cost per success",
    )
    parser.add_argument("--metric", help="the success that a matrix shows (default: all there are)")
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "json"),
        help="of a matrix (default: text)",
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
    if not args.matrix and (args.metric or args.format):
        raise UsageError("--metric and --format are of a matrix: add --matrix")
    found = read_results(args.file)
    if args.failures is not None:
        say(_failures(args.file, found, args.failures))
        return 0
    if args.matrix:
        say(_matrix_text(found["dialogues"], args.metric, args.format or "text").split("\n"))
        return 0
    weights = found["environment"].get("composites", {})
    composites = {name: Composite.parse(name, formula) for name, formula in weights.items()}
    composites |= {each.name: each for each in composites_from(args.composite)}
    now = summary(found["dialogues"], list(composites.values()))
    # numbers of the whole file that no dialogue has, such as BLEU, stand in its summary alone
    now["metrics"] = {**now["metrics"], **found["summary"]["metrics"]}
    say(report_lines({**found, "summary": now}))
    return 0


def _failures(path: Path, found: Results, other: str) -> list[str]:
    """The table of one run, or beside that of the results file `other`, if it is given."""
    runs = {path.stem: found}
    if other:
        name = Path(other).stem
        runs[f"{name} (2)" if name in runs else name] = read_results(Path(other))
    return list(failure_lines(runs)) or ["no dialogue failed"]


def _matrix_text(entries: Sequence[DialogueEntry], metric: str | None, form: str) -> str:
    found = matrices(entries, metric)
    if form == "json":
        return in_json([each.plain() for each in found])
    lines = markdown_lines if form == "markdown" else matrix_lines
    return "\n\n".join("\n".join(lines(each)) for each in found)
