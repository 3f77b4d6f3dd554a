"""Why a task failed, by kind, from its calls and the reference solution's."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.failure import Failure, FailureKind
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.evaluate.metrics.failures import (
    CallMade,
    WantedCall,
    calls_made,
    write_failures,
)
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.evaluate.metrics.strict_outputs import strict_rewards
from pytest_todeval.worlds.registry import load
from tests.support.failure_kinds import Bench, confusion
from tests.support.library_world import library

K = FailureKind
TELLING = Goal("1", "desk", (), ("You want table T4 on Monday.",))
HEARD = Dialogue(TELLING, (Turn(1, "A table on Sunday, please.", "Booked."),))


def wanted(name: str, changes: bool = True, by_user: bool = False, **given: Any) -> WantedCall:
    return WantedCall(name, given, changes, by_user)


def made(
    name: str,
    turn: int = 1,
    changed: bool = True,
    by_user: bool = False,
    error: str | None = None,
    **given: Any,
) -> CallMade:
    return CallMade(ToolCall(name, given, error=error), turn, changed, by_user)


def kinds(want: list[WantedCall], got: list[CallMade], ending: str = "hand_over") -> list[str]:
    return [each.kind.value for each in write_failures(HEARD, want, got, {ending})]


BOOK: dict[str, Any] = {"table_id": "T4", "day": "Monday"}


@pytest.mark.parametrize(
    ("want", "got", "told"),
    [
        ([wanted("book", **BOOK)], [made("book", **BOOK)], []),
        ([wanted("look", False, table="T4")], [], []),
        ([wanted("book", **BOOK)], [made("look", changed=False), made("book", **BOOK)], []),
        ([wanted("book", **BOOK)], [], ["missing_write"]),
        ([], [made("book", **BOOK)], ["unwanted_write"]),
        ([wanted("book", **BOOK)], [made("book", table_id="T5", day="Monday")], ["wrong_argument"]),
        ([wanted("book", **BOOK)], [made("book", table_id="T4")], ["wrong_argument"]),
        ([wanted("book", **BOOK)], [made("cancel", table_id="T4")], ["wrong_tool"]),
        (
            [wanted("book", **BOOK)],
            [made("cancel", table_id="T5")],
            ["unwanted_write", "missing_write"],
        ),
        ([wanted("book", **BOOK)], [made("hand_over", changed=False)], ["wrong_tool"]),
        (
            [wanted("book", **BOOK), wanted("hand_over", False)],
            [made("hand_over", changed=False)],
            ["missing_write"],
        ),
        ([], [made("hand_over", changed=False)], []),
        (
            [wanted("book", **BOOK)],
            [made("book", changed=False, error="Error: full", **BOOK)],
            ["missing_write"],
        ),
        (
            [wanted("book", **BOOK)],
            [made("book", changed=False, error="Error: no", day="Monday")],
            ["wrong_argument"],
        ),
        ([wanted("plug", by_user=True)], [made("plug")], ["unwanted_write", "missing_user_call"]),
        ([wanted("plug", by_user=True)], [made("plug", by_user=True)], []),
        ([wanted("book", **BOOK)] * 2, [made("book", **BOOK)], ["missing_write"]),
    ],
)
def test_kinds(want: list[WantedCall], got: list[CallMade], told: list[str]) -> None:
    assert kinds(want, got) == told


def test_the_likest_calls_of_a_tool_are_held_against_each_other() -> None:
    want = [wanted("book", **BOOK), wanted("book", table_id="T5", day="Friday")]
    got = [made("book", 2, table_id="T5", day="Sunday"), made("book", 3, table_id="T4", day="x")]
    assert write_failures(HEARD, want, got, ()) == [
        Failure(K.WRONG_ARGUMENT, 'book: day: expected "Friday", got "Sunday"', 2),
        Failure(K.WRONG_ARGUMENT, 'book: day: expected "Monday", got "x"', 3),
    ]


def test_a_refused_call_tells_why() -> None:
    got = [made("book", changed=False, error="Error: the table is taken", **BOOK)]
    (found,) = write_failures(HEARD, [wanted("book", **BOOK)], got, ())
    assert found.detail == (
        'book(table_id="T4", day="Monday") was refused: Error: the table is taken'
    )


def test_what_the_user_said_against_its_instruction_is_the_users() -> None:
    got = [made("book", table_id="T4", day="Sunday")]
    (found,) = write_failures(HEARD, [wanted("book", **BOOK)], got, ())
    assert found.kind is K.USER
    assert found.detail.startswith("book: as the user said, not as it was told to: day: ")


@pytest.mark.parametrize(
    ("day", "told", "said"),
    [
        ("Sunday", "on Monday", "On Monday. Not on Sunday."),
        ("Sunday", "Monday or Sunday", "On Sunday."),
        ("Sunday", "some day", "On Sunday."),
        ("Friday", "on Monday", "On Sunday."),
        (7, "on Monday", "On 7."),
        ("", "on Monday", "On Sunday."),
    ],
)
def test_else_it_is_the_bots(day: object, told: str, said: str) -> None:
    dialogue = Dialogue(replace(TELLING, message=(told,)), (Turn(1, said, "Yes."),))
    got = [made("book", table_id="T4", day=day)]
    (found,) = write_failures(dialogue, [wanted("book", **BOOK)], got, ())
    assert found.kind is K.WRONG_ARGUMENT


def test_what_the_user_says_later_is_no_excuse() -> None:
    turns = (Turn(1, "A table.", "Booked."), Turn(2, "Sunday it is.", "Yes."))
    got = [made("book", table_id="T4", day="Sunday")]
    (found,) = write_failures(Dialogue(TELLING, turns), [wanted("book", **BOOK)], got, ())
    assert found.kind is K.WRONG_ARGUMENT


def test_calls_of_both_sides_in_their_order() -> None:
    turns = (
        Turn(1, "a", "b", (ToolCall("x"),), user_calls=(ToolCall("u"),)),
        Turn(2, "c", "d", (ToolCall("y"),)),
    )
    dialogue = Dialogue(TELLING, turns, last_calls=(ToolCall("v"),))
    assert not any(each.changed for each in calls_made(dialogue))
    found = [(each.call.name, each.turn, each.by_user) for each in calls_made(dialogue)]
    assert found == [("u", 1, True), ("x", 1, False), ("y", 2, False), ("v", None, True)]


def test_equal_arguments_may_be_written_in_another_order() -> None:
    want = wanted("book", of={"a": 1, "b": [2]}, n=3)
    assert write_failures(HEARD, [want], [made("book", n=3, of={"b": [2], "a": 1})], ()) == []


def test_of_several_hand_overs_the_first_is_told_and_what_has_no_turn_comes_last() -> None:
    want = [wanted("book", **BOOK), wanted("pay")]
    got = [made("hand_over", turn, changed=False) for turn in (3, 4)]
    got += [replace(made("cancel"), turn=None), made("cancel", 2)]
    found = write_failures(HEARD, want, got, ("hand_over",))
    assert [(each.kind, each.turn) for each in found] == [
        (K.UNWANTED_WRITE, 2), (K.WRONG_TOOL, 3), (K.MISSING_WRITE, None), (K.UNWANTED_WRITE, None),
    ]  # fmt: skip


@pytest.mark.parametrize(("length", "cut"), [(240, False), (241, True)])
def test_a_call_is_shown_in_240_characters(length: int, cut: bool) -> None:
    text = "x" * (length - len('book(a="")'))
    whole = f'book(a="{text}")'
    assert str(wanted("book", a=text)) == (f"{whole[:240]} ..." if cut else whole)


@pytest.mark.parametrize("value", [float("nan"), {1: {2}}, object, "x" * 100_000, [[[]]] * 1000])
def test_whatever_a_bot_passes_is_told_in_a_line(value: object) -> None:
    found = write_failures(HEARD, [wanted("book", a=1)], [made("book", a=value)], ())
    assert [each.kind for each in found] == [K.WRONG_ARGUMENT]
    assert len(found[0].detail) < 600


def test_thousands_of_calls_are_no_burden() -> None:
    numbers = list(range(3000))
    random.Random(1).shuffle(numbers)
    want = [wanted("book", n=n) for n in range(3000)]
    found = write_failures(HEARD, want, [made("book", n=-n) for n in numbers], ())
    assert len(found) == 100


def played(*calls: Mapping[str, Any], reply: str = "Done.", done: bool = True) -> Dialogue:
    """A task of the library: the atlas for 3 weeks, and to say so."""
    action = {"name": "set_field", "kwargs": {"loan": "L1", "field": "weeks", "value": 3}}
    goal = Goal("1", "library", (), ("Hi.",), raw={"actions": [action], "outputs": ["3"]})
    backend = ToolBackend(library())
    for call in calls:
        backend.call("set_field", **call)
    turn = Turn(1, "Hi.", reply, tuple(backend.trace))
    stop = StopReason.USER_DONE if done else StopReason.TURN_LIMIT
    dialogue = Dialogue(goal, (turn,), stop)
    return replace(dialogue, verdicts=rewards(dialogue, backend))


RIGHT: dict[str, Any] = {"loan": "L1", "field": "weeks", "value": 3}


def test_a_lost_reward_says_why() -> None:
    wrong = {**RIGHT, "value": 4}
    for dialogue, expected in (
        (played(RIGHT, reply="3 weeks."), []),
        (played(wrong, reply="3 weeks."), [(K.WRONG_ARGUMENT, 1)]),
        (played(RIGHT), [(K.MISSING_OUTPUT, None)]),
        (played(RIGHT, reply="3.", done=False), [(K.UNFINISHED, None)]),
        (
            played(done=False),
            [(K.UNFINISHED, None), (K.MISSING_WRITE, None), (K.MISSING_OUTPUT, None)],
        ),
        (played(RIGHT, wrong, reply="3."), [(K.UNWANTED_WRITE, 1)]),
    ):
        found = dialogue.verdicts["reward"].failures
        assert [(each.kind, each.turn) for each in found] == expected


def test_an_end_state_that_no_call_explains_is_other() -> None:
    """The right calls in the wrong order."""
    both = [RIGHT, {**RIGHT, "value": 4}]
    dialogue = played(*both[::-1])
    actions = [{"name": "set_field", "kwargs": kwargs} for kwargs in both]
    goal = replace(dialogue.goal, raw={"actions": actions, "outputs": []})
    backend = ToolBackend(library())
    for kwargs in both[::-1]:
        backend.call("set_field", **kwargs)
    (found,) = rewards(replace(dialogue, goal=goal), backend)["reward"].failures
    assert found.kind is K.OTHER
    assert found.detail.startswith("the database is not as expected")


def test_a_right_call_that_changed_nothing_is_told_as_such() -> None:
    got = [made("book", changed=False, **BOOK)]
    (found,) = write_failures(HEARD, [wanted("book", **BOOK)], got, ())
    assert (found.kind, found.detail) == (
        K.MISSING_WRITE,
        'book(table_id="T4", day="Monday") changed nothing',
    )


def test_what_strict_outputs_refuse_is_a_missing_output() -> None:
    dialogue = played(RIGHT, reply="In 13 weeks.")
    assert dialogue.verdicts["reward"]
    found = strict_rewards(dialogue, ["3"], dialogue.verdicts)["reward"]
    assert [each.kind for each in found.failures] == [K.MISSING_OUTPUT]


@pytest.mark.thorough
def test_faults_that_were_put_there_are_told(tmp_path: Path) -> None:
    """A dialogue that is handed over before its outputs lacks these, too."""
    found = confusion(Bench("service_desk", load("service_desk")), tmp_path)
    assert found.total() >= 90
    wrong = {pair: count for pair, count in found.items() if pair[0] != pair[1]}
    assert set(wrong) <= {("wrong_tool", "missing_output + wrong_tool")}
    assert sum(wrong.values()) <= 8
