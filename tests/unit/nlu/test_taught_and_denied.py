"""What a taught sentence says if the words around it deny it, or say it of a condition."""

import pytest

from pytest_todeval.core.example import Example
from pytest_todeval.core.notation import notation, parse_claim
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

SALON = Vocabulary(
    {"salon": ("Shear Bliss", "The Cutting Room")},
    {},
    (
        Example("{name} has a spot with your name on it", (parse_claim("offer {name}"),)),
        Example("You're in.", (parse_claim("booked"),)),
    ),
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Shear Bliss has a spot with your name on it.", "salon: offer Shear Bliss"),
        (
            "I don't think Shear Bliss has a spot with your name on it.",
            "salon: no_offer Shear Bliss",
        ),
        (
            "I doubt that The Cutting Room has a spot with your name on it.",
            "salon: no_offer The Cutting Room",
        ),
        (
            "If Shear Bliss has a spot with your name on it, fine.",
            "salon: conditional offer Shear Bliss",
        ),
        ("You're in.", "salon: booked"),
        ("I don't think you're in.", "salon: denied booked"),
    ],
)
def test_an_offer_denied_is_none(text: str, claim: str) -> None:
    assert [notation(one) for one in listen(text, SALON, domain="salon")] == [claim]
