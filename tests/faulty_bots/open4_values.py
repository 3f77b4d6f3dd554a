"""What is told of venues, trains and orders and is not so, or is in no record."""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.desk.hearing import Wish
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.open4_variants import SpeaksAsAConcierge
from tests.faulty_bots.reshaped import RewordsDesk, neighbour
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, TellsBookings

__all__ = ["CATALOGUE", "DESK", "SHOP"]

CATALOGUE = Catalogue("demo", wave=4)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")


@fault("values", "response", "train")
class GivesOutSeats(AddsToBookings):
    """Names coach and seats, which no tool has given out."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "train":
            return ""
        last = 40 + int(result["people"])
        seats = "seat 41" if last == 41 else f"seats 41 to {last}"
        return f"You're in coach C, {seats}, facing the direction of travel."


@fault("values", "response", *VENUES, control=SpeaksAsAConcierge)
class MixesTwoAddresses(SpeaksAsAConcierge):
    """Tells the number of the house with the street of another venue."""

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        if slot != "address" or state.row is None:
            return value
        other = neighbour(self, state.domain, state.row, "address")
        number = re.match(r"\d+", value)
        return re.sub(r"^\d+", number[0], other) if number else other


@fault("values", "response", "attraction")
class AddsAConcession(AddsToOffers):
    """Says who gets into a sight for less, which is in no record."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "attraction":
            return ""
        return "Students and anyone over 65 get in for half, and under-fives don't pay."


@fault("values", "response", "train")
class SaysItIsDirect(AddsToOffers):
    """Describes a train of which it knows times and fare only."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        return "No changes on the way, and there's a trolley with coffee and sandwiches."


@fault("values", "response", "train")
class InventsAPlatform(AddsToBookings):
    """Says from which platform a train goes, which it cannot know."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return (
            "Head for platform 4, that's where it normally goes." if state.domain == "train" else ""
        )


@fault("values", "context", "restaurant", control=SpeaksAsAConcierge)
class RemembersAnotherCuisine(SpeaksAsAConcierge):
    """Once it is asked something about a restaurant, takes its kitchen for another one."""

    def called(self, state: DomainState, row: Row) -> str:
        name = super().called(state, row)
        if state.domain != "restaurant":
            return name
        return f"{name}, the {neighbour(self, 'restaurant', row, 'food')} place,"


@fault("values", "response", *VENUES, control=SpeaksAsAConcierge)
class WrongEveryOtherPhone(SpeaksAsAConcierge):
    """Tells phone numbers rightly in even turns, and with another last digit in odd ones."""

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        if slot != "phone" or self.state.turn % 2 == 0:
            return value
        return f"{value[:-1]}{(int(value[-1]) + 3) % 10}"


@fault("values", "response", "restaurant")
class MentionsAServiceCharge(AddsToBookings):
    """Says what is added to the bill, which is in no record."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "restaurant":
            return ""
        return "Just so you know, they add a discretionary 12.5% service charge to the bill."


@fault("values", "response", "taxi")
class NamesATaxiFare(TellsBookings):
    """Says what the taxi costs; no tool knows of a fare."""

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        return f"{super().confirm_taxi(result)} It's a flat £11.40, cash or card."


@fault("values", "context", *VENUES)
class HalvesItsCount(AddsToOffers):
    """Says how many there are, and later on that they were half as many."""

    counted = 0

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        if state.row is None and self.count > 3:
            self.counted = self.count
        return said

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        counted, self.counted = self.counted // 2, 0
        return f"It stood out among the {counted} I told you about earlier." if counted else ""


DESK = Catalogue("service_desk", wave=4)


@DESK.fault("values", "response")
class DelaysInWords(RewordsDesk):
    """Says of what has been done at once that it takes until the next morning."""

    def reword(self, text: str) -> str:
        if not re.search(r"temporary password is|now assigned to you|is closed as", text):
            return text
        return f"{text} Mind you, our systems only sync overnight, so it'll work from tomorrow."


@DESK.fault("values", "response")
class ListsClosedTicketsToo(DeskBot):
    """Lists a ticket as open that is closed, and that is somebody else's."""

    def serve_list(self, wish: Wish) -> str:
        del wish
        mine = self.calls.tickets(self.number)
        told = [f"{t['ticket_id']} ({str(t['subject']).replace('_', ' ')})" for t in mine]
        return f"You've still got these open: {', '.join([*told, 'T301 (software)'])}."


SHOP = Catalogue("lamp_shop", wave=4)


@SHOP.fault("values", "response")
class TransposesAmounts(ShopBot):
    """Swaps the first two digits of each amount."""

    def reword(self, text: str) -> str:
        return re.sub(r"(\d)(\d)(\d*\.\d\d) dollars", r"\2\1\3 dollars", text)
