"""Runs over time for a terminal: a line for each value, then where it changed, then the runs."""

from collections.abc import Iterator, Sequence

from pytest_todeval.runs.reports.history.store import KeptRun
from pytest_todeval.runs.reports.table import aligned
from pytest_todeval.runs.statistics.change_point import ChangePoint, change_points

STEPS = "▁▂▃▄▅▆▇█"
LONGEST = 60
"""Runs in a line of steps; of more, the last ones."""
LISTED = 20


def history_lines(runs: Sequence[KeptRun], names: Sequence[str]) -> Iterator[str]:
    """Of the values of these names, for each branch and bot by itself."""
    single = len(runs) == 1
    yield f"1 run, {runs[0].at}" if single else f"{len(runs)} runs, {runs[0].at} to {runs[-1].at}"
    rows = [["", "least", "most", "last", ""]]
    changes = []
    every = list(_series(runs, names))
    for told, name, having in every[-LISTED:]:
        values = [run.values[name][0] for run in having]
        shown = values[-LONGEST:]
        numbers = [f"{each:.3f}" for each in (min(values), max(values), values[-1])]
        rows.append([told, *numbers, _steps(shown)])
        goals = [run.values[name][1] for run in having]
        changes += [_told(told, change, having) for change in change_points(values, goals)]
    yield from aligned(rows)
    if len(every) > LISTED:
        yield f"and {len(every) - LISTED} lines of earlier runs: choose with --branch, --bot"
    yield from changes
    yield ""
    yield from aligned(list(_runs(runs[-LISTED:], names)))
    if len(runs) > LISTED:
        yield f"and {len(runs) - LISTED} runs before"


def _series(
    runs: Sequence[KeptRun], names: Sequence[str]
) -> Iterator[tuple[str, str, list[KeptRun]]]:
    """What a line is called, the value that it is of, and its runs; those that ended last, last."""
    branches, bots = len({run.branch for run in runs}), len({run.bot for run in runs})
    series: dict[tuple[str, str], list[KeptRun]] = {}
    for run in runs:
        found = series.pop((run.branch, run.bot), [])
        found.append(run)
        series[run.branch, run.bot] = found
    for (branch, bot), found in series.items():
        which = [each for each, several in ((branch, branches > 1), (bot, bots > 1)) if several]
        for name in names:
            having = [run for run in found if name in run.values]
            if having:
                yield ", ".join([name, *which]), name, having


def _steps(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    if low == high:
        return STEPS[-1] * len(values)
    top = len(STEPS) - 1
    return "".join(STEPS[round(top * (value - low) / (high - low))] for value in values)


def _told(name: str, change: ChangePoint, runs: Sequence[KeptRun]) -> str:
    run = runs[change.place]
    moved = "fell" if change.after < change.before else "rose"
    return (
        f"{name} {moved} from {change.before:.3f} to {change.after:.3f} with run {run.number} "
        f"({run.at}, {run.branch} {run.version})"
    )


def _runs(runs: Sequence[KeptRun], names: Sequence[str]) -> Iterator[list[str]]:
    yield ["run", "at", "branch", "version", "bot", *names]
    for run in reversed(runs):
        cells = [f"{run.values[name][0]:.3f}" if name in run.values else "-" for name in names]
        yield [str(run.number), run.at, run.branch, run.version, run.bot, *cells]
