"""A comparison of runs for a terminal, and as Markdown for a merge request."""

from collections.abc import Iterator, Sequence

from pytest_todeval.runs.reports.comparison.comparing import SPOILED, Change, Flip, RunComparison
from pytest_todeval.runs.reports.gates.deciding import goals_more
from pytest_todeval.runs.reports.table import aligned, counted, named
from pytest_todeval.shown import in_markdown

HEAD = ("", "before", "now", "change", "90 %", "by chance", "")
LISTED = 20
SLOWER = 1.5
"""Times as long: what is slower by less may be the machine."""
NOTICED = 0.1
"""Seconds."""


def comparison_lines(found: RunComparison) -> Iterator[str]:
    """Returns what broke, then the table as text, then what was mended and what is not compared."""
    yield _title(found)
    yield from _first(found)
    yield from aligned([HEAD, *_rows(found)])
    yield from _more(found)


def comparison_markdown(found: RunComparison) -> str:
    """Returns the same as Markdown."""
    table = markdown_table([HEAD, *_rows(found)])
    first = [f"- {in_markdown(each)}" for each in _first(found)]
    lines = [f"**{in_markdown(_title(found))}**", "", *first, *([""] if first else []), table]
    return "\n".join([*lines, *(f"- {in_markdown(line)}" for line in _more(found))]) + "\n"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Returns the rows, of which the first is the head, as a Markdown table."""
    lines = [f"| {' | '.join(in_markdown(cell) for cell in row)} |" for row in rows]
    lines.insert(1, f"|{' --- |' * len(rows[0])}")
    return "\n".join(lines) + "\n"


def _title(found: RunComparison) -> str:
    worse = [change.name for change in found.changes if change.finding == "worse"]
    open_ones = [change.name for change in found.changes if change.finding == "undecided"]
    told = [f"{counted(found.goals, 'goal')} in both runs"]
    told += [f"{len(found.broke)} broke{'' if found.broken else ', maybe by chance'}"] * bool(
        found.broke
    )
    told += [f"worse: {', '.join(worse)}"] if worse else []
    told += [] if worse or found.broke else ["nothing is shown to be worse"]
    told += [f"undecided: {', '.join(open_ones)}"] if open_ones else []
    return "; ".join(told)


def _first(found: RunComparison) -> Iterator[str]:
    """Returns what is to be read before any figure."""
    yield from _flips("broke", found.broke)
    for name, (had, have) in found.gone.items():
        yield f"gone: {name}, which {counted(had, 'goal')} had and {have} still have"
    if found.only_before or found.only_now:
        yield f"goals in one run only: {found.only_before} before, {found.only_now} now"
    for which, share in zip(("earlier", "later"), found.spoiled, strict=True):
        if share > SPOILED:
            yield f"others than the bot spoiled {share:.0%} of the {which} run: do not rely on it"
    yield from (f"differs: {each}" for each in found.differing)
    if found.latency is not None and _is_slower(*found.latency):
        yield f"slower: {_latency(*found.latency)}"
    if found.chance:
        yield f"left to chance: {named(found.chance, LISTED)}"
    else:
        yield "nothing is left to chance: each difference comes of what was changed"


def _rows(found: RunComparison) -> Iterator[list[str]]:
    for change in found.changes:
        difference = change.difference
        some = f" ({difference.goals} goals)" if difference.goals < found.goals else ""
        ends = f"{difference.interval.low:+.3f} to {difference.interval.high:+.3f}"
        likely = "p < 0.001" if change.chance < 0.001 else f"p = {change.chance:.3f}"
        yield [
            f"{change.name}{some}",
            f"{change.before:.3f}",
            f"{change.now:.3f}",
            f"{difference.mean:+.3f}",
            ends if found.chance else "-",
            likely if found.chance else "-",
            _finding(change, sure=not found.chance),
        ]


def _finding(change: Change, *, sure: bool) -> str:
    if change.finding == "no worse" and not change.difference.mean and sure:
        return "as before"
    if change.finding == "no worse":
        return f"no worse by {change.margin:g}"
    if change.finding != "undecided":
        return change.finding
    return f"undecided: {_open(change)}; a loss of {change.difference.detectable:.2f} would show"


def _open(change: Change) -> str:
    """Says why these goals do not tell."""
    if change.needed is None:
        return "too close to the margin"
    return f"{goals_more(change.needed - change.difference.goals)} would decide"


def _more(found: RunComparison) -> Iterator[str]:
    yield from _flips("mended", found.mended)
    for outcome, (before, now) in found.left_out.items():
        yield f"left out, {outcome}: {before} before, {now} now"
    if found.latency is not None and not _is_slower(*found.latency):
        yield _latency(*found.latency)


def _is_slower(before: float, now: float) -> bool:
    return now > SLOWER * before and now - before > NOTICED


def _latency(before: float, now: float) -> str:
    return f"seconds for an answer, in nine dialogues of ten: {before:.2f} before, {now:.2f} now"


def _flips(what: str, flips: Sequence[Flip]) -> Iterator[str]:
    if flips:
        yield f"{what} ({len(flips)}): {told_goals(flips, LISTED)}"


def told_goals(flips: Sequence[Flip], most: int) -> str:
    """Returns the first goals by name, and of those with trials how many passed."""
    return named([f"{flip.goal}{_trials(flip)}" for flip in flips], most)


def _trials(flip: Flip) -> str:
    if flip.before[1] == flip.now[1] == 1:
        return ""
    (one, of_one), (other, of_other) = flip.before, flip.now
    return f" ({one}/{of_one} -> {other}/{of_other})"
