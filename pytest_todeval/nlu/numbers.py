"""Numbers as people write them: digits, words, "a couple"."""

import re

NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "zero no", "one a single once", "two couple pair twice double", "three", "four", "five",
            "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
            "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        )
    )
    for word in words.split()
}  # fmt: skip
"""Word -> digits, 0 to 20; the loose ones ("a", "no") only count if a number is expected."""

_TENS = {
    word: tens
    for tens, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        start=2,
    )
}
_LOOSE = ("zero", "no", "a", "single", "once", "couple", "pair", "twice", "double")
_UNITS = [word for word in NUMBER_WORDS if word not in _LOOSE]
AMOUNT_IN_WORDS = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[:9])}))?|{'|'.join(_UNITS)})"
)
"""A number from one to ninety-nine in words."""


def from_words(words: str) -> int:
    """Returns the number, from 0 to 99, that words say: "twenty-five", "twelve"."""
    parts = words.lower().replace("-", " ").split()
    return sum(_TENS[w] * 10 if w in _TENS else int(NUMBER_WORDS.get(w, "0")) for w in parts)


HUNDREDS = rf"(?:{AMOUNT_IN_WORDS} hundred(?: and {AMOUNT_IN_WORDS})?|{AMOUNT_IN_WORDS})"
"""A number in words, hundreds included: "one hundred and twenty"."""


def hundreds(words: str) -> int:
    """Returns the number that words say, hundreds included."""
    many, _, rest = words.lower().rpartition(" hundred")
    return from_words(many) * 100 + from_words(rest.removeprefix(" and "))


_STRICT = {w: n for w, n in NUMBER_WORDS.items() if w not in {"a", "no", "once", "twice", "double"}}
_NUMBER = re.compile(r"\d{1,9}|[a-z]+")


def to_number(text: str) -> str | None:
    """The first number in a text that holds one ("4 stars", "two people", "just me"), as digits."""
    words = _NUMBER.findall(text.lower()[:200])
    for word in words:
        if word.isdigit():
            return str(int(word))
        if word in _STRICT:
            return _STRICT[word]
    if words in (["just", "me"], ["myself"], ["just", "myself"]):
        return "1"
    return next((NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS), None)
