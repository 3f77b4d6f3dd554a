"""Two ears on one reply: which claims are the same, and what is said if they are not."""

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.facts.model.two_ears import compared

TEXT = "Your booking stands. The code is AB12CD."


def never(sentence: str) -> bool:
    return False


def doubts(model: DialogueAct, rules: DialogueAct) -> list[str]:
    claims, notes = compared([model], [rules], TEXT, never)
    assert bool(notes) is any(claim.doubt for claim in claims)
    return [claim.doubt for claim in claims]


@pytest.mark.parametrize(
    ("model", "rules"),
    [
        (DialogueAct(Act.BOOKED, "hotel"), DialogueAct(Act.BOOKED)),
        (
            DialogueAct(Act.REFERENCE, value="AB12CD"),
            DialogueAct(Act.REFERENCE, None, "reference", "ab12cd"),
        ),
        (
            DialogueAct(Act.OFFER, None, "name", "The Tern House"),
            DialogueAct(Act.OFFER, "hotel", "name", "tern house"),
        ),
    ],
)
def test_what_both_ears_hear_is_clear(model: DialogueAct, rules: DialogueAct) -> None:
    assert doubts(model, rules) == [""]
    assert doubts(rules, model) == [""]


@pytest.mark.parametrize(
    ("model", "rules"),
    [
        (DialogueAct(Act.BOOKED, "hotel"), DialogueAct(Act.BOOKED, "train")),
        (DialogueAct(Act.BOOKED, "hotel"), DialogueAct(Act.BOOKING_FAILED, "hotel")),
        (DialogueAct(Act.BOOKED), DialogueAct(Act.BOOKED, factuality=Factuality.DENIED)),
        (DialogueAct(Act.REFERENCE, value="AB12CD"), DialogueAct(Act.REFERENCE, value="XY99ZZ")),
    ],
)
def test_what_one_ear_alone_hears_is_doubtful(model: DialogueAct, rules: DialogueAct) -> None:
    assert any("the rules hear" in doubt for doubt in doubts(model, rules))


def test_a_value_of_another_slot_is_another_claim() -> None:
    area = DialogueAct(Act.INFORM, None, "area", "north")
    claims, notes = compared(
        [area], [DialogueAct(Act.INFORM, "hotel", "street", "north")], TEXT, never
    )
    assert (claims, notes) == ((area,), ())
    (same,), _ = compared([area], [DialogueAct(Act.INFORM, "hotel", "area", "North")], TEXT, never)
    assert same.domain == "hotel"


def test_of_a_sentence_that_an_example_has_taught_the_rules_are_right() -> None:
    model, rules = (
        DialogueAct(Act.BOOKED, sentence="a"),
        DialogueAct(Act.BOOKING_FAILED, sentence="a"),
    )
    assert compared([model], [rules], TEXT, lambda sentence: sentence == "a") == ((rules,), ())


def test_a_disagreement_is_noted_with_its_sentence_once() -> None:
    model = DialogueAct(Act.BOOKED, sentence="Your booking stands.")
    _, notes = compared([model, model], [], TEXT, never)
    (note,) = notes
    assert "Your booking stands." in note
