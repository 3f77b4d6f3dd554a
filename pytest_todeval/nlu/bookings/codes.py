"""Reference numbers told in a text, and how far the words say that they are given."""

import re
from collections.abc import Iterator

from pytest_todeval.core.dialogue_act import Factuality

REACH = 90
"""Characters after "reference" in which its number is looked for."""
BEFORE = 90
"""Characters before a number in which the words are that postpone it."""

_LABEL = re.compile(
    r"\b(?:(?:record )?locator|pnr|consignment|code is|collect[^.!?\n]{0,60} code"
    r"|reservation (?=[A-Z]{1,4}-?\d{3})|e-?ticket|(?:order|ticket|booking|job|policy"
    r"|permit) (?=\d{4})|ref(?:erence|rence|erance|\b)|feference|confirmation|confirmed"
    "|(?:booking|reservation|order|ticket|contract|job|case|collection|tracking|voucher|rental"
    "|appointment|purchase|job card|consignment|confirmation|pick-?up|registration|locker"
    r"|itinerary) ?(?:number|code|id\b|#|no\b|nr))",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"#? ?(?<![\w.:£$€])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?!\w|:\w|\.\d)")
_CODE = re.compile(
    r"\b(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z0-9]{8}\b"
    r"|(?<=#)(?=[A-Z-]{1,9}\d|\d{1,9}[A-Z])[A-Z0-9-]{5,20}\b"
)
"""A number that needs no label: eight letters and digits, or such behind a `#`."""
_LIKE_CODE = re.compile(r"[0-9#]|[A-Z][A-Z-]{4}")
"""Stands in every text with a reference number."""
_NO_CODE = re.compile(
    r"tr ?\d{2,5}|0\d{9,10}|cb\d+[a-z]{2}|[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}|\d{1,3}"
    r"|\d+(?:st|nd|rd|th|am|pm|gbp|min|mins|hrs?)|gbp|wifi|\d+-\d+-\d+|\d+-(?:minute|hour"
    r"|day|night|star|mile|course|person)s?|[a-z]+-\d"
)
_NOT_GIVEN = (
    (Factuality.CONDITIONAL, re.compile(r"\b(?:if|once|as soon as|unless|when you|after you)\b")),
    (
        Factuality.FUTURE,
        re.compile(
            r"\b(?:number|code|reference|confirmation|it) (?:will|would|is going to) (?:be|look)\b"
            r"|\b(?:such as|for example|an example|e\.g|may i|please (?:give|enter|provide))\b"
        ),
    ),
    (
        Factuality.OF_OTHERS,
        re.compile(
            r"\b(?:the (?:old|previous|cancelled|canceled|former|earlier)|cancell?ed)\b"
        ),
    ),
    (Factuality.DENIED, re.compile(r"\b(?:is not|was not|no longer|not valid|never was)\b")),
)  # fmt: skip
_SENTENCE = re.compile(r"[.!?](?=\s)|\n")


def references(text: str) -> list[tuple[str, Factuality]]:
    """Reference numbers as written, e.g. "GVC0K9WU", "#ABC-123", each once, in order."""
    if not _LIKE_CODE.search(text):
        return []
    found = dict[str, Factuality]()
    for code, start in [*_labelled(text)] or [(m[0], m.start()) for m in _CODE.finditer(text)]:
        if not _NO_CODE.fullmatch(code.lower()):
            found.setdefault(code, _given(text, start))
    return list(found.items())


def _labelled(text: str) -> Iterator[tuple[str, int]]:
    for match in _LABEL.finditer(text):
        for token in _TOKEN.finditer(text, match.end()):
            if token.start() > match.end() + REACH:
                break
            code = token[0].lstrip("# ")
            if _is_code(code) or (token[0].startswith("#") and len(code) > 2):
                yield code, token.start()
                break


def _is_code(code: str) -> bool:
    """Digits and letters, or capitals only: no word, no time, no train, no post code."""
    if len(code) < 4 or _NO_CODE.fullmatch(code.lower()):
        return False
    return any(char.isdigit() for char in code) or (code.isupper() and len(code) > 4)


def _given(text: str, start: int) -> Factuality:
    before = _SENTENCE.split(text[max(0, start - BEFORE) : start])[-1].lower()
    return next((how for how, words in _NOT_GIVEN if words.search(before)), Factuality.ASSERTED)
