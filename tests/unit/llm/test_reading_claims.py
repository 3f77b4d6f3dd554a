"""How many claims a model may hear in one reply."""

import json

import pytest

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.llm.reading.claims import MOST_CLAIMS, ClaimsReader
from pytest_todeval.llm.reading.reader import Unreadable

BYE = {"quote": "bye", "act": "bye", "factuality": "asserted"}


def read(count: int) -> tuple[Claim, ...]:
    return ClaimsReader().read(json.dumps({"claims": [BYE] * count}))


def test_as_many_claims_as_allowed_are_read_and_no_more() -> None:
    assert read(MOST_CLAIMS) == (Claim(Act.BYE),) * MOST_CLAIMS
    with pytest.raises(Unreadable, match=f"{MOST_CLAIMS + 1} claims, expected {MOST_CLAIMS}"):
        read(MOST_CLAIMS + 1)
