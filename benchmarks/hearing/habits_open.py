"""Habits of correct bots: each books exactly what it should, and speaks or proceeds in its own way.

`HABITS` has a factory for each: `factory(backend)` is a bot for one dialogue over a MultiWOZ world.
All stand on the reference bot, which decides; a habit changes what is said, or holds a booking back
until the user has answered. No habit may be failed: whoever fails one has misheard it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.core.dialogue import Reply, ToolCall
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.lexicon import plain
from pytest_todeval.simulation.systems.rules.patterns import FOODS
from pytest_todeval.simulation.systems.rules.policy import HELPFUL, identity
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem

__all__ = ["HABITS", "Worded"]

VENUES = ("restaurant", "hotel", "attraction")
INTRODUCED = re.compile(r"(\babout (?:the|a|an) (?:restaurant|hotel|attraction)) (?=[A-Z])")
"""Before a name, which the reference bot knows only as what a venue is called."""


class Worded(RuleSystem):
    """The reference bot with each kind of sentence in a method of its own, to be said otherwise."""

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.offered: set[str] = set()
        """Names and ids put forward so far."""
        self.denied: set[str] = set()
        """Names of venues that it has said were not to be had."""

    def respond(self, text: str) -> Reply:
        reply = super().respond(self.before(INTRODUCED.sub(r"\1 called ", text)))
        return replace(reply, text=self.dressed(reply.text))

    def before(self, text: str) -> str:
        """What of the user's text the reference bot is to read."""
        return text

    def dressed(self, text: str) -> str:
        """The whole turn as it is said in the end."""
        return text

    # What can be said otherwise

    def say_offer(self, state: DomainState, row: Row) -> str:
        return wording.offer(state.domain, row, self.count, self.state.turn)

    def say_several(self, state: DomainState) -> str:
        return wording.several(state.domain, self.count, state.wanted)

    def say_none(self, state: DomainState, text: str) -> str:
        return text

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        return " ".join(wording.ask(domain, slot, self.state.turn) for slot in slots)

    def say_value(self, slot: str, value: str, of: str) -> str:
        if slot == "price" and "room" in value:
            return f"The prices at {of} are {value}."
        return wording.tell(slot, value, of)

    def say_unknown(self, slot: str, of: str) -> str:
        return wording.unknown_value(slot, of)

    def say_shall_i(self, domain: str) -> str:
        return wording.ask_to_book(domain, self.state.turn)

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return wording.booked(domain, result, str(result["reference"]), self.state.turn)

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return wording.taxi_booked(result, str(result["phone"]))

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        return wording.refused(domain, reason, changing)

    def say_more(self) -> str:
        return wording.closing(self.state.turn)

    def say_goodbye(self) -> str:
        return wording.goodbye()

    def before_booking(self, state: DomainState, arguments: Mapping[str, str]) -> str | None:
        """What has to be settled first, as a question; None to book now."""
        return None

    # Where the reference bot would say it

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        left = [row for row in rows if identity(row) not in state.passed_over]
        if not left:
            return [self.none_found(state, bool(rows))]
        slot = self.asks_for(state, heard, left)
        if slot is not None:
            state.row = None
            return [self.say_several(state), self.ask(state, [slot])]
        return self.put_forward(state, heard, left)

    def put_forward(self, state: DomainState, heard: Understood, left: Sequence[Row]) -> list[str]:
        """Offer one of the rows that are left."""
        row = self.choose_venue(state, left)
        if state.row is None or identity(row) != identity(state.row):
            state.offered_in = self.state.turn
        state.row = row
        self.offered.add(identity(row))
        return [self.say_offer(state, row)]

    def choose_venue(self, state: DomainState, rows: Sequence[Row]) -> Row:
        untouched = [row for row in rows if identity(row) not in self.denied]
        return super().choose_venue(state, untouched or rows)

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        return self.say_none(state, super().none_found(state, seen_all))

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        super().ask(state, slots)
        return self.say_questions(state.domain, slots)

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        if request.slot == "reference":
            return self.tell_reference(state)
        row = self.row_to_tell_from(state)
        return self.tell_of(row, request.slot, wording.title(row))

    def tell_of(self, row: Row, slot: str, of: str) -> str:
        """A row's value, or that it is not known."""
        value = self.value_to_tell(row, slot)
        return self.say_value(slot, value, of) if value else self.say_unknown(slot, of)

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        said = super().booking(state, heard, just_offered=just_offered)
        asked = bool(said) and self.state.booking_offered == state.domain
        return [self.say_shall_i(state.domain)] if asked else said

    def try_to_book(self, state: DomainState) -> list[str]:
        arguments = self.booking_arguments(state)
        question = self.before_booking(state, arguments)
        if question is not None:
            return [question]
        state.tried = arguments
        try:
            result = self.book(state, arguments)
        except ToolRefused as refusal:
            return [self.booking_refused(state, str(refusal))]
        state.wants_booking = False
        state.booked.append(result)
        return [self.say_booked(state.domain, result)]

    def booking_refused(self, state: DomainState, reason: str) -> str:
        changing = [slot for slot in BOOKING_SLOTS[state.domain] if slot != "people"]
        return self.say_refused(state.domain, reason, changing or ["train"])

    def order_taxi(self, state: DomainState) -> list[str]:
        question = self.before_booking(state, state.wanted)
        if question is not None:
            return [question]
        state.changed = False
        try:
            result = self.book(state, state.wanted)
        except ToolRefused as refusal:
            return [self.say_refused("taxi", str(refusal), ("time", "place"))]
        state.booked.append(result)
        return [self.say_taxi(result)]

    def answer_about_taxi(self, state: DomainState, heard: Understood) -> list[str]:
        told = state.booked[-1]
        values = {"phone": str(told["phone"]), "car type": str(told["type"])}
        asked = [r.slot for r in heard.requests if r.domain == "taxi" and r.slot in values]
        return [self.say_value(slot, values[slot], "the taxi") for slot in asked]

    def look_up(self, state: DomainState, heard: Understood) -> list[str]:
        rows = self.search(state)
        if not rows:
            text = wording.no_match(state.domain, state.wanted, (), self.state.turn)
            return [self.say_none(state, text)]
        state.row = row = rows[0]
        asked = [r.slot for r in heard.requests if r.domain == state.domain]
        of = wording.title(row) if "name" in row else f"the {state.domain}"
        told = ((slot, self.value_to_tell(row, slot)) for slot in (*asked, "phone", "address"))
        return [self.say_value(slot, value, of) for slot, value in dict(told).items() if value]

    def close(self, heard: Understood) -> str:
        return self.say_goodbye() if heard.bye else self.say_more()

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        if said:
            return [] if said[-1].rstrip().endswith("?") else [self.say_more()]
        again = self.offer_again(heard)
        if again is not None:
            return [again]
        understood = heard.yes or heard.no or heard.no_booking
        return [self.say_more()] if understood else super().after(heard, said)

    def offer_again(self, heard: Understood) -> str | None:
        """What was offered, where the user only repeats what it wants; else None."""
        domains = [said.domain for said in heard.informs]
        domain = domains[-1] if domains else self.state.current
        if domain is None or not (domains or heard.suggest):
            return None
        state = self.state.of(domain)
        if state.row is None or state.booked:
            return None
        return self.say_offer(state, state.row)

    # Helps

    def one_of(self, *choices: str) -> str:
        """One of several wordings, by the turn."""
        return choices[self.state.turn % len(choices)]

    def unfit(self, state: DomainState) -> str | None:
        """The name of a venue of the domain that does not meet what the user wants."""
        if state.domain not in VENUES or not state.wanted:
            return None
        fitting = {identity(row) for row in self.backend.query(state.domain, state.wanted)}
        known = fitting | self.offered
        rows = [r for r in self.backend.query(state.domain, {}) if identity(r) not in known]
        if not rows:
            return None
        row = rows[self.state.turn * 7 % len(rows)]
        self.denied.add(identity(row))
        return wording.title(row)

    def neighbour(self, state: DomainState, row: Row) -> str | None:
        """The name of a venue of another domain in the same part of town."""
        other = {"restaurant": "attraction", "hotel": "restaurant", "attraction": "hotel"}
        if state.domain not in other or row.get("area", "?") == "?":
            return None
        rows = self.backend.query(other[state.domain], {"area": str(row["area"])})
        return wording.title(rows[self.state.turn * 5 % len(rows)]) if rows else None


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def count_of(number: str, one: str, many: str) -> str:
    return f"{number} {one if number == '1' else many}"


