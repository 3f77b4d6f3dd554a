"""A comparison of runs for a terminal, and as Markdown for a merge request."""

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist

from pytest_todeval.reports.comparison.comparing import ALPHA, Change, Flip, RunComparison
from pytest_todeval.reports.gates.deciding import goals_more
from pytest_todeval.reports.table import aligned, named
from pytest_todeval.shown import in_markdown

HEAD = ("", "before", "now", "change", "90 %", "by chance", "")
LISTED = 20
MOST = 100
"""Times the goals of the run: nobody plays more to settle a value."""


def comparison_lines(found: RunComparison) -> Iterator[str]:
    """The table as text, then the goals that broke and were mended."""
    yield _title(found)
    yield from (f"differs: {each}" for each in found.differing)
    yield from aligned([HEAD, *_rows(found)])
    yield from _more(found)


def comparison_markdown(found: RunComparison) -> str:
    """The same as Markdown."""
    table = markdown_table([HEAD, *_rows(found)])
    differs = [f"- differs: {in_markdown(each)}" for each in found.differing]
    lines = [f"**{in_markdown(_title(found))}**", "", *differs, *([""] if differs else []), table]
    return "\n".join([*lines, *(f"- {in_markdown(line)}" for line in _more(found))]) + "\n"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """The rows, of which the first is the head, as a Markdown table."""
    lines = [f"| {' | '.join(in_markdown(cell) for cell in row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    return "\n".join(lines) + "\n"


def _title(found: RunComparison) -> str:
    worse = [change.name for change in found.changes if change.finding == "worse"]
    open_ones = [change.name for change in found.changes if change.finding == "undecided"]
    told = f"worse: {', '.join(worse)}" if worse else "nothing is shown to be worse"
    rest = f"; undecided: {', '.join(open_ones)}" if open_ones else ""
    return f"{found.goals} goals in both runs; {told}{rest}"


def _rows(found: RunComparison) -> Iterator[list[str]]:
    for change in found.changes:
        difference = change.difference
        some = f" ({difference.goals} goals)" if difference.goals < found.goals else ""
        yield [
            f"{change.name}{some}",
            f"{change.before:.3f}",
            f"{change.now:.3f}",
            f"{difference.mean:+.3f}",
            f"{difference.interval.low:+.3f} to {difference.interval.high:+.3f}",
            "p < 0.001" if change.chance < 0.001 else f"p = {change.chance:.3f}",
            _finding(change),
        ]


def _finding(change: Change) -> str:
    if change.finding == "no worse":
        return f"no worse by {change.margin:g}"
    if change.finding != "undecided":
        return change.finding
    return f"undecided: {_open(change)}; a loss of {change.difference.detectable:.2f} would show"


def _open(change: Change) -> str:
    """Why these goals do not tell."""
    difference = change.difference
    if difference.interval.high < -change.margin:
        return "looks worse, but chance alone may do as much"
    needed = _goals_needed(change)
    if needed is None or needed > MOST * difference.goals:
        return "too close to the margin"
    return f"{goals_more(needed - difference.goals)} would decide"


def _goals_needed(change: Change) -> int | None:
    """How many goals would show it worse, or no worse by what matters, if the mean holds."""
    difference = change.difference
    if not 0 < difference.worse < 0.5:
        return difference.goals_needed(change.margin)
    corrected = ALPHA * difference.worse / change.chance
    now, then = (-NormalDist().inv_cdf(chance) for chance in (difference.worse, corrected))
    worse = math.ceil(difference.goals * (then / now) ** 2)
    if difference.mean <= -change.margin:
        return worse
    return min(worse, difference.goals_needed(change.margin) or worse)


def _more(found: RunComparison) -> Iterator[str]:
    yield from _flips("broke", found.broke)
    yield from _flips("mended", found.mended)
    for outcome, (before, now) in found.left_out.items():
        yield f"left out, {outcome}: {before} before, {now} now"
    if found.only_before or found.only_now:
        yield f"goals in one run only: {found.only_before} before, {found.only_now} now"


def _flips(what: str, flips: Sequence[Flip]) -> Iterator[str]:
    if flips:
        told = [f"{flip.goal}{_trials(flip)}" for flip in flips]
        yield f"{what} ({len(flips)}): {named(told, LISTED)}"


def _trials(flip: Flip) -> str:
    if flip.before[1] == flip.now[1] == 1:
        return ""
    (one, of_one), (other, of_other) = flip.before, flip.now
    return f" ({one}/{of_one} -> {other}/{of_other})"
