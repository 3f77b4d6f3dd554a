"""Patterns and sets of words put together from many wordings."""

import re


def any_of(*patterns: str) -> re.Pattern[str]:
    """A pattern that matches if one of these does; the first of them that matches, counts."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def word_set(text: str) -> frozenset[str]:
    """Returns the words of a text."""
    return frozenset(text.split())