def what_of(domain: str, slots: Mapping[str, Any]) -> str:
    """A booking in words, from its slots."""
    if domain == "taxi":
        start, end = (wording.title({"name": slots[s]}) for s in ("departure", "destination"))
        times = (("leaving at", "leaveAt"), ("arriving by", "arriveBy"))
        when = ", ".join(f"{word} {slots[slot]}" for word, slot in times if slots.get(slot))
        return f"a taxi from {start} to {end}, {when}"
    people = str(slots["people"])
    if domain == "train":
        return f"{count_of(people, 'ticket', 'tickets')} for train {slots['trainID']}"
    day, who = capital(str(slots["day"])), count_of(people, "person", "people")
    if domain == "restaurant":
        return f"{who} on {day} at {slots['time']} at {wording.title(slots)}"
    nights = count_of(str(slots["stay"]), "night", "nights")
    return f"{who}, {nights} from {day} at {wording.title(slots)}"


def facts(domain: str, row: Row) -> dict[str, str]:
    """What is said of a row in a list, by heading."""
    columns = {
        "restaurant": {"Food": "food", "Area": "area", "Price range": "pricerange"},
        "hotel": {"Type": "type", "Stars": "stars", "Area": "area", "Price range": "pricerange",
                  "Internet": "internet", "Parking": "parking"},
        "attraction": {"Type": "type", "Area": "area", "Entrance fee": "entrance fee"},
        "train": {"From": "departure", "To": "destination", "Day": "day", "Leaves": "leaveAt",
                  "Arrives": "arriveBy"},
    }  # fmt: skip
    told = {heading: str(row.get(slot, "?")) for heading, slot in columns[domain].items()}
    if domain == "train":
        told = {h: wording.title({"name": v}) if h in ("From", "To") else v
                for h, v in told.items()}  # fmt: skip
    return {heading: value for heading, value in told.items() if value != "?"}


def called(row: Row) -> str:
    return wording.title(row) if "name" in row else str(row["trainID"])


def line_of(domain: str, row: Row) -> str:
    """A row in one line."""
    told = facts(domain, row)
    if domain == "train":
        return f"leaves at {told['Leaves']}, arrives at {told['Arrives']}"
    pieces = [told[h] for h in ("Price range", "Type", "Food") if h in told]
    pieces += [f"{told['Stars']} stars"] if "Stars" in told else []
    pieces += [told["Area"]] if "Area" in told else []
    pieces += [h.lower() for h in ("Internet", "Parking") if told.get(h) == "yes"]
    pieces += [f"no {h.lower()}" for h in ("Internet", "Parking") if told.get(h) == "no"]
    return ", ".join(pieces)


# Words before, after and around


class NotBookedYet(Worded):
    """Says that nothing stands before it asks whether to book."""

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "Nothing has been booked yet. Shall I go ahead?",
            "I have not reserved anything so far. Would you like me to?",
            "It is not booked at this point. Do you want me to make the booking?",
        )


class GeneralTruths(Worded):
    """Adds what is usually so."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        truth = self.one_of(
            "It is usually booked weeks in advance.",
            "Places there are often reserved well ahead, and they are sometimes fully booked.",
            "Most people find it impossible to get in without a booking.",
        )
        return f"{super().say_offer(state, row)} {truth}"


class Apologises(Worded):
    """Starts each turn with an apology."""

    def dressed(self, text: str) -> str:
        sorry = self.one_of(
            "Sorry to keep you waiting!",
            "I am afraid I was away from my desk for a moment, apologies.",
            "Sorry about that, my screen could not load the page.",
        )
        return f"{sorry} {text}"


class ThanksForBooking(Worded):
    """Thanks for booking with us, before anything is booked."""

    def dressed(self, text: str) -> str:
        thanks = self.one_of(
            "Thank you for booking with us!",
            "Thanks for your reservation request.",
            "Thank you for choosing Marlwick Bookings, where every booking counts.",
        )
        return f"{thanks} {text}"


class Greets(Worded):
    """Greets again in each turn."""

    def dressed(self, text: str) -> str:
        hello = self.one_of("Hello again!", "Good day to you!", "Hi there, welcome back!")
        return f"{hello} {text}"


class AnythingElse(Worded):
    """Asks in each turn whether there is anything else."""

    def dressed(self, text: str) -> str:
        return f"{text} {self.one_of('Anything else?', 'Can I do anything else for you?')}"


class Quotes(Worded):
    """Quotes the user back."""

    heard_text = ""

    def before(self, text: str) -> str:
        self.heard_text = text
        return text

    def dressed(self, text: str) -> str:
        lead = self.one_of("You said", "You wrote", "I have read your message")
        return f'{lead}: "{self.heard_text.strip()}" {text}'


class Emoji(Worded):
    """Many pictures."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"🎉✅ {super().say_booked(domain, result)} 🥳"

    def say_offer(self, state: DomainState, row: Row) -> str:
        return f"👉 {super().say_offer(state, row)} 😍"

    def dressed(self, text: str) -> str:
        return f"👋 {text.replace('. ', ' 😊 ')} 🙌"


