"""Predicates that hold what the bot says against what it found.

Found is what results of tool calls contain, up to the turn; of a bot that reports none, what its
database holds.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.evaluate.metrics.choices import same_item
from pytest_todeval.evaluate.rules.asides import is_aside
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import founded_text, sources
from pytest_todeval.evaluate.rules.predicates.confirmations import JOURNEY_TIMES, leaving_day
from pytest_todeval.evaluate.rules.quantities import durations
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.facts.dialogue import MAX_TEXT
from pytest_todeval.facts.hearing import normal_text, said_in_full
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.nlu.names.normal_form import core_name, normalise_name
from pytest_todeval.nlu.text.manner import capitals_tell
from pytest_todeval.nlu.text.sentences import content, sentences
from pytest_todeval.nlu.values.normalise import same_value

Row = Mapping[str, Any]

_PROPER = r"(?P<name>(?:[Tt]he )?[A-Z][\w'’]*(?: (?:(?:of|and|the|de|la|&) )?[A-Z][\w'’]*){1,6})"
_NAMED = re.compile(
    r"\b(?i:recommend|suggest|(?:there(?:['’]s| is| are)|we have|(?:I|we) (?:can"
    "|could) offer)(?: also)?|how about|what about|found|try|offer you|also like|prefer|so is"
    "|as is|called|named|or|(?:option|choice|alternative|place|one|idea|pick) is"
    f"|book(?:ed)?(?: you)?(?: (?:in|into|at|a (?:table|room) at))?)(?: you)? {_PROPER}"
)
"""A proper name of two words or more, after words that offer one."""
_LISTED = re.compile(
    rf"(?m:^)[ \t]{{0,4}}(?:[-*\u2022]|\d{{1,2}}[.)])[ \t]{{1,3}}\W{{0,2}}{_PROPER}"
    r"(?![\w'’]|\W{0,3}:| [A-Z])"
)
"""One at the head of an item of a list."""
_ANOTHER = re.compile(
    rf"(?:^\W*|[,;:] |\band ){_PROPER}"
    r"(?=[^.!?\n]{0,60}\b(?:as well|too|just as|instead|both|also)\b)"
)
"""One that is told of beside another: "and the Golden Fork both serve it"."""

_FOR_SEVERAL = re.compile(r"\b(?:for|total|altogether|in all|together|both|all)\b")
YES_OR_NO = {"yes", "no"}
WISHED = ("day", "time", "people", "stay")
"""Slots of a booking that no venue has."""
NO_VENUES = "the goal is a task without domains: records are no venues"
MAX_PEOPLE = 20
LOCAL = 9
"""Last digits of a phone number that a country's code leaves as they are."""


@predicate
def names_unknown_venue(view: View) -> Found:
    """The bot names a venue or train that no result contains, and that the user did not name."""
    if not view.evidence.goal.domains:
        return unknown(NO_VENUES)
    named = [*_offered_in_full(view), *_proper_names(view)]
    if not named:
        return unknown("names no venue or train")
    if not (view.evidence.traced or view.evidence.has_database):
        return unknown("neither results nor a database tell what there is")
    said = normal_text(view.evidence.user_said(view.index))
    for name in named:
        if not said_in_full(said, name) and not _exists(view, name):
            where = "no result contains" if view.evidence.traced else "is in no database"
            return yes(f"names {name!r}, which {where}")
    return no(f"{named[0]!r} is in the results")


def _offered_in_full(view: View) -> Iterator[str]:
    """The names and ids offered, but for those only guessed from a piece of them."""
    text = normal_text(view.facts.text)
    for name in view.facts.offers:
        if said_in_full(text, name) or said_in_full(text, core_name(name)):
            yield name


def _proper_names(view: View) -> Iterator[str]:
    whole = " ".join(facts.text for facts in view.evidence.turns)
    if not view.evidence.once("capitals tell", lambda: capitals_tell(whole)):
        return
    text, beside = view.facts.text, list[re.Match[str]]()
    if view.facts.offers:
        beside += _LISTED.finditer(text)
        beside += (match for each in sentences(text) for match in _ANOTHER.finditer(each))
    offers = [normalise_name(offer) for offer in view.facts.offers]
    for match in (*_NAMED.finditer(text), *beside):
        name = normalise_name(match["name"])
        heard = any(name in offer or (offer and offer in name) for offer in offers)
        if not heard and content(name):
            yield match["name"]


