"""From what the user typed to what it means: constraints, requests, and what to do.

Rules over plain English, with the vocabulary of the database (`lexicon`) and what people say
around it (`patterns`). Nothing here decides anything: that is `policy`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_todeval.simulation.systems.rules import patterns
from pytest_todeval.simulation.systems.rules.constraints import constraints, indifference, repeated
from pytest_todeval.simulation.systems.rules.heard_text import Context, HeardText, SaidValue, read
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon
from pytest_todeval.simulation.systems.rules.places import places
from pytest_todeval.simulation.systems.rules.requests import AskedValue, requests


@dataclass(frozen=True)
class Understood:
    """One utterance of the user, as understood."""

    informs: tuple[SaidValue, ...] = ()
    """In the order said; a later one of the same domain and slot corrects an earlier one."""
    requests: tuple[AskedValue, ...] = ()
    domains: tuple[str, ...] = ()
    """Domains raised, in order."""
    books: bool = False
    """Asks for a booking."""
    no_booking: bool = False
    """Says that no booking is wanted."""
    yes: bool = False
    no: bool = False
    """Denies, or says that something is wrong."""
    another: bool = False
    """Wants another venue than the one offered."""
    suggest: bool = False
    """Leaves the choice to the bot."""
    thanks: bool = False
    bye: bool = False


def understand(text: str, lexicon: BotLexicon, context: Context) -> Understood:
    """Returns what the user means, given what the dialogue was about."""
    heard = read(text, lexicon, context)
    said = heard.said
    told = [*repeated(heard), *places(heard)]
    told += constraints(heard, lexicon)
    told += indifference(heard, told)
    told.sort(key=lambda item: item.at)
    no_booking = patterns.NO_BOOKING.search(said) is not None
    return Understood(
        informs=tuple(told),
        requests=tuple(requests(heard, told)),
        domains=_raised(heard, told),
        books=not no_booking and patterns.BOOK.search(_without_nouns(said)) is not None,
        no_booking=no_booking,
        yes=patterns.AFFIRM.search(said) is not None,
        no=patterns.DENY.search(said) is not None,
        another=patterns.ALTERNATIVE.search(said) is not None,
        suggest=patterns.SUGGEST.search(said) is not None,
        thanks=patterns.THANKS.search(said) is not None,
        bye=patterns.BYE.search(said) is not None,
    )


def _without_nouns(said: str) -> str:
    """Returns the text without "the booking number", "my reservation": they ask for none."""
    if re.search(r"\b(?:make|change) (?:the|my|a) (?:booking|reservation)", said):
        return said
    return re.sub(
        r"\b(?:my|the|our|that|same) (?:\w+ )?(?:booking|reservation)s?\b|booking"
        r" (?:number|reference)|book(?:ed|ing) time",
        "_",
        said,
    )


def _raised(heard: HeardText, told: Iterable[SaidValue]) -> tuple[str, ...]:
    raised = [domain for _, domain in heard.cues] + [item.domain for item in told]
    return tuple(dict.fromkeys(raised))
