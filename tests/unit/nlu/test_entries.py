"""The forms in which names and values are known, and whose a value is."""

import pytest

from pytest_todeval.nlu.names.entries import (
    Entry,
    core_entries,
    ends_of,
    name_entries,
    place_entries,
    spellings,
    type_entries,
    value_entries,
    without_generic,
)
from pytest_todeval.nlu.names.owners import SEVERAL, Owned, Owners
from pytest_todeval.nlu.values.mentions import Mention

TOWN = (("hotel", ("The Amber Lodge", "Quay Hotel")), ("restaurant", ("Quay Grill", "Otto's")))


def said(entries: tuple[Entry, ...]) -> dict[str, tuple[str, str | None, bool]]:
    return {" ".join(each.tokens): (each.value, each.domain, each.whole) for each in entries}


def test_names_are_known_in_full_and_shortened() -> None:
    found = said(name_entries(TOWN))
    assert found["quay hotel"] == ("Quay Hotel", "hotel", True)
    assert found["amber"] == found["amber lodge"] == ("The Amber Lodge", "hotel", False)
    assert found["ottos"] == ("Otto's", "restaurant", False)
    assert "quay" not in found


def test_words_that_fit_several_names_name_none_unless_the_domain_tells() -> None:
    (both,) = [each for each in name_entries((("hotel", ("Elm Lodge",)), ("cafe", ("Elm Lodge",))))
               if each.tokens == ("elm", "lodge")]  # fmt: skip
    assert (both.value, both.domain) == ("Elm Lodge", "hotel")
    shared = [each for each in name_entries(TOWN) if each.shared]
    assert all(len(each.shared) > 1 and not each.whole for each in shared)


def test_the_core_of_a_name_without_its_kind() -> None:
    assert without_generic("The Amber Guest House") == ("amber",)
    cores = {each.tokens: each for each in core_entries(TOWN, set())}
    amber = cores["amber", "lodge"]
    assert (amber.value, amber.domain, amber.whole) == ("The Amber Lodge", "hotel", False)
    assert cores["quay",].value == "Quay Hotel"
    assert ("quay",) not in {each.tokens for each in core_entries(TOWN, {("quay",)})}
    assert not list(core_entries((("hotel", ("Elm Hotel",)),), set()))  # too short to tell
    twice = (("hotel", ("Quay Hotel",)), ("restaurant", ("Quay Restaurant",)))
    assert not list(core_entries(twice, set()))


def test_the_last_word_of_a_name() -> None:
    ends = ends_of((("hotel", ("Amber Bellows", "Old Tinker's", "Big Elm")),), ())
    assert ends["bellows"].value == "Amber Bellows"
    assert (ends["bellows"].domain, ends["bellows"].whole) == ("hotel", False)
    assert "elm" not in ends  # too short
    assert "amber" not in ends
    assert ends_of((("hotel", ("Amber Bellows",)),), (("food", ("bellows",)),)) == {}
    assert ends_of((("hotel", ("Amber Bellows", "Red Bellows")),), ()) == {}


def test_spellings() -> None:
    assert ("amber", "lodge") in spellings("The Amber Lodge")
    assert ("the",) in spellings("The")
    assert () not in spellings("")


def test_values_are_looked_up_unless_they_are_found_by_their_form() -> None:
    assert value_entries("area", ("north",)) == ()
    assert value_entries("name", ("north",)) == value_entries("departure", ("ely",)) == ()
    assert value_entries("food", ("yes", "No", "a", "thai")) == (Entry(("thai",), "food", "thai"),)
    streets = value_entries("address", ("1 Mill Lane, Ely, The Dock",))
    assert [" ".join(each.tokens) for each in streets] == [
        "1 mill lane ely the dock", "1 mill lane", "the dock",
    ]  # fmt: skip


def test_places_are_known_by_their_parts() -> None:
    def parts(*places: str) -> set[tuple[str, str, bool]]:
        found = place_entries(frozenset(places))
        return {(" ".join(each.tokens), each.value, each.whole) for each in found}

    assert parts("stansted airport") == {
        ("stansted airport", "stansted airport", True), ("stansted", "stansted airport", False),
    }  # fmt: skip
    assert parts("london kings cross", "london mill") == {
        ("london kings cross", "london kings cross", True),
        ("kings cross", "london kings cross", False), ("london mill", "london mill", True),
    }  # fmt: skip
    assert parts("ely", "!") == {("ely", "ely", True)}


def test_types_are_known_in_one_and_several() -> None:
    found = {each.tokens[-1]: each.value for each in type_entries(("museum",))}
    assert found["museum"] == found["museums"] == "museum"


def mention(text: str, words: str, slot: str) -> Mention:
    start = text.index(words)
    return Mention(slot, words, start, start + len(words))


def owned(
    text: str, *values: str, names: str = "ALFA BETA GAMA", owners: Owners | None = None
) -> list[list[Owned]]:
    """Whose each value is."""
    known = [mention(text, name, "name") for name in names.split() if name in text]
    known.sort(key=lambda each: each.start)
    told = [mention(text, value, "price") for value in values]
    return [*(owners or Owners()).of_values(text, known, told).values()]


def of(*names: str | None) -> list[Owned]:
    return [(name, "") for name in names]


@pytest.mark.parametrize(
    ("text", "values", "whose"),
    [
        ("ALFA is cheap", ["cheap"], [of("ALFA")]),
        ("ALFA and BETA are both cheap", ["cheap"], [of("ALFA", "BETA")]),
        ("ALFA, BETA and GAMA are cheap", ["cheap"], [of("ALFA", "BETA", "GAMA")]),
        ("ALFA is nice, BETA and GAMA are cheap", ["cheap"], [of("BETA", "GAMA")]),
        ("ALFA and BETA, the latter is cheap", ["cheap"], [of("BETA")]),
        ("ALFA near BETA is cheap", ["cheap"], [of("BETA")]),
        ("ALFA is nice and the cheap BETA is far", ["cheap"], [of("BETA")]),
        ("ALFA is nice and cheap near BETA", ["cheap"], [of("ALFA")]),
        ("the cheap ALFA", ["cheap"], [of("ALFA")]),
        ("these are cheap: ALFA, BETA", ["cheap"], [of("ALFA", "BETA")]),
        ("the cheap ones are ALFA and BETA", ["cheap"], [of("ALFA", "BETA")]),
    ],
)
def test_whose_a_value_is(text: str, values: list[str], whose: list[list[Owned]]) -> None:
    assert owned(text, *values) == whose


def test_whose_a_value_is_after_other_clauses() -> None:
    assert owned("it is cheap", "cheap") == [of(None)]
    assert owned("it is cheap", "cheap", owners=Owners("ALFA", ["BETA"])) == [of("ALFA")]
    assert owned("it is cheap", "cheap", owners=Owners(None, ["BETA"])) == [of("BETA")]
    two = Owners(None, ["ALFA", "BETA"])
    assert owned("it is cheap", "cheap", owners=two) == [[(None, SEVERAL)]]
    assert owned("both are cheap", "cheap", owners=two) == [of("ALFA", "BETA")]
    assert owned("the former is cheap", "cheap", owners=two) == [of("ALFA")]
    assert owned("the latter is cheap", "cheap", owners=two) == [of("BETA")]
    kept = Owners()
    owned("ALFA and BETA and ALFA again are cheap", "cheap", owners=kept)
    assert kept.last == ["ALFA", "BETA"]
