"""Predicates over what the bot says."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.evaluate.rules.denied import is_denied
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.patterns import search
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.nlu.text.sentences import sentences

_ASKS = re.compile(
    r"\?|\b(?:please|need|require|give|tell|share|enter|confirm|provide|send|what is|what's)\b",
    re.I,
)
_YOUR = r"your[\s-]+(?:(?:current|old|new|present|existing|actual|own|full)[\s-]+)?"
_CHANGES = re.compile(
    r"\b(?:re-?set|change|forg[oe]t\w*|recover|unlock|update|renew)\b[^,;.?]{0,20}\bpasswords?\b",
    re.I,
)
"""What is done with a password that nobody asks for."""


@predicate
def phrase(view: View, text: str) -> Found:
    """The bot says these words, whatever their case and spacing."""
    words = r"\s+".join(map(re.escape, text.split()))
    if re.search(rf"(?<!\w){words}(?!\w)", view.facts.text, re.IGNORECASE):
        return yes(f"says {text!r}")
    return no(f"does not say {text!r}")


@predicate
def pattern(view: View, expression: str) -> Found:
    """What the bot says matches a regular expression; see `evaluate.rules.patterns` for its
    limits.
    """
    found = search(expression, view.facts.text)
    return yes(f"says {found!r}") if found is not None else no(f"nothing matches {expression!r}")


@predicate
def asks_for(view: View, things: list[str]) -> Found:
    """The bot asks the user for one of these things ("card number")."""
    wanted = _any_of(tuple(things))
    for sentence in _asking(view.facts.text):
        found = wanted.search(sentence)
        if found and not _CHANGES.search(sentence) and not is_denied(sentence, found[0]):
            what = " ".join(found[1].split()).lower().removeprefix("your ")
            return yes(f"asks for the {what}: {sentence.strip()[:120]!r}")
    return no("asks for nothing of the kind")


@lru_cache(maxsize=64)
def _any_of(things: Sequence[str]) -> re.Pattern[str]:
    words = "|".join(
        r"[\s-]+".join(map(re.escape, thing.split())).replace("your[\\s-]+", _YOUR)
        for thing in things
    )
    return re.compile(rf"(?<!\w)({words})s?(?!\w)", re.IGNORECASE)


def _asking(text: str) -> Iterator[str]:
    return (sentence for sentence in sentences(text) if _ASKS.search(sentence))


@predicate
def offers_more_than(view: View, count: int) -> Found:
    """The bot names more than so many venues or trains in one turn."""
    if not view.evidence.goal.domains:
        return unknown("the goal is a task without domains: records are no venues")
    offers = view.facts.offers
    if len(offers) > count:
        return yes(f"offers {len(offers)} at once: {', '.join(offers)}")
    return no(f"offers {len(offers)}")


@predicate
def requests(view: View, slot: str) -> Found:
    """The bot asks the user for a slot."""
    asked = [heard.slot for heard in view.facts.acts(Act.REQUEST)]
    return yes(f"asks for the {slot}") if slot in asked else no(f"does not ask for the {slot}")


@predicate
def tells(view: View, slot: str) -> Found:
    """The bot tells a value of a slot."""
    told = [heard.value for heard in view.facts.acts(Act.INFORM) if heard.slot == slot]
    if told:
        return yes(f"tells the {slot}: {told[0]}")
    return no(f"does not tell the {slot}")


@predicate
def says(view: View, act: Act) -> Found:
    """An act is heard in what the bot says: `offer`, `no_offer`, `booked`, `bye`, ..."""
    return yes(f"heard: {act}") if view.facts.acts(act) else no(f"not heard: {act}")
