"""Sentences that differ in one word from others which are heard in another way."""

import pytest

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

STREET = Vocabulary(
    names={"restaurant": ("Amber Table", "All Set Café", "Old Loom")},
    values={
        "area": ("north", "south"),
        "food": ("thai", "greek"),
        "address": ("12 hill road", "market quarter", "4 king street"),
    },
)


def booked(text: str) -> list[Factuality]:
    heard = listen(text, STREET, domain="restaurant")
    return [one.factuality for one in heard if one.act is Act.BOOKED]


def told(text: str, slot: str) -> list[str | None]:
    heard = listen(text, STREET, domain="restaurant")
    return [one.value for one in heard if one.act is Act.INFORM and one.slot == slot]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Premium received in full.", [Factuality.ASSERTED]),
        ("Premium received.", []),
        ("I've made 2 reservations.", [Factuality.ASSERTED]),
        ("The table is able to be booked.", [Factuality.FUTURE]),
    ],
)
def test_a_booking_by_one_word(text: str, how: list[Factuality]) -> None:
    assert booked(text) == how


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("It is at 12 Hill Road, Market Quarter.", ["12 hill road, market quarter"]),
        (
            "It is at 12 Hill Road, and its older sister is at 4 King Street.",
            ["12 hill road", "4 king street"],
        ),
    ],
)
def test_parts_of_one_address_are_one_value(text: str, addresses: list[str]) -> None:
    assert told(text, "address") == addresses


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Amber Table and All Set Café are both in the north.", 2),
        ("Amber Table, All Set Café and Old Loom are all in the north.", 3),
        ("Amber Table is in the north.", 1),
    ],
)
def test_a_value_said_of_several_belongs_to_each(text: str, times: int) -> None:
    assert told(text, "area") == ["north"] * times
