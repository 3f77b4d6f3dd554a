"""Wrong calls and wrong state: needless, repeated, for others, of other things.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot

__all__ = ["CATALOGUE", "DESK", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("state", "flow", *TABLES_AND_ROOMS)
class BooksTheRunnerUpAfterThis(RuleSystem):
    """Changes over to another venue in the turn after the booking and books that too."""

    pending: tuple[DomainState, dict[str, str]] | None = None

    def understand(self, text: str) -> Understood:
        if self.pending is not None:
            state, arguments = self.pending
            self.pending = None
            rows = self.backend.query(state.domain, {})
            other = next(str(row["name"]) for row in rows if row["name"] != arguments["name"])
            self.backend.call(f"book_{state.domain}", **{**arguments, "name": other})
        return super().understand(text)

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        result = super().book(state, arguments)
        if state.domain in TABLES_AND_ROOMS:
            self.pending = state, dict(arguments)
        return result


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("state", "action")
class OpensItsTicketsTwice(DeskBot):
    """Opens each ticket twice, and tells the second number."""

    def open_ticket(self, subject: str, device: str | None) -> str:
        super().open_ticket(subject, device)
        return super().open_ticket(subject, device)

    def report_lost(self, device: dict[str, Any]) -> str:
        self.calls.open_ticket(self.number, "lost_device", device["device_id"])
        return super().report_lost(device)

    def instead_of_swap(self, device: dict[str, Any], ticket: str | None) -> str:
        self.calls.open_ticket(self.number, "broken_device", device["device_id"])
        return super().instead_of_swap(device, ticket)


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("order", "action")
class TransfersAfterTheDeed(ShopBot):
    """Does what it should, and then transfers the customer to a person for no reason."""

    def undo(self, verb: str, order: Order) -> str:
        said = super().undo(verb, order)
        self.call("transfer_to_person", reason="done")
        return said

    def move(self, order: Order, address: str) -> str:
        said = super().move(order, address)
        self.call("transfer_to_person", reason="done")
        return said