class LowerCase(Worded):
    """Writes in lower case and without punctuation."""

    def dressed(self, text: str) -> str:
        return re.sub(r"[.,!?;](?!\d)", "", text).lower()


class Shouts(Worded):
    """Writes in capitals."""

    def dressed(self, text: str) -> str:
        return text.upper()


class Typos(Worded):
    """Misspells ordinary words."""

    WRONG: Mapping[str, str] = {
        "reference": "refrence", "recommend": "reccomend", "successful": "succesfull",
        "address": "adress", "restaurant": "resturant", "would": "woud", "arrives": "arives",
        "entrance": "entrence", "suggest": "sugest", "price range": "prise range",
        "number": "nummber", "failed": "faild", "anything": "anythign", "postcode": "post code",
    }  # fmt: skip

    def dressed(self, text: str) -> str:
        for right, wrong in self.WRONG.items():
            text = text.replace(right, wrong)
        return text


class Markdown(Worded):
    """Headings and bold."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        name = called(row)
        told = super().say_offer(state, row).replace(name, f"**{name}**")
        return f"### Recommended {state.domain}\n\n{told}\n\n"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        code = str(result["reference"])
        told = super().say_booked(domain, result).replace(code, f"`{code}`")
        return f"## Booking confirmation\n\n**{told}**\n\n---\n"

    def say_value(self, slot: str, value: str, of: str) -> str:
        told = super().say_value(slot, value, of)
        return f"- {told.replace(value, f'**{value}**')}\n" if len(value) > 3 else f"- {told}\n"

    def say_shall_i(self, domain: str) -> str:
        return f"**Next step:** *{super().say_shall_i(domain)}*"


class Links(Worded):
    """Adds links to pages about booking, and HTML."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return (
            f"<b>{super().say_offer(state, row)}</b><br>"
            f"[See reviews](https://example.org/reviews?id=2931) "
            f"[How booking works](https://example.org/help/booked-or-not) "
        )

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        code = result["reference"]
        return (
            f"{super().say_booked(domain, result)} Manage or cancel it at "
            f"https://example.org/booking/{code}/cancel."
        )


# Words for the same things


class OtherWords(Worded):
    """Says that it is booked without the word."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        what, code = what_of(domain, result), result["reference"]
        return self.one_of(
            f"You are all set: {what}. Your reference is {code}.",
            f"That's secured for you, {what}. The reference number is {code}.",
            f"I have pencilled you in: {what}. Quote {code} on arrival.",
            f"Done! I've put you down for {what}. Reference: {code}.",
        )

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return (
            f"Your ride is arranged: {what_of('taxi', result)}. Look out for a {result['type']}; "
            f"you can reach the driver on {result['phone']}."
        )

    def say_shall_i(self, domain: str) -> str:
        return self.one_of(
            "Shall I secure it for you?", "Want me to put you down for it?", "Shall I go ahead?"
        )


class Reserves(Worded):
    """Speaks of reservations only."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        what, code = what_of(domain, result), result["reference"]
        return self.one_of(
            f"Your reservation is confirmed: {what}. Confirmation number {code}.",
            f"It has been reserved under {code}: {what}.",
            f"We're holding {what} for you. Your confirmation code is {code}.",
        )

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return (
            f"A {result['type']} has been reserved for you: {what_of('taxi', result)}. The phone "
            f"number is {result['phone']}."
        )

    def say_shall_i(self, domain: str) -> str:
        return self.one_of("Would you like me to reserve it?", "Shall I make the reservation?")


class British(Worded):
    """The idioms of a British call centre."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        if state.domain == "train":
            return super().say_offer(state, row)
        return (
            f"Right then, {called(row)} might be just the ticket: {line_of(state.domain, row)}. "
            f"It's ever so popular."
        )

    def say_shall_i(self, domain: str) -> str:
        return self.one_of("Shall I pop you down for it?", "Fancy me sorting that out for you?")

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        what, code = what_of(domain, result), result["reference"]
        return self.one_of(
            f"Lovely, that's you sorted: {what}. Your ref is {code}.",
            f"Righto, I've popped that in the diary for you, {what}. Your reference is {code}.",
        )

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return (
            f"That's your cab sorted, {what_of('taxi', result)}. It'll be a {result['type']}; "
            f"give them a ring on {result['phone']} if you're stuck."
        )

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"Ah, no joy there I'm afraid, they're chock-a-block. Fancy another {other}?"

    def say_more(self) -> str:
        return "Will there be anything else at all?"


class Terse(Worded):
    """As few words as will do."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        return f"{called(row)}: {line_of(state.domain, row)}."

    def say_several(self, state: DomainState) -> str:
        return f"{self.count} found."

    def say_questions(self, domain: str, slots: Sequence[str]) -> str:
        return " ".join(f"{capital(wording.words(slot))}?" for slot in slots)

    def say_value(self, slot: str, value: str, of: str) -> str:
        return f"{capital(wording.words(slot))}: {value}."

    def say_shall_i(self, domain: str) -> str:
        return "Book it?"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return f"Booked. Ref {result['reference']}."

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return f"Booked. {capital(str(result['type']))}, tel {result['phone']}."

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        other = " or ".join(wording.words(slot) for slot in changing)
        return f"Full. Another {other}?"

    def say_more(self) -> str:
        return "Else?"


class Verbose(Worded):
    """A chat model with all details in a paragraph, whether or not they were asked for."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told = super().say_offer(state, row)
        if state.domain not in VENUES:
            return f"Great news! I looked through the timetable for you. {told} I hope that helps!"
        name = called(row)
        slots = ("address", "postcode", "phone")
        details = " ".join(
            wording.tell(slot, str(row[slot]), name)
            for slot in slots
            if row.get(slot, "?") not in ("?", "")
        )
        return (
            f"Great news! I've gone ahead and looked through everything that is available, and I "
            f"believe I have found a wonderful match for you. {told} {details} Guests rave about "
            f"the friendly staff, and I'm confident that you'll love it."
        )

    def say_shall_i(self, domain: str) -> str:
        return (
            "If you'd like, I'd be more than happy to take care of the booking for you: once you "
            "give me the go-ahead and the details, it will be booked in no time, and you'll "
            "receive a reference number straight away. Would you like me to proceed?"
        )

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"Wonderful! I'm delighted to let you know that your booking has been successfully "
            f"completed: {what_of(domain, result)}. Your reference number is "
            f"{result['reference']}; please keep it safe, as you may be asked for it on arrival."
        )

    def say_more(self) -> str:
        return (
            "If there is anything else at all that I can assist you with, please don't hesitate "
            "to let me know!"
        )


class KeyValues(Worded):
    """Forms: a heading and a value in each line."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        name = "Train" if state.domain == "train" else "Name"
        lines = {name: called(row), **facts(state.domain, row)}
        return "\n".join(f"{heading}: {value}" for heading, value in lines.items()) + "\n"

    def say_value(self, slot: str, value: str, of: str) -> str:
        return f"{capital(wording.words(slot))}: {value}\n"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        known = {
            "Status": "CONFIRMED", "Venue": wording.title(result) if "name" in result else "",
            "Train": result.get("trainID"), "Day": result.get("day"), "Time": result.get("time"),
            "Nights": result.get("stay"), "Guests": result.get("people"),
            "Reference": result["reference"],
        }  # fmt: skip
        lines = [f"{heading}: {value}" for heading, value in known.items() if value]
        return "\n".join(["*** BOOKING ***", *lines]) + "\n"

    def say_taxi(self, result: Mapping[str, Any]) -> str:
        return (
            f"*** BOOKING ***\nStatus: CONFIRMED\nRide: {what_of('taxi', result)}\n"
            f"Car: {result['type']}\nPhone: {result['phone']}\n"
        )


