"""Right bots of other kinds: synonyms, recaps, reasons, slips that are mended, other clocks.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import DAYS, Rewords, RewordsDesk, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
    TellsBookings,
    clock_words,
    number_words,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
variant = CATALOGUE.variant
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@variant
class SpeaksBySynonyms(AddsToOffers):
    """Adds to an offer what its price range and part of town are, in other words, rightly."""

    PRICES = (
        ("cheap", "easy on the wallet"), ("moderate", "mid-priced"), ("expensive", "upmarket"),
    )  # fmt: skip

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        said = dict(self.PRICES).get(str(row.get("pricerange")), "")
        return f"It's {said}." if said else ""


@variant
class TellsTheDayTwice(AddsToBookings):
    """Tells the day a second time, by the day before it, rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        before = DAYS[(DAYS.index(result["day"]) - 1) % 7]
        return f"That's the day after {before.title()}."


@variant
class TabulatesBookings(TellsBookings):
    """Confirms with a table."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        when = {"restaurant": ("Time", "time"), "hotel": ("Nights", "stay")}.get(state.domain)
        rows = [
            ("What", wording.title(result)),
            ("Day", str(result["day"]).title()),
            *([(when[0], str(result[when[1]]))] if when else []),
            ("People", str(result["people"])),
            ("Reference", reference),
        ]
        lines = [f"| {label} | {value} |" for label, value in rows]
        return "\n".join(["Done, your booking is confirmed:", "", "| | |", "|---|---|", *lines, ""])


@variant
class SpeaksForTheCompany(Rewords):
    """Speaks as `we`."""

    WE = (
        (r"\bI have (\d+)", r"We currently list \1"), (r"\bI would suggest", "Our team suggests"),
        (r"\bI have booked", "We have booked"), (r"\bI am sorry", "We are sorry"),
        (r"\bI found", "We found"), (r"\bI recommend", "We recommend"),
        (r"can I help you", "can we help you"), (r"\bShall I\b", "Shall we"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.WE)


@variant
class IsCurt(Rewords):
    """Says no more than it must: no question at the end, telegrams for bookings."""

    CURT = (
        (r" (?:Is there anything else I can help|Can I help) you with(?: anything else)?\?", ""),
        (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
         r"Booked: \1. Ref \2."),
        (r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for "
         r"you)\?", "Book it?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.CURT)


@variant
class GivesItsReasons(AddsToOffers):
    """Says why it offers what it does: what the user has asked for."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        wanted = [
            state.wanted[s]
            for s in ("food", "type", "pricerange", "area")
            if s in state.wanted and s in row
        ]
        return f"I picked it because you wanted {' and '.join(wanted)}." if wanted else ""


@variant
class RecapsAll(Rewords):
    """Sums up all bookings so far with the second and each later one."""

    told = 0

    def reword(self, text: str) -> str:
        booked = [b for b in self.booked_now if "day" in b]
        if len(booked) < 2 or len(booked) == self.told:
            return text
        self.told = len(booked)
        lines = [
            f"{wording.title(b)} on {str(b['day']).title()} ({b['reference']})" for b in booked
        ]
        return f"{text} So far you have: {'; '.join(lines)}."


@variant
class MendsASlip(AddsToBookings):
    """Says a wrong number of people and corrects itself at once."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        people = int(result["people"])
        return f"So that's {number_words(people + 1)} of you, sorry, {number_words(people)}."


@variant
class RepeatsTheWish(RuleSystem):
    """Repeats what it has understood before it looks."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        slots = ("food", "type", "pricerange", "area", "departure", "destination", "day")
        wanted = [state.wanted[slot] for slot in slots if slot in state.wanted]
        return [f"Let me see: {', '.join(wanted)}, got it.", *said] if wanted else said


@variant
class AsksForAnotherTime(RuleSystem):
    """Proposes other times to try if a booking is refused, and says that it has not tried them."""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        said = super().booking_refused(state, reason)
        if state.domain != "restaurant":
            return said
        return f"{said} I could try half an hour earlier or later, I haven't checked either yet."


@variant
class SaysNoon(Rewords):
    """Says noon for 12:00, and writes full hours as `7 pm`."""

    def reword(self, text: str) -> str:
        text = re.sub(r"\b12:00\b", "noon", text)
        return re.sub(r"\b(1[3-9]|2[0-3]):00\b", lambda found: f"{int(found[1]) - 12} pm", text)


@variant
class ListsThreeFirst(RuleSystem):
    """Names up to three of several venues, with their parts of town, before it asks for more."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        if state.row is not None or len(rows) < 2 or state.domain not in VENUES:
            return said
        listed = [f"{wording.title(row)} ({row['area']})" for row in rows[:3]]
        return [f"To give you an idea: {', '.join(listed)}.", *said]


@variant
class ReadsDigitsOut(RuleSystem):
    """Tells a phone number, and then reads it out digit by digit."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        said = super().answer_request(state, request)
        phone = str((state.row or {}).get("phone", ""))
        if request.slot != "phone" or not phone.isdigit():
            return said
        return f"{said} That's {' '.join(number_words(int(digit)) for digit in phone)}."


@variant
class BooksWithARepeatedLook(RuleSystem):
    """Makes each search twice, to be sure of it."""

    def search(self, state: DomainState) -> Sequence[Row]:
        super().search(state)
        return super().search(state)


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.variant
class DeskNamesItsReasons(RewordsDesk):
    """Says with what it refuses that this is what the policy says, and that it understands."""

    def reword(self, text: str) -> str:
        return text.replace("I am sorry, ", "I hear you, but under our policy my hands are tied: ")


@DESK.variant
class DeskCountsTheSteps(RewordsDesk):
    """Says what is still to be done once it has the yes."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"I will (.+?)\. Shall I go ahead\?",
            r"If you say yes, I will \1. Nothing will be changed otherwise. What do you think?",
            text,
        )


@DESK.variant
class DeskReadsTwice(DeskBot):
    """Looks the employee up once more after having identified them."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        return super().welcome(self.calls.employee(self.email))


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.variant
class ShopSumsUp(ShopBot):
    """Puts a friendly summary around what it proposes and what it has done."""

    def reword(self, text: str) -> str:
        text = re.sub(
            r"I will (.+?)\. Shall I go ahead\?",
            r"Okay! To recap, you want me to \1. Nothing has happened yet. Ready when you are?",
            text,
        )
        return re.sub(r"The ([\d.]+) dollars go back to", r"We are returning \1 dollars to", text)


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.variant
class OwnSpeaksTheClock(RewordsOwn):
    """Tells times in words behind the figures."""

    def reword(self, text: str) -> str:
        return re.sub(r"\b\d\d:\d\d\b", lambda found: f"{found[0]} ({clock_words(found[0])})", text)


@OWN.variant
class OwnReportsAsWe(RewordsOwn):
    """Speaks as `we`, with thanks."""

    def reword(self, text: str) -> str:
        text = text.replace("I have booked", "Thank you, we have reserved")
        text = text.replace("Your booking is made:", "Thank you, we have reserved")
        return text.replace("The reference number is", "Our reference for you is")
