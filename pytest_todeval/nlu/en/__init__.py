"""All that is English, in tables: a second language is a second folder."""

from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@cache
def word_list(name: str) -> frozenset[str]:
    """Returns the words of a list in this folder, small letters; `#` starts a comment."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines for word in line.partition("#")[0].split())


def listed(words: str) -> list[str]:
    """Returns the words of a short list, in order."""
    return words.split()
