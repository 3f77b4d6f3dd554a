"""Goal files whose goals are steps: what they come to, and what is said of mistakes."""

from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.steps import Condition, Effect, Expected, Step, Verb
from pytest_todeval.errors import InvalidFile
from pytest_todeval.integration.recording import goal_digest
from pytest_todeval.worlds.files.reading import goal_of, load_goal_file
from tests.support.examples import examples

DESK = """
    verbs:
      freeze: {sets: {status: iced}, asked: "put {thing} on ice", done: ["it's on ice"]}
    goals:
    - id: move-and-cancel
      given:
        visit: [{id: A17, day: tuesday, paid: true, fee: 12.5}, {id: A18, day: friday}]
      steps:
        - ask: {visit: {id: A17}, for: fee}
        - change:
            visit: {id: A17}
            to: {day: wednesday}
            or: [{day: thursday}, {cancel: {visit: {id: A17}}}]
            if: {fee: at most 20}
        - cancel: {visit: {id: A18}, with: {reason: a cold}, refusal: it is tomorrow}
        - do: freeze
          of: card
          with: {last4: 4711}
        - order: {pen: {colour: red}, or: {colour: blue}, count: 2, choose: {price: lowest}}
      reference: none
      expect:
        visit: {A17: {day: wednesday}, A18: absent, new: {day: monday}}
        elsewhere: any
"""


def goals_in(folder: Path, text: str) -> tuple[Goal, ...]:
    path = folder / "desk.yaml"
    path.write_text(dedent(text))
    return load_goal_file(path).goals


def test_steps_are_read(tmp_path: Path) -> None:
    (goal,) = goals_in(tmp_path, DESK)
    moved = Step("change", "visit", {"id": "A17"}, {"day": "wednesday"})
    iced = Verb("freeze", Effect.SETS, (), {"status": "iced"}, ("put {thing} on ice",))
    ask, change, cancel, freeze, order = goal.steps
    assert ask == Step("ask", "visit", {"id": "A17"}, asks=("fee",))
    assert (change.target, change.to) == (moved.target, moved.to)
    assert change.condition == Condition("fee", "<=", "20")
    assert [other.to or other.verb for other in change.alternatives] == [
        {"day": "thursday"},
        "cancel",
    ]
    assert (cancel.details, cancel.refusal) == ({"reason": "a cold"}, "it is tomorrow")
    assert (freeze.target, freeze.means.sets) == ({"last4": "4711"}, iced.sets)
    assert (order.count, order.choose) == (2, {"price": "lowest"})
    assert order.alternatives[0].target == {"colour": "blue"}


def test_what_stands_before_and_after_is_read(tmp_path: Path) -> None:
    (goal,) = goals_in(tmp_path, DESK)
    assert goal.given["visit"][0] == {"id": "A17", "day": "tuesday", "paid": True, "fee": 12.5}
    assert goal.expect == Expected(
        {"visit": {"A17": {"day": "wednesday"}, "A18": None}},
        {"visit": ({"day": "monday"},)},
        elsewhere_unchanged=False,
    )
    assert goal.references is False
    assert goal.raw["steps"][3] == {"do": "freeze", "of": "card", "with": {"last4": 4711}}


def test_another_step_is_another_goal_for_cassettes(tmp_path: Path) -> None:
    (goal,) = goals_in(tmp_path, DESK)
    (other,) = goals_in(tmp_path, DESK.replace("thursday", "sunday"))
    assert goal_digest(goal) != goal_digest(other)


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("steps: [cancel]", "steps.0: got 'cancel'; expected `VERB: {KIND: {SLOT: VALUE}}`"),
        ("steps: [{cancel: {visit: {}, card: {}}}]", "with the kinds of record visit, card"),
        ("steps: [{cancel: {to: {a: b}}}]", "cancel: with the kinds of record none"),
        ("steps: [{cancel: {a: {}}, pay: {b: {}}}]", "got the keys cancel, pay"),
        ("steps: [{do: cancel}]", "steps.0.kind: missing; expected it here"),
        ("steps: [{do: cancel, of: visit, whit: 3}]", "unknown key; did you mean 'with'?"),
        ("steps: [{blok: {card: {}}}]", "blok: unknown verb; declare it under `verbs:`"),
        ("steps: [{pay: {a: {}, or: {blok: {card: {}}}}}]", "did you mean 'block'?"),
        ("steps: [{pay: {a: {}, or: {block: {card: [1]}}}}]", "step.target: got a list"),
        ("steps: [{ask: {visit: {id: A1}}}]", "ask: asks for nothing; expected `for: [SLOT]`"),
        ("steps: [{change: {visit: {id: A1}}}]", "change: changes nothing; expected `to:"),
        ("steps: [{pay: {bill: {}, if: 3}}]", "if: got 3; expected one slot and its bound"),
        ("steps: [{pay: {bill: {}, count: 0}}]", "count: got 0"),
        ("steps: [{pay: {bill: {}, choose: {fee: low}}}]", "'lowest' or 'highest'"),
        ("{given: {card: [{id: 1}]}, steps: [{pay: {card: {id: 2}}}]}", "no card '2' stands in"),
        ("{given: {card: [{id: 1}]}, domains: {a: {book: {b: c}}}}", "`given` and `expect` are"),
        ("{steps: [{pay: {card: {}}}], domains: {a: {book: {b: c}}}}", "beside `domains`"),
        ("{}", "(or `steps`, or a `message` and its `solution`)"),
    ],
)
def test_mistakes_in_steps_are_told_with_their_place(tmp_path: Path, goal: str, said: str) -> None:
    body = goal[1:-1] if goal.startswith("{") else goal
    with pytest.raises(InvalidFile) as told:
        goals_in(tmp_path, f"- {{id: g{body and ', '}{body}}}")
    assert said in str(told.value)
    assert "desk.yaml:1: goals.0" in str(told.value)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
KEYS = st.sampled_from(["do", "of", "or", "with", "to", "if", "cancel", "change", "visit", "new"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@examples(120)
@given(steps=VALUES, given=VALUES, expect=VALUES)
def test_any_steps_are_a_goal_or_a_complaint(steps: Any, given: Any, expect: Any) -> None:
    record = {"id": "g", "steps": [steps], "given": given, "expect": expect}
    with suppress(InvalidFile):
        assert goal_of(record, "s", "here").steps
