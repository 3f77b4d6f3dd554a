"""Names that a bot offers and no database lists, as far as spelling and wording give them away."""

import re
from collections.abc import Iterable

__all__ = ["offered_names"]

LONGEST = 4000
"""Characters of a text that are looked at."""

_WORD = r"[A-Z0-9][\w'’&-]*"
_LINK = r"(?:of|and|the|de|la|le|du|on|at|by|&|\+)"
_NAME = rf"(?:[Tt]he +)?{_WORD}(?: +(?:{_LINK} +)*{_WORD})*"
_CUE = (
    r"recommend|suggest|propose|offer(?:\s+you)?|how\s+about|what\s+about|found|find|try|called|named"
    r"|there\s+is|there's|there\s+are|have|like|consider|perhaps|choose|pick"
)
_AFTER_CUE = re.compile(rf"\b(?i:{_CUE})\s+(?:you\s+)?({_NAME})")
_SUBJECT = re.compile(rf"(?:^|[.!?:\n]\s*)({_NAME})(?=\s+(?:is|has|serves|offers|would|looks)\b)")
_ITEM = re.compile(rf"^\s*(?:[-*•]|\d+[.)])\s*\**({_NAME})", re.M)
_NO_NAME = frozenset(
    re.findall(
        r"\w+",
        """i it there the a an is this that they we you yes no sure ok okay great sorry here would
        shall do can what which how your my our its their one any all some monday tuesday wednesday
        thursday friday saturday sunday reference booking unfortunately also and both please thanks
        thank if""",
    )
)
"""Words that start a sentence or a question rather than a name."""
_MAY_START = frozenset({"the", "a", "all", "one", "any", "some", "monday", "friday", "sunday"})


def offered_names(text: str, known: Iterable[str] = ()) -> list[str]:
    """The names a text offers, in its order: "How about Rose House? It is ..." -> ["Rose House"].

    `known` are values that are no names (kinds of food, places said before), whatever their case.
    """
    text = text[:LONGEST]
    spoken = {" ".join(value.lower().split()) for value in known}
    found = sorted(
        (match.start(1), _trimmed(match[1]))
        for pattern in (_AFTER_CUE, _SUBJECT, _ITEM)
        for match in pattern.finditer(text)
    )
    return list(dict.fromkeys(name for _, name in found if _is_name(name, spoken)))


def _trimmed(name: str) -> str:
    return " ".join(name.split()).rstrip(".,;:'’-")


def _is_name(name: str, spoken: set[str]) -> bool:
    words = name.lower().split()
    if name.lower() in spoken or " ".join(words).removeprefix("the ") in spoken:
        return False
    if words[0] in _NO_NAME - _MAY_START:
        return False
    real = [word for word in words if word not in _NO_NAME]
    return any(word.isalpha() and len(word) > 1 for word in real)
