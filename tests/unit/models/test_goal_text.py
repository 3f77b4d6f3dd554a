"""A goal in plain sentences."""

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.steps import Condition, Step
from pytest_todeval.models.goal_text import goal_text

HOTEL = DomainGoal(
    "hotel",
    inform={"area": "north", "entrance fee": "none"},
    fail_inform={"area": "south"},
    book={"people": "2", "day": "monday"},
    fail_book={"day": "sunday"},
    request=("phone", "leaveAt"),
    wants_booking=True,
)


def test_a_message_loses_its_html() -> None:
    message = (
        "You want a <span class='emphasis'>cheap</span>  hotel &amp; a taxi",
        "Keep it below <5 degrees, or >30. ",
        "Is it far?",
        " ",
    )
    text = goal_text(Goal("a", "b", (HOTEL,), message))
    assert text.splitlines() == [
        "You want a cheap hotel & a taxi.",
        "Keep it below <5 degrees, or >30.",
        "Is it far?",
    ]


def test_without_a_message_the_slots_are_told() -> None:
    taxi = DomainGoal("taxi", inform={"leaveAt": "17:15"}, wants_booking=True)
    assert goal_text(Goal("a", "b", (HOTEL, taxi))).splitlines() == [
        "Your wish concerns: hotel. It should have area south. If there is none, it should have "
        "area north and entrance fee none instead. Book it with people 2 and day sunday. If that "
        "cannot be booked, book it with day monday instead. Find out its phone and leave at.",
        "Your wish concerns: taxi. It should have leave at 17:15. Book it.",
    ]
    police = Goal("a", "b", (DomainGoal("police", request=("phone",)),))
    assert goal_text(police) == "Your wish concerns: police. Find out its phone."


@pytest.mark.parametrize("message", [(), ("No sound.",)])
def test_the_solution_is_never_told(message: tuple[str, ...]) -> None:
    goal = Goal("a", "b", (), message, solution="Press mute.", raw={"solution": "Press mute."})
    assert goal_text(goal) == " ".join(message)


def test_what_the_goal_says_of_its_user_is_told() -> None:
    goal = Goal("a", "b", (), ("You want a hotel",), user={"name": "Ada Marsh", "age": "30"})
    assert goal_text(goal).splitlines() == [
        "You want a hotel.",
        "The user's name is Ada Marsh and age is 30.",
    ]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step("ask", "visit", {"id": "A1"}, asks=("fee", "end_time")),
         "Ask about visit (id A1). Find out its fee and end time."),
        (Step("change", "visit", {"id": "A1"}, {"day": "friday"},
              alternatives=(Step("cancel", "visit", {"id": "A1"}),)),
         "Change visit (id A1), new: day friday. If that is refused: Cancel visit (id A1)."),
        (Step("pay", "gas_bill", details={"amount": "5 pounds"},
              condition=Condition("late fee", "<=", "2"), refusal="it is paid already"),
         "Pay gas bill, with amount 5 pounds. Do so only if this holds, which you have to ask: "
         "late fee at most 2. If that is refused, accept it."),
        (Step("order", "pen", {"colour": "red"}, count=2, choose={"price": "lowest"}),
         "Order pen (colour red), the one with the lowest price and only two of them."),
    ],
)  # fmt: skip
def test_a_step_is_told_in_words(step: Step, said: str) -> None:
    assert goal_text(Goal("a", "b", (), steps=(step,))) == said
