"""The tables of a run: rates with their counts, by domain, bot and user."""

from typing import Any

from pytest_todeval.runs.reports.players import claimed_lines, players_lines
from pytest_todeval.runs.reports.table import aligned, score_table


def rate(hits: int | None, total: int, mean: float | None) -> dict[str, Any]:
    return {"hits": hits, "total": total, "rate": mean}


def results(**metrics: dict[str, Any]) -> Any:
    found = {name.replace("__", "/"): each for name, each in metrics.items()}
    outcomes = {"passed": 3, "failed": 1, "judge_fault": 0}
    return {
        "summary": {"dialogues": 4, "outcomes": outcomes, "metrics": found},
        "environment": {"metrics": {"success": "online 1", "inform": "online 1"}},
    }


def test_a_column_per_metric_and_a_row_per_domain() -> None:
    table = score_table(
        "mine",
        results(
            inform=rate(3, 4, 0.75),
            inform__hotel=rate(1, 2, 0.5),
            inform__taxi=rate(2, 2, 1.0),
            bleu=rate(None, 4, 0.125),
            reward=rate(0, 0, None),
        ),
        ["a word"],
    )
    assert table.splitlines() == [
        "mine: 4 dialogues (3 passed, 1 failed)",
        "",
        "               inform        bleu",
        "dialogues   75.0% 3/4  12.5% of 4",
        "domains     75.0% 3/4           -",
        "hotel       50.0% 1/2           -",
        "taxi       100.0% 2/2           -",
        "",
        "inform: online 1",
        "success: online 1",
        "note: a word",
    ]


def test_a_single_domain_has_no_row_of_all_domains() -> None:
    table = score_table("mine", results(inform=rate(1, 2, 0.5), inform__hotel=rate(0, 2, 0.0)))
    assert [line.split()[0] for line in table.splitlines()[3:5]] == ["dialogues", "hotel"]
    assert "hotel       0.0% 0/2" in table


def test_the_first_column_stands_to_the_left_and_others_to_the_right() -> None:
    assert aligned([["a", "bbb"], ["ccc", "d"]]) == ["a    bbb", "ccc    d"]


def one(dialogues: int, passed: int, **metrics: dict[str, Any]) -> Any:
    return {"dialogues": dialogues, "outcomes": {"passed": passed}, "metrics": metrics}


def test_each_bot_has_its_row() -> None:
    polite = {"rate": None, "mean": 4.5}
    bots = {
        "a\nb": one(4, 3, success=rate(3, 4, 0.75), none=rate(0, 0, None)),
        "c": {**one(2, 0, bleu=rate(None, 2, 0.5)), "scores": {"polite": polite}},
    }
    summary: Any = {**one(6, 3), "bots": bots}
    assert list(players_lines(summary)) == [
        "  by bot  dialogues  passed  success   bleu  polite",
        "  a b             4       3   3 of 4      -       -",
        "  c               2       0        -  0.500    4.50",
    ]
    summary["bots"] = {}
    assert list(players_lines(summary)) == []


def test_what_is_named_by_a_sentence_has_no_column() -> None:
    metrics = {"holds: It is polite.": rate(1, 2, 0.5), "combine": rate(None, 2, 0.5)}
    asked = {"Is it polite?": {"rate": None, "mean": 4.5}}
    bots = {name: {**one(2, 1, **metrics), "scores": asked} for name in "ab"}
    summary: Any = {**one(4, 2), "bots": bots}
    assert next(players_lines(summary)).split() == ["by", "bot", "dialogues", "passed"]


def test_what_is_only_claimed_is_counted_beside_what_passed() -> None:
    claimed = {"booking": 2, "reward": 1}
    summary: Any = {**one(4, 3, booking=rate(3, 4, 0.75)), "claimed": claimed}
    (line,) = claimed_lines(summary)
    assert "booking 2 of 3 passed, reward 1 (--todeval-claims=fail" in line
    summary["claimed"] = {}
    assert list(claimed_lines(summary)) == []
