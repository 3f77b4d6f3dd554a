"""Habits of correct bots, written apart from the code that listens to them.

Each habit is the reference bot, which books exactly what it should, with one way of speaking or of
going about things that real bots have. What a bot says is true; a bot that needs an answer takes
any reasonable one, asks again where there is none, and does not book before.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Reply, ToolCall
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem

__all__ = ["HABITS"]

VENUES = ("restaurant", "hotel", "attraction")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve")  # fmt: skip
WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
THING = {"restaurant": "table", "hotel": "room", "train": "seat", "taxi": "car"}


# The wording of things


def title(text: Any) -> str:
    """With capitals."""
    return " ".join(word[:1].upper() + word[1:] for word in str(text).split())


def called(row: Mapping[str, Any]) -> str:
    """What a row is called."""
    return title(row["name"]) if "name" in row else f"train {row.get('trainID', '')}"


def heads(count: Any) -> str:
    """So many people."""
    return "1 person" if str(count) == "1" else f"{count} people"


def nights(count: Any) -> str:
    """So many nights."""
    return "1 night" if str(count) == "1" else f"{count} nights"


def in_words(count: Any) -> str:
    """A small number as a word."""
    text = str(count)
    return NUMBERS[int(text)] if text.isdigit() and int(text) < len(NUMBERS) else text


def clock(time: str) -> str:
    """18:30 as 6.30pm."""
    hour, minute = (int(part) for part in time.split(":"))
    half = "am" if hour < 12 or hour == 24 else "pm"
    return f"{hour % 12 or 12}{f'.{minute:02}' if minute else ''}{half}"


def spoken_clock(time: str) -> str:
    """18:30 as half past six in the evening, where the minutes have a word."""
    hour, minute = (int(part) for part in time.split(":"))
    if minute not in (0, 15, 30, 45):
        return clock(time)
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    lead = {0: "", 15: "quarter past ", 30: "half past ", 45: "quarter to "}[minute]
    shown = (hour + 1 if minute == 45 else hour) % 12 or 12
    return f"{lead}{in_words(shown)}{' o’clock' if minute == 0 else ''} {part}"


def what_is_booked(domain: str, slots: Mapping[str, Any]) -> str:
    """What is (to be) booked, in one phrase."""
    if domain == "taxi":
        when = [f"leaving at {slots['leaveAt']}"] if "leaveAt" in slots else []
        when += [f"arriving by {slots['arriveBy']}"] if "arriveBy" in slots else []
        ends = f"from {title(slots['departure'])} to {title(slots['destination'])}"
        return f"a taxi {ends}, {' and '.join(when)}"
    if domain == "train":
        return f"train {slots['trainID']} for {heads(slots['people'])}"
    at = f" at {slots['time']}" if "time" in slots else f" for {nights(slots['stay'])}"
    start = "on" if domain == "restaurant" else "from"
    return f"{called(slots)} for {heads(slots['people'])} {start} {title(slots['day'])}{at}"


# A bot whose every kind of sentence can be put otherwise


class Speaks(RuleSystem):
    """The reference bot with one method for each kind of thing it says."""

    chosen: Row | None = None
    fitting: Sequence[Row] = ()

    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        return said

    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return said

    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        return said

    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return said

    def put_refused(self, state: DomainState, said: str) -> str:
        return said

    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        return said

    def put_all(self, heard: Understood, said: str) -> str:
        return said

    def choose_venue(self, state: DomainState, rows: Sequence[Row]) -> Row:
        self.chosen = super().choose_venue(state, rows)
        return self.chosen

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        self.chosen, self.fitting = None, rows
        said = super().offer(state, heard, rows)
        if self.chosen is None:
            return said
        return [self.put_offer(state, self.chosen, said[0])]

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        said = super().booking(state, heard, just_offered=just_offered)
        if said and self.state.booking_offered == state.domain:
            return [self.put_ask_to_book(state, said[0])]
        return said

    def ask(self, state: DomainState, slots: Sequence[str]) -> str:
        return self.put_question(state, slots, super().ask(state, slots))

    def try_to_book(self, state: DomainState) -> list[str]:
        return self._put_try(state, super().try_to_book)

    def order_taxi(self, state: DomainState) -> list[str]:
        return self._put_try(state, super().order_taxi)

    def _put_try(
        self, state: DomainState, attempt: Callable[[DomainState], list[str]]
    ) -> list[str]:
        before = len(state.booked)
        said = " ".join(attempt(state))
        if len(state.booked) > before:
            return [self.put_booked(state, state.booked[-1], said)]
        return [self.put_refused(state, said)]

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        said = super().answer_request(state, request)
        value = self.value_to_tell(self.row_to_tell_from(state), request.slot)
        return self.put_told(state, request.slot, value, said) if value and said else said

    def reply(self, heard: Understood) -> str:
        return self.put_all(heard, super().reply(heard))

    def find(self, state: DomainState, heard: Understood) -> list[str]:
        said = super().find(state, heard)
        given = {told.slot for told in heard.informs if told.domain == state.domain}
        busy = heard.requests or heard.books or heard.no_booking or heard.yes or state.booked
        if said or state.row is None or busy or given & set(BOOKING_SLOTS.get(state.domain, ())):
            return said
        # The user says again what it wants, or asks what there is: so the bot says again.
        if not (given or heard.suggest):
            return said
        words = wording.offer(state.domain, state.row, self.count, self.state.turn)
        return [self.put_offer(state, state.row, words)]

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        waits = self.state.asked or self.state.booking_offered
        return [] if said and waits else super().after(heard, said)

    # What true things there are to say

    def name_of(self, state: DomainState) -> str:
        """What is talked about in a domain."""
        return called(state.row) if state.row is not None else f"the {state.domain}"

    def misfit(self, state: DomainState) -> tuple[str, str] | None:
        """A venue of this domain that does not fit, and the value that the user wants and it lacks.

        None where the user has said nothing yet that rules one out.
        """
        if state.domain not in VENUES:
            return None
        wanted = {s: v for s, v in state.wanted.items() if s in ("area", "pricerange", "food")}
        for slot, value in wanted.items():
            fitting = [row["name"] for row in self.backend.query(state.domain, {slot: value})]
            for row in self.backend.query(state.domain, {}):
                if row["name"] not in fitting and row.get(slot, "?") != "?":
                    return called(row), value
        return None

    def line_below(self, state: DomainState) -> Row | None:
        """The venue that stands after this one in the list."""
        if state.row is None or state.domain not in VENUES:
            return None
        rows = list(self.backend.query(state.domain, {}))
        names = [row["name"] for row in rows]
        return rows[(names.index(state.row["name"]) + 1) % len(rows)]


# Things said beside the matter


class SaysNothingIsBooked(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        return f"{said} Please note that nothing has been booked or reserved so far."


class DeniesHavingAReference(Speaks):
    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return f"You do not have a reference number yet, as your booking is not complete. {said}"

    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        return f"The reservation has not been made yet. {said}"


class TellsHowBookingWorks(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        return (
            f"{said} Bookings made with us are confirmed at once: as soon as it has been booked, a "
            "reference number of eight characters is given."
        )


class PromisesToBook(Speaks):
    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        if state.row is None and state.domain != "taxi":
            return f"I'll find the right one and have it booked in no time. {said}"
        return f"Lovely, I'm going to book that for you right after this. {said}"

    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return f"I'd be happy to get {self.name_of(state)} booked for you! {said}"


class NamesConditions(Speaks):
    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return (
            f"If it is booked before you come, your {THING[state.domain]} is guaranteed; unless it "
            f"is booked, I can't promise that anything will be free. {said}"
        )


class StatesPolicies(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return (
            f"{said} Cancellation policy: you can cancel your booking without charge until 24 "
            "hours before; after that, a fee of 10 pounds per person applies. Bookings that are "
            "cancelled by phone are not refunded."
        )


class TellsHouseRules(Speaks):
    RULES: ClassVar[Mapping[str, str]] = {
        "hotel": "Check-in is from 14:00, check-out is by 11:00. The night desk opens at 22:30.",
        "restaurant": "Tables are held for 15 minutes. Last orders are at 22:00.",
        "train": "Please be on the platform 5 minutes before. Gates close 2 minutes before.",
        "attraction": "Last entry is one hour before closing time.",
        "taxi": "Drivers wait for up to 10 minutes. Cars seat 4 people.",
    }

    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        return f"{said} {self.RULES[state.domain]}"

    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return f"{said} A reminder of the house rules: {self.RULES[state.domain]}"


class GivesItsOwnHotline(Speaks):
    def put_all(self, heard: Understood, said: str) -> str:
        return (
            f"{said}\n\n--\nTown Desk, 1 Harbour Steps, QZ1 9ZZ. Something wrong? Ring our own "
            "helpline on 01632 969999, Monday to Friday from 9:00 to 17:00."
        )


class NamesNeighbours(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        area = row.get("area", "?")
        kind = "hotel" if state.domain != "hotel" else "attraction"
        near = self.backend.query(kind, {"area": str(area)}) if area != "?" else ()
        names = [called(other) for other in near[:2]]
        if not names:
            return said
        return f"{said} You'll find it in the same part of town as {' and '.join(names)}."


class DeniesAlternatives(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        other = self.misfit(state)
        if other is None:
            return f"{said} I have looked through the others as well."
        return f"{said} I did not pick {other[0]}: you asked for {other[1]}, which it isn't."


class MentionsWhatItHasNotDone(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        rest = "parking space" if state.domain in ("hotel", "restaurant") else "return journey"
        return f"{said} I have not reserved a {rest} for you, and no meal has been ordered."


class Apologises(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        return f"I'm so sorry for the wait, and thank you for bearing with me. {said}"

    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return (
            f"Sorry that took a moment, our system was unavailable for a second! {said} "
            "Unfortunately we cannot send a postcard with it."
        )

    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        return f"I'm sorry I didn't mention that before. {said}"


class SucceedsInNegatives(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return f"No problem at all, nothing was full and nothing failed. {said}"

    def put_refused(self, state: DomainState, said: str) -> str:
        return f"{said} Don't worry, this is not unusual, and other bookings do go through."


class Reminds(Speaks):
    def put_all(self, heard: Understood, said: str) -> str:
        booked = [s for s in self.state.domains.values() if s.booked]
        due = [f"{called(s.booked[-1])}" for s in booked if s.domain in ("hotel", "restaurant")]
        if not due:
            return f"Reminder: I can only keep what you tell me while this chat is open. {said}"
        return f"Don't forget: you are expected at {due[-1]}. {said}"


class QuotesTheUser(Speaks):
    said_last = ""

    def respond(self, text: str) -> Reply:
        self.said_last = text
        return super().respond(text)

    def put_all(self, heard: Understood, said: str) -> str:
        return f"You wrote: “{self.said_last}” {said}"


class AlwaysOffersMoreHelp(Speaks):
    def put_all(self, heard: Understood, said: str) -> str:
        more = "" if "anything else" in said else " And is there anything else I can do for you?"
        return f"{said}{more}"


class MarketsTheNewsletter(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return f"{said} By the way, would you like to receive our newsletter?"


class AsksForFeedback(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return f"{said} How would you rate this booking, from 1 to 5 stars? ⭐"


# Saying it otherwise


class CorrectsItselfOnOffers(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        other = self.misfit(state)
        if other is None:
            return f"There is... hang on, wrong screen. Right. {said}"
        return f"How about {other[0]}? No wait, scratch that, it's not {other[1]}. {said}"


class CorrectsItselfOnValues(Speaks):
    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        other = self.line_below(state)
        if slot not in ("phone", "postcode", "address") or other is None or slot not in other:
            return said
        return f"That's {other[slot]}... no, sorry, I was reading the line below. {said}"


class CorrectsItselfOnBookings(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        if "day" not in result:
            return said
        wrong = title(WEEK[(WEEK.index(str(result["day"])) + 1) % 7])
        right = title(result["day"])
        return f"That's you booked in for {wrong}. Sorry, I misspoke, I meant {right}! {said}"


class KeepsASummary(Speaks):
    def put_all(self, heard: Understood, said: str) -> str:
        lines = []
        for state in self.state.domains.values():
            for result in state.booked:
                lines.append(f"{what_is_booked(state.domain, result)} (booked)")
            if not state.booked and state.row is not None:
                lines.append(f"{called(state.row)} (not booked)")
        return f"{said} To sum up so far: {'; '.join(lines)}." if lines else said


class EchoesJson(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return f"Done.\n```json\n{json.dumps({'status': 'confirmed', **result}, indent=2)}\n```"

    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        form: dict[str, Any] = {**state.constraints, **state.booking, **dict.fromkeys(slots)}
        return f"```json\n{json.dumps({'status': 'incomplete', **form})}\n```\n{said}"


class WritesMarkdown(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        shown = ("area", "pricerange", "food", "stars", "type", "departure", "destination", "day",
                 "leaveAt", "arriveBy", "internet", "parking")  # fmt: skip
        lines = [f"- **{slot.capitalize()}**: {row[slot]}" for slot in shown if slot in row]
        return (
            "Great question! Let me help you with that.\n\n"
            f"## {title(called(row))}\n\n" + "\n".join(lines) + "\n\n"
            "I think this would suit you **really well**.\n\n"
        )

    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        return f"\n\n> **{slot}**: `{value}`\n\n"

    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        lines = [f"| {slot} | **{value}** |" for slot, value in result.items()]
        head = "### ✅ Your booking is confirmed!\n\n| Detail | Value |\n| --- | --- |\n"
        return f"{head}{chr(10).join(lines)}\n\n*Thank you for using our service!*\n\n"


class WritesReceipts(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        lines = [f"{slot.upper()}: {value}" for slot, value in result.items()]
        return "\n".join(["BOOKING STATUS: CONFIRMED", *lines, "BALANCE DUE NOW: 0.00", ""])


class WritesTextMessages(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        if state.domain == "train":
            return f"{row['trainID']} dep {row['leaveAt']} arr {row['arriveBy']} {row['day']}."
        facts = [str(row[s]) for s in ("pricerange", "area", "food", "type") if s in row]
        return f"got 1 4 u: {called(row)} ({', '.join(facts)})."

    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return "book it? y/n"

    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        if state.domain == "taxi":
            return f"ok cab sorted, {result['type']}, tel {result['phone']}."
        return f"ok done. {what_is_booked(state.domain, result)}. ref {result['reference']}"

    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        short = {"phone": "tel", "address": "addr", "postcode": "pc", "entrance fee": "entry"}
        return f"{short.get(slot, slot)} {value}."


class SpellsReferences(Speaks):
    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        code = str(result["reference"])
        return f"{code[:4]}-{code[4:]}, that is {', '.join(code)}"


class SaysValuesOtherwise(Speaks):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        if state.domain != "train":
            return said.replace("cheap", "inexpensive").replace("moderate", "mid-priced")
        return (
            f"Train {row['trainID']} sets off from {title(row['departure'])} at "
            f"{spoken_clock(str(row['leaveAt']))} on {title(row['day'])} and gets into "
            f"{title(row['destination'])} at {spoken_clock(str(row['arriveBy']))}."
        )

    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        def worded(match: re.Match[str]) -> str:
            return f"{in_words(match[1])} {match[2]}"

        said = re.sub(r"\b(\d{1,2}:\d\d)\b", lambda match: clock(match[1]), said)
        return re.sub(r"\b(\d{1,2}) (people|person|nights?|tickets?)\b", worded, said)

    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        of = self.name_of(state)
        if slot in ("leaveAt", "arriveBy"):
            return f"That would be {clock(value)}."
        if slot == "phone":
            return f"You can ring {of} on {value[:5]} {value[5:8]} {value[8:]}."
        if slot == "postcode":
            return f"The postcode is {value[:3].upper()} {value[3:].upper()}."
        if slot in ("price", "entrance fee") and (number := re.match(r"[\d.]+", value)):
            return f"That's £{number[0]} each."
        if slot == "entrance fee" and value == "free":
            return "There is no charge to get in."
        if slot == "duration" and (minutes := re.match(r"\d+", value)):
            hours, rest = divmod(int(minutes[0]), 60)
            long = [f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest)
            return f"It takes {' '.join(long)}."
        if slot == "stars":
            return f"It's a {in_words(value)}-star place."
        return said


class BooksInOtherVerbs(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        what = what_is_booked(state.domain, result)
        if state.domain == "taxi":
            return (
                f"Your driver's on it: {what}. Look out for a {result['type']}; you can reach them "
                f"on {result['phone']}."
            )
        leads = (
            "You're all set: {}. Quote {} when you get there.",
            "That's sorted, {}. Your code is {}.",
            "Secured! It's {}. Your confirmation is {}.",
            "They're expecting you: {}. Just mention {}.",
            "I've put you down at {}. Confirmation code: {}.",
        )
        lead = leads[(self.state.turn + len(str(result["people"]))) % len(leads)]
        return lead.format(what, result["reference"])


class RefusesOtherwise(Speaks):
    def put_refused(self, state: DomainState, said: str) -> str:
        tried = what_is_booked(state.domain, {**state.tried}) if state.tried else "that"
        return f"Hmm, no luck there: {tried} is sold out. Could you do another day or time?"


class RefusesShortly(Speaks):
    def put_refused(self, state: DomainState, said: str) -> str:
        return "That one's gone, they're full then. When else would suit you?"


class ThinksAloud(Speaks):
    def put_booked(self, state: DomainState, result: dict[str, Any], said: str) -> str:
        return (
            "Let me book that now... checking whether it can be booked... it is still free... "
            f"sending your request... and done. {said}"
        )

    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        return f"Searching... one moment... comparing {len(self.fitting)} results... {said}"


class AnswersInAWord(Speaks):
    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        asked = [request for request in heard.requests if request.domain == state.domain]
        self.alone = len(asked) == 1
        return super().answer_requests(state, heard)

    alone = False

    def put_told(self, state: DomainState, slot: str, value: str, said: str) -> str:
        if slot in ("internet", "parking"):
            return "Yes, it has that." if value == "yes" else "No, it doesn't have that."
        return f"Sure: {value}." if self.alone else said


class AnswersOneAtATime(Speaks):
    left: tuple[AskedValue, ...] = ()

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        asked = [request for request in heard.requests if request.domain == state.domain]
        if not asked and heard.yes:
            asked = [request for request in self.left if request.domain == state.domain]
        self.left = ()
        said = [answer for request in asked[:1] if (answer := self.answer_request(state, request))]
        if len(asked) > 1 and said:
            self.left = tuple(asked[1:])
            said.append("Have you got that? Then I'll tell you the next.")
        return said


class ReportsBookingTools(Speaks):
    """Its look-ups go by names that sound like bookings."""

    def respond(self, text: str) -> Reply:
        self.chosen = None
        reply = super().respond(text)
        if self.chosen is None:
            return reply
        arguments = {"target": called(self.chosen)}
        found = {"available": True, "status": "ok"}
        calls = [
            ToolCall("get_booking_availability", arguments, result=found),
            ToolCall("reservation_lookup", arguments, result={"reservations": []}),
            ToolCall("prepare_order", arguments, result={"draft": True, "placed": False}),
        ]
        return replace(reply, tool_calls=tuple(calls))


# Lists


class Lists(Speaks):
    """Shows up to three that fit, recommends one of them, and takes a choice by its place."""

    shown: tuple[str, ...] = ()
    PLACES: ClassVar[Mapping[str, int]] = {
        "first": 0, "1st": 0, "1": 0, "second": 1, "2nd": 1, "2": 1, "third": 2, "3rd": 2,
        "3": 2,
    }  # fmt: skip
    CHOICE = re.compile(
        r"\b(first|second|third|1st|2nd|3rd)\b(?: (?:one|option|of)\b)?"
        r"|\b(?:number|option|no\.?|item|choice) ?([123])\b|#([123])\b|^\W*([123])\W*$",
        re.IGNORECASE,
    )

    def respond(self, text: str) -> Reply:
        names, self.shown = self.shown, ()
        choice = self.CHOICE.search(text) if names else None
        if choice is not None:
            place = self.PLACES[next(group for group in choice.groups() if group).lower()]
            if place < len(names):
                rest = text[: choice.start()] + names[place] + text[choice.end() :]
                return super().respond(rest)
        return super().respond(text)

    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        rows = [row, *(r for r in self.fitting if r is not row)][:3]
        if len(rows) == 1 or "name" in state.constraints or "trainID" in state.constraints:
            return said
        self.shown = tuple(called(r) for r in rows)
        listed = self.lay_out(state, rows)
        return f"{listed}\nMy pick would be {self.shown[0]}, but any of them will do."

    def lay_out(self, state: DomainState, rows: Sequence[Row]) -> str:
        lines = [f"{n}. {called(r)} ({self.facts(state, r)})" for n, r in enumerate(rows, 1)]
        return "Here is what I found:\n" + "\n".join(lines)

    def facts(self, state: DomainState, row: Row) -> str:
        if state.domain == "train":
            return f"{row['leaveAt']} to {row['arriveBy']}"
        shown = ("pricerange", "food", "type", "stars", "area")
        values = [f"{row[s]} stars" if s == "stars" else str(row[s]) for s in shown if s in row]
        return ", ".join(value for value in values if value != "?")


class ListsInATable(Lists):
    def lay_out(self, state: DomainState, rows: Sequence[Row]) -> str:
        lines = [f"| {called(r)} | {self.facts(state, r)} |" for r in rows]
        return "\n".join(["| Option | Facts |", "|---|---|", *lines, ""])


class ListsInASentence(Lists):
    def lay_out(self, state: DomainState, rows: Sequence[Row]) -> str:
        *names, last = [called(row) for row in rows]
        return f"There's {', '.join(names)}, or else {last}."


class ListsWithDashesAndEmoji(Lists):
    def lay_out(self, state: DomainState, rows: Sequence[Row]) -> str:
        lines = [f"👉 {called(r)} – {self.facts(state, r)}" for r in rows]
        return "Top picks:\n" + "\n".join(lines)


# Asking otherwise


class AsksInOtherWords(Speaks):
    WORDS: ClassVar[Mapping[str, str]] = {
        "people": "How many heads?", "day": "When shall we expect you?",
        "time": "And from what time on the clock?", "stay": "How long are you with us?",
        "area": "Whereabouts?", "pricerange": "How much are you looking to spend?",
        "food": "What do you fancy eating?", "type": "What sort of thing are you after?",
        "departure": "Where are we picking you up?", "destination": "Where to?",
        "leaveAt": "Any particular hour for setting off, or for getting there?",
    }  # fmt: skip

    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        words = {**self.WORDS, "day": "What day are you off?"}
        chosen = words if state.domain in ("train", "taxi") else self.WORDS
        if any(state.asked[slot] > 1 for slot in slots):
            return said  # it was not understood: in plain words, then
        return " ".join(chosen.get(slot, said) for slot in slots)


class AsksForTheRest(Speaks):
    """Asks without saying for what; where that gets no answer, it says it."""

    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        if any(state.asked[slot] > 1 for slot in slots) or state.row is None:
            return said
        return "Certainly. Could you give me the remaining details for the booking?"


class AsksInAForm(Speaks):
    def put_question(self, state: DomainState, slots: Sequence[str], said: str) -> str:
        names = {"leaveAt": "time of departure or arrival", "people": "number of people",
                 "stay": "number of nights", "pricerange": "price range"}  # fmt: skip
        lines = [f"  - {names.get(slot, slot)}: ____" for slot in slots]
        return "\n".join(["Please fill in:", *lines])


class WaitsForTheWord(Speaks):
    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return "Just say the word and I'll make the reservation."


class ShowsButtons(Speaks):
    def put_ask_to_book(self, state: DomainState, said: str) -> str:
        return "What next? [Book now] [See another] [Just the details]"

    def respond(self, text: str) -> Reply:
        pressed = text.strip(" []()*.!").casefold()
        words = {"see another": "Another one, please.", "book now": "Yes, book it, please.",
                 "just the details": "No booking, thanks."}  # fmt: skip
        return super().respond(words.get(pressed, text))


class TeasesFirst(Speaks):
    """Tells that it has found something, and what it is when the user has spoken again."""

    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        if state.asked["teaser"]:
            return said
        state.asked["teaser"] += 1
        state.row, state.changed = None, True
        return "Good news, I do have something that fits! Would you like to hear about it?"


class LooksFirst(TeasesFirst):
    def put_offer(self, state: DomainState, row: Row, said: str) -> str:
        if state.asked["teaser"]:
            return said
        super().put_offer(state, row, said)
        return "One moment, please, while I look that up for you."

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        return [] if said and said[-1].startswith("One moment") else super().after(heard, said)


# Asking something before it books

YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|ok|okay|correct|right|perfect|great|sounds good|fine|go ahead|do"
    r" (?:it|so|that)|please do|confirm(?:ed)?|book it|looks? good|all good|absolutely|exactly|"
    r"agreed?|accept|of course|certainly|definitely|works|no changes|nothing to change|"
    r"(?:don't|do not) (?:want|need) to change|as it is|proceed|happy with|lovely|y|good)\b",
    re.IGNORECASE,
)
NO = re.compile(
    r"^\W*(?:no|nope|nah|not|wait|cancel|stop)\b|\b(?:wrong|don't book|do not book|incorrect|"
    r"not (?:right|correct|quite))\b",
    re.IGNORECASE,
)
ALL_GOOD = re.compile(
    r"\b(?:fine|good|great|perfect|go ahead|thanks?|all|right|book it|nothing|no changes|change|"
    r"correct|as it is)\b",
    re.IGNORECASE,
)
DECLINES = re.compile(
    r"\b(?:rather not|prefer not|no (?:name|preference|number|thanks|thank you|need|particular)|"
    r"(?:doesn't|does not) matter|(?:don't|do not) (?:mind|care|have|need|know|want|wish)|"
    r"not (?:sure|important|necessary|needed|relevant)|whatever|skip|any(?:thing| name| of)|"
    r"you (?:choose|pick|decide)|up to you|can't (?:say|tell)|either|no idea|n/a|none|nothing)\b",
    re.IGNORECASE,
)
WORD_OF_NAME = r"[A-ZÀ-Þ][^\W\d_]*(?:['’-][^\W\d_]+)*\.?"
NOT_NAMES = re.compile(
    r"^(?:Yes|Yeah|No|Not|Ok|Okay|Sure|Please|Thanks?|Thank|The|It|I|I'm|I’m|My|Hello|Hi|Great|Can|"
    r"Could|What|That|This|For|On|At|And|Is|Any|Sorry|Then|There|Perfect|Would|How|Let|We|"
    r"\w+day|Book|Card|Cash|Good|Fine|Correct|Right|None|Nothing|Whatever)\b"
)
NAME = re.compile(
    r"(?:(?i:\b(?:(?:my |the |lead |full |guest |last |first |sur)*name(?: for the booking)?(?:'s|"
    r"’s| is| would be| should be|:)?|under|call me|this is|i'm|i am|it's(?: for)?|^for|"
    r"booking for|put (?:it )?down|use|make it)) "
    r"(?:(?i:the name(?: of)?|is|for|mr|mrs|ms|dr|under) )?)"
    rf"({WORD_OF_NAME}(?: {WORD_OF_NAME}){{0,3}})"
)
BARE_NAME = re.compile(
    rf"^\W*({WORD_OF_NAME}(?: {WORD_OF_NAME}){{0,3}})"
    r"(?=[.,!;\n]|$|(?i: please\b| and\b| is\b| for\b))"
)
PHONE = re.compile(
    r"(?i:(?:(?:and )?(?:my|the|our|a) )?(?:(?:tele|mobile |cell )?phone|mobile|contact|cell)?(?: "
    r"number)?(?:'s| is|:)? ?)(\+?\(?\d[\d ()./-]{5,}\d)"
)
EMAIL = re.compile(
    r"(?i:(?:(?:and )?(?:my|the|our) )?(?:e-?mail(?: address)?(?:'s| is|:)? )?)"
    r"([\w.+-]+ ?@ ?[\w-]+(?:\.[\w-]+)+)"
)
ASKS_BACK = re.compile(
    r"\?|\b(?:tell me|give me|can i|could you|i'd like to know|i need the)", re.IGNORECASE
)
PERSONAL = re.compile(r"\b(?:names?|e-?mails?|phone|mobile|number|address)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?])\s+")

Read = Callable[[str], re.Match[str] | None]
"""Finds the answer to a question in what the user said."""


IN_SMALL_LETTERS = re.compile(
    r"\W*(?:my name is|the name is|name:?|under)\W+([a-z'’-]+(?: [a-z'’-]+)?)|"
    r"\W*(?!yes|no|ok|sure|please|thank|the|it|i|on|at|for|any)([a-z'’-]+ [a-z'’-]+)\W*$"
)


def read_name(text: str) -> re.Match[str] | None:
    """A name that the user gives."""
    for sentence in (NAME, BARE_NAME):
        for match in sentence.finditer(text):
            if not NOT_NAMES.match(match[1]):
                return match
    return IN_SMALL_LETTERS.match(text)


def read_any_of(words: str) -> Read:
    """An answer that has one of some words."""
    return re.compile(rf"\b(?:{words})", re.IGNORECASE).search


@dataclass(frozen=True)
class Question:
    """Something asked before a booking is made."""

    words: str
    read: Read
    personal: bool = False
    """Whether the answer is no word that the bot below should hear."""
    domains: tuple[str, ...] = ("restaurant", "hotel", "train", "taxi")


YES_OR_NO = read_any_of(r"yes|yeah|sure|ok|okay|no|nope|fine|please|agree|accept|of course|happy")


class Asks(Speaks):
    """Asks its questions before the first booking, and books when all are answered.

    What the user declines to tell counts as answered; a question that was passed over is repeated.
    """

    QUESTIONS: tuple[Question, ...] = ()
    LEAD = "Before I book it:"
    waiting: str | None = None
    """The domain whose booking waits for an answer."""
    attempted = False
    """Whether a booking was made, refused or held back in this turn."""

    def __init__(self, backend: MultiwozBackend) -> None:
        super().__init__(backend)
        self.answered: set[str] = set()
        self.go_on: str | None = None

    # What a subclass may change

    def open_question(self, state: DomainState, arguments: dict[str, str]) -> str | None:
        """What to ask before this is booked; None to book it."""
        still = [q.words for q in self.still_open(state.domain)]
        return f"{self.LEAD} {' '.join(still)}" if still else None

    def take_answer(self, text: str, domain: str) -> str:
        """Note what was answered; what is left of the text for the bot below."""
        still = self.still_open(domain)
        declines = DECLINES.search(text) is not None and not ASKS_BACK.search(text)
        for question in still:
            found = question.read(text)
            if found is None and not declines:
                continue
            self.answered.add(question.words)
            if found is not None and question.personal:
                text = text[: found.start()] + " " + text[found.end() :]
        if any(question.personal for question in still):
            text = " ".join(s for s in SENTENCE.split(text) if not _is_personal(s))
        return text

    # How it goes on

    def still_open(self, domain: str) -> list[Question]:
        """The questions not answered yet."""
        return [q for q in self.QUESTIONS if domain in q.domains and q.words not in self.answered]

    def respond(self, text: str) -> Reply:
        self.go_on, self.waiting, self.attempted = self.waiting, None, False
        if self.go_on is None:
            return super().respond(text)
        rest = self.take_answer(text, self.go_on)
        heard = self.understand(rest)
        new = [domain for domain in heard.domains if domain not in self.state.domains]
        if heard.informs or heard.requests or heard.no_booking or heard.another or new:
            return super().respond(rest)
        if heard.bye and not YES.search(text):
            return super().respond(rest)
        self.state.turn += 1
        self.state.booking_offered, self.state.asked = None, []
        said = self.attempt(self.state.of(self.go_on))
        words = " ".join([*said, *self.after(heard, said)])
        return Reply(self.put_all(heard, words), state=self.state.belief())

    def attempt(self, state: DomainState) -> list[str]:
        """Book what waited for an answer, or ask again."""
        return self.order_taxi(state) if state.domain == "taxi" else self.try_to_book(state)

    def domains_to_serve(self, heard: Understood) -> list[str]:
        domains = super().domains_to_serve(heard)
        if self.go_on is None or self.go_on in domains or heard.no_booking:
            return domains
        return [self.go_on, *domains] if not self._still_asks(self.go_on) else domains

    def _still_asks(self, domain: str) -> bool:
        state = self.state.of(domain)
        return self.open_question(state, self.arguments_of(state)) is not None

    def arguments_of(self, state: DomainState) -> dict[str, str]:
        """What would be booked now."""
        return state.wanted if state.domain == "taxi" else self.booking_arguments(state)

    def after(self, heard: Understood, said: list[str]) -> list[str]:
        if said and self.waiting is not None:
            return []
        domain = self.go_on
        if domain is None or self.attempted or heard.no_booking or not self._waits(domain):
            return super().after(heard, said)
        state = self.state.of(domain)
        self.waiting = domain
        question = self.open_question(state, self.arguments_of(state))
        return [f"And coming back to {self.subject(domain)}. {question}"]

    def subject(self, domain: str) -> str:
        """What the booking of a domain is called in passing."""
        return "your taxi" if domain == "taxi" else f"{self.name_of(self.state.of(domain))}"

    def _waits(self, domain: str) -> bool:
        """Whether a booking is still wanted, and its question was passed over in this turn."""
        state = self.state.of(domain)
        wanted = not state.booked if domain == "taxi" else state.wants_booking and not state.changed
        return wanted and self._still_asks(domain)

    def try_to_book(self, state: DomainState) -> list[str]:
        return self._held(state) or super().try_to_book(state)

    def order_taxi(self, state: DomainState) -> list[str]:
        return self._held(state) or super().order_taxi(state)

    def _held(self, state: DomainState) -> list[str]:
        question = self.open_question(state, self.arguments_of(state))
        self.attempted = True
        if question is None:
            return []
        self.waiting = state.domain
        return [question]


def _is_personal(sentence: str) -> bool:
    """Whether a sentence is about the user's own details, and asks for nothing."""
    about = PERSONAL.search(sentence) or DECLINES.search(sentence)
    return about is not None and not ASKS_BACK.search(sentence)


