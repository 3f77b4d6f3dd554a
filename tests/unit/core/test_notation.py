"""Claims as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.notation import claim_of, notation, parse_claim


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("booked", DialogueAct(Act.BOOKED)),
        ("hotel: booked", DialogueAct(Act.BOOKED, "hotel")),
        ("denied booked", DialogueAct(Act.BOOKED, factuality=Factuality.DENIED)),
        ("of_others booked", DialogueAct(Act.BOOKED, factuality=Factuality.OF_OTHERS)),
        ("offer Rose House", DialogueAct(Act.OFFER, None, "name", "Rose House")),
        ("train: offer trainID=TR0042", DialogueAct(Act.OFFER, "train", "trainID", "TR0042")),
        ("no_offer", DialogueAct(Act.NO_OFFER)),
        ("no_offer Rose House", DialogueAct(Act.NO_OFFER, None, "name", "Rose House")),
        ("request phone", DialogueAct(Act.REQUEST, None, "phone")),
        (
            "inform area=north of Rose House",
            DialogueAct(Act.INFORM, None, "area", "north", "Rose House"),
        ),
        ("inform entrance fee=2.50", DialogueAct(Act.INFORM, None, "entrance fee", "2.50")),
        ("reference XK42QP7Z", DialogueAct(Act.REFERENCE, None, "reference", "XK42QP7Z")),
    ],
)
def test_a_line_is_a_claim_and_back(text: str, claim: DialogueAct) -> None:
    assert parse_claim(text) == claim
    assert notation(claim) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boked", "names no act; known: request, offer"),
        ("", "names no act"),
        ("offer", "expected `offer NAME`"),
        ("inform north", "expected `inform SLOT=VALUE`"),
        ("request", "expected `request SLOT`"),
        ("booked Rose House", "takes nothing after it"),
        ("x" * 600, "has 600 characters, expected 500 at most"),
    ],
)
def test_what_is_no_claim_is_said_to_be_none(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_claim(text)


def test_a_claim_may_be_told_by_its_fields() -> None:
    told = {"act": "inform", "domain": "hotel", "slot": "stars", "value": 4, "of": "Rose House"}
    assert claim_of(told) == DialogueAct(Act.INFORM, "hotel", "stars", "4", "Rose House")
    with pytest.raises(ValueError, match="unknown field 'slots'"):
        claim_of({"act": "inform", "slots": {}})
    with pytest.raises(ValueError, match="factuality: got 'maybe'; known: asserted, denied"):
        claim_of({"act": "booked", "factuality": "maybe"})
    with pytest.raises(ValueError, match="got int, expected a claim such as 'booked'"):
        claim_of(3)


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        claim = parse_claim(text)
    except ValueError:
        return
    assert parse_claim(notation(claim)) == claim
