"""What a page shows: a run, beside an earlier one, with gates and the history if asked."""

from collections.abc import Sequence
from pathlib import Path

from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.deciding import decide
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.history.store import kept_runs
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.schema import Results
from pytest_todeval.runs.viewer.run_data import Shown


def shown_of(
    file: Path,
    found: Results,
    before: Path | None = None,
    gates: Sequence[str] = (),
    history: Path | None = None,
) -> Shown:
    """Runs that rest on different things are compared, and the page says what differs.

    Raises UsageError and InvalidFile for gates and files that cannot be read.
    """
    earlier = None if before is None else read_results(before)
    compared = None if earlier is None else compare_runs(earlier, found, forced=True)
    ruling = None
    if gates or compared:
        decided = decide(gates, found["dialogues"]) if gates else []
        ruling = Ruling(decided, compared, "" if before is None else before.name)
    runs = () if history is None else kept_runs(history)
    return Shown(found, file.stem, ruling, earlier, history=runs)