def _exists(view: View, name: str) -> bool:
    evidence = view.evidence
    if evidence.traced:
        if said_in_full(normal_text(sources(view)), name):
            return True
        rows = evidence.rows_until(view.index)
        exact = evidence.once(
            ("strings", view.index), lambda: {s.lower() for row in rows for s in _strings(row)}
        )
        if name.lower() in exact or any(
            same_item(name, found) for row in rows for found in _strings(row)
        ):
            return True
        return any(
            same_item(name, str(value))
            for facts in evidence.until(view.index)
            for call in facts.turn.tool_calls
            if call.error is None
            for value in call.arguments.values()
        )
    if evidence.row(evidence.domain_of_name(name) or view.facts.domain, name) is not None:
        return True
    return name.lower() in founded_text(view)


def _strings(row: Row) -> Iterator[str]:
    return (value for value in row.values() if isinstance(value, str))


@predicate
def wrong_value(view: View, slots: list[str] | None = None) -> Found:
    """The bot tells a value of these slots that what it speaks of does not have.

    It speaks of the venues and trains it has named so far, and of its bookings. Of values that a
    result without a name contains (a hospital department), any will do. Without slots it is every
    value that is clearly told of the only item in the turn; a type ("hotel") goes by many words.
    """
    if not view.evidence.goal.domains:
        return unknown(NO_VENUES)
    told = [
        heard
        for heard in view.facts.acts(Act.INFORM)
        if heard.value and _is_meant(view, heard, slots)
    ]
    if not told:
        return unknown(f"tells no {', '.join(slots)}" if slots else "tells no value of an item")
    found = [_wrong(view, heard) for heard in told]
    wrong = next((each for each in found if each.holds), None)
    return wrong or next((each for each in found if each.holds is False), found[0])


def _is_meant(view: View, heard: DialogueAct, slots: list[str] | None) -> bool:
    if slots is not None:
        return heard.slot in slots
    return bool(heard.of) and heard.slot != "type" and len(view.facts.offers) < 2


def _wrong(view: View, heard: DialogueAct) -> Found:
    slot, told = str(heard.slot), str(heard.value)
    spoken_of = _rows_spoken_of(view, heard.domain or view.facts.domain)
    rows = [row for row in spoken_of if not heard.of or _is_about(row, [heard.of])]
    real = list(_values_of(rows, slot))
    if _is_booked_phone(view, slot, told):
        return no("the phone it tells is that of what it books")
    if untold := _untold(view, heard, real):
        return unknown(untold)
    real += [leaving_day(row) for row in rows if slot == "day"]
    if _is_right(view, heard, rows, real):
        return no(f"the {slot} it tells is right")
    if is_aside(view, heard, real):
        return unknown(f"the {slot} may be mentioned without being told of the item")
    named = (name for row in _owners(view, slot, told) if (name := identity(row)))
    owners = list(dict.fromkeys(named))
    if any(_named(view, name) for name in owners):
        return no(f"the {slot} it tells is right")
    whose = f" ({told!r} is that of {owners[0]})" if owners else ""
    right = [value for value in real if value][-1]
    return _misstated(heard, rows, f"it is {right!r}{whose}")


def _untold(view: View, heard: DialogueAct, real: Sequence[str]) -> str:
    """Why nothing can be said of a value; empty if something can."""
    told = str(heard.value)
    if _echoes(view, heard):
        return f"the user said the {heard.slot}"
    if told.lower() in YES_OR_NO and not YES_OR_NO & {value.lower() for value in real}:
        return f"no value of the {heard.slot} is heard"
    if not real or _is_reference(view, told):
        return f"nothing tells the {heard.slot}"
    return ""


def _values_of(rows: Sequence[Row], slot: str) -> Iterator[str]:
    """What rows have of a slot; of a journey both of its times."""
    for row in rows:
        for each in JOURNEY_TIMES if slot in JOURNEY_TIMES else (slot,):
            if given(row.get(each)) and not isinstance(row[each], Mapping):
                yield str(row[each])


def _is_booked_phone(view: View, slot: str, told: str) -> bool:
    made = view.facts.made if slot == "phone" else ()
    return any(same_value(slot, told, str(each.slots.get(slot))) for each in made)


def _is_right(view: View, heard: DialogueAct, rows: Sequence[Row], real: Sequence[str]) -> bool:
    """Whether a value is the item's own, in any form, for all who travel, or another amount of it
    (a deposit, a fee).
    """
    slot, told = str(heard.slot), str(heard.value)
    people = _travellers(view) if slot == "price" or _FOR_SEVERAL.search(heard.sentence) else ()
    if any(_same(slot, told, value, people) for value in real):
        return True
    if slot == "duration":
        return bool(durations(view.facts.text) & set().union(*map(durations, real)))
    texts = (text for row in rows if slot == "price" for text in _strings(row))
    return any(same_value(slot, told, text) for text in texts)


