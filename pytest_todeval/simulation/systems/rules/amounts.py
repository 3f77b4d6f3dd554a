"""Times, days and numbers: when, how long, how many."""

import re
from collections.abc import Iterator

from pytest_todeval.nlu.cues import ALONE, BOOKED_TIME, NUMBER, PEOPLE
from pytest_todeval.nlu.numbers import to_number
from pytest_todeval.nlu.times import time_spans
from pytest_todeval.nlu.values.normalise import normalise
from pytest_todeval.simulation.systems.rules import patterns
from pytest_todeval.simulation.systems.rules.heard_text import (
    DOMAINS_OF,
    JOURNEYS,
    HeardText,
    SaidValue,
    given,
)
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon


def times(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in BOOKED_TIME.finditer(heard.said):
        domain = heard.domain_at(match.start(), "arriveBy", JOURNEYS)
        if domain is not None:
            yield SaidValue(domain, "arriveBy", as_in="restaurant", at=match.start())
    for start, end, clock in time_spans(heard.said):
        first, last = heard.sentence_at(start)
        moves = re.search(r"\b(?:leav|depart|arriv|pick)\w*", heard.said[first:last])
        domain = heard.domain_at(start, "time", JOURNEYS if moves else DOMAINS_OF["time"])
        if domain is None:
            asked = heard.context.asked_for(("time", "leaveAt", "arriveBy"))
            domain = asked[0] if asked else "restaurant"
        slot = "time" if domain == "restaurant" else _moves(heard, start, end, domain)
        yield SaidValue(domain, slot, clock, at=start)


def _moves(heard: HeardText, start: int, end: int, domain: str) -> str:
    """Says whether a time is one of leaving or of arriving."""
    first, last = heard.sentence_at(start)
    before, after = heard.said[first:start], heard.said[end:last]
    verbs = re.findall(
        r"\b(leav|depart|pick|go(?=ing)|arriv|get (?=there|to|in)|be (?=there|at)|reach)([^,]*)",
        before,
    )
    preposition = re.search(
        r"\b(after|by|before|until|around|at)(?: or (?:after|before))? $", before
    )
    said = preposition[1] if preposition else ""
    if said in ("by", "before", "until") and (
        not verbs or (domain == "train" and len(verbs[-1][1].split()) > 4)
    ):
        return "arriveBy"
    if said == "after" and (domain == "train" or not verbs):
        return "leaveAt"
    if verbs:
        return "leaveAt" if verbs[-1][0] in ("leav", "depart", "pick", "go") else "arriveBy"
    if re.search(r"\barriv|\barrival", before + after):
        return "arriveBy"
    asked = heard.context.asked_for(("leaveAt", "arriveBy"))
    return asked[1] if asked else "leaveAt"


def people(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in PEOPLE.finditer(heard.said):
        number = to_number(next(group for group in match.groups() if group))
        if number not in (None, "0"):
            yield from given(heard, "people", str(number), match)
    for match in ALONE.finditer(heard.said):
        yield from given(heard, "people", "1", match)


def stays(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in patterns.STAY.finditer(heard.said):
        number = to_number(next(group for group in match.groups() if group))
        if number not in (None, "0"):
            yield SaidValue("hotel", "stay", str(number), at=match.start())


def stars(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in patterns.STARS.finditer(heard.said):
        number = to_number(next(group for group in match.groups() if group))
        if number is not None:
            yield SaidValue("hotel", "stars", number, at=match.start())


def days(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    for match in patterns.DAY.finditer(heard.said):
        yield from given(heard, "day", normalise("day", match[0]), match)


def short_answers(heard: HeardText, lexicon: BotLexicon) -> Iterator[SaidValue]:
    """Returns a bare number as the answer to "how many?"."""
    match = re.fullmatch(
        (
            rf"[^a-z0-9]*(?:(?:yes|ok|sure|it will be|there will be|for|just|i need|"
            rf"about|make it)[ ,]*)*{NUMBER}[^a-z0-9]*(?:(?:please|thanks|"
            rf"thank you|of them)[^a-z0-9]*)?"
        ),
        heard.said,
    )
    asked = heard.context.asked_for(("people", "stay", "stars"))
    if match and asked and not PEOPLE.search(heard.said):
        number = to_number(match[1])
        if number is not None:
            yield SaidValue(*asked, number, at=match.start(1))
