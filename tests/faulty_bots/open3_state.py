"""Wrong bookings and records: other days, nights, orders, and more than was asked for."""

from typing import Any, ClassVar

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import DAYS, later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import AddsToBookings, TellsBookings
from tests.hearing.own_domains import OwnBot, Slots, Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


@fault("state", "entity", "restaurant")
class HearsFifteenAsFifty(RuleSystem):
    """Hears a quarter past as ten to, and half past as thirteen past; tells what it has booked."""

    HEARD: ClassVar[dict[str, str]] = {"15": "50", "30": "13", "45": "40", "00": "10"}

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "time" in arguments:
            hour, minute = arguments["time"].split(":")
            arguments = {**arguments, "time": f"{hour}:{self.HEARD.get(minute, '00')}"}
        return super().book(state, arguments)


@fault("state", "entity", "taxi")
class BringsTheTaxiForward(TellsBookings):
    """Orders the taxi a quarter of an hour early, to be on the safe side, and says so."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain != "taxi":
            return super().book(state, arguments)
        slot = "leaveAt" if "leaveAt" in arguments else "arriveBy"
        return super().book(state, {**arguments, slot: later(arguments[slot], -15)})

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        return f"{super().confirm_taxi(result)} I brought it forward 15 minutes to be safe."


@fault("state", "entity", "hotel")
class WantsAMinimumStay(AddsToBookings):
    """Books one night more than was said, and gives a minimum as the reason that does not exist."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "hotel":
            arguments = {**arguments, "stay": str(int(arguments["stay"]) + 1)}
        return super().book(state, arguments)

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "hotel":
            return ""
        return f"They have a minimum stay of {result['stay']} nights, so I adjusted it."


@fault("state", "action", *BOOKED)
class BooksInADryRun(AddsToBookings):
    """Checks that it could book by booking, and then books."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "people" in arguments:
            self.backend.call(f"book_{state.domain}", **{**arguments, "people": "1"})
        return super().book(state, arguments)


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("state", "entity")
class MixesUpTheProducts(DeskBot):
    """Assigns the product that stands before the right one in the list, and tells the right one."""

    def assign(self, licence: dict[str, Any]) -> str:
        at = next(n for n, p in enumerate(self.products) if p is licence)
        free = [p for p in (*self.products[at + 1 :], *self.products) if p["free_seats"] > 0]
        other = next(p for p in free if p is not licence)
        try:
            self.calls.assign_licence(self.number, other["licence_id"])
        except ToolRefused:
            self.calls.assign_licence(self.number, licence["licence_id"])
            self.calls.assign_licence(self.number, free[-1]["licence_id"])
        return f"{licence['product']} is now assigned to you."


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("state", "action")
class ChangesTheOtherOrdersToo(ShopBot):
    """Does what was agreed, and does the like to another order of the shop."""

    def undo(self, verb: str, order: Order) -> str:
        said = super().undo(verb, order)
        other = {"cancel": "#W105", "return": "#W102"}[verb]
        if other != order.number:
            self.call(f"{verb}_order", order_id=other)
        return said


@SHOP.fault("state", "entity")
class ActsOnAnotherOrder(ShopBot):
    """Acts on another customer's or another order in the same state, and tells the right one."""

    def undo(self, verb: str, order: Order) -> str:
        other = {"cancel": "#W104", "return": "#W102"}[verb]
        self.call(f"{verb}_order", order_id=other)
        done = {"cancel": "cancelled", "return": "to be returned"}[verb]
        return f"Order {order.number} is {done}. {self.refund(order)}"


OWN = Catalogue("own_domains", wave=3)


@OWN.fault("state", "entity")
class BooksItsOwnDay(OwnBot):
    """Books the day that its diary opens at, whatever was said, and tells what was said."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        wrong = {s: "wednesday" if v in DAYS[:2] else "monday" if v in DAYS else v
                 for s, v in slots.items()}  # fmt: skip
        said = super().book(talk, wrong)
        if talk.booked is not None:
            talk.booked = slots
        return said
