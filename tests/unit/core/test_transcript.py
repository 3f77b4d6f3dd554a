"""What a person reads of a dialogue that failed."""

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.transcript import render
from pytest_todeval.core.verdict import Verdict

GOAL = Goal("g", "desk", (), ("Help.",))


def told(call: ToolCall, *verdicts: Verdict, full: bool = False) -> str:
    turns = (Turn(1, "Help.", "Done.", (call,)),)
    by_name = {verdict.name: verdict for verdict in verdicts}
    return Dialogue(GOAL, turns, verdicts=by_name).explain(full=full)


def test_reasons_stand_whole_once_and_a_line_each() -> None:
    parts = f"the database is not as expected: {'a' * 240}; b", "never said: '5'"
    text = told(
        ToolCall("look"),
        Verdict("reward", False, "; ".join(parts)),
        Verdict("reward_actions", False, parts[0]),
        Verdict("reward_outputs", False, parts[1]),
        Verdict("other", True, "fine"),
    )
    assert text.splitlines()[1:4] == [
        "  reward_outputs failed: never said: '5'",
        f"  reward_actions failed: the database is not as expected: {'a' * 240}",
        "      b",
    ]
    assert text.count("failed") == 2
    assert "fine" not in text


def test_a_reward_that_names_its_parts_does_not_repeat_them() -> None:
    parts = f"{'a' * 240}; b", "not said: '5'"
    text = told(
        ToolCall("look"),
        Verdict(
            "reward", False, f"reward_db failed: {parts[0]}; reward_communicate failed: {parts[1]}"
        ),
        Verdict("reward_db", False, parts[0]),
        Verdict("reward_communicate", False, parts[1]),
    )
    assert text.count("failed") == 2
    assert "  reward failed" not in text


def test_reasons_that_the_assertion_shows_whole_are_not_repeated() -> None:
    text = told(ToolCall("look"), Verdict("booking", False, "nothing stands booked"))
    assert "booked" not in text


def test_a_call_is_cut_and_whole_on_request() -> None:
    call = ToolCall("n" * 5000, {"thought": "x" * 5000}, error="e" * 5000)
    assert len(told(call)) < 1000
    assert len(told(call, full=True)) > 15_000


def test_what_the_user_called_of_its_own_is_shown_before_its_words() -> None:
    turn = Turn(1, "It rattles.", "Oh.", user_calls=(ToolCall("shake", {}, "rattles"),))
    played = Dialogue(GOAL, (turn,), last_calls=(ToolCall("drop", error="no"),), last_words="Bye.")
    assert played.explain().splitlines()[1:] == [
        "      user's tool: shake() -> rattles",
        "    1 user: It rattles.",
        "       bot: Oh.",
        "      user's tool: drop() refused: no",
        "      user: Bye.",
    ]


def test_half_characters_can_be_written() -> None:
    told(ToolCall("look \ud800")).encode()


def test_what_was_heard_stands_under_the_words_with_its_doubt() -> None:
    claims = (DialogueAct(Act.BOOKED, "hotel"), DialogueAct(Act.BYE, doubt="only a word"))
    spoken, silent = Turn(1, "Hi.", "Done.", claims=claims), Turn(2, "Hm.", "Oh.", claims=())
    lines = render(Dialogue(GOAL, (spoken, silent)), heard=True).splitlines()
    assert lines[3] == "     heard: hotel: booked; bye (doubtful: only a word)"
    assert lines[-1] == "     heard: nothing"


@pytest.mark.parametrize(
    ("count", "left"), [(4, ""), (5, "1 earlier turn "), (7, "3 earlier turns ")]
)
def test_of_a_long_dialogue_the_last_four_turns_are_shown(count: int, left: str) -> None:
    turns = tuple(Turn(index, f"user {index}", "Yes.") for index in range(1, count + 1))
    head, *lines = render(Dialogue(GOAL, turns)).splitlines()
    assert head.startswith(f"desk/g: {count} turns, ")
    assert lines[: bool(left)] == ([f"  ... {left}(-vv shows all)"] if left else [])
    users = [line for line in lines if "user: " in line]
    assert users == [f"  {index:>3} user: user {index}" for index in range(count - 3, count + 1)]
    whole = render(Dialogue(GOAL, turns), full=True).splitlines()
    assert sum("user: " in line for line in whole) == count


def test_a_long_result_is_cut_at_160_characters() -> None:
    for length, whole in ((160, True), (161, False)):
        call = ToolCall("look", {}, "r" * length)
        assert ("r" * length in told(call)) is whole
        assert "r" * length in told(call, full=True)


@pytest.mark.parametrize(
    ("decisive", "shown"),
    [
        (2, ["    1", "... 5 turns", "    8", "    9"]),
        (1, ["... 6 turns", "    8", "    9"]),
        (7, ["    6", "    8", "    9"]),
    ],
)
def test_the_decisive_turn_is_marked_and_never_left_out(decisive: int, shown: list[str]) -> None:
    turns = tuple(Turn(index, "Hi.", "Yes.") for index in range(1, 10))
    lines = render(Dialogue(GOAL, turns), decisive=decisive).splitlines()[1:]
    marked = [line for line in lines if line.startswith("> ")]
    assert marked == [f">   {decisive} user: Hi.", ">      bot: Yes."]
    others = [line for line in lines if line not in marked and "bot:" not in line]
    told = [line.partition(" user")[0].partition(" (-vv")[0] for line in others]
    assert [each.removeprefix("  ") if "..." in each else each for each in told][
        -len(shown) :
    ] == shown
