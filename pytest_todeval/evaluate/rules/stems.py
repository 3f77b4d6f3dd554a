"""The stems of words: "booking" and "booked" are one."""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
LONGEST = 40
"""Characters of a word that is looked at."""


def stems(text: str) -> list[str]:
    """Returns the stems of a text's words, in order."""
    return [stem(word) for word in _WORD.findall(text)]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Returns what is left of a word without its endings: "booking" and "booked" are one."""
    word = re.split(r"['\u2019]", word[:LONGEST].lower())[0]
    if word.endswith("ies") and len(word) > 4:
        word = f"{word[:-3]}y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed", "ly", "er", "est"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    return word[:-1] if word.endswith(("e", "i", "y")) and len(word) > 3 else word
