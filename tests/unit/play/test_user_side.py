"""What the user's own words raise of its goal, and when they are no user's of it."""

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.play.never_said import failed_unsaid
from pytest_todeval.play.user_side import conveyed_none, strayed, user_messages

GOAL = Goal(
    "two",
    "mine",
    (
        DomainGoal("hotel", {"area": "north", "type": "hotel"}, request=("phone",)),
        DomainGoal("train", {"departure": "ely", "day": "monday"}),
    ),
)
HOTEL = "A hotel in the north, please."
OPEN = "I see. What do you want?"
PASSED = {"success": Verdict("success", True, "yes")}
FAILED = {"success": Verdict("success", False, "no")}


def dialogue(
    *said: str, bot: str = OPEN, stop: StopReason = StopReason.TURN_LIMIT, goal: Goal = GOAL
) -> Dialogue:
    turns = tuple(Turn(n, words, bot, claims=()) for n, words in enumerate(said, 1))
    return Dialogue(goal, turns, stop)


def none_told(*said: str, stop: StopReason = StopReason.TURN_LIMIT) -> str:
    played = dialogue(*said, stop=stop)
    return conveyed_none(played, user_messages(played))


def strays(*said: str, bot: str = OPEN) -> str:
    played = dialogue(*said, bot=bot)
    return strayed(played, user_messages(played))


def test_a_domain_named_by_chance_conveys_nothing() -> None:
    said = ["My sister works at a hotel.", "She likes it.", "I like cats."]
    assert none_told(*said) == "the user told no value of its goal in 3 messages"
    assert none_told(*said[:2], "In the north.") == ""


def test_who_was_cut_off_early_might_have_told_more() -> None:
    assert none_told("I need a hotel.", "And a train.") == ""
    assert none_told("I need a hotel.", stop=StopReason.USER_DONE)
    assert none_told("I need a hotel.", stop=StopReason.USER_GAVE_UP)


def test_a_goal_without_values_has_none_to_tell() -> None:
    goal = Goal("taxi", "mine", (DomainGoal("hotel", {"type": "hotel"}, request=("phone",)),))
    played = dialogue("A hotel.", "Hm.", "So.", goal=goal)
    assert conveyed_none(played, user_messages(played)) == ""


@pytest.mark.parametrize("verdicts", [FAILED, PASSED])
def test_no_verdict_counts_of_who_told_no_value(verdicts: dict[str, Verdict]) -> None:
    played = dialogue("A hotel is nice.", "So is a train.", "I am bored.")
    assert "told no value" in failed_unsaid(played, verdicts, lambda other: {})


@pytest.mark.parametrize(
    "said",
    [
        (HOTEL, "lkjhg", "qwe", "zxc"),
        (HOTEL, "Did you see the match?", "What a goal.", "My uncle plays as well."),
        (HOTEL, "Thanks.", "Thank you.", "Thanks a lot."),
        ("The north is cold.", "Alpha is the first.", "Omega is the last.", "Beta comes next."),
    ],
)
def test_who_speaks_of_other_things_most_of_the_time_has_strayed(said: tuple[str, ...]) -> None:
    assert f"3 of the user's 4 messages are about nothing of its goal, such as {said[1]!r}" in (
        strays(*said)
    )
    assert strays(*said[:3]) == ""
    assert strays(*said[:1], HOTEL, HOTEL, *said[1:]) == ""


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Any price range?", ["No.", "I don't mind.", "Any will do."]),
        ("May I have your name?", ["Ada.", "Ada Byron.", "A-d-a."]),
        ("There is the Mill House.", ["The Mill House sounds fine.", "Mill?", "The house."]),
        ("Moo.", ["Hello?", "Are you there?", "I already told you."]),
        ("It has 4 rooms.", ["4 is enough.", "Then 4.", "Those 4."]),
        ("Fine.", ["Book it.", "Reserve it now.", "I want the reference."]),
    ],
)
def test_who_answers_or_complains_has_not(bot: str, said: list[str]) -> None:
    assert strays(HOTEL, *said, bot=bot) == ""


def test_who_has_told_all_may_talk() -> None:
    told = (HOTEL, "Its phone number?", "A train from Ely on Monday.")
    assert strays(*told, "lkjhg", "qwe", "zxc", "uiop") == ""


def test_who_speaks_another_language_has_strayed() -> None:
    french = ("Je cherche un hotel.", "Dans le nord, pour une nuit.", "Merci bien.")
    assert "2 of the user's 3 messages are not in English" in strays(*french)
    assert "3 of the user's 3 messages" in strays("我想找酒店。", "在城北。", "谢谢。")
    mixed = ("Hola, a hotel in the north por favor.", "Una room for two, por favor.", "Gracias.")
    assert strays(*mixed) == ""
