"""A bot is compared with itself: what it always does is its manner, what it does once is broken."""

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.evidence.dialogue import gather
from pytest_todeval.rules.finding import View
from pytest_todeval.rules.registry import predicates
from tests.support.dialogue_world import KETTLE, backend, dialogue, found, restaurant_goal, said

PLAIN = "There is a nice place in the north."
LOUD = "THERE IS ONE VERY NICE AND CHEAP PLACE."


def talk(*replies: str) -> Dialogue:
    turns = (said("And then?", reply, found("restaurant", KETTLE)) for reply in replies)
    return dialogue(restaurant_goal(), *turns)


def holds(name: str, *replies: str) -> bool | None:
    """Of the last of the replies."""
    evidence = gather(talk(*replies), backend())
    answer: bool | None = predicates()[name].function(View(evidence, evidence.turns[-1])).holds
    return answer


@pytest.mark.parametrize(
    ("once", "always"),
    [
        (LOUD, "WE CAN LOOK FOR ANOTHER ONE AS WELL."),
        ("[14:02] It is the one.", "[14:05] Or is it?"),
        ("<speak>It is the one.</speak>", "<speak>Or <b>this</b> one.<br/></speak>"),
    ],
)
def test_what_a_bot_always_does_is_its_manner(once: str, always: str) -> None:
    assert holds("form", PLAIN, PLAIN, once) is True
    assert holds("form", always, once, always, once) is False


@pytest.mark.parametrize(
    "text",
    [
        "The place is nice.</s>",
        "assistant: The place is nice.",
        "The place is nice. [output truncated, 12 more]",
        "The place of {name} is nice.",
        "The <name> is a nice place.",
        "<response><message>It is a nice place.</message><status>ok</status></response>",
    ],
)
def test_what_says_nothing_is_broken_each_time(text: str) -> None:
    assert holds("form", text, text, text) is True


def test_a_single_reply_has_nothing_to_be_compared_with() -> None:
    assert holds("form", LOUD) is False
    assert holds("form", "<speak>It is the one.</speak>") is False
    assert holds("form", "Well, IT IS NICE AND CHEAP AND IN THE NORTH, so there!") is True


def test_what_stands_between_asterisks_elsewhere_is_no_stage_direction() -> None:
    aside = "It is fine. *checks the table again*"
    assert holds("form", PLAIN, aside) is True
    assert holds("form", "It is *The Dented Kettle* for you.", aside) is False
    assert holds("form", PLAIN, ":white_check_mark: *tickets booked*\nIt is done.") is False


def test_how_a_reply_ends_is_compared_too() -> None:
    assert holds("form", PLAIN, "Ship it now? :rocket: or :x:") is False
    assert holds("form", PLAIN, "Please say for which day:") is True
    assert holds("form", PLAIN, "Is it? Yes.", "It is fine. Shall I book it for you") is True
    assert holds("form", "WHICH AREA Q GA", "It is fine. Shall I book it for you Q") is False


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