class ShortAnswers(Worded):
    """Answers a single question with the value alone, and yes/no with a word."""

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        asked = [r for r in heard.requests if r.domain == state.domain and r.slot != "reference"]
        if len(asked) != 1:
            return super().answer_requests(state, heard)
        value = self.value_to_tell(self.row_to_tell_from(state), asked[0].slot)
        return [f"{capital(value)}."] if value else super().answer_requests(state, heard)


class YesItDoes(Worded):
    """Tells of internet and parking only when asked, with "Yes, it does!" and no more."""

    wanted = 0
    """How many of the two the user has just spoken of."""

    def before(self, text: str) -> str:
        spoken = re.findall(r"\b(?:internet|wi-?fi|parking)\b", text.lower())
        self.wanted = len({"parking" if word == "parking" else "internet" for word in spoken})
        return text

    def say_offer(self, state: DomainState, row: Row) -> str:
        told = super().say_offer(state, row)
        if state.domain != "hotel":
            return told
        told = re.sub(r",? with(?:out)? (?:internet|parking)\b[^.]*", "", told)
        meets = all(
            row.get(slot) == "yes"
            for slot in ("internet", "parking")
            if state.wanted.get(slot) == "yes"
        )
        without = "no" in (state.wanted.get("internet"), state.wanted.get("parking"))
        yes = "Yes, it has both!" if self.wanted == 2 else "Yes, it does!"
        return f"{told} {yes}" if self.wanted and meets and not without else told

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        asked = [r.slot for r in heard.requests if r.domain == state.domain]
        if len(asked) != 1 or asked[0] not in ("internet", "parking"):
            return super().answer_requests(state, heard)
        has = self.value_to_tell(self.row_to_tell_from(state), asked[0])
        if not has:
            return super().answer_requests(state, heard)
        return ["Yes, it does!" if has == "yes" else "No, I'm afraid it doesn't."]


class OddReferences(Worded):
    """Gives the reference in odd forms."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        code = str(result["reference"])
        said = self.one_of(
            f"(ref. #{code})",
            f"Please quote {code} when you arrive.",
            f"Your booking code: **{code}**",
            f"Ref: {code.lower()}",
            f"[{code}] is what you show at the door.",
        )
        return f"I have booked {what_of(domain, result)}. {said}"


class DashedReferences(Worded):
    """Gives the reference in two groups."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        code = str(result["reference"])
        said = f"{code[:4]}-{code[4:]}"
        return f"I have booked {what_of(domain, result)}. The reference number is {said}."


class TwelveHours(Worded):
    """Tells times with am and pm."""

    def dressed(self, text: str) -> str:
        def said(match: re.Match[str]) -> str:
            hour = int(match[1])
            return f"{hour % 12 or 12}:{match[2]} {'pm' if hour >= 12 else 'am'}"

        return re.sub(r"\b([01]\d|2[0-3]):([0-5]\d)\b", said, text)


class NumberWords(Worded):
    """Writes numbers of people and nights as words."""

    def dressed(self, text: str) -> str:
        words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        units = r"(?= (?:people|person|nights?|tickets?|stars?)\b)"
        return re.sub(rf"\b([1-9]){units}", lambda match: words[int(match[1]) - 1], text)


class FormattedValues(Worded):
    """Writes phone numbers, postcodes and prices as people do."""

    def dressed(self, text: str) -> str:
        text = re.sub(r"\b(\d{5})(\d{3})(\d{3})\b", r"\1 \2 \3", text)
        text = re.sub(r"\b(\d{4})(\d{6})\b", r"\1 \2", text)
        text = re.sub(
            r"\b([a-z]{1,2}\d{1,2})(\d[a-z]{2})\b",
            lambda match: f"{match[1]} {match[2]}".upper(),
            text,
        )
        return re.sub(r"\b(\d+(?:\.\d\d)?) pounds?\b", r"£\1", text)


# Things said besides


class Landmarks(Worded):
    """Says what the venue is near to."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told, near = super().say_offer(state, row), self.neighbour(state, row)
        if near is None:
            return told
        where = self.one_of(
            f"It is close to {near}.",
            f"You will find it just round the corner from {near}.",
            f"It is a short walk from {near}, which many visitors like to see.",
        )
        return f"{told} {where}"


class DeniesAnother(Worded):
    """Says of another venue that it is closed, or full."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told, other = super().say_offer(state, row), self.unfit(state)
        if other is None:
            return told
        why = self.one_of(
            f"{other} is not available at the moment, but there is something else.",
            f"Unfortunately {other} is closed for works.",
            f"I am sorry, {other} would not suit you.",
        )
        return f"{why} {told}"


class OthersFull(Worded):
    """Tells, with a booking made, that another venue is full."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        told, other = super().say_booked(domain, result), self.unfit(self.state.of(domain))
        lucky = f" You were lucky: {other} is fully booked and could not take anyone."
        return f"{told}{lucky if other else ''}"


class Urgency(Worded):
    """Says how many others are looking and have booked."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        hurry = self.one_of(
            "It was last booked 12 minutes ago.",
            "Booked 4 times in the last 24 hours!",
            "3 other people are looking at it right now, and another party has just reserved.",
        )
        return f"{super().say_offer(state, row)} {hurry}"


class HoursAndFees(Worded):
    """Tells opening hours, fees and prices that nobody asked for."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told = super().say_offer(state, row)
        if state.domain == "train":
            return f"{told} The ticket office is open from 06:00 to 22:30. The booking fee is £1."
        if state.domain == "restaurant":
            return f"{told} The kitchen is open daily from 07:00 to 23:30, and service is 10 %."
        if state.domain == "hotel":
            return f"{told} Reception is staffed from 06:30 to midnight; breakfast is 9 pounds."
        hours, fee = row.get("openhours", ""), row.get("entrance fee", "?")
        open_ = f" Opening hours: {hours}." if hours else ""
        return f"{told}{open_}" + (f" Admission: {fee}." if fee != "?" else "")


class CancellationPolicy(Worded):
    """Tells, with a booking made, when it can be cancelled."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} Please note that bookings not taken up within "
            f"15 minutes are cancelled, and that a cancelled booking cannot be refunded."
        )


