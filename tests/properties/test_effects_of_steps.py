"""Whatever records and steps: what is done rightly is right, and anything done besides is found."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.records import RecordsSeen
from pytest_todeval.core.steps import Step
from pytest_todeval.evaluate.metrics.effects.compared import mismatches
from tests.support.examples import examples

Tables = dict[str, list[dict[str, Any]]]
DAYS = ("monday", "tuesday", "friday")
NAMES = st.sampled_from(["ana", "ben", "cleo"])
VISIT = st.fixed_dictionaries(
    {"day": st.sampled_from(DAYS), "who": NAMES, "status": st.just("open")}
)
CARD = st.fixed_dictionaries(
    {"who": NAMES, "blocked": st.just(False), "limit": st.integers(100, 900)}
)


@st.composite
def tables(draw: st.DrawFn) -> Tables:
    """Visits and cards, each with an id."""
    made: dict[str, tuple[Any, str]] = {"visit": (VISIT, "V"), "card": (CARD, "C")}
    return {
        kind: [
            {"id": f"{letter}{n}", **row}
            for n, row in enumerate(draw(st.lists(rows, min_size=2, max_size=5)))
        ]
        for kind, (rows, letter) in made.items()
    }


@st.composite
def steps(draw: st.DrawFn, before: Tables) -> list[Step]:
    """Steps on different records, in any order."""
    visits = draw(st.permutations([row["id"] for row in before["visit"]]))
    cards = draw(st.permutations([row["id"] for row in before["card"]]))
    old = next(row for row in before["visit"] if row["id"] == visits[0])["day"]
    day = draw(st.sampled_from([each for each in DAYS if each != old]))
    made = [
        Step("change", "visit", {"id": visits[0]}, {"day": day}),
        Step("cancel", "visit", {"id": visits[1]}),
        Step("block", "card", {"id": cards[0]}),
        Step("book", "visit", {"day": draw(st.sampled_from(DAYS)), "who": "dora"}),
    ]
    return draw(st.lists(st.sampled_from(made), min_size=1, max_size=4, unique_by=id))


def do(step: Step, records: Tables, way: int) -> None:
    """What a right desk does, in one of several ways."""
    rows = records[step.kind]
    at = next((n for n, row in enumerate(rows) if row["id"] == step.target.get("id")), 0)
    if step.verb == "book":
        rows.append({"id": "V9", **step.target, "status": "open"})
    elif step.verb == "change":
        rows[at] |= {**step.to, "updated_at": "now"} if way else step.to
    elif step.verb == "block":
        rows[at] |= {"blocked": True, "block_reason": "asked"} if way else {"blocked": 1}
    elif way:
        rows[at]["status"] = "cancelled"
    else:
        del rows[at]


def undo(step: Step, before: Tables, records: Tables) -> None:
    """Leave a step undone: its kind as it was."""
    records[step.kind] = deepcopy(before[step.kind])


def faults(draw: st.DrawFn, chosen: list[Step], before: Tables, records: Tables) -> None:
    """One thing done wrong."""
    touched = {step.target.get("id") for step in chosen}
    others = [
        (kind, row)
        for kind, rows in records.items()
        for row in rows
        if row["id"] not in touched and row["id"] != "V9"
    ]
    what = draw(st.sampled_from(["lost", "changed", "added", "undone", "twice", "besides"]))
    if what in ("lost", "changed"):
        assume(others)
        kind, row = draw(st.sampled_from(others))
        if what == "lost":
            records[kind].remove(row)
        else:
            row["who"] = "somebody else"
    elif what == "added":
        records["card"].append({"id": "C9", "who": "ana", "blocked": False, "limit": 1})
    elif what == "undone":
        undo(draw(st.sampled_from(chosen)), before, records)
    elif what == "twice":
        booked = [row for row in records["visit"] if row["id"] == "V9"]
        assume(booked)
        records["visit"].append({**booked[0], "id": "V10"})
    else:
        kept = [row for rows in records.values() for row in rows if row["id"] in touched]
        assume(kept)
        draw(st.sampled_from(kept))["who"] = "somebody else"


def found(chosen: list[Step], before: Tables, after: Tables) -> list[str]:
    goal = Goal("g", "f", (), steps=tuple(chosen))
    frozen: list[Mapping[str, Any]] = [
        {kind: tuple(rows) for kind, rows in each.items()} for each in (before, after)
    ]
    return list(map(str, mismatches(goal, RecordsSeen(*frozen))))


@examples(100)
@given(st.data())
def test_what_is_done_rightly_is_right_and_one_fault_is_found(data: st.DataObject) -> None:
    before = data.draw(tables())
    chosen = data.draw(steps(before))
    after = deepcopy(before)
    for step in chosen:
        do(step, after, data.draw(st.integers(0, 1)))
    assert found(chosen, before, after) == []
    data.draw(st.composite(lambda draw: faults(draw, chosen, before, after))())
    assert found(chosen, before, after) != []
