"""Predicates that hold what the bot says and books against what was agreed and said before."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.evaluate.rules.asides import is_aside
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.reading import CallOutcome
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.dialogue import MAX_TEXT
from pytest_todeval.facts.hearing import normal_text, said_in_full
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.kinds.amounts import AMOUNT
from pytest_todeval.nlu.names.normal_form import core_name
from pytest_todeval.nlu.text.sentences import sentences
from pytest_todeval.nlu.values.normalise import same_name, same_value

_LEFT_OPEN = re.compile(
    r"\b(?:any|either|other|another|different|else|instead|whichever|whatever|you choose|pick"
    r"|surprise|don.?t (?:care|mind)|doesn.?t matter|no preference)\b",
    re.I,
)
"""Words by which the user leaves the choice to the bot, or turns to another one."""
_TOTAL = re.compile(
    r"\b(?:total\w*|altogether|all together|in all|overall|together|for (?:all|both|everyone"
    r"|the (?:two|three|four|five|six|seven|eight|\d) of you|all of you|your (?:party|group)))\b",
    re.I,
)
"""Words by which an amount is that of all tickets, before it or behind it."""
_EACH = re.compile(r"\b(?:each|per|apiece|a head|a ticket|one ticket|single)\b", re.I)
ROUNDING = 0.05
_FIXED = ("phone", "address", "postcode", "entrance fee", "duration", "stars", "area", "pricerange")
"""Slots of which an item has one value."""


def agrees(slot: str, told: str, real: str) -> bool:
    """Whether a value told is a real one, whatever its form, or a part of it."""
    if same_value(slot, told, real) or same_name(told, real):
        return True
    whole = slot in ("phone", "postcode")
    return says_value(told, slot, real) or (not whole and says_value(real, slot, told))


@predicate
def books_unoffered(view: View) -> Found:
    """The bot books another venue or train than the one that was offered and agreed on.

    So it is if the user names one of those offered and another is booked, or if what is booked was
    never named before though others were. A user may leave the choice to the bot ("any will do").
    """
    bookings = [booking for booking in view.facts.made if identity(booking.slots)]
    if not bookings:
        return unknown("books no venue or train")
    for booking in bookings:
        name = str(identity(booking.slots))
        offered = _offered(view, booking.domain)
        if _LEFT_OPEN.search(view.facts.turn.as_meant[:MAX_TEXT]):
            continue
        if _was_refused(view, booking) and says_name(view.facts.text, name):
            continue  # another one in place of the one that could not be had, and said so
        asked = [other for other in offered if says_name(view.facts.turn.as_meant, other)]
        if asked and not any(same_name(name, other) for other in asked):
            if not says_name(view.facts.turn.as_meant, name):
                return yes(f"books {name!r}; the user asked for {asked[0]!r}")
        elif offered and not _named_before(view, name):
            return yes(f"books {name!r}, which was not offered; offered was {offered[-1]!r}")
    return no("what it books was offered or asked for")


def _offered(view: View, domain: str) -> list[str]:
    earlier = view.evidence.until(view.index - 1)
    return [name for facts in earlier for name in view.evidence.offers(facts, domain)]


def _was_refused(view: View, booking: Booking) -> bool:
    calls = (call for facts in view.evidence.until(view.index) for call in facts.calls)
    return any(call.what is CallOutcome.REFUSED and call.domain == booking.domain for call in calls)


def says_name(text: str, name: str) -> bool:
    """Whether a text names a venue, in full or by the core of its name."""
    normal = normal_text(text[:MAX_TEXT])
    return said_in_full(normal, name) or said_in_full(normal, core_name(name))


def _named_before(view: View, name: str) -> bool:
    if says_name(view.evidence.user_said(view.index), name):
        return True
    return any(says_name(facts.text, name) for facts in view.evidence.until(view.index - 1))


@predicate
def answers_for_another(view: View) -> Found:
    """The bot tells values of another item than those that were offered or asked for."""
    told = [claim for claim in view.facts.acts(Act.INFORM) if claim.of and claim.value]
    if (greeted := _greeted(view)) is not None:
        return greeted
    looked = bool(view.turn.tool_calls) or not view.evidence.traced
    until = view.index if looked else view.index - 1
    offered = [name for facts in view.evidence.until(until) for name in facts.offers]
    if not told or not offered or not view.evidence.goal.domains:
        return unknown("tells nothing of an item, or has offered none")
    earlier = [facts.text for facts in view.evidence.until(view.index - 1)]
    for claim in told:
        name = str(claim.of)
        if any(same_name(name, other) for other in offered) or _named_before(view, name):
            continue
        if not any(says_name(text, name) for text in earlier):
            return yes(f"tells the {claim.slot} of {name!r}; offered was {offered[-1]!r}")
    return no("tells of what was offered or asked for")


_VISITS = re.compile(
    r"\b(?:thanks for|thank you for) (?:going with|choosing|picking|booking|staying)\b|\benjoy\b"
    r"|\b(?:time|stay|meal|dinner|lunch|evening|visit|team|staff|folks|people|see you|welcome you"
    r"|expecting you|waiting for you|hello to [\w ]{0,20}) (?:at|in|from|of)\b",
    re.I,
)
"""What is said of where the user will be."""


def _greeted(view: View) -> Found | None:
    """What is wrong if a venue is spoken of as the user's that nobody has named before."""
    found = [str(identity(row)) for _, row in view.facts.rows]
    found += [str(identity(b.slots)) for b in view.evidence.bookings or ()]
    for match in _VISITS.finditer(view.facts.text):
        after = view.facts.text[match.end() : match.end() + AFTER]
        after = re.split(r"[.!?\n]", after)[0]
        for name in _venues(view):
            known = any(same_name(name, other) for other in found)
            if not known and says_name(after, name) and not _named_before(view, name):
                return yes(f"says {match[0]!r} of {name!r}, of which nobody has spoken")
    return None


