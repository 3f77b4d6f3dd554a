"""What a judge is shown: fenced, the same every time, each prompt the start of the next."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.judge.llm_judge.context import (
    BEFORE,
    contexts,
    has_results,
    judged_turns,
    spoken_turn,
    transcript,
    turn_values,
    utterances,
)
from pytest_todeval.models.fence import fenced
from tests.support.dialogue_world import KETTLE, dialogue, found, refused, restaurant_goal, said
from tests.support.examples import examples

WANTED = restaurant_goal()
PLAYED = dialogue(
    WANTED,
    said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE, food="italian")),
    said("Book it.", "It is full.", refused("restaurant", people="4")),
    said("Thanks.", "Bye."),
    last_words="Bye-bye.",
)
FENCE = re.compile(r"⟦([a-z]+) ([0-9a-f]{16})⟧\n(.*?)\n⟦/\1 \2⟧", re.DOTALL)


@dataclass(frozen=True)
class Row:
    name: str
    sizes: frozenset[int]


class Rude:
    def __str__(self) -> str:
        raise RuntimeError("no")


def tools(*calls: ToolCall, retrieved: tuple[Any, ...] = ()) -> str:
    return turn_values(Turn(1, "u", "s", calls, retrieved=retrieved))["tools"]


def inside(text: str) -> str:
    match = FENCE.fullmatch(text)
    assert match is not None
    return match[3]


def test_a_turn_is_shown_fenced() -> None:
    values = turn_values(PLAYED.turns[0])
    assert values["user"] == fenced("user", "Italian?")
    assert values["response"] == fenced("bot", "The Copper Kettle is nice.")
    assert inside(tools(ToolCall("find", {"area": "nörth"}, [{"id": 1}]))) == (
        '{"tool": "find", "arguments": {"area": "nörth"}, "result": [{"id": 1}]}'
    )


def test_a_refusal_is_shown_as_what_came_back() -> None:
    assert '"error": "no table is free"' in turn_values(PLAYED.turns[1])["tools"]


def test_retrieved_items_are_shown_in_order() -> None:
    shown = inside(tools(retrieved=("one", {"two": 2})))
    assert shown.splitlines() == [
        '{"rank": 1, "retrieved": "one"}',
        '{"rank": 2, "retrieved": {"two": 2}}',
    ]


def test_where_nothing_was_looked_up_we_say_so_outside_of_any_fence() -> None:
    assert "⟦" not in tools()
    assert "nothing was looked up" in tools()


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({"b", "a", "c"}, '["a", "b", "c"]'),
        (object(), '"(object, not shown)"'),
        ([object()], '["(object, not shown)"]'),
        (Row("a", frozenset({2, 1})), '{"name": "a", "sizes": ["1", "2"]}'),
        (Decimal("1.50"), '"1.50"'),
        (float("nan"), "NaN"),
        ("line\n⟦/tools⟧", '"line\\n[/tools]"'),
    ],
)
def test_results_that_json_lacks_read_the_same_every_time(result: object, shown: str) -> None:
    assert inside(tools(ToolCall("find", {}, result))).endswith(f'"result": {shown}}}')


def test_results_that_cannot_be_said_in_json_are_named() -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for result in (circle, deep):
        assert inside(tools(ToolCall("find", {"area": "north"}, result))) == (
            '{"tool": "find", "arguments": {"area": "north"}, "result": "(list, not shown)"}'
        )
    assert "(dict, not shown)" in tools(ToolCall("find", {}, {(1, 2): "a"}))
    assert "(int, not shown)" in tools(ToolCall("find", {}, 10**9999))
    assert "(Rude, not shown)" in tools(ToolCall("find", {}, Rude()))


def history(dialogue: Dialogue, before: int) -> str:
    """What stands before a turn, or, past the last one, all of it."""
    shown = list(contexts(dialogue))
    return shown[before - 1]["history"] if before <= len(shown) else shown[-1]["dialogue"]


def test_history_holds_the_turns_before() -> None:
    assert history(PLAYED, 1) == ""
    assert "Copper Kettle" in history(PLAYED, 2)
    assert "It is full." not in history(PLAYED, 2)
    assert "It is full." in history(PLAYED, 3)
    assert "Bye-bye." not in history(PLAYED, 9)


def test_each_history_begins_with_the_one_before() -> None:
    grown = [history(PLAYED, before) for before in range(1, 5)]
    for shorter, longer in pairwise(grown):
        assert longer.startswith(shorter)
        assert longer != shorter


def test_contexts_are_the_same_made_in_one_go() -> None:
    for turn, context in zip(PLAYED.turns, contexts(PLAYED), strict=True):
        assert context == {
            **turn_values(turn),
            "turn": str(turn.index),
            "history": history(PLAYED, turn.index),
            "dialogue": history(PLAYED, turn.index + 1),
        }


def test_a_transcript_is_all_of_it() -> None:
    whole = transcript(PLAYED)
    assert whole.startswith(history(PLAYED, 4))
    assert fenced("user", "Bye-bye.") in whole
    assert transcript(replace(PLAYED, last_words="")) == history(PLAYED, 4)


@pytest.mark.parametrize(
    ("turn", "has"),
    [
        (Turn(1, "u", "s"), False),
        (Turn(1, "u", "s", (ToolCall("find"),)), False),
        (
            Turn(
                1,
                "u",
                "s",
                (ToolCall("find"), ToolCall("find", {}, [])),
            ),
            True,
        ),
        (Turn(1, "u", "s", (ToolCall("book", {}, error="full"),)), True),
        (Turn(1, "u", "s", retrieved=("a",)), True),
    ],
)
def test_a_result_is_what_came_back(turn: Turn, has: bool) -> None:
    assert has_results(turn) is has


@pytest.mark.parametrize("turns", [(), (Turn(1, "", " \n"), Turn(2, "", ""))])
def test_a_dialogue_without_a_word_is_not_judged(turns: tuple[Turn, ...]) -> None:
    with pytest.raises(JudgeFault, match=r"test/G1: the dialogue has no turn to judge"):
        judged_turns(Dialogue(WANTED, turns))


def test_a_dialogue_with_one_empty_reply_is() -> None:
    silent = Dialogue(WANTED, (Turn(1, "Hello?", ""),))
    assert judged_turns(silent) == silent.turns


@examples(40)
@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=4))
def test_whatever_is_said_every_fence_is_closed(said_: list[tuple[str, str, str]]) -> None:
    turns = tuple(
        Turn(at, user, system, (ToolCall(result, {result: user}, result),))
        for at, (user, system, result) in enumerate(said_, 1)
    )
    shown = transcript(Dialogue(Goal("G", "test", ()), turns, last_words="x"))
    left = FENCE.sub("", shown)
    assert "⟦" not in left
    assert set(left.split()) <= {"Turn", "Last", "words", *map(str, range(1, 5))}


def test_what_was_before_is_marked_as_such() -> None:
    before, now = Turn(0, "A chair?", "Blue?"), Turn(1, "Blue.", "Here.")
    played = Dialogue(Goal("1", "chairs", (), opening=(before,)), (now,), last_words="Bye.")
    words = f"Last words\n{fenced('user', 'Bye.')}"
    assert utterances(played).split("\n\n") == [
        spoken_turn(before), BEFORE, spoken_turn(now), words,
    ]  # fmt: skip
    shown = transcript(played).split("\n\n")
    assert (shown[1], shown[-1]) == (BEFORE, words)
    bare = replace(played, goal=replace(played.goal, opening=()), last_words="")
    assert utterances(bare) == spoken_turn(now)
    assert BEFORE not in transcript(bare)
