"""The text of a reply as readers look at it: without thinking, markup and quotations."""

import re
import unicodedata

from pytest_todeval.models.reading.reader import Unreadable

LONGEST = 100_000
"""Longest reply that is read, in characters."""
QUOTED = "\0"
"""Stands for each character of a quotation in what `said` returns."""

_OPEN = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_QUOTATION = re.compile(
    r'"[^"\n]*+"|\u201c[^\u201c\u201d\n]*+\u201d|\u201e[^\u201e\u201c\n]*+\u201c'
    r"|\u00ab[^\u00ab\u00bb\n]*+\u00bb"
)
_PLAIN = str.maketrans("：（）／．＝［］*`#\r", ":()/.=[]    ")


def answer_text(text: str) -> str:
    """Returns the reply without the reasoning that some models print first, in `<think>` tags.

    Raises Unreadable if it is too long, or if it is not certain where the reasoning ends.
    """
    if len(text) > LONGEST:
        raise Unreadable(f"the answer is {len(text)} characters long, more than {LONGEST}")
    text = text.encode(errors="replace").decode()  # half a surrogate pair cannot be stored
    if not _OPEN.match(text):
        return text
    closed = [match.end() for match in _CLOSE.finditer(text)]
    if len(closed) != 1:
        raise Unreadable(f"reasoning begins once and ends {len(closed)} times")
    return text[closed[0] :]


def said(text: str) -> str:
    """Returns what a reply says in its own words, character by character at the same places.

    Markup and what cannot be seen turn into spaces, and quotations into QUOTED: what a judge quotes
    from a bot is not what the judge says. Only quotations that end on their line count as such.
    """
    unseen = {ord(each): " " for each in set(text) if unicodedata.category(each) == "Cf"}
    text = _QUOTATION.sub(
        lambda found: QUOTED * len(found.group()), text.translate({**_PLAIN, **unseen})
    )
    return text.replace("__", "  ")
