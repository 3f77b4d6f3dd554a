"""Results files from Python: read, merge, write, and have a dialogue back from its entry.

    from pathlib import Path
    from pytest_todeval.results import dialogue_of, read_results

    results = read_results(Path("results.json"))
    results["summary"]["metrics"]["booking"]["rate"]
    last = dialogue_of(results["dialogues"][0])     # e.g. for judge.compare(dialogue, last)

What the file holds is described in docs/results_file.md.
"""

from pytest_todeval.runs.reports.results import merge, strip_times
from pytest_todeval.runs.reports.results_file import read_results, write_results
from pytest_todeval.runs.reports.schema import DialogueEntry, Results, Summary
from pytest_todeval.runs.reports.stored import dialogue_of

__all__ = [
    "DialogueEntry",
    "Results",
    "Summary",
    "dialogue_of",
    "merge",
    "read_results",
    "strip_times",
    "write_results",
]
