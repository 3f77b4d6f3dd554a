"""What the user makes of texts and tool calls without an ontology."""

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.nlu.names.unlisted import offered_names
from pytest_todeval.nlu.values.requested import denies, row_value_in, turns_down
from pytest_todeval.simulation.agenda.understanding import is_echo


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How about Rose House? It is a cheap hotel.", ["Rose House"]),
        ("I recommend the Sea View Hotel in the north.", ["the Sea View Hotel"]),
        ("The Golden Wok is in the centre.", ["The Golden Wok"]),
        ("I would suggest All Saints Church. It is old.", ["All Saints Church"]),
        ("1. Mario's Pizza\n2. Da Vinci\n", ["Mario's Pizza", "Da Vinci"]),
        ("Would you like Italian food? I have British food, too.", []),
        ("Booked! The reference number is ABCD1234.", []),
        ("Yes. It is on Friday. What else?", []),
    ],
)
def test_offered_names(text: str, names: list[str]) -> None:
    assert offered_names(text, ["british", "italian"]) == names


def test_the_bot_may_say_that_it_does_not_know() -> None:
    assert denies("I'm sorry, I do not have the entrance fee.")
    assert denies("The fee is not listed.")
    assert not denies("The entrance fee is 5 pounds.")


def test_a_value_may_be_turned_down_in_any_words() -> None:
    assert turns_down("Sorry, we are out of pineapple.", "pineapple")
    assert turns_down("No deliveries at 18:00, I'm afraid. At 19:00?", "18:00")
    assert not turns_down("Sorry about that. One with pineapple, then.", "pineapple")
    assert not turns_down("Unfortunately we are out of ham.", "pineapple")


def test_a_rows_value_is_looked_for_as_a_word_outside_the_name() -> None:
    assert row_value_in("01223111111", "It's 01223111111.", "Sea View") == "01223111111"
    assert row_value_in("boat", "Riverboat Georgina is nice.", "Riverboat Georgina") == ""
    assert row_value_in("4", "The postcode is CB41DA.", "") == ""


def test_echoes() -> None:
    assert is_echo(Turn(1, "I need a cheap hotel.", "I need a cheap hotel"))
    assert is_echo(Turn(1, "I need a cheap hotel.", "You said: I need a cheap hotel."))
    assert not is_echo(Turn(1, "I need a cheap hotel.", "Sea View is a cheap hotel in the north."))