ASK_NAME = Question("what name shall I put on the booking?", read_name, personal=True)
ASK_PHONE = Question("What is the best phone number to reach you on?", PHONE.search, personal=True)
ASK_EMAIL = Question("Which e-mail address should it go to?", EMAIL.search, personal=True)
ASK_PAYMENT = Question(
    "How would you like to pay, by card or in cash on the day?",
    read_any_of("card|cash|visa|master|paypal|credit|debit|invoice|later|on the day|on arrival|"
                "apple|google|bank|transfer"),
)  # fmt: skip
ASK_TERMS = Question(
    "Do you accept our terms and conditions?", read_any_of("yes|yeah|accept|agree|ok|okay|sure|"
                                                           "fine|i do|of course|certainly|happy")
)  # fmt: skip
ASK_SEATING = Question(
    "would you like to sit inside or outside?",
    read_any_of("inside|outside|indoors?|outdoors?|terrace|window|garden"),
    domains=("restaurant",),
)
ASK_ALLERGIES = Question(
    "Does anyone have allergies or dietary requirements?",
    read_any_of("no|none|nope|nobody|yes|allerg|vegan|vegetarian|gluten|nuts?|dairy|lactose"),
    domains=("restaurant",),
)
ASK_LOYALTY = Question(
    "If you have a loyalty card, what is its number?",
    read_any_of(r"no|nope|none|without|\d{4,}|don't|not a member"),
)
ASK_REASON = Question(
    "Are you travelling for business or for leisure?",
    read_any_of("business|leisure|holiday|work|pleasure|vacation|fun|personal|private|visit|both"),
    domains=("hotel", "train", "taxi"),
)
ASK_NEWSLETTER = Question("May we send you our offers now and then?", YES_OR_NO)
ASK_BREAKFAST = Question(
    "Would you like breakfast with that, at 9 pounds each?", YES_OR_NO, domains=("hotel",)
)
ASK_INSURANCE = Question("Shall I add cancellation cover for £2.50 per booking?", YES_OR_NO)
ASK_DEPOSIT = Question(
    "A deposit of 5 pounds per person is taken on the day; is that all right with you?",
    read_any_of("yes|yeah|ok|okay|sure|fine|all right|alright|no problem|that works|of course|"
                "agree|accept|good|great|perfect|right"),
)  # fmt: skip
ASK_ACCESS = Question(
    "Will anyone need step-free access?", read_any_of("no|none|nobody|nope|yes|yeah|not")
)


