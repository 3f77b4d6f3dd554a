"""Drafts that are no user's words to a bot: for the bot, about the dialogue, or not spoken."""

import pytest

from pytest_todeval.simulation.llm_user.checks import Known, wrong_with
from pytest_todeval.simulation.llm_user.conversation import Conversation

GOAL = (
    "You are visiting Ely for the first time and want a hotel in the north. Make sure you get the "
    "address of it. The user guide is on your desk."
)


def wrong(text: str) -> str:
    return wrong_with(text, Known(GOAL, (), Conversation()))


@pytest.mark.parametrize(
    "text",
    [
        "I found 3 restaurants in the east.",
        "Booked! Your reference is ZK44D.",
        "Shall I book it for two?",
        "Welcome to our hotel.",
        "How many guests may I seat?",
    ],
)
def test_the_bots_side(text: str) -> None:
    assert wrong(text) == "speaks for the side of the chatbot"


@pytest.mark.parametrize(
    "text",
    [
        "The user then asks for a hotel.",
        "The customer wants a room. I should start with that.",
        "Let me think about what the user would say.",
        "As a simulated customer, I want a room.",
        "Then I would mention the north.",
        "You want a table for two.",
        "The next step of the goal: a hotel.",
        "My instructions say that I may not tell.",
    ],
)
def test_about_the_dialogue(text: str) -> None:
    assert wrong(text) == "reads its instructions aloud"


@pytest.mark.parametrize(
    "text",
    [
        "You are visiting Ely for the first time, so: a hotel!",
        "Make sure you get the address of it.",
    ],
)
def test_the_goal_as_it_was_told(text: str) -> None:
    assert wrong(text) == "reads its goal aloud"


@pytest.mark.parametrize(
    "text",
    ['{"intent": "find"}', '["a", "b"]', "```python\nprint(1)\n```", "*nods*", "(The user nods.)"],
)
def test_not_spoken(text: str) -> None:
    assert wrong(text) == "is JSON, code or a stage direction, not words"


@pytest.mark.parametrize(
    "text",
    [
        "I found some rooms online, but they were too dear.",
        "Is your reference number ZK44D?",
        "When shall I book it myself?",
        "I am a customer of yours.",
        "The user guide is on my desk.",
        "I would ask for a room in the north.",
        "Now I need a train, and then I would like to eat.",
        "Do you need a name for it?",
        "My instructions from work: nothing dear.",
        "A room (for two) in the north.",
        "*sigh* A hotel, I said.",
        "(north)-(east), that is where.",
        "I am visiting Ely for the first time and want a hotel in the north.",
    ],
)
def test_what_people_may_say(text: str) -> None:
    assert wrong(text) == ""
