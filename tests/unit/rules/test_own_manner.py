"""Capitals that name nothing, and figures that are the speaker's own."""

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.facts.dialogue import gather
from tests.support.dialogue_world import KETTLE, backend, dialogue, found, restaurant_goal, said

PLAIN = "There is a nice place in the north."


def talk(*replies: str) -> Dialogue:
    turns = (said("And then?", reply, found("restaurant", KETTLE)) for reply in replies)
    return dialogue(restaurant_goal(), *turns)


def holds(name: str, *replies: str) -> bool | None:
    """Of the last of the replies."""
    evidence = gather(talk(*replies), backend())
    answer: bool | None = predicates()[name].function(View(evidence, evidence.turns[-1])).holds
    return answer


def test_capitals_of_a_bot_that_writes_all_words_so_name_nothing() -> None:
    named = "Shall I Book It For Tern House In The North For You"
    assert holds("names_unknown_venue", PLAIN, "We have booked at Tern House Court.") is True
    assert holds("names_unknown_venue", named, "I Have Booked At Tern House Court.") is not True
    assert holds("names_unknown_venue", PLAIN, "Shall I have it Booked At The Time?") is not True
    assert holds("names_unknown_venue", "DESK ASKS SHD I OK BOOKED FOR U Q GA NOW") is not True


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("We have SEATS 3 left.", True),
        ("It is on platform 4.", False),
        ("I'm at my desk until six tonight.", True),
        ("Let me know by six.", True),
        ("We're open until six.", False),
        ("I'm holding it until six.", False),
    ],
)
def test_figures_of_the_speaker_are_its_own(text: str, known: bool) -> None:
    assert holds("ungrounded", text) is not known