class AsksForAName(Asks):
    QUESTIONS = (ASK_NAME,)
    LEAD = "Happy to help. And"


class AsksForContactDetails(Asks):
    QUESTIONS = (ASK_NAME, ASK_PHONE, ASK_EMAIL)
    LEAD = "I just need a few details first:"


class AsksForPayment(Asks):
    QUESTIONS = (ASK_PAYMENT,)


class AsksToAcceptTerms(Asks):
    QUESTIONS = (ASK_TERMS,)
    LEAD = "To complete your booking, please read www.town-desk.example/terms."


class AsksAboutTheTable(Asks):
    QUESTIONS = (ASK_SEATING, ASK_ALLERGIES)
    LEAD = "Two quick things:"


class AsksForLoyaltyNumber(Asks):
    QUESTIONS = (ASK_LOYALTY,)
    LEAD = "Almost booked!"


class AsksWhyYouTravel(Asks):
    QUESTIONS = (ASK_REASON,)
    LEAD = "The city asks us to record this for every booking."


class AsksForMarketingConsent(Asks):
    QUESTIONS = (ASK_NEWSLETTER,)
    LEAD = "One last thing before your reservation is made."


class SellsExtras(Asks):
    QUESTIONS = (ASK_BREAKFAST, ASK_INSURANCE)
    LEAD = "Nearly there."


