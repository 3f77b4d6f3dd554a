"""Whether words that were not understood may have been about the business."""

import re
from collections.abc import Collection

LONGEST = 4000
"""Characters of a text that are looked at."""
LEAST_ENGLISH = 0.15
"""Share of common English words below which a text is taken to be in another language."""
_WORD = re.compile(r"[^\W\d_]+")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        the a an and or but of to in on at for with by from is are was were be been am it its this
        that these those i you he she we they me my your our their not no yes so if as do does did
        have has had can could will would shall should what which who how when where there here
        all any some very just
        """,
    )
)
_BUSINESS = frozenset(
    re.findall(
        r"\w+",
        """
        book booked booking bookings reserve reserved reservation reservations table tables room
        rooms ticket tickets seat seats order ordered reference confirmation confirmed number
        phone address postcode price cheap expensive night nights people person guests restaurant
        hotel train taxi attraction place places venue area town city centre station available
        availability search found option options
        """,
    )
)
_REFUSES = re.compile(
    r"\b(?:can[’']?t|unable|not able|won[’']?t|(?:do|does|am|is|are) not|(?:do|does)n[’']?t"
    r"|sorry)\b",
    re.I,
)


def may_concern(text: str, words: Collection[str]) -> bool:
    """Says whether a text that was not understood may say something of the business.

    It may if it holds one of `words` (lower case: the goal's), a word of booking or finding, or is
    hardly English. A bot that says that it cannot help says so, whatever else it says.
    """
    said = _WORD.findall(text[:LONGEST].lower())
    if not said or _REFUSES.search(text[:LONGEST]):
        return False
    if sum(word in _COMMON for word in said) < LEAST_ENGLISH * len(said):
        return True
    return any(word in _BUSINESS or word in words for word in said)
