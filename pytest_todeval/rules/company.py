"""How many come, as a text counts them: "two adults and a child", "you and your three friends"."""

import re

from pytest_todeval.rules.asides import MENDED
from pytest_todeval.rules.quantities import NUMBER, number_of

PARTY = re.compile(
    rf"\b(?P<n>{NUMBER}|an?) (?:adults?|grown-ups?|children|child|kids?|infants?|bab(?:y|ies)"
    r"|toddlers?|seniors?|teenagers?|students?|pensioners?)\b",
    re.I,
)
"""Some of those who come, by their kind."""
_COMPANY = re.compile(
    rf"\b(?:you|yourself) (?:and|plus|with|\+) (?:your |the )?(?P<n>{NUMBER}|an?)"
    r"(?: (?:other|more|of your|fellow))* (?:others?|companions?|friends?|guests?|people|persons?"
    r"|more|colleagues?|mates?|family members?)\b"
    rf"|\b(?:the |all )?(?P<of>{NUMBER}|pair|couple|trio|quartet) of you\b"
    rf"|\byou (?P<you>two|three|four|five|six|seven|eight)\b",
    re.I,
)
"""Who comes, the user among them."""
_GROUPS = {"pair": 2, "couple": 2, "trio": 3, "quartet": 4}


def miscounted(text: str, people: int, said: str) -> str | None:
    """The words of a text that count others than so many; None if there are none.

    `said` is what the user has said: their own words miscount nobody, nor does a slip that is taken
    back at once.
    """
    said = said.lower()
    for match in _COMPANY.finditer(text):
        mended = MENDED.search(text[match.end() :].lower())
        if _together(match) != people and match[0].lower() not in said and not mended:
            return match[0]
    counted = list(PARTY.finditer(text))
    whole = int(sum(number_of(match["n"]) for match in counted))
    if whole in (0, people) or all(match[0].lower() in said for match in counted):
        return None
    return " and ".join(match[0] for match in counted)


def _together(match: re.Match[str]) -> int:
    """How many a match of `_COMPANY` counts, the user among them."""
    of = str(match["of"] or match["you"] or match["n"]).lower()
    return _GROUPS.get(of) or int(number_of(of)) + (match["n"] is not None)
