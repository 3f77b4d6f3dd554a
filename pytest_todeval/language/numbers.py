"""Numbers as people write them: digits, words, "a couple"."""

import re

__all__ = ["NUMBER_WORDS", "to_number"]

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
"""Word -> digits, 0 to 20; the loose ones ("a", "no") only count where a number is expected."""

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
