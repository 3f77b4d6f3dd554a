"""What a bot's text says, whatever its manner: without tags of markup, and question tags stated."""

import re
from functools import lru_cache
from html import unescape

from pytest_todeval.nlu.text.negation import NEGATED

__all__ = ["TAG", "capitals_tell", "in_capitals", "unmannered"]

LONGEST = 20_000
"""Characters of a text that are looked at."""
FEWEST = 12
"""Letters from which it can be told whether a text is in capitals."""
CAPITALS = 0.9
"""The part of its letters that are capitals in a text written so."""

WORDS = 8
"""Words from which it can be told whether most have a capital."""
SMALL = 0.15
"""The part of a text's words in small letters from which on a capital tells a name."""

TAG = re.compile(r"</?[a-zA-Z][\w:-]{0,20}(?:\s[^<>\n]{0,80})?/?>")
"""A tag of markup, for the screen or for the voice."""
_LINE = re.compile(r"<(?:br|p|div|li|tr|h[1-6])(?:\s[^<>\n]{0,80})?/?>", re.I)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{2,4});")
_NOT = r"(?:n['\u2019]t)?"
_THIRD = r"(?:it|that|this|there|they|he|she)"
_QUESTION_TAG = re.compile(
    rf"(?P<said>[^.!?\n]{{1,300}}\w)[ ]?,[ ]?(?:(?:is|was|are|were|do|does|did|has|have|had|ca|can"
    rf"|could|wo|will|would|must)(?P<n1>{_NOT})[ ]{_THIRD}(?P<n2>[ ]not)?"
    rf"|(?:are|were|have|had|did)(?P<n3>{_NOT})[ ]we(?P<n4>[ ]not)?"
    rf"|(?:have|had|was|did)(?P<n5>{_NOT})[ ]I(?P<n6>[ ]not)?)[ ]?\?",
    re.I,
)
"""What makes a statement a question in form alone: "There is one, isn't there?". Of the user, or of
what the speaker is to do ("I'll book it, shall I?"), it asks."""
_TIME = r"\d{1,2}:\d\d(?::\d\d)?"
_CLOCK = re.compile(rf"^[ \t]*(?:\[{_TIME}\]|{_TIME}(?=[ ]+[\w ]{{1,20}}[:>|][ ]))[ \t]*", re.M)
"""When a line was sent, as chats have it at its head."""
_BOX = re.compile(
    r"^(?P<before>[ \t]*(?:[-*][ ])?)"
    r"(?:(?P<ticked>\[[xX]\]|[\u2611\u2705])|\[ ?\]|[\u2610\u2b1c])\s*",
    re.M,
)
"""A box to tick, at the head of a line."""
_HAS_BOX = re.compile(r"\[[xX ]?\]|[\u2611\u2705\u2610\u2b1c]")
_BUTTONS = re.compile(r"^[ \t]*(?:\[[^\[\]\n]{2,40}\][ \t|,/]*){2,}$", re.M)
"""A line of nothing but buttons."""
_ENDS_IN_TAG = re.compile(rf",[ ]?[\w'\u2019]+[ ](?:{_THIRD}|we|I)(?:[ ]not)?[ ]?\?", re.I)
"""Found in every text that has a question tag, in a tenth of the time."""


@lru_cache(maxsize=512)
def unmannered(text: str) -> str:
    """Returns the text without tags of markup and times of sending, and with the statements that
    end in a question tag as such.

    Its words stay as they are, in their order and case; what a box that is not ticked stands
    before is "not yet" so, and a line of buttons says nothing.
    """
    if "<" in text:
        text = TAG.sub("", _LINE.sub("\n", text[:LONGEST]))
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    if ":" in text:
        text = _CLOCK.sub("", text)
    if _HAS_BOX.search(text):
        text = _BOX.sub(lambda m: m["before"] if m["ticked"] else f"{m['before']}not yet ", text)
    if "] " in text:
        text = _BUTTONS.sub("", text)
    return _QUESTION_TAG.sub(_stated, text) if _ENDS_IN_TAG.search(text) else text


def _stated(match: re.Match[str]) -> str:
    """Returns the statement before a question tag; as it was if both deny, or neither does: "So it
    is booked, is it?" asks.
    """
    denies = any(match[group] for group in ("n1", "n2", "n3", "n4", "n5", "n6"))
    rhetorical = denies != (NEGATED.search(match["said"]) is not None)
    return f"{match['said']}." if rhetorical else match[0]


def capitals_tell(text: str) -> bool:
    """Says whether a capital sets a word apart: not in capitals, nor Where Each Word Has One."""
    words = re.findall(r"(?<![\w'\u2019])[^\W\d_]", text[:LONGEST])
    return len(words) < WORDS or sum(map(str.islower, words)) >= SMALL * len(words)


def in_capitals(text: str) -> bool:
    """Says whether a text is written in capitals throughout, but for a name or two."""
    letters = [char for char in TAG.sub("", text[:LONGEST]) if char.isalpha()]
    return len(letters) >= FEWEST and sum(map(str.isupper, letters)) >= CAPITALS * len(letters)
