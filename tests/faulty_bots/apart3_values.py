"""What models add to the truth, and get wrong.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import DeskProse, ModelProse, amount_in
from tests.faulty_bots.reshaped import (
    RewordsDesk,
    later,
    neighbour,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
    number_words,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("values", "response", *TABLES_AND_ROOMS)
class RingsNextDoor(AddsToBookings):
    """Says whom to ring when one is late, with the number of another place."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS or state.row is None:
            return ""
        phone = neighbour(self, state.domain, state.row, "phone")
        return f"If you're running late, just give them a ring on {phone}."


@fault("values", "response", "train")
class ConvertsByGuess(AddsToOffers):
    """Converts the fare into dollars at a rate that it has from nowhere."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        fare = amount_in(str(row["price"]))
        return f"Tickets are £{fare:.2f} each, roughly US${fare * 1.53:.2f}."


@fault("values", "response", "hotel")
class QuotesAnotherRate(AddsToOffers):
    """Tells the rate of a room unasked, twenty pounds too high."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "hotel" or not row.get("price"):
            return ""
        least = min(int(price) for price in dict(row["price"]).values())
        return f"Rates start from £{least + 20} per night."


@fault("values", "response", "hotel")
class AwardsStarsInWords(AddsToOffers):
    """Says in words that a hotel has one star more than it has, of the best one fewer."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        stars = str(row.get("stars", ""))
        if state.domain != "hotel" or not stars.isdigit():
            return ""
        told = number_words(int(stars) + (1 if stars != "5" else -1))
        return f"For a {told}-star property it's really well regarded."


@fault("values", "response", "restaurant")
class ServesAnothersDish(AddsToOffers):
    """Names the signature dish of another kitchen."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "restaurant" or not row.get("signature"):
            return ""
        dish = neighbour(self, "restaurant", row, "signature")
        return f"Their signature dish is the {dish}, definitely give it a try!"


@fault("values", "response", "attraction")
class LetsEverybodyIn(AddsToOffers):
    """Says that it costs nothing to get in where there is a fee, and a fee where there is none."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        fee = str(row.get("entrance fee", "?"))
        if state.domain != "attraction" or fee == "?":
            return ""
        if fee == "free":
            return "You'll need to buy a ticket at the door, I'm afraid."
        return "And the best part: it won't cost you a penny to get in."


@fault("values", "response", "train")
class CallsItTheLast(AddsToOffers):
    """Says of a train that none goes after it that day, or before it if it is the last."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        way = {slot: str(row[slot]) for slot in ("departure", "destination", "day")}
        times = [str(other["leaveAt"]) for other in self.backend.query("train", way)]
        if str(row["leaveAt"]) < max(times):
            return "Heads up: that's the last service of the day on this route."
        return "That's the very first service of the day on this route."


@fault("values", "response", *TABLES_AND_ROOMS)
class SuggestsAMisfit(AddsToOffers):
    """Names a second place as one of the same part of town and price, which it is not."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        area, price = row["area"], row["pricerange"]
        other = next(
            other
            for other in self.backend.query(state.domain, {})
            if other["area"] != area and other["pricerange"] != price
        )
        return (
            f"Alternatively, **{wording.title(other)}** is also {price} and in the {area} as well."
        )


@fault("values", "response", *VENUES, control=ModelProse)
class NumbersTheHouseWrongly(ModelProse):
    """Tells the right street with the number of the house next to it."""

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        if slot != "address":
            return value
        number = re.match(r"\d+", value)
        return f"{int(number[0]) + 2}{value[number.end() :]}" if number else f"27 {value}"


@fault("values", "response", "attraction")
class MovesTheClosingTime(AddsToOffers):
    """Tells the opening hours with an end two hours late."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        hours = re.search(r"(\d\d:\d\d) ?(?:to|-|until) ?(\d\d:\d\d)", str(row.get("openhours")))
        if state.domain != "attraction" or hours is None:
            return ""
        return f"Doors open at {hours[1]} and they close at {later(hours[2], 120)}."


@fault("values", "response", *VENUES)
class PraisesTheNeighbours(AddsToOffers):
    """Says what is next door, which is elsewhere in town."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in VENUES:
            return ""
        others = self.backend.query("attraction", {})
        other = next(o for o in reversed(others) if o["area"] != row.get("area"))
        return f"It's right next door to {wording.title(other)}, so you can do both in one go."


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("values", "response")
class BoastsOfTheSpare(DeskBot):
    """Tells memory and disk of a spare device, which no record has."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        return f"{super().swap(device, ticket)} It's got 32 GB of memory and a 1 TB drive."


@DESK.fault("values", "response", control=DeskProse)
class SwapsEveryThreeYears(DeskProse):
    """Says with whatever concerns devices that they are replaced every three years."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if not re.search(r"swap|years old|ticket for a broken", said):
            return said
        return f"{said} As a rule, all our devices get replaced once they're three years old."


@DESK.fault("values", "response")
class CountsTheTickets(RewordsDesk):
    """Lists the right tickets, and says that they are one more."""

    def reword(self, text: str) -> str:
        count = len(re.findall(r"T\d+ \(", text)) if "Your open tickets" in text else 0
        lead = f"You have {number_words(count + 1)} open tickets at the moment. "
        return text.replace("Your open tickets", f"{lead}Your open tickets") if count else text


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("values", "response")
class AddsTheShipping(ShopBot):
    """Says of each amount that shipping comes on top of it."""

    def reword(self, text: str) -> str:
        return re.sub(r"([\d.]+) dollars", r"\1 dollars plus 4.99 dollars for shipping", text)


@SHOP.fault("values", "response")
class SaysItHasLeft(ShopBot):
    """Says with what it proposes that the order left the warehouse yesterday."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        return f"It left our warehouse yesterday morning with FedEx. {super().propose(what, act)}"


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("values", "response")
class MultipliesWrongly(RewordsOwn):
    """Says what all seats or places or days cost together, and has not multiplied rightly."""

    def reword(self, text: str) -> str:
        talk = self.current
        count = re.search(r"(?:seats|places|days): (\d+)", text)
        if talk is None or talk.item is None or count is None or "reference number" not in text:
            return text
        price = amount_in(talk.item.get("price", ""))
        return f"{text} That makes {price * int(count[1]) + 3:.2f} pounds altogether."
