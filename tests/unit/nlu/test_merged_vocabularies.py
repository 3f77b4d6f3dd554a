"""Vocabularies put together, and what is left out of a database's rows."""

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.example import Example
from pytest_todeval.nlu.vocabulary import Vocabulary

TOWN = Vocabulary({"hotel": ("Sea View",)}, {"area": ("east",)})


def test_a_vocabulary_that_adds_nothing_leaves_the_same_object() -> None:
    assert TOWN.merged(TOWN) is TOWN
    assert TOWN.merged(Vocabulary()) is TOWN
    assert TOWN.merged(Vocabulary({"hotel": ("Sea View",)})) is TOWN


def test_what_only_one_of_two_knows_is_known_to_both_together() -> None:
    names = TOWN.merged(Vocabulary({"hotel": ("Inn",)}))
    assert names.names == {"hotel": ("Sea View", "Inn")}
    values = TOWN.merged(Vocabulary(values={"area": ("west",)}))
    assert values.values == {"area": ("east", "west")}


def test_descriptions_are_no_values() -> None:
    rows = {"inn": [{"name": "A", "note": "x" * 100, "story": "x" * 101, "open": True, "id": 7}]}
    assert Vocabulary.from_rows(rows).values == {"note": ("x" * 100,)}


def test_taught_sentences_come_first_and_one_object_stands_for_them() -> None:
    one, other = Example("All set!", (DialogueAct(Act.BOOKED),)), Example("Nope.", ())
    taught = TOWN.teaching((one,))
    assert taught is TOWN.teaching((one,))
    assert taught.teaching((one,)) is taught
    assert taught.teaching((other, one)).taught == (other, one)
    assert TOWN.merged(Vocabulary(taught=(one,))).taught == (one,)
    assert hash(taught) != hash(TOWN)
