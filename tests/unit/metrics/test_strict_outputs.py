"""Outputs of tasks, told strictly: no number by the way, none among guesses."""

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.strict_outputs import strict_rewards

COUNTED = ToolCall("list_shops", {}, {"shops": ["North", "South", "East"], "open": [600, 400, 399]})
LOOKED_UP = ToolCall(
    "list_orders", {}, '{"orders": [{"price": 46.66}, {"price": 7.38}], "items": {"a": 1, "b": 2}}'
)
PASSED = {
    name: Verdict(name, True, "as published", metric_set="tau-bench", value=value)
    for name, value in [("reward", 1.0), ("reward_actions", None), ("reward_outputs", None)]
}


def strictly(replies: list[str], wanted: list[str], user: str = "Please.") -> dict[str, Verdict]:
    turns = [Turn(n, user, reply, (LOOKED_UP, COUNTED)) for n, reply in enumerate(replies, 1)]
    dialogue = Dialogue(Goal("one", "tasks", ()), tuple(turns), StopReason.USER_DONE)
    return strict_rewards(dialogue, wanted, PASSED)


@pytest.mark.parametrize(
    ("replies", "wanted"),
    [
        (["You have 10 options."], ["10"]),
        (["You have 10.00 in all."], ["10"]),
        (["Both come to $54.04: $46.66 and $7.38."], ["54.04"]),
        (["You pay $54.04 ($93.32 for two of the first)."], ["54.04"]),
        (["The difference is $39.28.", "In all that is $54.04."], ["54.04", "39.28"]),
        (["1. Lamp, $46.66\n2. Cable, $7.38\nIn all $54.04."], ["54.04"]),
        (["It comes to 1,200 dollars, for 2 orders."], ["1200"]),
        (["It is order #W123-4 of 2024-05-01, at 10:30: 10 lamps."], ["10"]),
        (["You get 10, and pay 5 % less."], ["10"]),
        (["Your new lamp is the ATLAS."], ["Atlas"]),
        (["You asked for 7 lamps; there are 10."], ["10"]),
        (["1. lamp\n2) cable\nYou have 10 options.\n 3. bulb"], ["10"]),
        (["10 or so.", "Those 7."], ["10"]),
        (["You pay $46.66, both come to $54.04."], ["46.66"]),
        (["You pay $46.66, $39.28 more than that."], ["46.66"]),
        (["You pay $46.66, or nine of the other: $66.42."], ["46.66"]),
        (["You have 10; 600 and 400 come to 1000."], ["10"]),
        (["You have 10 in 3 shops."], ["10"]),
        ([" " * 199_998 + "10"], ["10"]),
    ],
)
def test_what_is_told_plainly_is_told(replies: list[str], wanted: list[str]) -> None:
    found = strictly(replies, wanted, user="I want 7 lamps.")
    assert found["reward"], found["reward"].reason
    assert found["reward"].value == 1.0
    assert found["reward_outputs"].definition == "tau-bench strict 1"


@pytest.mark.parametrize(
    ("replies", "wanted", "reason"),
    [
        (["It is 210."], ["10"], "never told as a number of its own: 10"),
        (["It is 10.5."], ["10"], "never told as a number of its own"),
        (["Order #W10, on 2024-10-10."], ["10"], "never told as a number of its own"),
        (["There are 10. No, 12."], ["10"], "told 10, but also 12 (turn 1), which nothing"),
        (["There are 10.", "Sorry, there are 13."], ["10"], "but also 13 (turn 2)"),
        (["It is 1 or 2."], ["2"], "only as one of several"),
        (["$54.04, or maybe $46.66, is due."], ["54.04"], "only as one of several"),
        ([" ".join(map(str, range(10_000)))], ["628"], "told 628, but also 0 (turn 1)"),
        ([f"It is {n}." for n in range(700)], ["628"], "told 628, but also 0 (turn 1)"),
        (["10 lamps\n1. 8 cables"], ["10"], "told 10, but also 8 (turn 1)"),
        (["You pay $46.66, or ten of the other: $73.80."], ["46.66"], "but also 73.80"),
        (["You have 10; 600 and 399 come to 999."], ["10"], "but also 999"),
        (["You have 10 in 4 shops."], ["10"], "but also 4"),
        ([" " * 199_999 + "10"], ["10"], "never told as a number of its own: 10"),
        (["The cataloguing is done."], ["catalog"], "never said as a word of its own"),
    ],
)
def test_what_is_said_by_the_way_or_guessed_is_not(
    replies: list[str], wanted: list[str], reason: str
) -> None:
    found = strictly(replies, wanted)
    assert not found["reward_outputs"]
    assert reason in found["reward_outputs"].reason
    assert not found["reward"]
    assert found["reward"].value == 0.0
    assert reason in found["reward"].reason
    assert found["reward_actions"]


def test_what_fails_as_published_stays_as_it_is() -> None:
    failed = {"reward_outputs": Verdict("reward_outputs", False, "never said: '10'")}
    found = strict_rewards(Dialogue(Goal("one", "tasks", ())), ["10"], failed)
    assert found["reward_outputs"].reason == "never said: '10'"


def test_what_a_task_of_tau2_is_to_communicate_is_asked_likewise() -> None:
    passed = {
        name: Verdict(name, True, "all said", metric_set="tau2", value=value)
        for name, value in [("reward", 1.0), ("reward_communicate", None), ("satisfied", None)]
    }
    dialogue = Dialogue(Goal("one", "tasks", ()), (Turn(1, "How much?", "It is 210."),))
    found = strict_rewards(dialogue, ["10"], passed)
    assert (found["reward"].value, bool(found["reward_communicate"])) == (0.0, False)
    assert found["reward"].definition == "tau2 strict 1"
    assert found["satisfied"] is passed["satisfied"]


@pytest.mark.parametrize(("digits", "known"), [(29, True), (30, False)])
def test_a_number_that_the_user_said_is_known_unless_it_is_endless(
    digits: int, known: bool
) -> None:
    number = "9" * digits
    found = strictly([f"There are 10 of {number}."], ["10"], user=f"I want {number}.")
    assert bool(found["reward"]) is known
