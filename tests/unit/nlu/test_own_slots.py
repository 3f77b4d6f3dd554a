"""Which of a goal's own slots a question means."""

import pytest

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

CAR = DomainGoal(
    "rental_car",
    {"pickup_city": "Leeds", "car_type": "compact"},
    book={"pickup_date": "March 3rd", "dropoff_date": "March 5th", "number_of_seats": "4"},
    request=("price_per_day", "child_seat"),
)


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("When would you like to pick it up?", {"pickup_date"}),
        ("And when will you be returning it?", {"dropoff_date"}),
        ("For how long do you need it?", {"dropoff_date"}),
        ("Where would you like to collect it?", {"pickup_city"}),
        ("In which city?", {"pickup_city"}),
        ("What kind of car do you prefer?", {"car_type"}),
        ("How many people will travel?", {"number_of_seats"}),
        ("Do you want a child seat?", {"child_seat"}),
        ("What day, and in what city?", {"pickup_date", "pickup_city"}),
        ("Please confirm: a compact car with a child seat.", set()),
        ("How about a compact with a child seat?", set()),
        ("Is there anything else?", set()),
    ],
)
def test_a_question_means_a_slot_of_the_goal(question: str, slots: set[str]) -> None:
    known = Vocabulary.from_goal(Goal("g", "own", (CAR,)))
    heard = listen(question, known, domain="rental_car")
    assert {each.slot for each in heard if each.act is Act.REQUEST} == slots
