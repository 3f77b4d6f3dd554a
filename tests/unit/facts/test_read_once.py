"""User, metrics, rules and reports read the same dialogue: each part of it is read once."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.facts import dialogue as evidence
from pytest_todeval.facts.calls import reading
from pytest_todeval.facts.calls.rows import rows_in

GOAL = Goal("G", "own", (DomainGoal("hotel", inform={"area": "north"}),))
CALL = ToolCall("find_hotel", {"area": "north"}, {"results": [{"name": "Larch House"}]})
TURNS = (
    Turn(1, "A hotel in the north, please.", "Larch House is in the north.", (CALL,)),
    Turn(2, "Book it.", "It is booked."),
)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The results of calls that were looked into, in order."""
    found: list[object] = []

    def counted(result: object) -> list[object]:
        found.append(result)
        return list(rows_in(result))

    monkeypatch.setattr("pytest_todeval.facts.calls.reading.rows_in", counted)
    return found


@pytest.fixture
def turns_read(monkeypatch: pytest.MonkeyPatch) -> list[Turn]:
    """The turns whose facts were gathered, in order."""
    found: list[Turn] = []
    facts = evidence._facts

    def counted(turn: Turn, *rest: object) -> object:
        found.append(turn)
        return facts(turn, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(evidence, "_facts", counted)
    return found


def anew() -> Dialogue:
    return Dialogue(replace(GOAL), tuple(replace(turn) for turn in TURNS))


def test_a_call_is_read_once_for_one_goal(read: list[object]) -> None:
    call = replace(CALL)
    turn, other = replace(TURNS[0], tool_calls=(call,)), replace(GOAL)
    first = reading.read_turn(turn, GOAL)
    assert reading.read_turn(replace(turn, system="Well."), GOAL) == first
    assert len(read) == 1
    assert reading.read_turn(turn, other) == first
    assert len(read) == 2


def test_calls_that_look_alike_are_each_read(read: list[object]) -> None:
    for result in ([{"name": "Larch House"}], [{"name": "Elm Court"}]):
        turn = replace(TURNS[0], tool_calls=(replace(CALL, result=result),))
        (fact,) = reading.read_turn(turn, GOAL)
        assert [row["name"] for row in fact.rows] == [result[0]["name"]]
    assert len(read) == 2


def test_a_dialogue_is_read_once_with_what_was_heard_in_it(turns_read: list[Turn]) -> None:
    told = evidence.with_claims(anew())
    gathered = evidence.gather(replace(told, notes=("read again",)))
    assert len(turns_read) == len(TURNS)
    assert [facts.turn for facts in gathered.turns] == list(told.turns)
    assert [facts.heard for facts in gathered.turns] == [turn.claims for turn in told.turns]
    assert gathered.dialogue.notes == ("read again",)


def test_other_turns_and_other_goals_are_read_anew(turns_read: list[Turn]) -> None:
    dialogue = anew()
    evidence.gather(dialogue)
    evidence.gather(replace(dialogue, turns=dialogue.turns[:1]))
    evidence.gather(replace(dialogue, goal=replace(GOAL, id="H")))
    assert len(turns_read) == 2 + 1 + 2
