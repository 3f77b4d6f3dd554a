"""How many come, as a text counts them: "two adults and a child"."""

import re

from pytest_todeval.evaluate.rules.quantities import NUMBER, number_of

PARTY = re.compile(
    rf"\b(?P<n>{NUMBER}|an?) (?:adults?|grown-ups?|children|child|kids?|infants?|bab(?:y|ies)"
    r"|toddlers?|seniors?|teenagers?|students?|pensioners?)\b",
    re.I,
)
"""Some of those who come, by their kind."""


def miscounted(text: str, people: int, said: str) -> str | None:
    """Returns the words of a text that count others than so many; None if there are none.

    `said` is what the user has said: their own words miscount nobody.
    """
    said = said.lower()
    counted = list(PARTY.finditer(text))
    whole = int(sum(number_of(match["n"]) for match in counted))
    if whole in (0, people) or all(match[0].lower() in said for match in counted):
        return None
    return " and ".join(match[0] for match in counted)