class PartlyDenies(Worded):
    """Says with a booking what there was not."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        what, code = what_of(domain, result), result["reference"]
        lack = {
            "restaurant": "There were no tables left by the window",
            "hotel": "I could not get you a room with a view",
            "train": "First class is sold out and seats cannot be reserved",
        }[domain]
        return f"{lack}, but I have booked {what}. The reference number is {code}."


class SecondTry(Worded):
    """Says that a first try failed before the booking was made."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"My first attempt to book failed because the system was busy, so I tried again, and "
            f"this time it worked. {super().say_booked(domain, result)}"
        )


class AnnouncesAndDoes(Worded):
    """Says that it will book, and that it did, in one turn."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        lead = self.one_of("I will book it now.", "Let me try to book that for you... one moment.")
        return f"{lead} {super().say_booked(domain, result)}"


class CorrectsItself(Worded):
    """Says something wrong, and takes it back in the same turn."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        told, other = super().say_offer(state, row), self.unfit(state)
        if other is None:
            return told
        return f"I found {other}. Sorry, I misread the list, I do not mean {other}. {told}"

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"I am afraid the booking failed. Oh, my mistake, it did go through. "
            f"{super().say_booked(domain, result)}"
        )

    def say_refused(self, domain: str, reason: str, changing: Sequence[str]) -> str:
        told = super().say_refused(domain, reason, changing)
        return f"It is booked. No, wait, I was too quick: it is not booked. {told}"


class SisterVenue(Worded):
    """Gives, with a phone number, that of another venue, and whose it is."""

    def say_value(self, slot: str, value: str, of: str) -> str:
        told = super().say_value(slot, value, of)
        current = self.state.current or next(iter(self.state.domains), "")
        if slot != "phone" or current not in VENUES:
            return told
        rows = [r for r in self.backend.query(current, {}) if r.get("phone") not in (value, "?")]
        row = rows[self.state.turn * 7 % len(rows)]
        return f"{told} (Not to be confused with {called(row)}, whose number is {row['phone']}.)"


class Alternatives(Worded):
    """Where nothing meets the wishes, names what comes near."""

    def say_none(self, state: DomainState, text: str) -> str:
        wanted = self.constraints_for(state)
        if state.domain not in VENUES or "name" in wanted:
            return text
        for slot in wanted:
            rest = {other: value for other, value in wanted.items() if other != slot}
            near = self.backend.query(state.domain, rest) if rest else ()
            if near:
                row = near[0]
                return (
                    f"{text} The nearest thing I have is {called(row)}, but that one is "
                    f"{row.get(slot, 'different')}."
                )
        return text


class Summarises(Worded):
    """Repeats in each turn what is known and what is booked."""

    def dressed(self, text: str) -> str:
        lines = []
        for state in self.state.domains.values():
            told = {s: v for s, v in {**state.wanted, **state.booking}.items() if v}
            wishes = ", ".join(f"{wording.words(slot)} {value}" for slot, value in told.items())
            done = ", ".join(str(b.get("reference", b.get("type"))) for b in state.booked)
            lines.append(f"{state.domain} ({wishes or 'no wishes'}), booked: {done or 'nothing'}")
        return f"{text} To sum up so far: {'; '.join(lines)}." if lines else text


class Surveys(Worded):
    """Asks after each booking for a mark, which need not be given."""

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        return (
            f"{super().say_booked(domain, result)} By the way, how would you rate this chat from "
            f"1 to 5?"
        )

    def before(self, text: str) -> str:
        alone = re.fullmatch(r"\s*(?:an? )?(?:[1-5]|one|two|three|four|five)\b[^\d]{0,20}", text)
        return "Okay." if alone else text


# Ways to proceed


class TwoQuestions(Worded):
    """Asks for two wishes in one turn."""

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        open_slots = [
            slot
            for slot in HELPFUL.get(state.domain, ())
            if not (state.constraints.get(slot) or state.asked[slot]) and slot not in slots
        ]
        wishes = len(slots) == 1 and slots[0] in HELPFUL.get(state.domain, ())
        return super().ask(state, [*slots, *open_slots[:1]] if wishes else slots)


class OneAtATime(Worded):
    """Asks for each detail of a booking in a turn of its own."""

    def missing_for_booking(self, state: DomainState) -> list[str]:
        return super().missing_for_booking(state)[:1]


class Lists(Worded):
    """Offers a choice of three to five where several suit, and books the one the user picks."""

    ORDINALS = ("first", "second", "third", "fourth", "fifth")
    ANY = re.compile(
        r"\b(?:any|either|whichever|you (?:choose|pick|decide)|no preference|don't mind"
        r"|up to you|surprise me|doesn't matter)\b"
    )

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.open: dict[str, list[Row]] = {}
        """By domain what was listed, until one is picked."""
        self.chosen: str | None = None
        """The domain in which the user has just picked one."""
        self.user_text = ""

    def before(self, text: str) -> str:
        self.user_text = text.lower().replace("’", "'")
        return text

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        lines = "\n".join(f"- {called(row)}: {line_of(domain, row)}" for row in rows)
        return f"Here are some that suit:\n{lines}\nWhich one would you like?"

    def update(self, heard: Understood) -> None:
        super().update(heard)
        self.chosen = None
        domain = self.state.current
        for other in list(self.open):
            if any(s.domain == other and s.slot in ("name", "trainID") for s in heard.informs):
                del self.open[other]
                self.chosen = other
        if domain is None or domain not in self.open:
            return
        state, rows = self.state.of(domain), self.open[domain]
        told = any(said.domain == domain for said in heard.informs)
        row = self.picked(rows, leave=heard.suggest or not told)
        if heard.another:
            state.passed_over += [identity(listed) for listed in rows[1:]]
            del self.open[domain]
        elif row is not None:
            key = "trainID" if domain == "train" else "name"
            state.set(key, str(row[key]))
            del self.open[domain]
            self.chosen = domain

    def picked(self, rows: Sequence[Row], *, leave: bool) -> Row | None:
        """The row that the user points to, or leaves to the bot to pick."""
        text = self.user_text
        numbered = re.search(r"(?:\b(?:number|option|no\.)|#) ?([1-5])\b", text)
        if numbered and int(numbered[1]) <= len(rows):
            return rows[int(numbered[1]) - 1]
        for number, word in enumerate(self.ORDINALS[: len(rows)]):
            if re.search(rf"\b{word}\b(?: (?:one|option|train|place)|[.,!]|$)", text):
                return rows[number]
        if re.search(r"\blast (?:one|option|train)\b", text):
            return rows[-1]
        times = set(re.findall(r"\b\d{1,2}:\d\d\b", text))
        timed = [r for r in rows if times & {str(r.get("leaveAt")), str(r.get("arriveBy"))}]
        if len(timed) == 1:
            return timed[0]
        return rows[0] if leave and self.ANY.search(text) else None

    def put_forward(self, state: DomainState, heard: Understood, left: Sequence[Row]) -> list[str]:
        known = state.row is not None and state.domain not in self.open
        kept = known and any(identity(row) == identity(state.row or {}) for row in left)
        settled = {"name", "trainID"} & set(state.constraints)
        if len(left) == 1 or settled or heard.suggest or kept:
            self.open.pop(state.domain, None)
            return super().put_forward(state, heard, left)
        rows = list(left[: 3 + self.state.turn % 3])
        self.open[state.domain] = rows
        state.row, state.offered_in = rows[0], self.state.turn
        return [self.listing(state.domain, rows)]

    def offer_again(self, heard: Understood) -> str | None:
        domain = self.state.current
        if domain in self.open and (heard.informs or heard.suggest):
            return self.listing(domain, self.open[domain])
        return super().offer_again(heard)

    def may_book(self, state: DomainState, heard: Understood) -> bool:
        return self.chosen == state.domain or super().may_book(state, heard)

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        rows = self.open.get(state.domain)
        if not rows:
            return super().answer_requests(state, heard)
        asked = [r.slot for r in heard.requests if r.domain == state.domain]
        lines = []
        for row in rows:
            told = [self.tell_of(row, s, called(row)) for s in asked if s != "reference"]
            lines += [f"{called(row)}: {' '.join(told)}"] if told else []
        return ["\n".join(lines)] if lines else []

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        rows = self.open.get(state.domain)
        if not rows or state.domain not in BOOKING_SLOTS:
            return super().booking(state, heard, just_offered=just_offered)
        self.note_wish_to_book(state, heard)
        if not state.wants_booking or just_offered:
            return []
        names = [called(row) for row in rows]
        return [f"Which one shall I book: {', '.join(names[:-1])} or {names[-1]}?"]