class AsksAboutADeposit(Asks):
    QUESTIONS = (ASK_DEPOSIT,)
    LEAD = "Please note our policy."


class AsksManyThingsAtOnce(Asks):
    QUESTIONS = (ASK_NAME, ASK_ACCESS, ASK_PAYMENT, ASK_NEWSLETTER)

    def open_question(self, state: DomainState, arguments: dict[str, str]) -> str | None:
        still = [question.words for question in self.still_open(state.domain)]
        lines = [f"{place}. {words}" for place, words in enumerate(still, 1)]
        return "\n".join(["To finish the booking, please answer:", *lines]) if lines else None


class AsksOneThingAfterAnother(Asks):
    QUESTIONS = (ASK_NAME, ASK_PHONE, ASK_PAYMENT)

    def open_question(self, state: DomainState, arguments: dict[str, str]) -> str | None:
        still = self.still_open(state.domain)
        return still[0].words[:1].upper() + still[0].words[1:] if still else None

    def take_answer(self, text: str, domain: str) -> str:
        """One refusal answers one question."""
        answered = set(self.answered)
        rest = super().take_answer(text, domain)
        if DECLINES.search(text):
            self.answered = answered | {self.still_before(domain, answered).words}
        return rest

    def still_before(self, domain: str, answered: set[str]) -> Question:
        """The question that was open."""
        return next(q for q in self.QUESTIONS if domain in q.domains and q.words not in answered)


