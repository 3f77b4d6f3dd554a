"""Print all that a results file says: rates, scores, rules, turns, times, costs, and by part."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from pytest_todeval.commands.output import check_output, command, say, write_output
from pytest_todeval.commands.shown import shown_of
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.comparison.text import comparison_lines
from pytest_todeval.runs.reports.failures import failure_lines
from pytest_todeval.runs.reports.matrix import markdown_lines, matrices, matrix_lines
from pytest_todeval.runs.reports.report import report_lines
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.summary import summary
from pytest_todeval.runs.statistics.composite import Composite, composites_from
from pytest_todeval.shown import in_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval report`."""
    parser.add_argument("file", type=Path, metavar="RESULTS", help="a results file")
    parser.add_argument(
        "before", nargs="?", type=Path, metavar="BEFORE", help="an earlier one to hold it against"
    )
    parser.add_argument(
        "--html",
        type=Path,
        metavar="OUT",
        help="write a page for people: one file that needs no network",
    )
    parser.add_argument(
        "--figures",
        type=Path,
        metavar="FOLDER",
        help="write tables as Markdown and LaTeX there, and plots as SVG and PNG, which takes an "
        "installed Chromium, Chrome or Edge",
    )
    parser.add_argument(
        "--badge", type=Path, metavar="OUT", help="write a badge for a README there, as SVG"
    )
    parser.add_argument(
        "--gate",
        action="append",
        default=[],
        metavar="GATE",
        help="what page, badge and figures hold the run against, e.g. 'booking >= 0.85'; may be "
        "given several times",
    )
    parser.add_argument(
        "--history", type=Path, metavar="FILE", help="page and figures show the runs kept there"
    )
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
        choices=("text", "markdown", "json", "github"),
        help="text (default); markdown: a short summary for a CI, or the matrix; json: of a "
        "matrix; github: annotations at the lines of the tests that failed",
    )
    parser.add_argument(
        "--failures",
        nargs="?",
        const="",
        metavar="OTHER",
        help="only the failures of tasks by kind; with another results file, both side by side",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the report.

    Raises UsageError on a wrong composite, InvalidFile if the file is misshapen.
    """
    if not args.matrix and (args.metric or args.format == "json"):
        raise UsageError("--metric and --format json are of a matrix: add --matrix")
    if args.matrix and args.format == "github":
        raise UsageError("--format github is of the whole run: leave out --matrix")
    for_people = args.html or args.figures or args.badge
    if not for_people and (args.gate or args.history):
        raise UsageError("--gate and --history are of a page: add --html OUT or --figures FOLDER")
    found = read_results(args.file)
    if for_people:
        return _write_page(args, found)
    if args.failures is not None:
        say(_failures(args.file, found, args.failures))
        return 0
    if args.matrix:
        say(_matrix_text(found["dialogues"], args.metric, args.format or "text").split("\n"))
        return 0
    if args.format in ("markdown", "github"):
        return _print_for_ci(args, found)
    weights = found["environment"].get("composites", {})
    composites = {name: Composite.parse(name, formula) for name, formula in weights.items()}
    composites |= {each.name: each for each in composites_from(args.composite)}
    now = summary(found["dialogues"], list(composites.values()))
    # numbers of the whole file that no dialogue has, such as BLEU, stand in its summary alone
    now["metrics"] = {**now["metrics"], **found["summary"]["metrics"]}
    say(report_lines({**found, "summary": now}))
    if args.before:
        say(["", *comparison_lines(compare_runs(read_results(args.before), found))])
    return 0


def _write_page(args: argparse.Namespace, found: Results) -> int:
    from pytest_todeval.commands.figures import write_figures
    from pytest_todeval.runs.viewer.badge import badge_of
    from pytest_todeval.runs.viewer.page import write_page

    read = [each for each in (args.file, args.before) if each]
    check_output("--html", args.html, read)
    check_output("--badge", args.badge, read)
    shown = shown_of(args.file, found, args.before, args.gate, args.history)
    if args.html:
        write_page(args.html, shown)
        say([f"report: {args.html}"])
    if args.badge:
        write_output("--badge", args.badge, badge_of(shown))
        say([f"badge: {args.badge}"])
    if args.figures:
        say(write_figures(args.figures, shown))
    return 0


def _print_for_ci(args: argparse.Namespace, found: Results) -> int:
    from pytest_todeval.runs.reports.ci import annotations, summary_markdown

    if args.format == "github":
        for line in annotations(found["dialogues"], Path.cwd()):
            command(line)
        return 0
    before = None if args.before is None else read_results(args.before)
    compared = None if before is None else compare_runs(before, found, forced=True)
    say(summary_markdown(found, compared).splitlines())
    return 0


def _failures(path: Path, found: Results, other: str) -> list[str]:
    """Returns the table of one run, or beside that of the results file `other`, if it is given."""
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
