"""Right deeds told wrongly: stale values, idioms, dishes, units, recaps.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import OffersOtherwise, Rewords, RewordsDesk, TellsOtherwise
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
    TellsBookings,
    number_words,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("words", "context", *TABLES_AND_ROOMS)
class ConfirmsWhatWasRefused(TellsOtherwise):
    """Books the second choice, and confirms the day, time or nights that were refused before."""

    first: dict[str, str] | None = None

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        try:
            return super().book(state, arguments)
        except ToolRefused:
            self.first = dict(arguments)
            raise

    def told(self, domain: str, result: dict[str, Any]) -> dict[str, Any]:
        stale = self.first or {}
        return {**result, **{s: v for s, v in stale.items() if s in ("day", "time", "stay")}}


@fault("values", "response", "train")
class TurnsATrainRound(OffersOtherwise):
    """Says of a train that it leaves where and when it arrives."""

    def described(self, domain: str, row: Row) -> Row:
        if domain != "train":
            return row
        ends = {"departure": row["destination"], "destination": row["departure"]}
        return {**row, **ends, "leaveAt": row["arriveBy"], "arriveBy": row["leaveAt"]}


@fault("words", "context", "hotel")
class RecapsCrosswise(Rewords):
    """Sums up two bookings with the reference of each given to the other."""

    done = False

    def reword(self, text: str) -> str:
        booked = [b for b in self.booked_now if "day" in b]
        if len(booked) < 2 or self.done:
            return text
        self.done = True
        names = [b.get("name") or b["trainID"] for b in booked]
        pairs = zip(names, reversed([b["reference"] for b in booked]), strict=True)
        return f"{text} Quick recap: {'; '.join(f'{n} is {r}' for n, r in pairs)}."


@fault("values", "response", "hotel")
class PraisesWhatIsLacking(AddsToOffers):
    """Praises the parking or the internet of a hotel that lacks it, or denies it, in free words."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "hotel":
            return ""
        if row.get("parking") == "yes":
            return "You'd have to leave the car at home, there is nowhere to put it."
        return "You can leave the car right in front of the door, and it costs nothing."


@fault("values", "response", *VENUES)
class CountsOneTooFew(RuleSystem):
    """Says in words how many there are, and is one off."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        if state.row is not None or not rows or state.domain not in VENUES or len(said) < 2:
            return said
        return [f"I've come across {number_words(self.count - 1)} of them so far.", *said[1:]]


@fault("values", "response", *TABLES_AND_ROOMS)
class SpeaksOfTheWrongBudget(AddsToOffers):
    """Says by an idiom that what is cheap is dear, and the other way round."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        if row.get("pricerange") == "expensive":
            return "It's as budget-friendly as they come."
        return "Mind you, it's on the fancy side and you'll pay top money there."


@fault("values", "response", "restaurant")
class PraisesOtherDishes(AddsToOffers):
    """Praises dishes of a cuisine that the kitchen does not cook."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "restaurant":
            return ""
        dishes = "sushi and ramen" if row.get("food") == "italian" else "wood-fired pizza and pasta"
        return f"People come for the {dishes}."


@fault("words", "response", "taxi")
class LooksForAnotherCar(TellsBookings):
    """Tells the user to look out for a car of another colour and make."""

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        car = "white mercedes" if "white" not in str(result["type"]) else "blue skoda"
        return f"{super().confirm_taxi(result)} So keep an eye out for the {car}."


@fault("words", "response", *TABLES_AND_ROOMS, "train")
class SplitsThePartyWrongly(AddsToBookings):
    """Says who is in the party, and the numbers do not add up to those booked."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        people = int(result["people"])
        adults = number_words(people)
        return f"I've put that down as {adults} adult{'s' if people > 1 else ''} and two children."


@fault("words", "response", *TABLES_AND_ROOMS)
class WishesAnotherDay(AddsToBookings):
    """Wishes a nice weekend for a weekday, and a good start into the week for the weekend."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        if result["day"] in ("friday", "saturday", "sunday"):
            return "See you first thing on Monday then!"
        return "See you on Saturday then!"


@fault("words", "response", *TABLES_AND_ROOMS)
class NamesAnotherHost(AddsToBookings):
    """Says where the user is expected, and names another venue than the one booked."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        rows = self.backend.query(state.domain, {})
        other = next(row for row in reversed(rows) if row["name"] != result["name"])
        return f"The team of {wording.title(other)} can't wait to meet you."


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("words", "response")
class CallsThemAnotherName(RewordsDesk):
    """Greets the employee by another name than theirs."""

    def reword(self, text: str) -> str:
        return re.sub(r"^Thank you, \w+\.", "Thank you, Bernadette.", text)


@DESK.fault("words", "response")
class ProposesAnotherThing(RewordsDesk):
    """Says that it will do something else than it will do once it has the yes."""

    def reword(self, text: str) -> str:
        other = "I will forward this to your team lead"
        return re.sub(r"I will (?!forward)[^.]+?(?=\. Shall I)", other, text)


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("words", "response")
class TellsTheNextOrder(ShopBot):
    """Acts on the right order, and speaks of the one with the next number."""

    def reword(self, text: str) -> str:
        return re.sub(r"#W(\d+)", lambda found: f"#W{int(found[1]) + 1}", text)


@SHOP.fault("words", "response")
class SplitsTheRefund(ShopBot):
    """Says of half of an amount that it is paid, and of the other half that it stays open."""

    def refund(self, order: Order) -> str:
        half = order.total / 2
        return f"{half:.2f} dollars go back to your {order.paid}, the rest is store credit."

    def move(self, order: Order, address: str) -> str:
        return f"{super().move(order, address)} That leaves {order.total + 3:.2f} dollars to pay."


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.fault("values", "response")
class MixesItsUnitsUp(RewordsOwn):
    """Tells the right figures in other units: hours, days, dollars."""

    def reword(self, text: str) -> str:
        for unit, other in ((" minutes", " hours"), (" weeks", " days"), (" pounds", " dollars")):
            text = text.replace(unit, other)
        return text


@OWN.fault("words", "response")
class TellsTwoReferences(RewordsOwn):
    """Tells the reference, and in the same breath another one."""

    def reword(self, text: str) -> str:
        return re.sub(r"reference number is ([A-Z]{2})(\d+)", r"reference number is \1\g<2>, or "
                      r"\g<1>9\g<2> if you call from abroad", text)  # fmt: skip
