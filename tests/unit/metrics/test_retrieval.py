"""Hit-Rate@k and MRR@k, with values derived from their definitions (AutoEval-ToD 3.1, 3.3)."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import JudgeFault, OracleFault, UsageError
from pytest_todeval.evaluate.metrics.retrieval import (
    CUTOFFS,
    Ranking,
    RetrievalRates,
    RetrievalReport,
    progressive,
    retrieval,
    retrieval_rates,
)

SOLUTION = "Switch off the mute key."
TROUBLE = Goal("no-sound", "desk", (), ("No sound.",), SOLUTION)


def turned(*retrieved: tuple[Any, ...], goal: Goal = TROUBLE) -> Dialogue:
    """A dialogue whose turns retrieved these."""
    turns = [Turn(at, "u", "s", retrieved=each) for at, each in enumerate(retrieved, 1)]
    return Dialogue(goal, tuple(turns))


def called(*calls: ToolCall) -> Dialogue:
    return Dialogue(TROUBLE, (Turn(1, "u", "s", calls),))


def values(report: RetrievalReport, name: str) -> list[float | None]:
    return [score.value for score in report.scores[name]]


def ranks(report: RetrievalReport) -> list[int | None]:
    return [each.rank for each in report.rankings]


def test_rates_are_those_of_the_definitions() -> None:
    """Ranks 1, 4 and none: HR@1 = 1/3, HR@5 = 2/3, MRR@3 = (1+0+0)/3, MRR@5 = (1+1/4+0)/3."""
    fillers = ("a", "b", "c")
    report = retrieval(turned((SOLUTION, *fillers), (*fillers, SOLUTION), fillers))
    assert ranks(report) == [1, 4, None]
    rates = retrieval_rates([report])
    assert rates.queries == 3
    assert rates.hit_rate == pytest.approx({1: 1 / 3, 3: 1 / 3, 5: 2 / 3, 10: 2 / 3, 20: 2 / 3})
    assert rates.mrr == pytest.approx({1: 1 / 3, 3: 1 / 3, **dict.fromkeys((5, 10, 20), 1.25 / 3)})
    assert [score.reason for score in report.scores["mrr@1"]] == [
        "the first relevant item has rank 1 of 4",
        "the first relevant item has rank 4 of 4",
        "none of the 3 items is relevant",
    ]
    assert values(report, "hit_rate@5") == [1, 1, 0]
    assert values(report, "mrr@5") == [1, 0.25, 0]


def test_an_item_just_within_the_cutoff_counts_and_the_next_does_not() -> None:
    for k in CUTOFFS:
        within, beyond = Ranking(1, 30, k), Ranking(1, 30, k + 1)
        assert (within.hit(k), within.reciprocal(k)) == (1, 1 / k)
        assert (beyond.hit(k), beyond.reciprocal(k)) == (0, 0)


def test_only_the_first_relevant_item_counts() -> None:
    assert ranks(retrieval(turned(("x", "7", 7)), relevant=[7])) == [2]


def test_progressive_rates_are_over_the_dialogues_with_a_query_in_that_turn() -> None:
    one, other = (
        retrieval(turned(("x", "y"), (), (SOLUTION,))),
        retrieval(turned((SOLUTION,), ("x", SOLUTION))),
    )
    found = progressive([one, other])
    assert list(found) == [1, 2, 3]
    assert [each.queries for each in found.values()] == [2, 1, 1]
    assert [each.hit_rate[1] for each in found.values()] == [0.5, 0, 1]
    assert [each.mrr[5] for each in found.values()] == [0.5, 0.5, 1]


def test_a_turn_without_a_query_is_not_applicable() -> None:
    report = retrieval(turned((SOLUTION,), ()))
    second = report.hit_rate(1)[1]
    assert (second.turn, second.value, second.unscored) == (2, None, "not applicable")
    assert report.hit_rate(1) >= 1
    assert not report.mrr(1) < 1


def test_no_query_has_no_rate() -> None:
    with pytest.raises(JudgeFault, match="there is no rate"):
        retrieval_rates([retrieval(turned(()))])
    with pytest.raises(JudgeFault, match="there is no rate"):
        RetrievalRates.of(())
    assert progressive([retrieval(turned(()))]) == {}


@pytest.mark.parametrize(
    ("item", "relevant"),
    [
        (SOLUTION, True),
        ("switch off  the MUTE key", True),
        ("First: switch off the mute key. Then plug in.", True),
        ({"title": "Mute", "text": SOLUTION}, True),
        ({"title": "Mute", "more": {"text": SOLUTION}}, False),
        ("mute key", False),
        ("Do not switch off the mute keyboard", False),
        (None, False),
        (True, False),
    ],
)
def test_what_is_relevant_by_the_solution(item: object, relevant: bool) -> None:
    assert ranks(retrieval(turned((item,)))) == [1 if relevant else None]


def test_ids_are_the_items_or_fields_of_theirs_never_parts_of_a_text() -> None:
    items = ("room 19 is free", {"id": 19, "name": "x"})
    assert ranks(retrieval(turned(items), relevant=["19"])) == [2]
    assert ranks(retrieval(turned(items), relevant=(19,))) == [2]


def test_a_function_may_say_what_is_relevant() -> None:
    found = retrieval(turned((1, 2, 30)), relevant=lambda item: item > 10)
    assert ranks(found) == [3]


def test_the_results_of_a_look_up_are_ranked_if_the_bot_reports_no_items() -> None:
    rows = [{"name": "x"}, {"text": SOLUTION}]
    text = '[{"name": "x"}, "switch off the mute key"]'
    for result in (rows, {"count": 2, "results": rows}, text):
        assert ranks(retrieval(called(ToolCall("search_articles", {}, result)))) == [2]
    reported = called(ToolCall("search_articles", {}, rows))
    turn = replace(reported.turns[0], retrieved=(SOLUTION,))
    assert ranks(retrieval(replace(reported, turns=(turn,)))) == [1]


def test_the_last_look_up_of_a_turn_counts_and_an_empty_one_is_a_miss() -> None:
    first = ToolCall("search_articles", {}, [SOLUTION])
    none = ToolCall("search_articles", {}, {"count": 0, "results": []})
    report = retrieval(called(first, none))
    assert [(each.items, each.rank) for each in report.rankings] == [(0, None)]
    failed = ToolCall("search_articles", {}, None, "no such table")
    assert ranks(retrieval(called(first, failed))) == [1]


def test_a_booking_is_no_retrieval() -> None:
    booked = ToolCall("book_hotel", {"name": "x"}, {"reference": "QX12345", "notes": []})
    assert ranks(retrieval(called(booked))) == []


def test_without_a_solution_the_rows_that_meet_the_goal_are_relevant() -> None:
    from tests.support.dialogue_world import restaurant_goal

    goal = restaurant_goal()
    rows = ({"name": "saffron garden"}, {"name": "the copper kettle"})
    asked: list[object] = []

    def query(domain: str, inform: object) -> list[dict[str, str]]:
        asked.append((domain, inform))
        return [{"id": "4", "name": "The Copper Kettle"}]

    assert ranks(retrieval(turned(rows, goal=goal), query=query)) == [2]
    assert asked == [("restaurant", goal.domains[0].inform)]


def test_without_anything_relevant_it_is_the_goals_fault() -> None:
    bare = Goal("g", "own", ())
    with pytest.raises(OracleFault, match=r"own/g: nothing to look for .* `relevant="):
        retrieval(turned(("x",), goal=bare))
    with pytest.raises(OracleFault, match="nothing to look for"):
        retrieval(turned(("x",)), relevant=["", "..."])


def test_without_turns_there_is_no_report() -> None:
    with pytest.raises(JudgeFault, match="no turn to score"):
        retrieval(Dialogue(TROUBLE))


def test_another_cutoff_and_a_bare_report_are_refused() -> None:
    report = retrieval(turned((SOLUTION,)))
    with pytest.raises(UsageError, match="hit_rate at 2: expected one of 1, 3, 5, 10, 20"):
        report.hit_rate(2)
    with pytest.raises(
        UsageError, match=r"assert judge\.retrieval\(dialogue\)\.hit_rate\(5\) >= 1"
    ):
        bool(report)
    assert repr(report) == "<retrieval, rank of the relevant item by query: 1>"


def test_a_long_hostile_list_is_looked_at_to_its_thousandth_item() -> None:
    report = retrieval(turned((*["x"] * 5000, SOLUTION)))
    assert [(each.items, each.rank) for each in report.rankings] == [(1000, None)]
