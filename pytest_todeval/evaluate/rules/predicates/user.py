"""Predicates over what the user has said, and what the dialogue is about."""

import re

from pytest_todeval.evaluate.rules.finding import Found, View, no, yes
from pytest_todeval.evaluate.rules.registry import predicate


@predicate
def user_says(view: View, text: str) -> Found:
    """The user says these words in this turn."""
    words = r"\s+".join(map(re.escape, text.split()))
    if re.search(rf"(?<!\w){words}(?!\w)", view.facts.turn.as_meant, re.IGNORECASE):
        return yes(f"the user says {text!r}")
    return no(f"the user does not say {text!r}")


@predicate
def about(view: View, domain: str) -> Found:
    """The turn is about a domain."""
    found = view.facts.domain
    return (yes if found == domain else no)(f"the turn is about {found or 'no known domain'}")


@predicate
def turn_after(view: View, turn: int) -> Found:
    """The turn comes after that one (1-based)."""
    return (yes if view.index > turn else no)(f"this is turn {view.index}")