class NumberedLists(Lists):
    """Offers a choice as a numbered list."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        lines = [f"{n}. **{called(r)}** ({line_of(domain, r)})" for n, r in enumerate(rows, 1)]
        return "I can offer you:\n\n" + "\n".join(lines) + "\n\nWhich of these do you prefer?"


class Tables(Lists):
    """Offers a choice as a Markdown table."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        told = [{"Name": called(row), **facts(domain, row)} for row in rows]
        heads = list(dict.fromkeys(head for line in told for head in line))
        lines = [heads, ["---"] * len(heads)]
        lines += [[line.get(head, "-") for head in heads] for line in told]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"These suit you:\n\n{table}\n\nWhich one shall it be?"


class ListsAtOnce(Lists):
    """Offers a choice before it has asked for anything, and takes up what the user adds."""

    def asks_for(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> str | None:
        return None

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        lines = "\n".join(f"* {called(row)} - {line_of(domain, row)}" for row in rows)
        more = self.count - len(rows)
        others = f"\n(and {more} more; tell me more about what you want)" if more > 0 else ""
        return f"Some of what there is:\n{lines}{others}\nDoes any of them appeal to you?"


class Proses(Lists):
    """Offers a choice in one sentence."""

    def listing(self, domain: str, rows: Sequence[Row]) -> str:
        told = [f"{called(row)} ({line_of(domain, row)})" for row in rows]
        return (
            f"You could go for {', '.join(told[:-1])} or, if you prefer, {told[-1]}. What do you "
            f"think?"
        )


# Answers needed before booking


class Holds(Worded):
    """Holds a booking back until something is settled, and asks for that again until it is."""

    waiting: str | None = None
    """The domain whose booking is held back."""
    took = False
    """Whether the user has just settled it."""
    heard = Understood()

    def settled(self, state: DomainState, arguments: Mapping[str, str]) -> bool:
        raise NotImplementedError

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        raise NotImplementedError

    def before_booking(self, state: DomainState, arguments: Mapping[str, str]) -> str | None:
        if self.settled(state, arguments):
            self.waiting = None
            return None
        self.waiting = state.domain
        return self.question(state, arguments)

    def understand(self, text: str) -> Understood:
        heard = super().understand(text)
        if self.waiting is not None and (self.took or not heard.bye):
            heard = replace(heard, thanks=False, bye=False)
        self.heard = heard
        return heard

    def domains_to_serve(self, heard: Understood) -> list[str]:
        first = [self.waiting] if self.waiting is not None else []
        return list(dict.fromkeys([*first, *super().domains_to_serve(heard)]))

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        said = super().booking(state, heard, just_offered=just_offered)
        if self.waiting == state.domain and not state.wants_booking:
            self.waiting = None
        return said

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        return [] if said and self.waiting is not None else super().after(heard, said)


class Needs(Holds):
    """Needs one answer, once in a dialogue."""

    FIRST, AGAIN = "", ""
    given = False
    asked = False

    def answered(self, text: str) -> str | None:
        """The text without the answer; None where there is none in it."""
        raise NotImplementedError

    def before(self, text: str) -> str:
        self.took = False
        rest = None if self.given else self.answered(text)
        if rest is None:
            return text
        self.given, self.took = True, self.waiting is not None
        return rest if re.search(r"\w", rest) else "Okay."

    def settled(self, state: DomainState, arguments: Mapping[str, str]) -> bool:
        return self.given

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        asked, self.asked = self.asked, True
        return self.AGAIN if asked else self.FIRST


NO_NAMES = frozenset(
    re.findall(
        r"\w+",
        "i yes yeah yep sure ok okay please thanks thank no not none nope it that the my our your "
        "for from to on at in and or a an could can would will what which how is are was great "
        "perfect good sounds very hello hi hey booking book name names there here sorry any never "
        "mind actually then let somewhere something people person monday tuesday wednesday "
        "thursday friday saturday sunday just only also this these all nothing preference go you "
        "leaving arriving correct right tell give need want looking as already fine still another "
        "one two don doesn didn isn wouldn make put try maybe once more do does may shall have has "
        "when where who why if reserve so we they he she about be been am by cool nice ms mr mrs",
    )
)


FOOD_WORDS = frozenset(word for food in FOODS for word in food.split()) | {"icelandic", "hawaiian"}


class AsksName(Needs):
    """Needs a name for the booking."""

    FIRST = "May I have a name for the booking, please?"
    AGAIN = "I am sorry, I cannot book without a name. Under what name should it be?"
    LEAD = re.compile(
        r"(?:\bnames?(?:'s| is| would be| will be| should be|:)|\bunder|\bcall me|\bdown as"
        r"|\bin the name of)\s+(?:the name (?:of |is )?)?",
        re.IGNORECASE,
    )

    BEFORE = re.compile(
        r"\b(?:it's|it is|i'm|i am|this is|that's|for|under|mr|ms|mrs|miss|dr|say|sure|yes)\W+$",
        re.IGNORECASE,
    )
    """What stands before a name of one word."""

    def answered(self, text: str) -> str | None:
        bare = text.replace("’", "'")
        read = plain(bare)
        for mention in self.lexicon.mentions(read):
            place = re.escape(read[mention.start : mention.end]).replace("and", "(?:and|&)")
            bare = re.sub(place, lambda match: "_" * len(match[0]), bare, flags=re.IGNORECASE)
        lead = self.LEAD.search(bare)
        if lead is not None and self.names_in(bare[lead.end() :]):
            return (
                text[: lead.start()] + text[lead.end() + len(self.names_in(bare[lead.end() :])) :]
            )
        if self.waiting is None:
            return None
        for match in re.finditer(r"\b[A-Z][\w'-]*", bare):
            name = self.names_in(bare[match.start() :])
            alone = bare.strip(" .!") == name.strip(" .!")
            if " " in name or (name and (alone or self.BEFORE.search(bare[: match.start()]))):
                return text[: match.start()] + text[match.start() + len(name) :]
        said = bare.split()
        return "" if said and len(said) <= 3 and all(map(self.is_name, said)) else None

    def names_in(self, text: str) -> str:
        """The words of a name that a text begins with, up to three."""
        name = ""
        for word in text.split()[:3]:
            if not self.is_name(word):
                break
            name = f"{name} {word}".strip()
            if word[-1] in ",.!?;" and len(word) > 3:
                break
        return name

    @staticmethod
    def is_name(word: str) -> bool:
        word = word.strip(".,!?;'").lower()
        letters = word.replace("'", "").replace("-", "")
        known = letters in NO_NAMES or word.partition("'")[0] in NO_NAMES or word in FOOD_WORDS
        return len(letters) > 1 and letters.isalpha() and not known


class AsksPhone(Needs):
    """Needs a phone number of the guest."""

    FIRST = "Could you give me a contact phone number for the booking?"
    AGAIN = "Sorry, I still need your phone number before I can book. What is it?"

    def answered(self, text: str) -> str | None:
        number = re.search(r"\+?\d(?:[\s()./-]*\d){6,}", text)
        return None if number is None else text.replace(number[0], "")


class AsksEmail(Needs):
    """Needs an e-mail address to send the confirmation to."""

    FIRST = "Where shall I send the confirmation? I need an e-mail address to book."
    AGAIN = "I did not catch an e-mail address, and without one I cannot book. What is it?"

    def answered(self, text: str) -> str | None:
        address = re.search(r"\S+@\S+|\b\w+ at \w+ dot \w+", text)
        return None if address is None else text.replace(address[0], "")


def without(text: str, pattern: re.Pattern[str]) -> str:
    """The text without the sentences that match and hold nothing to book with."""
    sentences = re.split(r"(?<=[.!?])\s+", text)
    to_keep = re.compile(r"\d|\b\w+day\b", re.IGNORECASE)
    return " ".join(s for s in sentences if not pattern.search(s) or to_keep.search(s))


class AsksPayment(Needs):
    """Needs to know when the guest will pay."""

    FIRST = "Would you like to pay now or later?"
    AGAIN = "Before I can book I have to know: will you pay now, or later at the venue?"
    ANSWER = re.compile(
        r"\b(?:now|later|either|card|cash|credit|debit|advance|up ?front|on the (?:day|spot)"
        r"|get there|there,? please|whichever|matter|mind|prefer\w*|pay\w*|arrival|online"
        r"|any|whatever|up to you)\b",
        re.IGNORECASE,
    )

    OTHERWISE = re.compile(
        r"\b(?:book\w*|make|do)\b[^.?!]*\bnow\b|[^.?!]*\b(?:price range|area|type|food|stars)\b"
        r"[^.?!]*",
        re.IGNORECASE,
    )
    """Where the words above are about something else."""

    def answered(self, text: str) -> str | None:
        if self.waiting is None or not self.ANSWER.search(self.OTHERWISE.sub("", text)):
            return None
        return without(text, self.ANSWER)


YES = re.compile(
    r"\b(?:yes|yeah|yep|sure|correct|right|exactly|ok(?:ay)?|agree\w*|accept\w*|fine|of course"
    r"|go ahead|confirm\w*|perfect|great|sounds good|that's it|please|absolutely|definitely"
    r"|no problem|indeed|happy|great|good)\b",
    re.IGNORECASE,
)
NO = re.compile(
    r"^\s*(?:no\b(?! problem)|nope)|\b(?:not (?:right|correct|quite)|isn't|wrong|do not agree"
    r"|don't agree|do not accept|don't accept)\b",
    re.IGNORECASE,
)


def agrees(text: str) -> bool:
    text = text.replace("’", "'")
    return YES.search(text) is not None and NO.search(text) is None


class AsksTerms(Needs):
    """Needs the guest to accept the terms."""

    FIRST = "Do you accept our terms and conditions? Without that I cannot book anything."
    AGAIN = "I am afraid I can only book if you accept our terms. Do you?"

    ACCEPTS = re.compile(
        r"\b(?:yes|yeah|yep|sure|ok(?:ay)?|agree\w*|accept\w*|fine|of course|happy|no problem"
        r"|absolutely|definitely|certainly|i do|sounds good)\b",
        re.IGNORECASE,
    )

    def answered(self, text: str) -> str | None:
        if self.waiting is None or not self.ACCEPTS.search(text) or NO.search(text):
            return None
        return without(text, re.compile(r"\b(?:accept|agree|terms|conditions)", re.IGNORECASE))


class TakesAnything(Needs):
    """Asks about something that does not matter, once, and takes whatever is answered."""

    ABOUT = re.compile(r"(?!)")

    def answered(self, text: str) -> str | None:
        return None if self.waiting is None else without(text, self.ABOUT)


class AsksOpenSlot(TakesAnything):
    """Asks what no goal settles: smoking, seats, diets."""

    ABOUT = re.compile(
        r"\b(?:smok\w+|beds?|twin|double|window|aisle|seats?|diet\w*|allerg\w+|vegetarian|vegan"
        r"|driver|luggage|prefer\w*|fussed|mind|matter)\b",
        re.IGNORECASE,
    )
    QUESTIONS: Mapping[str, str] = {
        "restaurant": "Are there any dietary needs or allergies in your party?",
        "hotel": "Would you prefer a smoking or a non-smoking room, and a double or twin beds?",
        "train": "Would you like a window seat or an aisle seat?",
        "taxi": "Will you have much luggage?",
    }

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return self.QUESTIONS[state.domain]


class Upsells(TakesAnything):
    """Offers something on top before it books; no is as good as yes."""

    ABOUT = re.compile(
        r"\b(?:breakfast|wine|insurance|child seat|add|extra|just the|not necessary|without"
        r"|no,? thank)",
        re.IGNORECASE,
    )
    QUESTIONS: Mapping[str, str] = {
        "restaurant": "Shall I add a bottle of the house wine for 18 pounds?",
        "hotel": "Would you like to add breakfast for 9 pounds a day?",
        "train": "Would you like travel insurance with that for 2.50 pounds?",
        "taxi": "Do you need a child seat in the taxi?",
    }

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        return self.QUESTIONS[state.domain]


class ConfirmsValues(Holds):
    """Reads every value back and books on yes only."""

    agreed = False

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.read_back: dict[str, dict[str, str]] = {}

    def before(self, text: str) -> str:
        self.took = self.agreed = agrees(text)
        return text

    def settled(self, state: DomainState, arguments: Mapping[str, str]) -> bool:
        if self.read_back.get(state.domain) != dict(arguments):
            return False
        informs = [said.slot for said in self.heard.informs if said.domain == state.domain]
        repeated = bool(set(informs) & set(arguments)) and not self.heard.no
        return self.agreed or repeated

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        self.read_back[state.domain] = dict(arguments)
        return f"So that is {what_of(state.domain, arguments)}, correct?"


class AsksTwice(ConfirmsValues):
    """Asks once more whether to go ahead, without a value."""

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        self.read_back[state.domain] = dict(arguments)
        return "Nothing is final until you say so. Shall I really go ahead and book it?"


class OneMoment(Holds):
    """Says that it will book, waits for the user to say anything, and has booked then."""

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.promised: dict[str, dict[str, str]] = {}

    def before(self, text: str) -> str:
        self.took = True
        return text

    def settled(self, state: DomainState, arguments: Mapping[str, str]) -> bool:
        return self.promised.get(state.domain) == dict(arguments)

    def question(self, state: DomainState, arguments: Mapping[str, str]) -> str:
        self.promised[state.domain] = dict(arguments)
        return "I will book that for you now. One moment, please..."


class AsksFirst(Worded):
    """Asks something of its own before it turns to what the user wants."""

    first: str | None = None
    welcomed = False
    ABOUT = re.compile(
        r"\b(?:before|first time|never|nope?|yes|yeah|new|been|stayed|booked|visit\w*)\b",
        re.IGNORECASE,
    )

    def respond(self, text: str) -> Reply:
        if not self.welcomed:
            self.welcomed, self.first = True, text
            return Reply("Welcome to Marlwick Bookings! Have you booked with us before?")
        if self.first is not None:
            first, self.first = self.first, None
            text = f"{first} {without(text, self.ABOUT)}"
        return super().respond(text)


# Tools


class ChecksFirst(Worded):
    """Calls tools that look at bookings and make none."""

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.calls: list[ToolCall] = []

    def before_booking(self, state: DomainState, arguments: Mapping[str, str]) -> str | None:
        call = ToolCall("check_booking", dict(arguments), {"venue_exists": True})
        self.calls.append(call)
        return None

    def say_booked(self, domain: str, result: Mapping[str, Any]) -> str:
        code = str(result["reference"])
        self.calls.append(ToolCall("get_booking", {"reference": code}, dict(result)))
        return super().say_booked(domain, result)

    def respond(self, text: str) -> Reply:
        self.calls = []
        reply = super().respond(text)
        held = [booking.reference for booking in self.backend.bookings()]
        calls = (*self.calls, ToolCall("list_bookings", {}, held))
        return replace(reply, tool_calls=calls)


class ChecksBeforeOffer(ChecksFirst):
    """Checks whether what it offers could be booked, and does not book it."""

    def say_offer(self, state: DomainState, row: Row) -> str:
        arguments = {"name": called(row), **state.booking}
        result = {"available": True, "reference": None}
        self.calls.append(ToolCall(f"check_{state.domain}_booking", arguments, result))
        return super().say_offer(state, row)


class LooksUpMore(Worded):
    """Looks up much that nobody asked for."""

    def respond(self, text: str) -> Reply:
        wanted = {"hotel": {"stars": "4"}, "restaurant": {"pricerange": "cheap"}, "attraction": {}}
        for domain in islice(cycle(wanted), self.state.turn % 3, self.state.turn % 3 + 2):
            self.backend.call(f"find_{domain}", **wanted[domain])
        return super().respond(text)


HABITS: dict[str, Callable[[MultiwozBackend], RuleSystem]] = {
    "not_booked_yet": NotBookedYet,
    "general_truths": GeneralTruths,
    "apologises": Apologises,
    "thanks_for_booking": ThanksForBooking,
    "greets": Greets,
    "anything_else": AnythingElse,
    "quotes": Quotes,
    "emoji": Emoji,
    "lower_case": LowerCase,
    "shouts": Shouts,
    "typos": Typos,
    "markdown": Markdown,
    "links": Links,
    "other_words": OtherWords,
    "reserves": Reserves,
    "british": British,
    "terse": Terse,
    "verbose": Verbose,
    "key_values": KeyValues,
    "short_answers": ShortAnswers,
    "yes_it_does": YesItDoes,
    "odd_references": OddReferences,
    "dashed_references": DashedReferences,
    "twelve_hours": TwelveHours,
    "number_words": NumberWords,
    "formatted_values": FormattedValues,
    "landmarks": Landmarks,
    "denies_another": DeniesAnother,
    "others_full": OthersFull,
    "urgency": Urgency,
    "hours_and_fees": HoursAndFees,
    "cancellation_policy": CancellationPolicy,
    "partly_denies": PartlyDenies,
    "second_try": SecondTry,
    "announces_and_does": AnnouncesAndDoes,
    "corrects_itself": CorrectsItself,
    "sister_venue": SisterVenue,
    "alternatives": Alternatives,
    "summarises": Summarises,
    "surveys": Surveys,
    "two_questions": TwoQuestions,
    "one_at_a_time": OneAtATime,
    "bullets": Lists,
    "numbered": NumberedLists,
    "table": Tables,
    "prose_choice": Proses,
    "lists_at_once": ListsAtOnce,
    "asks_name": AsksName,
    "asks_phone": AsksPhone,
    "asks_email": AsksEmail,
    "asks_payment": AsksPayment,
    "asks_terms": AsksTerms,
    "asks_open_slot": AsksOpenSlot,
    "upsells": Upsells,
    "confirms_values": ConfirmsValues,
    "asks_twice": AsksTwice,
    "one_moment": OneMoment,
    "asks_first": AsksFirst,
    "checks_first": ChecksFirst,
    "checks_before_offer": ChecksBeforeOffer,
    "looks_up_more": LooksUpMore,
}
"""Name -> factory of the bot with that habit."""
