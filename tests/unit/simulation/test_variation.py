"""Other words for what the user says: what changes at each level, and what has to stay."""

import os
import random
import re
import subprocess
import sys
from typing import Any

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.variation import LEVELS, check_variation, make_variation
from pytest_todeval.simulation.variation.kept import Kept
from pytest_todeval.simulation.variation.noise import misheard, mistyped
from pytest_todeval.simulation.variation.rewording import easy, hard, medium
from pytest_todeval.simulation.variation.spoken import spoken
from pytest_todeval.simulation.variation.wordings import recasts, sheet, words_of

WRITTEN = [level for level in LEVELS if level != "speech"]
TABLE = Goal(
    "table",
    "mine",
    (
        DomainGoal(
            "restaurant",
            {"food": "crossover", "area": "north", "internet": "yes"},
            book={"people": "3", "day": "friday", "time": "18:30"},
        ),
    ),
    user={"email": "ada.marsh@example.org"},
)
SAID = "I'd like to book a table for 3 people on Friday at 18:30."
TOLD = "How about nandos? It is in the lower mill, cb21ab."
REQUESTS = [
    (
        "Hello. I'm looking for a restaurant serving Crossover food in the north.",
        ["Crossover", "north"],
    ),
    (SAID, ["3 people", "Friday", "18:30"]),
    ("It should have free wifi. Does it include internet?", ["wifi", "internet"]),
    ("Could you tell me the phone number of nandos, please?", ["nandos"]),
    (
        "I need a taxi from the Lower Mill to Saint John's College.",
        ["Lower Mill", "Saint John's College"],
    ),
    (
        "My e-mail address is ada.marsh@example.org, the reference AB12CD34.",
        ["ada.marsh@example.org", "AB12CD34"],
    ),
    (
        "The Lucky Star sounds good. Is TR1234 at 9:15 for 20 pounds all right?",
        ["Lucky Star", "TR1234", "9:15", "20"],
    ),
]


def varied(text: str, level: str, trial: int = 0, turn: int = 1) -> str:
    return make_variation(level, TABLE, trial).varied(text, turn, TOLD)


@pytest.mark.parametrize("level", WRITTEN)
@pytest.mark.parametrize(("text", "kept"), REQUESTS)
def test_names_references_and_figures_stand_as_they_are(
    level: str, text: str, kept: list[str]
) -> None:
    for trial in range(20):
        said = varied(text, level, trial)
        assert said != text
        assert [each for each in kept if each not in said] == [], said


@pytest.mark.parametrize(("text", "kept"), REQUESTS)
def test_in_speech_they_stand_in_words(text: str, kept: list[str]) -> None:
    for trial in range(20):
        said = varied(text, "speech", trial)
        assert re.fullmatch(r"[a-z' ]+", said)
        assert [each for each in kept if spoken(each) not in said] == [], said


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("18:30", "eighteen thirty"),
        ("09:15", "nine fifteen am"),
        ("9:00", "nine o'clock am"),
        ("12:05", "twelve oh five"),
        ("13:00", "thirteen hundred"),
        ("24:00", "twenty four hundred"),
        ("24:15", "twenty four fifteen"),
        ("3", "three"),
        ("45", "forty five"),
        ("110", "one hundred and ten"),
        ("0", "zero"),
        ("01223", "zero one two two three"),
        ("2024", "two zero two four"),
        ("TR1234", "t r one two three four"),
        ("cb21ab", "c b two one a b"),
        ("£12.50", "twelve point five zero"),
        ("a.b@c.org", "a dot b at c dot org"),
        ("B&B", "b and b"),
        ("Saint John's College", "saint john's college"),
    ],
)
def test_how_values_sound(value: str, words: str) -> None:
    assert spoken(value) == words


def test_easy_leaves_the_words_but_for_their_form() -> None:
    """H.1: punctuation marks, and variants of the same lemma."""
    drawn = {easy("Hello, I need a room, please.", random.Random(n)) for n in range(40)}
    assert len(drawn) > 4
    forms = ("I need", "I am needing", "I needed")
    for text in drawn:
        bare = re.sub(r"[^\w ]", "", text)
        assert bare in {f"Hello {form} a room please" for form in forms}


def test_medium_puts_synonyms() -> None:
    """H.1: synonyms, a phrase for a word, a word for a phrase."""
    drawn = {medium("Can you tell me the postcode?", random.Random(n)) for n in range(20)}
    assert {"Can you let me know the zip code?", "Would you tell me the postal code?"} <= drawn
    assert all(text.endswith("?") for text in drawn)


def test_hard_builds_sentences_anew() -> None:
    """H.1: a complete reformulation with the same message."""
    drawn = {hard("I need a train to Ely. Hi!", random.Random(n)) for n in range(30)}
    assert "What I need is a train to Ely. Hi!" in drawn
    assert not any(text.startswith("I need") for text in drawn)
    framed = {hard("The old one was better for us all.", random.Random(n)) for n in range(20)}
    assert any(text.endswith("the old one was better for us all.") for text in framed)


def test_typing_errors_leave_the_first_letter_and_short_words() -> None:
    text = "I would like the address of that place with a nice garden, please"
    for n in range(30):
        words = list(zip(text.split(), mistyped(text, random.Random(n)).split(), strict=True))
        hit = [(was, now) for was, now in words if was != now]
        assert 1 <= len(hit) <= 2
        assert all(was[0] == now[0] and len(was) > 3 for was, now in hit)