def _misstated(heard: DialogueAct, rows: Sequence[Row], instead: str) -> Found:
    item = heard.of or next((name for row in reversed(rows) if (name := identity(row))), "")
    of = f" of {item}" if item else ""
    return yes(f"tells the {heard.slot}{of} as {str(heard.value)!r}; {instead}")


def _echoes(view: View, heard: DialogueAct) -> bool:
    """Whether a value is what the user wished for, told of no item or of what cannot be had.

    Before a booking is made its values are those of the wish.
    """
    wished = heard.slot in WISHED and not view.facts.made
    refused = view.facts.acts(Act.NO_OFFER) or view.facts.acts(Act.BOOKING_FAILED)
    if heard.of and not refused and not wished:
        return False
    return says_value(view.evidence.user_said(view.index), str(heard.slot), str(heard.value))


def _rows_spoken_of(view: View, domain: str | None) -> Sequence[Row]:
    key = ("spoken of", view.index, domain)
    return view.evidence.once(key, lambda: list(_spoken_of(view, domain)))


def _spoken_of(view: View, domain: str | None) -> Iterator[Row]:
    evidence = view.evidence
    offers = (name for facts in evidence.until(view.index) for name in facts.offers)
    named = list(dict.fromkeys(offers))
    for row in evidence.rows_until(view.index, domain):
        if _is_about(row, named):
            yield row
    for booking in evidence.bookings or ():
        if domain in (None, booking.domain):
            yield booking.slots
    for name in named:
        about = evidence.domain_of_name(name) or domain
        known = evidence.row(about, name)
        if known is not None and domain in (None, about):
            yield known


def _is_reference(view: View, value: str) -> bool:
    """Whether a value is a booking's reference number, which may look like a postcode."""
    references = (booking.reference for booking in view.evidence.bookings or ())
    return any(same_value("reference", value, reference) for reference in references)


def _owners(view: View, slot: str, value: str) -> Iterator[Row]:
    """What really has that value."""
    evidence = view.evidence
    booked = [booking.slots for booking in evidence.bookings or ()]
    known = [*evidence.rows_until(view.index), *booked]
    known += [row for domain in evidence.vocabulary.names for row in evidence.look_up(domain, {})]
    return (row for row in known if given(row.get(slot)) and same_value(slot, row[slot], value))


def _named(view: View, name: str) -> bool:
    """Whether either side has named it so far; people drop "restaurant" and its like."""
    said = (text for f in view.evidence.until(view.index) for text in (f.text, f.turn.as_meant))
    texts = [normal_text(text[:MAX_TEXT]) for text in said]
    return any(said_in_full(text, each) for text in texts for each in (name, core_name(name)))


def _is_about(row: Row, named: Iterable[str]) -> bool:
    name = identity(row)
    return name is None or any(same_item(name, other) for other in named)


def _travellers(view: View) -> Sequence[int]:
    """For how many people a fare may be told: those booked for, else any number."""
    booked = [b for facts in view.evidence.until(view.index) for b in facts.made]
    counts = [str(b.slots["people"]) for b in booked if b.domain == "train" and "people" in b.slots]
    known = [int(count) for count in counts if count.isdecimal() and len(count) < 3]
    return known or range(2, MAX_PEOPLE + 1)


def _same(slot: str, told: str, real: str, travellers: Sequence[int]) -> bool:
    if same_value(slot, told, real):
        return True
    if slot == "area" and told.lower().startswith("centr"):
        return real.lower().startswith("centr")
    if slot == "phone" and told.startswith("+"):
        return re.sub(r"\D", "", told)[-LOCAL:] == re.sub(r"\D", "", real)[-LOCAL:]
    if slot == "address":  # told in part, or misspelt
        return says_value(told, slot, real) or says_value(real, slot, told)
    return slot in ("price", "entrance fee") and _is_total(told, real, travellers)


def _is_total(told: str, price: str, travellers: Sequence[int]) -> bool:
    """Whether a fare is that of all who travel, give or take a rounding."""
    amounts = [re.search(r"\d{1,6}(?:\.\d{1,4})?", text) for text in (told, price)]
    if amounts[0] is None or amounts[1] is None:
        return False
    total, single = (float(amount[0]) for amount in amounts if amount)
    return any(abs(total - single * people) < 0.05 for people in travellers)
