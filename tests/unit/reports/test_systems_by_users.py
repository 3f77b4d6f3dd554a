"""Systems by users: clem:todd's own table, and what cannot be told."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.matrix import (
    Cell,
    MatrixTable,
    markdown_lines,
    matrices,
    matrix_lines,
)
from pytest_todeval.runs.reports.results import dialogue_entry
from pytest_todeval.runs.reports.schema import DialogueEntry

USERS = ("Llama-1B", "Llama-3B", "Qwen-7B", "Llama-8B", "Qwen-32B", "Llama-70B")
TABLE_2: Mapping[str, tuple[float, ...]] = {
    "Qwen M": (0.42, 0.75, 0.47, 0.77, 0.95, 1.00),
    "Qwen MP": (0.34, 0.55, 0.42, 0.55, 0.58, 0.80),
    "Qwen ML": (0.32, 0.85, 0.35, 0.80, 0.82, 0.93),
    "Llama M": (0.28, 0.62, 0.45, 0.67, 0.83, 0.90),
    "Llama MP": (0.27, 0.40, 0.23, 0.32, 0.53, 0.53),
    "Llama ML": (0.18, 0.62, 0.17, 0.62, 0.70, 0.80),
}


def cell(rate: float, *, dialogues: int = 100, tokens: float | None = None) -> Cell:
    return Cell(dialogues, round(rate * dialogues), tokens, None, None)


def published() -> MatrixTable:
    cells = {
        (system, user): cell(rate)
        for system, rates in TABLE_2.items()
        for user, rate in zip(USERS, rates, strict=True)
    }
    return MatrixTable("booking", tuple(TABLE_2), USERS, cells)


def test_the_spread_is_that_of_clem_todds_table_2() -> None:
    """It prints 0.25 and 0.62 for the last two, which its own rows do not give."""
    spreads = [round(published().spread(system) or 0, 2) for system in TABLE_2]
    assert spreads == [0.58, 0.46, 0.61, 0.62, 0.30, 0.63]


def test_the_table_reads_as_theirs() -> None:
    lines = matrix_lines(published())
    assert lines[0].split() == ["booking", *(word for name in TABLE_2 for word in name.split())]
    assert lines[1].split() == ["Llama-1B", "0.42", "0.34", "0.32", "0.28", "0.27", "0.18"]
    assert lines[-1].split() == ["spread", "0.58", "0.46", "0.61", "0.62", "0.30", "0.63"]


def test_who_did_not_meet_all_users_has_no_spread() -> None:
    found = MatrixTable("success", ("a",), ("one", "other"), {("a", "one"): cell(0.5)})
    assert found.spread("a") is None
    assert [row[1] for row in found.rows()][1:] == ["0.50", "-", "-"]


def test_a_success_costs_what_all_dialogues_took() -> None:
    cells = {("a", "x"): cell(1.0, dialogues=2, tokens=300), ("a", "y"): cell(0, tokens=700)}
    found = MatrixTable("success", ("a",), ("x", "y"), cells)
    assert found.per_success("a", lambda each: each.tokens) == 500
    unknown = MatrixTable("success", ("a",), ("x", "y"), {**cells, ("a", "y"): cell(0)})
    assert unknown.per_success("a", lambda each: each.tokens) is None
    never = MatrixTable("success", ("a",), ("y",), {("a", "y"): cell(0, tokens=700)})
    assert never.per_success("a", lambda each: each.tokens) is None


def test_names_end_neither_cells_nor_lines_of_markdown() -> None:
    name = "a|b\n<i>\\"
    found = MatrixTable("success", (name,), ("u",), {(name, "u"): cell(1.0)})
    lines = list(markdown_lines(found))
    assert lines[0] == "| success | a\\|b \\<i>\\\\ |"
    assert len(lines) == 4


def test_it_is_plain_json() -> None:
    assert json.loads(json.dumps(published().plain()))["systems"]["Qwen M"]["spread"] == (
        pytest.approx(0.58)
    )


def test_dialogues_that_do_not_say_who_played_have_no_matrix() -> None:
    entry: Any = {"outcome": "passed"}
    with pytest.raises(UsageError, match="do not say which bot"):
        matrices([entry])


def test_dialogues_to_which_a_metric_does_not_apply_are_no_cost_of_it() -> None:
    def entry(number: int, **metrics: bool | None) -> DialogueEntry:
        turn = Turn(1, "Hello.", "Hello.", usage=Usage(100, 20))
        played = Dialogue(Goal(str(number), "own", ()), (turn,))
        return dialogue_entry(
            played,
            test=f"test_it[own/{number}]",
            outcome=Outcome.PASSED,
            metrics=metrics,
            bot="ours",
            user="agenda",
        )

    entries = [entry(1, success=True, booking=True), entry(2, success=True, booking=None)]
    success, booking = matrices(entries)
    assert success.plain()["systems"]["ours"]["tokens_per_success"] == 120
    assert booking.plain()["systems"]["ours"]["tokens_per_success"] == 120
    assert booking.plain()["cells"]["ours"]["agenda"]["dialogues"] == 1


def test_one_user_has_no_spread() -> None:
    assert MatrixTable("success", ("a",), ("u",), {("a", "u"): cell(1.0)}).spread("a") is None
