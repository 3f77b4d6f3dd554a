"""Numbers in words, plain text cut into clauses, patterns of many, and pieces of slots."""

import re

import pytest

from pytest_todeval.nlu.numbers import AMOUNT_IN_WORDS, from_words, to_number
from pytest_todeval.nlu.patterns import any_of
from pytest_todeval.nlu.questions.asked import FEATURES, piece_of
from pytest_todeval.nlu.text.plain import clauses, plain, words


@pytest.mark.parametrize(
    ("said", "number"),
    [("twenty-five", 25), ("ninety nine", 99), ("zero", 0), ("thirty", 30), ("Forty Two", 42)],
)
def test_numbers_to_ninety_nine_are_read_from_words(said: str, number: int) -> None:
    assert from_words(said) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4 stars", "4"),
        ("007", "7"),
        ("a couple of nights", "2"),
        ("a double room for three", "3"),
        ("a room", "1"),
        ("no people", "0"),
        ("just me", "1"),
        ("just myself", "1"),
        ("just us", None),
        ("", None),
        (" " * 199 + "4", "4"),
        (" " * 200 + "4", None),
    ],
)
def test_the_first_number_counts_and_loose_words_only_without_one(
    text: str, number: str | None
) -> None:
    assert to_number(text) == number


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("It's here, isn\N{RIGHT SINGLE QUOTATION MARK}t it?", "it is here, is not it?"),
        ("I can't, we won't, they dont.", "i can not, we will not, they do not."),
        ("I'm sure he'd say I'll see what they're doing and we've done.",
         "i am sure he would say i will see what they are doing and we have done."),
        ("ive  *booked*\tit, pls", "i have booked it, please"),
        ("Caf\N{LATIN SMALL LETTER E WITH ACUTE}\n  \nRosa's", "cafe\nrosa s"),
        ("Let's see your ID: I.D. or id", "let us see your id: i.d. or id"),
    ],
)  # fmt: skip
def test_a_plain_text_spells_out_what_is_short(text: str, spelled: str) -> None:
    assert plain(text) == spelled


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("it is here. would you like it?", [("it is here.", False), ("would you like it?", True)]),
        ("the food is cheap, and what day would you like?",
         [("the food is cheap", False), ("what day would you like?", True)]),
        ("i have booked it do you need more?",
         [("i have booked it", False), ("do you need more?", True)]),
        ("there is the old mill, which is cheap.",
         [("there is the old mill", False), ("which is cheap.", False)]),
        ("if so, we can go; they will not.",
         [("if so", False), ("we can go", False), ("they will not.", False)]),
        ("no. 7 is nice but you said st. ives",
         [("no. 7 is nice", False), ("but you said st. ives", False)]),
        ("which is nearer, we can go.", [("which is nearer", True), ("we can go.", False)]),
        ("which one do you want", [("which one do you want", True)]),
        ("north?", [("north?", True)]),
    ],
)  # fmt: skip
def test_clauses_say_or_ask(text: str, cut: list[tuple[str, bool]]) -> None:
    assert [(clause.text, clause.asks) for clause in clauses(text)] == cut


def test_a_clause_knows_its_place_in_its_sentence() -> None:
    said, asked = clauses("the food is cheap, and what day would you like?")
    assert (said.index, asked.index) == (0, 1)
    assert (said.inverted, asked.inverted) == (False, True)
    for clause in (said, asked):
        start, end = clause.span
        assert clause.text in clause.sentence.text[start:end]
    assert said.span[1] == asked.span[0]
    assert asked.span[1] == len(asked.sentence.text)


def test_clauses_that_repeat_each_other_have_places_of_their_own() -> None:
    found = list(clauses("we can go; we can go; we can go"))
    assert [clause.span for clause in found] == [(0, 11), (11, 22), (22, 31)]
    assert found[0].sentence.parts == ((0, False), (11, False), (22, False))


def test_words_come_with_their_places() -> None:
    assert words("no. 7, ok") == [("no", 0, 2), ("7", 4, 5), ("ok", 7, 9)]


def test_a_pattern_of_many_matches_what_one_of_them_does() -> None:
    pattern = any_of("a(b)?", "c|d", "ab")
    assert [bool(pattern.fullmatch(text)) for text in ("a", "ab", "d", "e")] == [
        True, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "piece"),
    [("leaveAt", "leav"), ("entrance fee", "fee"), ("Number_of_Beds", "number of beds")],
)
def test_a_piece_of_how_people_say_a_slot(slot: str, piece: str) -> None:
    assert piece_of(slot) == piece


def test_features_are_named_in_many_ways() -> None:
    assert all(FEATURES["internet"].search(text) for text in ("wi-fi", "WiFi", "internet"))
    assert FEATURES["parking"].search("a car park")
    assert not FEATURES["parking"].search("sparkling")


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("one", True),
        ("nineteen", True),
        ("fifty-one", True),
        ("ninety nine", True),
        ("twenty-twelve", False),
        ("twenty-ten", False),
        ("twenty-a", False),
        ("a", False),
        ("zero", False),
        ("once", False),
    ],
)
def test_an_amount_in_words_is_a_number_and_no_loose_word(words: str, amount: bool) -> None:
    assert bool(re.fullmatch(AMOUNT_IN_WORDS, words)) is amount


def test_of_a_long_reply_the_first_20000_characters_are_listened_to() -> None:
    assert plain("x" * 20_000 + "y") == "x" * 20_000
