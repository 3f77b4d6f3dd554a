"""When the user doubts its own ears: three answers in a row of which it understood nothing."""

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.simulation.agenda.puzzles import LONGEST, Puzzles, quoted
from pytest_todeval.simulation.agenda.reaction import Reaction

TEXTS = ("Alles klar, das geht.", "Wie viele Leute kommen?", "Morgen ist geschlossen, leider.")
PUZZLING = Reaction(puzzling=True)
STRANGE = Reaction(strange=True)


def after(*turns: tuple[str, Reaction]) -> Puzzles:
    puzzles = Puzzles()
    for index, (text, reaction) in enumerate(turns, 1):
        puzzles.after(Turn(index, "Hello.", text), reaction)
    return puzzles


@pytest.mark.parametrize("reaction", [PUZZLING, STRANGE])
def test_two_are_no_fault_and_three_are(reaction: Reaction) -> None:
    turns = [(text, reaction) for text in TEXTS]
    assert after(*turns[:2]).fault == ""
    fault = after(*turns).fault
    assert all(text in fault for text in TEXTS)
    assert "of 3 answers" in fault


def test_the_last_three_are_quoted() -> None:
    fault = after(*((text, STRANGE) for text in ("Guten Tag!", *TEXTS))).fault
    assert "4 answers" in fault
    assert "Guten Tag" not in fault
    assert all(text in fault for text in TEXTS)


def test_what_the_bot_found_makes_the_same_words_count_each_time() -> None:
    assert "though the bot had found something" in after(*3 * [(TEXTS[0], PUZZLING)]).fault
    assert after(*5 * [(TEXTS[0], STRANGE)]).fault == "", "a bot that repeats itself is a bad bot"
    assert after((TEXTS[0], STRANGE), *2 * [(TEXTS[0], PUZZLING)]).fault == ""


def test_answers_that_are_four_fifths_alike_are_one_and_the_same() -> None:
    alike = [(text, STRANGE) for text in ("abcde", "abcdf", "abcdg")]
    assert after(*alike).fault == ""
    less = [(text, STRANGE) for text in ("abcdef", "abcdgh", "abcdij")]
    assert after(*less).fault


def test_one_answer_that_is_understood_starts_the_count_anew() -> None:
    for reaction in (PUZZLING, STRANGE):
        turns = [(text, reaction) for text in TEXTS]
        assert after(*turns[:2], ("Which area?", Reaction()), *turns[:2]).fault == ""
    mixed = after((TEXTS[0], PUZZLING), (TEXTS[1], STRANGE), (TEXTS[0], PUZZLING))
    assert mixed.fault == "", "only two different texts, and not three finds in a row"


def test_answers_that_only_begin_alike_are_compared_by_their_beginning() -> None:
    long = "So schön wie heute war es lange nicht mehr. " * 10
    turns = [(long + text, STRANGE) for text in TEXTS]
    assert after(*turns).fault == ""


def test_a_quotation_is_one_line_and_cut() -> None:
    assert quoted("Guten\n  Tag") == "'Guten Tag'"
    assert quoted("x" * LONGEST) == repr("x" * LONGEST)
    assert quoted("x" * (LONGEST + 1)) == repr("x" * LONGEST + " ...")
    assert LONGEST == 200
