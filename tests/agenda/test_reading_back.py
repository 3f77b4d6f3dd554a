"""Questions in the goal's own words, and questions that only read back what the user said."""

import pytest

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.questions.beyond_slots import Ask, UserQuestion
from pytest_todeval.simulation.agenda.memory import DomainPart
from tests.agenda.world import asks, reading, told

CAR = DomainGoal(
    "car",
    inform={"class": "small"},
    book={"pickup day": "friday", "drop_off_day": "sunday", "child seat": "no", "driver age": "30"},
    request=("phone",),
    wants_booking=True,
)
UNCLEAR = UserQuestion(Ask.UNKNOWN, sentence="all fine ?")


def car(*said: str) -> DomainPart:
    return told(CAR, *(said or CAR.book))


# Whose slot


@pytest.mark.parametrize(
    ("slot", "own"),
    [
        ("day", "pickup day"),
        ("seat", "child seat"),
        ("off", "drop_off_day"),
        ("class", "class"),
        ("phone", "phone"),
        ("stars", "stars"),
        ("se", "se"),
    ],
)
def test_a_slot_asked_for_by_one_of_its_words_is_the_goals(slot: str, own: str) -> None:
    assert reading(told(CAR), asks(slot)).requested() == [own]


# Read back


@pytest.mark.parametrize(
    ("text", "reads_back"),
    [
        ("From Friday to Sunday?", True),
        ("Pickup day: friday?", False),
        ("Friday, child seat: no?", True),
        ("Friday, no?", False),
        ("Child seat - no, driver age = 30?", True),
        ("Friday or Fridays?", False),
        ("A friday-sundaying?", False),
        ("For 30 people, no?", False),
    ],
)
def test_two_values_of_the_booking_are_a_reading_back(text: str, reads_back: bool) -> None:
    assert reading(car(), text).reads_back(text) is reads_back


def test_only_what_was_said_can_be_read_back() -> None:
    text = "From Friday to Sunday?"
    assert not reading(car("pickup day"), text).reads_back(text)
    assert not reading(car(), text).reads_back("")


def test_a_question_not_understood_that_reads_the_booking_back_asks_whether_it_is_right() -> None:
    text = "Friday till Sunday, all fine?"
    answer = reading(car(), text, asked=[UNCLEAR]).reaction()
    assert answer.confirms
    assert not answer.baffling
    other = reading(car(), "Friday, all fine?", asked=[UNCLEAR]).reaction()
    assert not other.confirms
    choice = UserQuestion(Ask.CHOICE, options=("a", "b"), sentence="a or b ?")
    assert reading(car(), text, asked=[choice]).asked == [choice]


def test_a_fact_that_is_only_read_back_is_not_asked_for() -> None:
    age = UserQuestion(Ask.FACT, "age", sentence="friday to sunday , driver age 30 ?")
    assert reading(car(), asked=[age]).asked[0].ask is Ask.CONFIRM
    assert reading(car(), asked=[age]).asked[0].topic == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "friday to sunday , and your name ?",
        "driver age 30 , and your name ?",
        "your name ?",
    ],
)
def test_a_fact_asked_for_beside_what_is_read_back_is_asked_for(sentence: str) -> None:
    name = UserQuestion(Ask.FACT, "name", sentence=sentence)
    assert reading(car(), asked=[name]).asked == [name]


def test_what_the_user_said_is_taken_out_with_its_label() -> None:
    text = reading(car()).without_told("child seat: no, driver age - 30, is that you?")
    assert "seat" not in text
    assert "30" not in text
    assert "is that you?" in text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Child seat: no?", ()),
        ("Child seat: yes?", ("child seat",)),
        ("Child seat: no or yes?", ("child seat",)),
        ("Pickup on Friday?", ("child seat",)),
    ],
)
def test_a_slot_that_stands_with_the_users_value_is_not_asked_for(
    text: str, asked: tuple[str, ...]
) -> None:
    assert reading(car(), text, asks("child seat")).reaction().asked == asked
