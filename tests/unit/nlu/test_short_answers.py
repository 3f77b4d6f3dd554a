"""Answers that leave out what they answer, and questions that a bot asks itself."""

import pytest

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.values.requested import worded_answer
from pytest_todeval.nlu.vocabulary import Vocabulary

TOWN = Vocabulary({"hotel": ("Tern House",)})


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Yes, it does!", "yes"),
        ("Oh well. Yes, it does.", "yes"),
        ("Let me see. Yes, it does.", "yes"),
        ("Good question. No, it does not.", "no"),
        ("Let me see. Which hotel?", None),
        ("They closed long ago. Yes, it does.", None),
    ],
)
def test_a_yes_after_a_filler_answers_what_was_asked(reply: str, answer: str | None) -> None:
    heard = listen(reply, TOWN, domain="hotel", user_said="Does it have parking?")
    told = [one.value for one in heard if one.act is Act.INFORM and one.slot == "parking"]
    assert told == ([answer] if answer else [])


@pytest.mark.parametrize(
    ("slot", "text", "answer"),
    [
        ("deposit", "The deposit? It's 90 pounds.", "90 pounds"),
        ("deposit", "All paid? And the deposit? 90 pounds.", "90 pounds"),
        ("deposit", "The deposit? Which one?", ""),
        ("stylist", "Ines it is, the stylist.", "Ines it is, the stylist."),
        ("stylist", "Dr. Cho is your stylist.", "Dr. Cho is your stylist."),
        ("stylist", "Sorry, I do not know the stylist.", ""),
        ("stylist", "That is the stylist.", ""),
    ],
)
def test_an_answer_may_stand_anywhere_in_a_reply(slot: str, text: str, answer: str) -> None:
    assert (
        worded_answer(DomainGoal("salon"), slot, text, asked=(slot,), user=f"The {slot}?") == answer
    )


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        (
            "Well, there's Tern House, isn't there? It's in the north, so it is.",
            {Act.OFFER, Act.INFORM},
        ),
        ("<speak>There's <emphasis>Tern House</emphasis> for you.</speak>", {Act.OFFER}),
        ("We are stuck: nothing for a hotel in the north.", {Act.NO_OFFER}),
        ("Could I interest you in anything else?", {Act.REQUEST_MORE}),
        ("Nothing of that sort has been added.", set()),
        ("They've no room for that, have they?", {Act.BOOKING_FAILED}),
    ],
)
def test_statements_in_other_manners(text: str, acts: set[Act]) -> None:
    heard = {one.act for one in listen(text, TOWN, domain="hotel", user_said="Book it.")}
    assert heard - {Act.INFORM} == acts - {Act.INFORM}
