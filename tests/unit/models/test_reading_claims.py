"""How many claims a model may hear in one reply."""

import json

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.models.reading.claims import MOST_CLAIMS, ClaimsReader
from pytest_todeval.models.reading.reader import Unreadable

BYE = {"quote": "bye", "act": "bye", "factuality": "asserted"}


def read(count: int) -> tuple[DialogueAct, ...]:
    return ClaimsReader().read(json.dumps({"claims": [BYE] * count}))


def test_as_many_claims_as_allowed_are_read_and_no_more() -> None:
    assert read(MOST_CLAIMS) == (DialogueAct(Act.BYE),) * MOST_CLAIMS
    with pytest.raises(Unreadable, match=f"{MOST_CLAIMS + 1} claims, expected {MOST_CLAIMS}"):
        read(MOST_CLAIMS + 1)


def one(**fields: object) -> DialogueAct:
    (claim,) = ClaimsReader().read(json.dumps({"claims": [{"quote": " so  it is ", **fields}]}))
    return claim


def test_a_claim_is_read_field_by_field() -> None:
    told = one(act="Booking Failed", factuality="OF OTHERS", domain="hotel", slot="stars", value=4,
               of="Sea View")  # fmt: skip
    assert told == DialogueAct(
        Act.BOOKING_FAILED, "hotel", "stars", "4", of="Sea View",
        factuality=Factuality.OF_OTHERS, sentence="so it is",
    )  # fmt: skip
    assert one(act="inform", value=True).value == "yes"
    assert one(act="inform", value=False).value == "no"
    bare = one(act="bye", domain="", value=None)
    assert (bare.domain, bare.value, bare.factuality) == (None, None, Factuality.ASSERTED)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Nothing.", "no JSON object"),
        ('{"claims": {}}', "expected a list"),
        ('{"claims": ["bye"]}', "claim 1 is 'bye', expected an object"),
        ('{"claims": [{"act": "sing"}]}', "claim 1: act is 'sing', expected one of request"),
        ('{"claims": [{"act": 7}]}', "claim 1: act is '7'"),
        ('{"claims": [{"act": "bye", "factuality": "so"}]}', "factuality is 'so'"),
        ('{"claims": [{"act": "bye", "value": []}]}', "value is '\\[\\]', expected a text"),
    ],
)
def test_an_answer_with_a_claim_that_cannot_be_read_tells_which(text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        ClaimsReader().read(text)


def test_what_a_model_is_asked_for_names_every_act() -> None:
    schema = ClaimsReader().schema
    assert schema is not None
    (claim,) = [schema["properties"]["claims"]["items"]]
    assert claim["properties"]["act"]["enum"] == [act.value for act in Act]
    assert set(claim["required"]) == {
        "quote", "act", "factuality", "domain", "slot", "value", "of",
    }  # fmt: skip
    assert "booking_failed" in ClaimsReader().expected
