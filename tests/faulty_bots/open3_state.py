"""Wrong bookings and records: other days, nights, orders, and more than was asked for."""

from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import TellsBookings

__all__ = ["CATALOGUE", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault


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


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("state", "entity")
class ActsOnAnotherOrder(ShopBot):
    """Acts on another customer's or another order in the same state, and tells the right one."""

    def undo(self, verb: str, order: Order) -> str:
        other = {"cancel": "#W104", "return": "#W102"}[verb]
        self.call(f"{verb}_order", order_id=other)
        done = {"cancel": "cancelled", "return": "to be returned"}[verb]
        return f"Order {order.number} is {done}. {self.refund(order)}"
