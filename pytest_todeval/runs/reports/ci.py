"""A run for a CI: annotations at the lines of tests, and a summary in Markdown."""

import ast
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.causes import FailureGroup, groups_of
from pytest_todeval.runs.reports.comparison.comparing import RunComparison
from pytest_todeval.runs.reports.comparison.text import comparison_markdown, markdown_table
from pytest_todeval.runs.reports.effort import dollars_of
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.table import named
from pytest_todeval.shown import in_line, in_markdown

MOST_ANNOTATIONS = 10
"""GitHub shows no more of one step."""
MOST_CAUSES = 10
SHOWN_GOALS = 5
SHOWN = 400
"""Characters of a reason."""


def annotations(entries: Sequence[DialogueEntry], folder: Path) -> Iterator[str]:
    """GitHub's commands, one for each cause of failure, at the line of the first test of it.

    `folder`: where the tests are.
    """
    groups = [each for each in groups_of(entries) if each.cause.outcome == Outcome.FAILED]
    for group in groups[:MOST_ANNOTATIONS]:
        file, line = _place(group.entries[0]["test"], folder)
        where = f"file={_property(file)},line={line}" if line else f"file={_property(file)}"
        title = f"{len(group.entries)} failed: {', '.join(group.names) or 'the test'}"
        told = f"{group.cause.finding.reason:.{SHOWN}} ({_goals(group)})"
        yield f"::error {where},title={_property(title)}::{_data(told)}"
    if len(groups) > MOST_ANNOTATIONS:
        yield f"::notice::{len(groups) - MOST_ANNOTATIONS} more causes stand in the summary"


def summary_markdown(found: Results, compared: RunComparison | None = None) -> str:
    """What came of the run, what failed by cause, what broke and was mended, and the cost."""
    entries = found["dialogues"]
    outcomes = Counter(entry["outcome"] for entry in entries)
    told = ", ".join(f"{count} {name}" for name, count in outcomes.most_common())
    parts = [f"**{len(entries)} dialogues: {told}**\n" if entries else "**no dialogue**\n"]
    groups = groups_of(entries)
    if groups:
        rows = [("", "why", "owner", "goals"), *map(_row, groups[:MOST_CAUSES])]
        parts.append(markdown_table(rows))
        if len(groups) > MOST_CAUSES:
            parts.append(f"and {len(groups) - MOST_CAUSES} more causes\n")
    if compared is not None:
        parts.append(comparison_markdown(compared))
    parts.append(f"Cost: {_cost(entries)}\n")
    return "\n".join(parts)


def _row(group: FailureGroup) -> tuple[str, str, str, str]:
    owner = "bot" if group.cause.outcome == Outcome.FAILED else group.cause.outcome
    return str(len(group.entries)), group.title[:SHOWN], owner, _goals(group)


def _goals(group: FailureGroup) -> str:
    return named([entry["goal"] for entry in group.entries], SHOWN_GOALS)


def _cost(entries: Sequence[DialogueEntry]) -> str:
    asked = [entry for entry in entries if entry.get("calls") or entry["usage"].get("cost")]
    if not asked:
        return "nothing, no model was asked"
    spent = [dollars_of(entry) for entry in asked]
    known = [each for each in spent if each is not None]
    if len(known) < len(spent):
        return in_markdown("not known: todeval_prices lacks a model")
    return f"${math.fsum(known):.4f}"


def _place(test: str, folder: Path) -> tuple[str, int | None]:
    """Returns the file of a node id, and the line of its function if the file has it."""
    file, _, rest = test.partition("[")[0].partition("::")
    name = rest.rpartition("::")[2]
    return file, _lines(folder / file).get(name)


@cache
def _lines(path: Path) -> dict[str, int]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return {}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: node.lineno for node in ast.walk(tree) if isinstance(node, kinds)}


def _data(text: str) -> str:
    """As GitHub's runner reads it back."""
    return in_line(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