class PutsOnHold(Asks):
    """Announces the booking, and makes it once the user has said anything."""

    held: Mapping[str, str] | None = None

    def open_question(self, state: DomainState, arguments: dict[str, str]) -> str | None:
        if self.held is not None:
            return None
        return "Let me put that booking through for you. One moment, please..."

    def take_answer(self, text: str, domain: str) -> str:
        self.held = {}
        return text

    def try_to_book(self, state: DomainState) -> list[str]:
        said = super().try_to_book(state)
        self.held = None
        return said

    def order_taxi(self, state: DomainState) -> list[str]:
        said = super().order_taxi(state)
        self.held = None
        return said


# Confirming

BOOKS = re.compile(
    r"\b(?:book|reserve|order|make (?:the|a|that|my) (?:booking|reservation))\b", re.IGNORECASE
)


class Confirms(Asks):
    """Reads back what it is going to book, and books it when the user agrees."""

    agreed: dict[str, str] | None = None
    shown: dict[str, str] | None = None
    said_no = False

    def open_question(self, state: DomainState, arguments: dict[str, str]) -> str | None:
        if self.agreed is not None and self.agreed == arguments:
            return None
        self.shown = dict(arguments)
        if self.said_no:
            return "All right, I have not booked it. What should I change? Or shall I book it?"
        return self.read_back(state, arguments)

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        self.said_no = False
        return reply

    def take_answer(self, text: str, domain: str) -> str:
        self.agreed = dict(self.shown) if self.agrees(text) and self.shown is not None else None
        self.said_no = self.agreed is None and NO.search(text) is not None
        return text

    def agrees(self, text: str) -> bool:
        """Whether the user says yes to what was read back, or says once more to book."""
        if NO.search(text):
            return bool(re.match(r"\W*no\b", text, re.IGNORECASE) and ALL_GOOD.search(text))
        return YES.search(text) is not None or BOOKS.search(text) is not None

    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        return f"So that's {what_is_booked(state.domain, arguments)}. Is that correct?"