def _venues(view: View) -> list[str]:
    """The names of all venues of the world, of two words or more."""
    names = view.evidence.vocabulary.names.values()
    return [str(name) for each in names for name in each if " " in str(name)]


AFTER = 60
"""Characters behind such words in which the venue is named."""


@predicate
def misstates_total(view: View) -> Found:
    """The bot tells another total of train tickets than their price times their number."""
    tickets = [b for facts in view.evidence.until(view.index) for b in facts.made]
    tickets = [b for b in tickets if b.domain == "train" and str(b.slots.get("people")).isdecimal()]
    told = list(_totals_told(view.facts.text))
    if not told or not tickets:
        return unknown("tells no total of tickets")
    booking = tickets[-1]
    row = view.evidence.row("train", str(identity(booking.slots)))
    price = re.search(r"\d{1,6}(?:\.\d{1,2})?", str((row or {}).get("price", "")))
    if price is None:
        return unknown("nothing tells the price")
    real = float(price[0]) * int(booking.slots["people"])
    if any(abs(real - each) < ROUNDING for each in told):
        return no("the total is right")
    people = booking.slots["people"]
    return yes(f"tells a total of {told[0]:g} for {people} tickets; it is {real:g}")


def _totals_told(text: str) -> Iterator[float]:
    """The amounts of sentences that tell a total; not those that are said to be of one ticket."""
    for sentence in sentences(text):
        if not _TOTAL.search(sentence) or sentence.rstrip().endswith("?"):
            continue
        for span in AMOUNT.spans(sentence):
            around = re.split(r"[,;(:=]", sentence[span.end : span.end + AFTER])[0]
            if span.sure and not _EACH.search(around):
                yield from (float(number) for number, _ in span.readings[:1])


@predicate
def contradicts_itself(view: View) -> Found:
    """The bot tells another value of an item than in an earlier turn.

    Only of slots that have one value (phone, address, stars, ...), and if it is clear of which item
    both are told.
    """
    booked = [str(value) for made in view.facts.made for value in made.slots.values()]
    now = [c for c in view.facts.acts(Act.INFORM) if _is_fixed(c) and c.value not in booked]
    earlier = [
        (facts, claim)
        for facts in view.evidence.until(view.index - 1)
        for claim in facts.acts(Act.INFORM)
        if _is_fixed(claim)
    ]
    compared = 0
    for claim in now:
        for facts, before in earlier:
            if claim.slot != before.slot or not same_name(str(claim.of), str(before.of)):
                continue
            compared += 1
            if agrees(str(claim.slot), str(claim.value), str(before.value)):
                continue
            if not (is_aside(view, claim) or is_aside(replace(view, facts=facts), before)):
                return yes(
                    f"tells the {claim.slot} of {claim.of} as {claim.value!r}; in turn "
                    f"{facts.index} it was {before.value!r}"
                )
    return no("tells it as before") if compared else unknown("tells nothing again")


def _is_fixed(claim: DialogueAct) -> bool:
    return claim.slot in _FIXED and bool(claim.value) and bool(claim.of)
