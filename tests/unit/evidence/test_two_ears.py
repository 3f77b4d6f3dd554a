"""Two ears on one reply: which claims are the same, and what is said if they are not."""

import pytest

from pytest_todeval.core.claim import Act, Claim, Factuality
from pytest_todeval.evidence.model.two_ears import compared

TEXT = "Your booking stands. The code is AB12CD."


def never(sentence: str) -> bool:
    return False


def doubts(model: Claim, rules: Claim) -> list[str]:
    claims, notes = compared([model], [rules], TEXT, never)
    assert bool(notes) is any(claim.doubt for claim in claims)
    return [claim.doubt for claim in claims]


@pytest.mark.parametrize(
    ("model", "rules"),
    [
        (Claim(Act.BOOKED, "hotel"), Claim(Act.BOOKED)),
        (Claim(Act.REFERENCE, value="AB12CD"), Claim(Act.REFERENCE, None, "reference", "ab12cd")),
        (
            Claim(Act.OFFER, None, "name", "The Tern House"),
            Claim(Act.OFFER, "hotel", "name", "tern house"),
        ),
    ],
)
def test_what_both_ears_hear_is_clear(model: Claim, rules: Claim) -> None:
    assert doubts(model, rules) == [""]
    assert doubts(rules, model) == [""]


@pytest.mark.parametrize(
    ("model", "rules"),
    [
        (Claim(Act.BOOKED, "hotel"), Claim(Act.BOOKED, "train")),
        (Claim(Act.BOOKED, "hotel"), Claim(Act.BOOKING_FAILED, "hotel")),
        (Claim(Act.BOOKED), Claim(Act.BOOKED, factuality=Factuality.DENIED)),
        (Claim(Act.REFERENCE, value="AB12CD"), Claim(Act.REFERENCE, value="XY99ZZ")),
    ],
)
def test_what_one_ear_alone_hears_is_doubtful(model: Claim, rules: Claim) -> None:
    assert any("the rules hear" in doubt for doubt in doubts(model, rules))


def test_a_value_of_another_slot_is_another_claim() -> None:
    area = Claim(Act.INFORM, None, "area", "north")
    claims, notes = compared([area], [Claim(Act.INFORM, "hotel", "street", "north")], TEXT, never)
    assert (claims, notes) == ((area,), ())
    (same,), _ = compared([area], [Claim(Act.INFORM, "hotel", "area", "North")], TEXT, never)
    assert same.domain == "hotel"


def test_of_a_sentence_that_an_example_has_taught_the_rules_are_right() -> None:
    model, rules = Claim(Act.BOOKED, sentence="a"), Claim(Act.BOOKING_FAILED, sentence="a")
    assert compared([model], [rules], TEXT, lambda sentence: sentence == "a") == ((rules,), ())


def test_a_disagreement_is_noted_with_its_sentence_once() -> None:
    model = Claim(Act.BOOKED, sentence="Your booking stands.")
    _, notes = compared([model, model], [], TEXT, never)
    (note,) = notes
    assert "Your booking stands." in note
