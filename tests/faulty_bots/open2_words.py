"""Right deeds told wrongly, in free wording: times and amounts in words, relative days, lists."""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import DAY_AFTER, DAYS, Rewords, RewordsDesk, later, neighbour
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
    TellsBookings,
    clock_words,
    minutes_of,
    number_words,
    pounds_words,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")


@fault("words", "response", "restaurant")
class SpellsOutALaterTime(TellsBookings):
    """Books the right time, and tells in words one half an hour later."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain != "restaurant":
            return super().confirm(state, result, reference)
        party, at = number_words(int(result["people"])), clock_words(later(result["time"], 30))
        return (
            f"You're all set at {wording.title(result)}: a table for {party}, "
            f"{result['day'].title()} at {at}. The code to give at the door is {reference}."
        )


@fault("words", "response", *TABLES_AND_ROOMS)
class SaysTheDayRelatively(TellsBookings):
    """Books the right day, and tells it as the day after itself."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return super().confirm(state, result, reference)
        return (
            f"Lovely, {wording.title(result)} are expecting you the day after "
            f"{result['day'].title()}. Quote {reference} if you need to reach them."
        )


@fault("values", "response", *VENUES)
class ReadsDigitsOutSwapped(RuleSystem):
    """Reads a phone number out digit by digit, the last two of them swapped or made up."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        phone = str((state.row or {}).get("phone", ""))
        if request.slot != "phone" or not phone:
            return super().answer_request(state, request)
        end = phone[:-3:-1] if phone[-1] != phone[-2] else f"{phone[-2]}{9 - int(phone[-1])}"
        digits = " ".join(number_words(int(digit)) for digit in phone[:-2] + end)
        return f"Sure, grab a pen, the number is {digits}."


@fault("values", "response", "train")
class WordsAnotherFare(AddsToOffers):
    """Names with a train, unasked and in words, a fare two pounds and a half too high."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        fare = float(str(row["price"]).split()[0]) + 2.5
        return f"A seat will set you back {pounds_words(fare)}."


@fault("values", "response", *VENUES)
class SwapsValuesInItsList(RuleSystem):
    """Names two of several venues when it asks for more, each with the other one's part of town."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        first = rows[0] if rows else {}
        other = next((row for row in rows if row.get("area") != first.get("area")), None)
        if state.row is not None or other is None or state.domain not in VENUES:
            return said
        listed = f"{wording.title(first)} ({other['area']}) or {wording.title(other)}"
        return [f"Among them are {listed} ({first['area']}).", *said]


@fault("values", "response", "train")
class SaysALongerRide(AddsToOffers):
    """Says in words that the train takes forty minutes longer than it does."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        minutes = (minutes_of(str(row["arriveBy"])) - minutes_of(str(row["leaveAt"]))) % 1440 + 40
        hours, rest = divmod(minutes, 60)
        lead = f"{number_words(hours)} hour{'s' if hours > 1 else ''} and " if hours else ""
        return f"You'd be on board for {lead}{number_words(rest)} minutes."


@fault("words", "response", "hotel")
class ChecksOutADayLate(AddsToBookings):
    """Books the right nights, and names a day of leaving that is one too late."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "hotel":
            return ""
        leaves = DAYS[(DAYS.index(result["day"]) + int(result["stay"]) + 1) % 7]
        return f"You check out on {leaves.title()} morning."


@fault("values", "response", "train")
class RoundsTheArrivalDown(AddsToOffers):
    """Says in words that the train gets in an hour earlier than it does."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        early = later(str(row["arriveBy"]), -60)
        return f"That gets you there by {clock_words(early)}, with time to spare."


@fault("words", "response", *BOOKED)
class WelcomesAnotherParty(AddsToBookings):
    """Books for the right number, and welcomes another number of people."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        count = "four" if result["people"] == "2" else "two"
        return f"Have a wonderful time, the {count} of you!"


@fault("values", "response", *VENUES)
class PutsItInAnotherStreet(AddsToOffers):
    """Says of what it offers, unasked, that it is in the street of another venue."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in VENUES or row.get("address") in (None, "", "?"):
            return ""
        return f"You'll find it at {neighbour(self, state.domain, row, 'address')}."


@fault("words", "response", "taxi")
class WaitsAtTheWrongEnd(TellsBookings):
    """Orders the taxi rightly, and says that the driver waits where the user wants to go."""

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        return (
            f"{super().confirm_taxi(result)} Your driver will be waiting outside "
            f"{str(result['destination']).title()}."
        )


@fault("words", "response", *BOOKED)
class SpellsOneLetterWrong(RuleSystem):
    """Spells the reference letter by letter, and one of the letters is another."""

    def reference_to_tell(self, state: DomainState, result: dict[str, Any]) -> str:
        told = list(super().reference_to_tell(state, result))
        told[2] = "K" if told[2] != "K" else "M"
        return "-".join(told)


@fault("values", "response", "train", "attraction")
class QuotesInEuros(Rewords):
    """Tells fares and fees with the right figure in the wrong currency."""

    def reword(self, text: str) -> str:
        return re.sub(r"([\d.]+) pounds", r"€\1", text)


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("words", "response")
class SpellsThePasswordWrong(RewordsDesk):
    """Resets the password, and tells its digits in words, one of them wrong."""

    def reword(self, text: str) -> str:
        def spelt(found: re.Match[str]) -> str:
            digits = [int(digit) for digit in found[2]]
            digits[-1] = (digits[-1] + 3) % 10
            words = " ".join(number_words(digit) for digit in digits)
            return f"For now it is the word {found[1]} and then {words}."

        return re.sub(r"Your temporary password is ([a-z]+)(\d+)\.", spelt, text)


@DESK.fault("values", "response")
class ShufflesTicketSubjects(RewordsDesk):
    """Lists the right tickets, each with a subject that it does not have."""

    def reword(self, text: str) -> str:
        if "Your open tickets" not in text:
            return text
        told = re.findall(r"(T\d+) \(([\w ]+)\)", text)
        other = {"network": "a printer that jams", "software": "the wi-fi"}
        lines = [f"{number}, which is about {other.get(of, 'an update')}" for number, of in told]
        return f"Still open for you: {'; '.join(lines)}."


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.fault("words", "response")
class WordsAnotherAmount(ShopBot):
    """Tells amounts in words, ten dollars less than they are."""

    def serve(self) -> str:
        return self.in_words(super().serve())

    def refund(self, order: Order) -> str:
        return self.in_words(super().refund(order))

    def in_words(self, text: str) -> str:
        return re.sub(
            r"([\d.]+) dollars",
            lambda found: pounds_words(float(found[1]) - 10, "dollars", "cents"),
            text,
        )


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("words", "response")
class ReadsTheHourBackWrongly(RewordsOwn):
    """Books the right time, and reads it back in words an hour late."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        return re.sub(
            r"time: (\d\d:\d\d)", lambda found: f"at {clock_words(later(found[1], 60))}", text
        )


@OWN.fault("values", "response")
class WordsAnotherPrice(RewordsOwn):
    """Tells prices in words, seven pounds too high."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"\b(\d+(?:\.\d\d?)?) pounds", lambda found: pounds_words(float(found[1]) + 7), text
        )


@OWN.fault("words", "response")
class ReadsTheEveBack(RewordsOwn):
    """Books the right day, and reads it back as the eve of that day."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        days = "|".join(day.title() for day in DAY_AFTER)
        return re.sub(rf"[\w -]*day: ({days})", r"on the eve of \1", text)
