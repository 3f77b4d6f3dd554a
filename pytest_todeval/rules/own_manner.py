"""Whether a shape of a reply is the bot's manner: a bot is compared with itself.

Who writes in capitals, or with tags for a screen or a voice, in nearly every reply was made so. A
single reply that suddenly does is broken.
"""

import re
from collections.abc import Callable, Iterator

from pytest_todeval.evidence.dialogue import MAX_TEXT
from pytest_todeval.evidence.text.triggers import word_set
from pytest_todeval.language.manner import TAG, in_capitals
from pytest_todeval.rules.broken_forms import BROKEN
from pytest_todeval.rules.finding import View

OF_TEXT = word_set(
    """a abbr audio b big blockquote br center code dd del div dl dt em emphasis font h1 h2 h3 h4
    h5 h6 hr i img ins lang li mark ol p phoneme pre prosody q s say-as small span speak
    strike strong sub sup table tbody td th thead tr tt u ul voice w break"""
)
"""Tags of HTML and SSML that mark text up; others are an envelope of data."""
MOST = 0.6
"""The part of a bot's replies from which on a shape is its manner."""
FEWEST = 3
"""Words of a reply that can have a shape."""
_EMPHASIS = re.compile(r"(?<![*\w])\*(?!\s)[^*\n]{1,80}(?<!\s)\*(?![*\w])")
_SENT_AT = re.compile(r"\[\d{1,2}:\d\d(?::\d\d)?\]")
_NAME = re.compile(r"[\w:-]+")


def is_its_manner(view: View, kind: str, place: str) -> bool:
    """Whether a shape of this kind, found at a place of the reply, is how the bot writes."""
    text = view.turn.system[:MAX_TEXT]
    if kind == "shouting":
        return in_capitals(text) and _in_most(view, kind, in_capitals)
    if place[:1] == "<" and TAG.fullmatch(place):  # as a gap to be filled it would not be closed
        return _is_marked_up(text) and _in_most(view, "markup", _is_marked_up)
    if _SENT_AT.fullmatch(place):
        return _in_most(view, "times of sending", lambda reply: _SENT_AT.match(reply) is not None)
    return kind == "a stage direction" and place.startswith("*") and _emphasises(view)


def _is_marked_up(text: str) -> bool:
    """Whether a text has tags, all known, and closed in their order or empty, like `<br/>`."""
    opened: list[str] = []
    for tag in (match[0] for match in TAG.finditer(text)):
        name = _NAME.search(tag)
        if name is None or name[0].lower() not in OF_TEXT:
            return False
        if tag.startswith("</"):
            if not opened or opened.pop() != name[0]:
                return False
        elif not tag.endswith("/>") and name[0].lower() not in ("br", "hr", "img"):
            opened.append(name[0])
    return not opened and TAG.search(text) is not None


def _in_most(view: View, kind: str, shows: Callable[[str], bool]) -> bool:
    """Whether most replies of the bot show it; of a single reply nothing else tells."""

    def work() -> bool:
        spoken = list(_replies(view))
        return sum(map(shows, spoken)) >= MOST * len(spoken)

    return view.evidence.once(("its manner", kind), work)


def _replies(view: View) -> Iterator[str]:
    texts = (facts.turn.system[:MAX_TEXT] for facts in view.evidence.turns)
    return (text for text in texts if len(text.split()) >= FEWEST)


def _emphasises(view: View) -> bool:
    """Whether asterisks stand around other words too, so that they are no stage directions."""
    spans = (span for text in _replies(view) for span in _EMPHASIS.findall(text))
    return any(BROKEN["a stage direction"].search(span) is None for span in spans)
