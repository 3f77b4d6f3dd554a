"""Predicates over what the bot says cannot be had: nothing found, nothing free."""

import re
from collections.abc import Iterable, Sequence

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.reading import CallFact, CallOutcome
from pytest_todeval.facts.calls.results import Says, said_by
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.calls.wishes import given, wants
from pytest_todeval.facts.told_values import says_value

_CANNOT_BE_HAD = re.compile(
    r"\b(?:sold out|fully booked|booked (?:up|out|solid)|no (?:\w+ )?(?:seats?|tickets?|tables?"
    "|rooms?|spaces?|slots?|vacanc(?:y|ies)) (?:are |is )?(?:left|available|free|remaining)"
    "|(?:don.t|do not|doesn.t|does not|won.t|can.t|cannot|no longer) (?:do|take|accept|allow"
    "|offer) (?:any )?(?:reservations|bookings)|walk-?ins? only|first come|no reservations"
    r"|(?:shut|closed) (?:down|for good|permanently|that day|on \w+day)|(?:by"
    r"|over the) phone only|only (?:by|over the) (?:phone|telephone))\b",
    re.I,
)


@predicate
def denies_results(view: View) -> Found:
    """The bot says that there is nothing, though the look-up for the user's wish found something.

    Of the look-ups of this turn it is the one that holds most of what the user has said, and
    nothing else. One with values that the user never said asked for something else.
    """
    if not view.facts.acts(Act.NO_OFFER):
        return unknown("does not say that there is nothing")
    if not view.evidence.goal.domains:
        return unknown("the goal names no domains, so nothing tells what the user looks for")
    looked_up = list(_look_ups(view.facts.calls))
    if not looked_up:
        return unknown("looked nothing up in this turn")
    asked = _for_the_wish(view, looked_up)
    if asked is None:
        return unknown("no look-up of this turn asked for what the user wants")
    found = _names(asked)
    if found and not view.facts.offers:
        return yes(f"says that there is nothing, but the look-up found {found[0]}")
    return no("says that there is nothing, and found nothing, or offers something else")


@predicate
def denies_unlooked(view: View) -> Found:
    """The bot says that there is nothing, but has not looked, and the database has something.

    It has looked if a look-up of this turn, or one before that found nothing, was about the domain,
    or if it tried to book: "Case closed: Willow Lodge for 2 people" denies nothing.
    """
    denied = view.facts.acts(Act.NO_OFFER)
    if not denied:
        return unknown("does not say that there is nothing")
    domain = denied[0].domain or view.facts.domain
    if not view.evidence.traced or not domain:
        return unknown("nothing tells what was looked up")
    calls = [call for facts in view.evidence.until(view.index) for call in facts.calls]
    earlier = [call for call in _look_ups(calls) if not _names(call)]
    booked = [call for call in view.facts.calls if call.tried]
    looked_up = [*_look_ups(view.facts.calls), *earlier, *booked]
    if view.facts.offers or any(call.domain in (None, domain) for call in looked_up):
        return no("has looked it up, or offers something else")
    part = view.evidence.goal.domain(domain)
    if part is None:
        return unknown("the goal does not tell what the user wants")
    for wish in (part.first_inform, part.inform):
        if not (rows := view.evidence.look_up(domain, wish)):
            return unknown("nothing tells that there is something")
        name = identity(rows[0])
    return yes(f"says that there is no such {domain} without a look-up; there is {name}")


@predicate
def refuses_untried(view: View) -> Found:
    """The bot says that a booking failed, or nothing is free, but has not tried to book it."""
    failed = view.facts.acts(Act.BOOKING_FAILED)
    if not failed and not _CANNOT_BE_HAD.search(view.facts.text):
        return unknown("does not say that a booking failed")
    if not failed and not _says_so_itself(view):
        return unknown("the words may be of what it has tried or looked up")
    if not view.evidence.traced or not view.evidence.books_visibly:
        return unknown("nothing tells what was tried")
    domain = (failed[0].domain if failed else None) or view.facts.domain
    tried = [call for facts in view.evidence.until(view.index) for call in facts.calls]
    if any(call.tried and domain in (None, call.domain) for call in tried):
        return no("has tried to book")
    if any(_refuses(call.call) for call in view.facts.calls):
        return no("a call of this turn was refused")
    return yes(f"says that the {domain or 'booking'} cannot be booked, but has not tried")


def _says_so_itself(view: View) -> bool:
    """Whether words like "sold out" can be of nothing that a call has come to."""
    if view.facts.calls or not view.evidence.goal.domains:
        return False
    calls = [call for facts in view.evidence.until(view.index) for call in facts.calls]
    return not any(call.tried for call in calls) and all(_names(c) for c in _look_ups(calls))


def _look_ups(calls: Iterable[CallFact]) -> Iterable[CallFact]:
    return (f for f in calls if f.what is CallOutcome.LOOKED_UP and f.call.error is None)


def _names(call: CallFact) -> Sequence[str]:
    return [name for row in call.rows if (name := identity(row)) is not None]


def _for_the_wish(view: View, calls: Sequence[CallFact]) -> CallFact | None:
    """The look-up with most of what the user has said, the last of several; None if none has."""
    said = view.evidence.user_said(view.index)
    fitting = [call for call in calls if _asks_only(call, said)]
    most = max((len(_asked(call)) for call in fitting), default=0)
    return next((call for call in reversed(fitting) if len(_asked(call)) == most), None)


def _asks_only(call: CallFact, said: str) -> bool:
    return all(says_value(said, slot, value) for slot, value in _asked(call).items())


def _asked(call: CallFact) -> dict[str, str]:
    """What a look-up asks for; how many rows it wants and the like are no values of a wish."""
    arguments = call.call.arguments
    nested = arguments.get("constraints")
    asked = nested if isinstance(nested, dict) else arguments
    return {
        str(slot): str(value)
        for slot, value in asked.items()
        if slot not in ("domain", "limit", "page", "offset", "sort") and given(value)
        if not isinstance(value, (dict, list)) and wants(str(slot), value)
    }


def _refuses(call: ToolCall) -> bool:
    return call.error is not None or said_by(call.result) is Says.REFUSED
