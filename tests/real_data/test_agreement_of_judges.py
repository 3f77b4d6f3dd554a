"""Published ratings: agreement to six digits, and what transposing them does to it."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.research.agreement.ratings import Ratings
from pytest_todeval.research.agreement.report import agreement, judged_by

SCALE = (1, 2, 3, 4, 5)
NAMES = {
    "percent_agreement": "agreement",
    "ac1": "AC1",
    "ac1_q5": "AC1",
    "randolph": "Randolph's kappa",
    "randolph_q5": "Randolph's kappa",
    "fleiss": "Fleiss' kappa",
    "cohen": "Cohen's kappa",
    "cohen_linear": "Cohen's kappa, linear",
    "cohen_quadratic": "Cohen's kappa, quadratic",
}


def stored(data: Path, name: str) -> dict[str, Any]:
    path = data / "judge_replies" / f"agreement_{name}.json"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def figures(ratings: Ratings, expected: dict[str, float]) -> tuple[dict[str, Any], dict[str, Any]]:
    found = agreement(ratings, samples=20).figures
    wanted = {key: value for key, value in expected.items() if key in NAMES}
    return {key: round(found[NAMES[key]].value or 0, 6) for key in wanted}, wanted


def test_two_judges(shared_data: Path) -> None:
    file = stored(shared_data, "gpt4o_vs_claude")
    for part, expected in file["expected"].items():
        rows = [row for row in file["items"] if part in ("overall", row[2])]
        found, wanted = figures(Ratings.of(SCALE, [row[3:] for row in rows]), expected)
        assert found == wanted, part
        assert len(wanted) == 6
        ratings = Ratings.of(SCALE, [row[3:] for row in rows], raters=("gpt4o", "claude"))
        rho = judged_by(ratings, "claude", samples=5).figures["Spearman's rho"].value
        assert round(rho or 0, 4) == expected["spearman"], part


def test_ten_people(shared_data: Path) -> None:
    file = stored(shared_data, "pilot_10_raters")
    for part, expected in file["expected"].items():
        level, _, dimension = part.partition("/")
        rows = [
            item["ratings"]
            for item in file["items"]
            if level in ("both", item["level"]) and dimension in ("overall", item["dim"])
        ]
        if len(rows) != expected["n_items"]:
            continue
        found, wanted = figures(Ratings.of(SCALE, rows), expected)
        assert found == wanted, part
        assert len(wanted) == 4


def test_of_a_transposed_table_shuffling_a_rater_changes_nothing(shared_data: Path) -> None:
    rows = [item["ratings"] for item in stored(shared_data, "pilot_10_raters")["items"]]
    shuffled = [
        [*row[:-1], other[-1]] for row, other in zip(rows, rows[1:] + rows[:1], strict=True)
    ]

    right, turned = (
        [
            agreement(Ratings.of(SCALE, table), samples=2).figures["AC1"].value
            for table in (first, second)
        ]
        for first, second in ((rows, shuffled), (_turned(rows), _turned(shuffled)))
    )

    assert right[0] != pytest.approx(right[1], abs=1e-6)
    assert turned[0] == pytest.approx(turned[1], abs=1e-12)


def _turned(rows: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]
