"""Names of venues and places: a canonical form, and whether two mean the same."""

import re
import unicodedata
from functools import lru_cache

from rapidfuzz import fuzz

LONGEST = 200
"""Characters of a name that are looked at; nothing has a longer name."""

SIMILARITY = 90
"""Least rapidfuzz ratio (0 to 100) of two names' cores that counts as the same, spelling aside."""

_POSSESSIVE = re.compile(r" ?['’`] ?s\b")
_NO_WORD = re.compile(r"[^\w'’`]+|_")
_APOSTROPHES = re.compile(r"['’`]")
_ARTICLE = re.compile(r"^(?:the )+")
_JOINED = (
    (re.compile(r"\bguest house"), "guesthouse"),
    (re.compile(r"\bbed and breakfast\b|\bb ?and ?b\b"), "b and b"),
    (re.compile(r"\bcenter\b"), "centre"),
    (re.compile(r"\btheater\b"), "theatre"),
    (re.compile(r"\bst\b"), "saint"),
)
_FILLERS = frozenset(
    "the a restaurant hotel guesthouse cambridge in of and s station train".split()  # noqa: SIM905
)


@lru_cache(maxsize=65536)
def _normalise_name(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in text if not unicodedata.combining(char))
    text = _POSSESSIVE.sub("s", text.lower().replace("&", " and "))
    text = " ".join(_APOSTROPHES.sub("", _NO_WORD.sub(" ", text)).split())
    for pattern, replacement in _JOINED:
        text = pattern.sub(replacement, text)
    return _ARTICLE.sub("", text)


def normalise_name(text: str) -> str:
    """Lower case, without accents, punctuation and a leading "the"; British spelling.

    "Guest house" becomes one word, "B&B" and its like "b and b", "St" "saint".
    """
    return _normalise_name(text[:LONGEST])


@lru_cache(maxsize=65536)
def core_name(text: str) -> str:
    """Returns a name without the words that people drop ("hotel", "restaurant", "the").

    Never empty for a name: one that has only such words keeps them.
    """
    name = normalise_name(text)
    kept = [word for word in name.split() if word not in _FILLERS]
    return " ".join(kept) or name


@lru_cache(maxsize=65536)
def _same_name(a: str, b: str) -> bool:
    a, b = core_name(a), core_name(b)
    if not a or re.findall(r"\d+", a) != re.findall(r"\d+", b):
        return False
    return fuzz.ratio(a.replace(" ", ""), b.replace(" ", "")) >= SIMILARITY


def same_name(a: str, b: str) -> bool:
    """Whether two texts name the same venue or place, spelling and dropped generic words aside.

    "Rosa 's Bed and Breakfast" and "rosas b&b" are the same; "pizza hut city centre" and "pizza hut
    fen ditton" are not. Fuzzy: rapidfuzz ratio of the names' cores >= `SIMILARITY`.
    """
    return _same_name(a[:LONGEST], b[:LONGEST])