class ConfirmsYesOrNo(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        what = what_is_booked(state.domain, arguments)
        return f"Please confirm that I am to book {what} (yes/no)."


class ConfirmsByNumber(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        what = what_is_booked(state.domain, arguments)
        return f"{what[:1].upper()}{what[1:]}. Reply 1 to confirm, 2 to cancel."

    def take_answer(self, text: str, domain: str) -> str:
        rest = super().take_answer(text, domain)
        self.said_no = self.said_no or re.fullmatch(r"\W*2\W*", text) is not None
        return rest

    def agrees(self, text: str) -> bool:
        return bool(re.match(r"\W*(?:reply |option )?(?:1|one)\b(?!\s*[a-z])", text.lower())) or (
            super().agrees(text)
        )


class ConfirmsOrChanges(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        what = what_is_booked(state.domain, arguments)
        return f"I have {what}. Shall I go ahead, or would you like to change anything?"


class ConfirmsByChangesOnly(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        what = what_is_booked(state.domain, arguments)
        return f"I've noted {what}. Anything you'd like to change before I place the booking?"

    def agrees(self, text: str) -> bool:
        return re.match(r"\W*(?:no|nope|nothing|none)\b", text, re.I) is not None or (
            super().agrees(text)
        )


class ConfirmsByAWord(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        lines = [f"* **{slot}**: {value}" for slot, value in arguments.items()]
        head = "Here's a summary of your booking:\n\n"
        return f"{head}{chr(10).join(lines)}\n\nType CONFIRM to complete the booking."


class ConfirmsInAStatement(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        what = what_is_booked(state.domain, arguments)
        return f"Your booking: {what}. It will be made as soon as you give me the green light."


class ConfirmsAtLength(Confirms):
    def read_back(self, state: DomainState, arguments: dict[str, str]) -> str:
        what = what_is_booked(state.domain, arguments)
        return (
            f"Thank you! Just to make sure I've got everything right, you would like {what}. "
            "Once you confirm, I'll reserve it and send you the confirmation number. Nothing is "
            "booked until then. Does everything look good to you?"
        )


def _habits(*kinds: type[Speaks]) -> dict[str, Callable[[MultiwozBackend], Speaks]]:
    return {re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in kinds}


HABITS: dict[str, Callable[[MultiwozBackend], Speaks]] = _habits(
    SaysNothingIsBooked, DeniesHavingAReference, TellsHowBookingWorks, PromisesToBook,
    NamesConditions, StatesPolicies, TellsHouseRules, GivesItsOwnHotline, NamesNeighbours,
    DeniesAlternatives, MentionsWhatItHasNotDone, Apologises, SucceedsInNegatives, Reminds,
    QuotesTheUser, AlwaysOffersMoreHelp, MarketsTheNewsletter, AsksForFeedback,
    CorrectsItselfOnOffers, CorrectsItselfOnValues, CorrectsItselfOnBookings, KeepsASummary,
    EchoesJson, WritesMarkdown, WritesReceipts, WritesTextMessages, SpellsReferences,
    SaysValuesOtherwise, BooksInOtherVerbs, RefusesOtherwise, RefusesShortly, ThinksAloud,
    AnswersInAWord, AnswersOneAtATime, ReportsBookingTools, Lists, ListsInATable, ListsInASentence,
    ListsWithDashesAndEmoji, AsksInOtherWords, AsksForTheRest, AsksInAForm, WaitsForTheWord,
    ShowsButtons, TeasesFirst, LooksFirst, AsksForAName, AsksForContactDetails, AsksForPayment,
    AsksToAcceptTerms, AsksAboutTheTable, AsksForLoyaltyNumber, AsksWhyYouTravel,
    AsksForMarketingConsent, SellsExtras, AsksAboutADeposit, AsksManyThingsAtOnce,
    AsksOneThingAfterAnother, PutsOnHold, Confirms, ConfirmsYesOrNo, ConfirmsByNumber,
    ConfirmsOrChanges, ConfirmsByChangesOnly, ConfirmsByAWord, ConfirmsInAStatement,
    ConfirmsAtLength,
)  # fmt: skip
"""Name of a habit -> what makes a bot that has it."""
