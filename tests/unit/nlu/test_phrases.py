"""A sentence as words, its parts and verb groups; and names that stand in passing."""

import pytest

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.nlu.names.nothing_found import finds_nothing
from pytest_todeval.nlu.text.factuality import asserted, doubt_of
from pytest_todeval.nlu.text.phrases import LONGEST, Phrase


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("it , sadly , is", "it , sadly , is"),
        ("the room , which i saw , is booked", "the room is booked"),
        ("the room , which i saw , i booked", "the room , which i saw , i booked"),
        ("it is , though", "it is , though"),
        ("at 18:30 or e-mail", "at 18:30 or e-mail"),
        ("the NAAE is £5", "the NAME is £ 5"),
    ],
)
def test_the_words_of_a_sentence(text: str, words: str) -> None:
    assert Phrase(text).text == words
    assert Phrase(text).words == words.split()


def test_places_and_parts_of_a_sentence() -> None:
    phrase = Phrase("fine , it is booked and i am glad")
    assert [phrase.places[at] for at in (0, 2, 4)] == [0, 7, 13]
    assert (phrase.offset(2), phrase.offset(99)) == (7, len(phrase.text))
    assert (phrase.index(7), phrase.index(8), phrase.index(0)) == (2, 2, 0)
    assert (phrase.opening(4), phrase.closing(2)) == (2, 5)  # "and i" begins another part
    assert Phrase("it is booked and paid").closing(0) == 5
    assert len(Phrase("so " * (LONGEST + 5)).words) == LONGEST
    quoted = Phrase('he said " it is booked " to me')
    assert [quoted.quoted(at) for at in (1, 4, 8)] == [False, True, False]
    assert not Phrase('he said " it is booked').quoted(4)


@pytest.mark.parametrize(
    ("text", "start", "negated", "modal", "governor", "causative", "bare"),
    [
        ("it has not yet been booked", 1, True, "", "", False, False),
        ("it will be booked", 1, False, "will", "", False, False),
        ("i am able to booked", 1, False, "", "able", False, False),
        ("to booked", 0, False, "", "to", False, False),
        ("i got it booked", 1, False, "", "", True, False),
        ("i booked", 1, False, "", "", False, True),
        ("i quickly booked", 1, False, "", "", False, True),
        ("i fly booked", 2, False, "", "", False, True),
        ("i went ahead and booked", 1, False, "", "", False, True),
        ("did you booked", 2, False, "", "", False, True),
    ],
)
def test_the_group_of_a_verb(
    text: str, start: int, negated: bool, modal: str, governor: str, causative: bool, bare: bool
) -> None:
    phrase = Phrase(text)
    group = phrase.group(len(phrase.words) - 1)
    assert (group.start, group.negated, group.modal, group.governor) == (
        start, negated, modal, governor,
    )  # fmt: skip
    assert (group.causative, group.bare) == (causative, bare)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("is it booked", True), ("and so is it booked", True), ("it is booked", False),
        ("fine , has NAME been booked", True), ("booked", False), ("is booked", False),
        ("been it booked", False),
    ],
)  # fmt: skip
def test_a_verb_before_its_subject_asks(text: str, asks: bool) -> None:
    phrase = Phrase(text)
    assert phrase.is_question(phrase.group(len(phrase.words) - 1)) is asks


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("your table is set", Factuality.ASSERTED),
        ("no table is set", Factuality.DENIED),
        ("no matter what i set", Factuality.ASSERTED),
        ("if you like it is set", Factuality.CONDITIONAL),
        ("if you like ; it is set", Factuality.ASSERTED),
        ("give me a name and it is set", Factuality.CONDITIONAL),
        ("give a name . and it is set", Factuality.ASSERTED),
        ("one more tap and it is set", Factuality.CONDITIONAL),
        ("nice work and it is set", Factuality.ASSERTED),
        ("let us help it set", Factuality.FUTURE),
    ],
)
def test_how_far_words_are_meant(text: str, how: Factuality) -> None:
    phrase = Phrase(text)
    group = phrase.group(len(phrase.words) - 1)
    assert asserted(phrase, group.start, len(phrase.words)) is how
    assert asserted(phrase, group.start, len(phrase.words), asks=True) is Factuality.ASKED


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("it is probably booked", "hedged: probably"), ("it should be booked", "hedged: should"),
        ("i guess it is booked", "hedged: i guess"),
        ("i guess so , it is booked", ""), ("it is booked", ""),
    ],
)  # fmt: skip
def test_doubts(text: str, doubt: str) -> None:
    phrase = Phrase(text)
    assert doubt_of(phrase, phrase.group(len(phrase.words) - 1)) == doubt


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("i found nothing", Factuality.ASSERTED),
        ("whenever there is no match", Factuality.CONDITIONAL),
        ("you have no match", None),
        ("i found a match", None),
        ("there is no match for parking", Factuality.ASSERTED),
        ("i do not have the phone number", None),
    ],
)
def test_nothing_found(text: str, how: Factuality | None) -> None:
    assert finds_nothing(text) is how
