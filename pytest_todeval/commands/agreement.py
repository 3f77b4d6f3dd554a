"""How far raters agree, from a table of their ratings; with --judge, one against the others."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_todeval.commands.output import check_output, say, write_json
from pytest_todeval.errors import UsageError
from pytest_todeval.research.agreement.correction import Corrected, Rate, corrected
from pytest_todeval.research.agreement.ratings import Ratings
from pytest_todeval.research.agreement.ratings_file import grade_of, read_ratings, scale_of
from pytest_todeval.research.agreement.report import Agreement, Figure, agreement, judged_by
from pytest_todeval.runs.reports.table import NONE, aligned, number

PASSES = {True: "passes", False: "fails", None: "is undecided"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `todeval agreement`."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="RATINGS",
        help="CSV or JSON: a row for each item and a column for each rater, or a row for each "
        "rating with columns `rater` and `rating`",
    )
    parser.add_argument(
        "--scale",
        required=True,
        help="all grades that could be given, from the lowest: 1-5, or bad,fair,good",
    )
    parser.add_argument("--raters", nargs="+", default=[], metavar="COLUMN", help="who rated")
    parser.add_argument("--judge", metavar="COLUMN", help="the rater to hold against the others")
    parser.add_argument(
        "--by", metavar="COLUMN", help="a table for each of its values, too, such as dimension"
    )
    parser.add_argument(
        "--good",
        metavar="GRADE",
        help="with --judge: the share of items with at least this grade, corrected for the "
        "judge's errors by the items that people rated, too",
    )
    parser.add_argument(
        "--gate",
        type=float,
        metavar="SHARE",
        help="with --good: say if a gate at this share (0 to 1) would be decided otherwise",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there, too")


def run(args: argparse.Namespace) -> int:
    """Prints the coefficients with intervals, and write them to a file if asked.

    Raises UsageError and InvalidFile on wrong options and on what is no table of ratings.
    """
    _refuse_lone_options(args)
    check_output("--json", args.json, [args.file])
    parts = read_ratings(args.file, args.raters).ratings(scale_of(args.scale), args.by)
    found: dict[str, dict[str, Any]] = {}
    for name, ratings in parts.items():
        try:
            agreed = judged_by(ratings, args.judge) if args.judge else agreement(ratings)
            rate = corrected(ratings, args.judge, grade_of(args.good)) if args.good else None
        except UsageError as error:
            raise UsageError(f"{args.file}, {_title(args.by, name)}: {error}") from None
        found[name] = asdict(agreed) | ({"rate": asdict(rate)} if rate else {})
        answer = f": {_beside_constant(agreed, args.judge)}" if args.judge else ""
        lines = [f"{_title(args.by, name)}{answer}", *_lines(ratings, agreed, args.judge)]
        if rate:
            lines += _rate_lines(rate, args)
        say([*lines, ""])
    if args.json:
        write_json("--json", args.json, {name or "all": each for name, each in found.items()})
    return 0


def _refuse_lone_options(args: argparse.Namespace) -> None:
    if args.good and not args.judge:
        raise UsageError("--good needs --judge, the rater whose share is to be corrected")
    if args.gate is not None and not args.good:
        raise UsageError("--gate needs --good, the least grade that counts as good")
    if args.gate is not None and not 0 <= args.gate <= 1:
        raise UsageError(f"--gate: got {args.gate:g}, expected a share from 0 to 1")


def _title(by: str | None, part: str) -> str:
    return f"{by} = {part}" if by and part else "all items"


def _lines(ratings: Ratings, found: Agreement, judge: str | None) -> Iterator[str]:
    people = [name for name in found.raters if name != judge]
    who = f"{judge} against {', '.join(people)}" if judge else ", ".join(people)
    told = ", ".join(map(str, found.scale))
    yield f"{found.items} items rated by two or more of {len(found.raters)} raters: {who}"
    clusters = len(ratings.by_cluster)
    of = f", resampled by {clusters} dialogues" if ratings.clusters else ""
    yield f"scale {told}; intervals of 95 %{of}"
    if len(ratings.raters) > len(ratings.items):
        yield "more raters than items: if the rows are the raters, turn the table"
    head = ["", "value", "interval", *(["a constant judge"] if judge else [])]
    rows = [_row(name, figure, bool(judge)) for name, figure in found.figures.items()]
    yield from aligned([head, *rows])
    if found.chance is not None:
        yield f"raters who do not look at the items agree as much: p = {found.chance:.3f}"


def _rate_lines(rate: Corrected, args: argparse.Namespace) -> Iterator[str]:
    yield f"items with {args.good} or more"
    yield f"  by {args.judge}: {_rate(rate.judge)} of {rate.judged}"
    yield f"  by people: {_rate(rate.people)} of {rate.rated}"
    yield f"  corrected, prediction-powered: {_rate(rate.powered)}"
    yield f"  corrected, Rogan and Gladen: {_rate(rate.rogan_gladen)}"
    yield (
        f"  {args.judge} said good where a person did not {rate.too_good} times, "
        f"and the reverse {rate.too_bad} times"
    )
    if args.gate is None or rate.judge.value is None:
        return
    now = PASSES[rate.judge.value >= args.gate]
    then = PASSES[rate.powered.passes(args.gate)]
    told = f"and {then} once its errors are taken out"
    yield f"  a gate at {args.gate:g} {now} by {args.judge}'s word, {told}"


def _rate(rate: Rate) -> str:
    value = number(rate.value, ".3f")
    return value if rate.interval is None else f"{value} ({rate.interval})"


def _row(name: str, figure: Figure, judged: bool) -> list[str]:
    interval = NONE if figure.interval is None else str(figure.interval)
    constant = [number(figure.constant, ".3f")] if judged else []
    return [name, number(figure.value, ".3f"), interval, *constant]


def _beside_constant(found: Agreement, judge: str) -> str:
    constant = found.constant
    if constant is None or constant.interval is None:
        return f"{judge}: too few ratings to hold it against a judge that always says the same"
    told = {
        True: "is better than",
        False: "is worse than",
        None: "cannot be told from",
    }[constant.better]
    return (
        f"{judge} {told} a judge that always says {constant.grade}: quadratic agreement "
        f"{constant.nearer:+.3f} ({constant.interval.low:+.3f} to {constant.interval.high:+.3f})"
    )