def test_a_recogniser_takes_no_word_for_a_number_a_yes_or_a_no() -> None:
    """What would change the message, or what a bot needs to know."""
    never = {"one", "two", "four", "eight", "won", "ate", "yes", "no", "not"}
    heard = {*sheet()["homophones"].values(), *sheet()["fillers"]}
    assert heard.isdisjoint(never)
    assert heard.isdisjoint({"by", "from", "to", "at", "after", "before", "on", "in", "for"})
    assert set(sheet()["homophones"]).isdisjoint({"by", "from", "to", "at", "for", "in", "on"})
    assert set(sheet()["dropped"]).isdisjoint({"not", "no", "don't", "without", "yes"})
    said = misheard("Would you please not book it there, by Ely?", random.Random(1))
    assert " not book " in said


def test_the_same_goal_trial_and_turn_give_the_same_words() -> None:
    for level in LEVELS:
        once = [varied(SAID, level, trial, turn) for trial in range(5) for turn in range(1, 4)]
        again = [varied(SAID, level, trial, turn) for trial in range(5) for turn in range(1, 4)]
        assert once == again
        assert len(set(once)) > 1


SAMPLE = """
from tests.unit.simulation.test_variation import LEVELS, REQUESTS, varied
print([varied(text, level, 3, 2) for text, _ in REQUESTS for level in LEVELS])
"""


@pytest.mark.thorough
def test_the_words_do_not_hang_on_the_hash_seed() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", SAMPLE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1] != ""


@pytest.mark.parametrize("text", ["", "  ", "1", "?!", "\ue000 a room", "é" * 5000, "x" * 100_000])
@pytest.mark.parametrize("level", LEVELS)
def test_odd_utterances_are_said_all_the_same(level: str, text: str) -> None:
    said = varied(text, level)
    assert bool(said.strip()) is bool(text.strip())
    if len(text) > 4000 or "\ue000" in text:
        assert said == text


@pytest.mark.parametrize("attack", ["a " * 1999, "I'd like " * 400, "..." * 1300, "Can you " * 450])
def test_long_utterances_are_varied_too(attack: str) -> None:
    for level in LEVELS:
        assert varied(attack, level).strip()


def test_other_words_of_the_sheet_can_be_said() -> None:
    """Templates that hold what their pattern catches; no word is its own synonym."""
    for recast in recasts():
        for template in recast.instead:
            assert template.format(*["x"] * recast.pattern.groups)
            assert all(f"{{{n}}}" in template for n in range(recast.pattern.groups))
    for section in ("forms", "synonyms"):
        for words, others in words_of(section).instead.items():
            assert words not in {other.lower() for other in others}


def test_what_is_lost_is_told() -> None:
    kept = Kept(TABLE)
    assert kept.lost(SAID, "A table for three people, this friday, 18.30!", "") == []
    assert kept.lost(SAID, "A table for us on Friday at half past six.", "") == [
        "3 people",
        "18:30",
    ]
    assert kept.lost("At the Lower Mill.", "at the lower mill", "") == []
    assert kept.lost("At the Lower Mill.", "at the mill", "") == ["Lower Mill"]


@pytest.mark.parametrize(
    "name", [*LEVELS, *(f"model:{each}" for each in LEVELS), "French", "Türkçe"]
)
def test_variations_are_known_by_name(name: str) -> None:
    check_variation(name, "here")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("hrad", "did you mean 'hard'?"),
        ("Hard", "did you mean 'hard'?"),
        ("model:hrad", "did you mean 'model:hard'?"),
        ("french", "or a language, e.g. 'French'"),
        ("", "Known: easy, medium"),
        (3, "Known: easy, medium"),
        ("French\nor {{goal}}", "or a language"),
    ],
)
def test_other_names_are_refused(name: Any, hint: str) -> None:
    with pytest.raises(UsageError, match="here: no variation ") as told:
        check_variation(name, "here")
    assert hint in str(told.value)


@pytest.mark.parametrize("name", ["French", "model:easy"])
def test_without_a_model_there_is_none_by_a_model(name: str) -> None:
    with pytest.raises(
        UsageError, match=f"the variation '{name}' needs a model; by rule there are"
    ):
        make_variation(name, TABLE)


def test_definitions_name_the_sheet() -> None:
    found = {make_variation(level, TABLE).definition for level in LEVELS}
    assert len(found) == len(LEVELS)
    assert all(re.fullmatch(r"\w+ by rule 1 \([0-9a-f]{12}\)", each) for each in found)


def test_a_slip_swaps_leaves_out_or_doubles_one_letter() -> None:
    word = "restaurant"
    found = {mistyped(word, random.Random(seed)) for seed in range(300)}
    places = range(1, len(word) - 1)
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places}
    assert {each for each in found if sorted(each) == sorted(word)} == swapped
    left_out = {word[:at] + word[at + 1 :] for at in places}
    assert {each for each in found if len(each) < len(word)} == left_out
    doubled = {word[:at] + word[at] + word[at:] for at in places}
    assert {each for each in found if len(each) > len(word)} == doubled
