"""`todeval report --failures`: of one results file, or of two side by side."""

from pathlib import Path

from pytest_todeval.reports.failures import failure_lines
from pytest_todeval.reports.results import read_results
from pytest_todeval.reports.schema import Results


def failures_text(path: Path, results: Results, other: str) -> str:
    """The table; `other` is another results file, or empty. Raises InvalidFile on a wrong one."""
    runs = {path.stem: results}
    if other:
        name = Path(other).stem
        runs[f"{name} (2)" if name in runs else name] = read_results(Path(other))
    lines = list(failure_lines(runs)) or ["no dialogue failed"]
    return "\n".join(lines) + "\n"
