"""Systems by users: the success of each pair, the spread over users, and what a success costs.

As clem:todd prints it (Chalamalasetti et al. 2025, table 2): users down, systems across, the spread
below. US-spread is the largest less the smallest success over the users (5.1.2); that the table's
caption calls it a standard deviation is an error of the paper, whose numbers are ranges.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.runs.reports.schema import DialogueEntry, PlayersSummary
from pytest_todeval.runs.reports.summary import cells_of
from pytest_todeval.runs.reports.table import aligned, number
from pytest_todeval.shown import in_markdown

PASSED = "passed"
"""Of what passed or failed, what passed its test; for suites that assert more than a metric."""
TOLD = ("success", "booking", "reward")
"""The metrics that tell whether a bot did what the goal asks for."""
BOT = "system"


@dataclass(frozen=True, slots=True)
class Cell:
    """What one system comes to with one user."""

    dialogues: int
    """That passed or failed, and to which the metric applies."""
    successes: int
    tokens: float | None
    """Of the system, in all its dialogues; None if any is unknown."""
    dollars: float | None
    seconds: float | None

    @property
    def rate(self) -> float | None:
        """Returns the share that succeeded; None without dialogues."""
        return self.successes / self.dialogues if self.dialogues else None


@dataclass(frozen=True, slots=True)
class MatrixTable:
    """One metric over systems and users."""

    metric: str
    systems: tuple[str, ...]
    users: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    """By system and user; those that never met are not there."""

    def spread(self, system: str) -> float | None:
        """US-spread: the largest less the smallest success over the users; less is more robust.

        None if the system did not meet all of them, or if there is only one.
        """
        rates = [self._rate(system, user) for user in self.users]
        known = [rate for rate in rates if rate is not None]
        return max(known) - min(known) if len(known) == len(rates) > 1 else None

    def per_success(self, system: str, of: Callable[[Cell], float | None]) -> float | None:
        """Returns what the system took in all its dialogues, per success; None if there is none."""
        cells = [self.cells[system, user] for user in self.users if (system, user) in self.cells]
        taken = [of(cell) for cell in cells]
        known = [each for each in taken if each is not None]
        successes = sum(cell.successes for cell in cells)
        return sum(known) / successes if successes and len(known) == len(taken) else None

    def plain(self) -> dict[str, Any]:
        cells: dict[str, dict[str, object]] = {}
        for (system, user), cell in self.cells.items():
            counts = {"dialogues": cell.dialogues, "successes": cell.successes, "rate": cell.rate}
            cells.setdefault(system, {})[user] = counts
        systems = {
            system: {
                "spread": self.spread(system),
                **{
                    f"{name}_per_success": self.per_success(system, of)
                    for name, (of, _) in COSTS.items()
                },
            }
            for system in self.systems
        }
        return {"metric": self.metric, "cells": cells, "systems": systems}

    def rows(self) -> Iterator[list[str]]:
        """Returns the table: users, the spread, then what is known of costs."""
        yield [self.metric, *self.systems]
        for user in self.users:
            yield [user, *(number(self._rate(system, user)) for system in self.systems)]
        yield ["spread", *(number(self.spread(system)) for system in self.systems)]
        for name, (of, form) in COSTS.items():
            found = [self.per_success(system, of) for system in self.systems]
            if any(found):
                yield [f"{name} per success", *(number(each, form) for each in found)]

    def _rate(self, system: str, user: str) -> float | None:
        cell = self.cells.get((system, user))
        return None if cell is None else cell.rate


COSTS: Mapping[str, tuple[Callable[[Cell], float | None], str]] = {
    "dollars": (lambda cell: cell.dollars, ".4f"),
    "tokens": (lambda cell: cell.tokens, ",.0f"),
    "seconds": (lambda cell: cell.seconds, ".3f"),
}


def matrices(entries: Sequence[DialogueEntry], metric: str | None = None) -> list[MatrixTable]:
    """Returns a matrix for each metric that tells of success, or of the one that is asked for.

    Raises UsageError if the dialogues have no such yes or no, or do not say who played.
    """
    found = cells_of(entries)
    if not found:
        raise UsageError("these dialogues do not say which bot talked to which user")
    users = tuple(sorted({user for cells in found.values() for user in cells}))
    every = [cell for cells in found.values() for cell in cells.values()]
    known = [PASSED, *dict.fromkeys(name for cell in every for name in _yes_no(cell))]
    if metric is not None and metric not in known:
        raise UsageError(f"no metric {metric!r} of yes and no: {known_names(metric, known)}")
    told = [name for name in TOLD if name in known] or [PASSED]
    return [
        MatrixTable(name, tuple(found), users, _cells(entries, name))
        for name in (told if metric is None else [metric])
    ]


def _cells(entries: Sequence[DialogueEntry], metric: str) -> dict[tuple[str, str], Cell]:
    """Of the dialogues to which the metric applies: what others took is no cost of it."""
    asked = [e for e in entries if metric == PASSED or e["metrics"].get(metric) is not None]
    found = cells_of(asked)
    return {(bot, user): _cell(c, metric) for bot, of in found.items() for user, c in of.items()}


def _yes_no(cell: PlayersSummary) -> Iterator[str]:
    """Returns the metrics with a yes or no; rewards that are only 0 and 1 are told as such, too."""
    for name, found in cell["metrics"].items():
        if found["total"] and "/" not in name and (found["hits"] is not None or name == "reward"):
            yield name


def _cell(cell: PlayersSummary, metric: str) -> Cell:
    outcomes = cell["outcomes"]
    counted, successes = outcomes["passed"] + outcomes["failed"], outcomes["passed"]
    effort = cell.get("per_dialogue")
    spent = effort["spent"].get(BOT) if effort else None
    tokens = spent and _sum(spent["prompt_tokens"], spent["completion_tokens"])
    dollars, seconds = spent and spent["dollars"], effort and effort["seconds"]
    taken = [None if each is None else each * counted for each in (tokens, dollars, seconds)]
    if metric != PASSED:
        found = cell["metrics"][metric]
        hits = found["hits"]
        counted = found["total"]
        successes = round((found["rate"] or 0) * counted) if hits is None else hits
    return Cell(counted, successes, taken[0], taken[1], taken[2])


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def matrix_lines(matrix: MatrixTable) -> list[str]:
    """Returns the table as text."""
    return aligned(list(matrix.rows()))


def markdown_lines(matrix: MatrixTable) -> list[str]:
    """Returns the table in Markdown."""
    lines = [f"| {' | '.join(map(in_markdown, row))} |" for row in matrix.rows()]
    lines.insert(1, f"| --- |{' ---: |' * len(matrix.systems)}")
    return lines
