"""What is told of several venues at once, of none, and of their prices."""

import pytest

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.names.nothing_found import finds_nothing
from pytest_todeval.nlu.names.unlisted import offered_names
from pytest_todeval.nlu.vocabulary import Vocabulary

TOWN = Vocabulary({"hotel": ("Tern House", "Wren Court"), "restaurant": (), "attraction": ()})


def told(text: str, domain: str | None) -> list[tuple[str | None, str | None, str | None]]:
    heard = listen(text, TOWN, domain=domain)
    return [(one.slot, one.value, one.of) for one in heard if one.act is Act.INFORM]


@pytest.mark.parametrize(
    ("clause", "how"),
    [
        ("there is no hotel with parking", Factuality.ASSERTED),
        ("there are no hotels with free wifi", Factuality.ASSERTED),
        ("i could not find any", Factuality.ASSERTED),
        ("in case there are no hotels with parking", Factuality.CONDITIONAL),
        ("it has no parking", None),
        ("there is no free wifi", None),
        ("the kitchen is nice", None),
        ("i do not know", None),
        ("you do not need a car, none", None),
    ],
)
def test_nothing_found_is_said_of_venues_and_not_of_their_features(
    clause: str, how: Factuality | None
) -> None:
    assert finds_nothing(clause) is how


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Tern House and Wren Court are both cheap.", ["Tern House", "Wren Court"]),
        ("Tern House or Wren Court? The former is cheap.", ["Tern House"]),
        ("Tern House or Wren Court? The latter is cheap.", ["Wren Court"]),
        ("Tern House is in the north, Wren Court is cheap.", ["Wren Court"]),
    ],
)
def test_a_value_is_of_the_venues_that_the_words_name(text: str, of: list[str]) -> None:
    assert [about for slot, _, about in told(text, "hotel") if slot == "pricerange"] == of


@pytest.mark.parametrize(
    ("text", "domain", "slot", "value"),
    [
        ("entrance is 5 pounds", None, "entrance fee", "5 pounds"),
        ("It costs 5 pounds.", "hotel", "price", "5 pounds"),
        ("Admission: 5 pounds.", "attraction", "entrance fee", "5 pounds"),
        ("It is twelve pounds fifty.", "restaurant", "price", "12.50"),
    ],
)
def test_an_amount_is_a_price_or_an_entrance_fee(
    text: str, domain: str | None, slot: str, value: str
) -> None:
    assert told(text, domain) == [(slot, value, None)]


def test_features_are_there_or_not() -> None:
    found = told("We have no parking but free wifi.", "hotel")
    assert found == [("parking", "no", None), ("internet", "yes", None)]
    assert told("Parking is there.", "hotel") == [("parking", "yes", None)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How about Rose House? It is cheap.", ["Rose House"]),
        ("How about X? It is cheap.", []),
        ("How about it? It is cheap.", []),
    ],
)
def test_a_name_that_nobody_listed_has_a_word_of_more_than_a_letter(
    text: str, names: list[str]
) -> None:
    assert offered_names(text) == names


@pytest.mark.parametrize(
    ("text", "nights"),
    [
        ("You stay for a night.", ["1"]),
        ("You stay for 3 nights.", ["3"]),
        ("It is 50 pounds a night.", []),  # a rate
    ],
)
def test_a_night_that_is_stayed_is_no_rate(text: str, nights: list[str]) -> None:
    assert [value for slot, value, _ in told(text, "hotel") if slot == "stay"] == nights
