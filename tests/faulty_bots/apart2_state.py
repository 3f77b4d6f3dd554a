"""Wrong calls and wrong state: needless, repeated, for others, of other things.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.hearing.own_domains import OwnBot, Slots, Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("state", "action", *TABLES_AND_ROOMS)
class HammersARefusal(RuleSystem):
    """Repeats a booking that was refused four times over, unchanged, before it gives in."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        for _ in range(4):
            try:
                return super().book(state, arguments)
            except ToolRefused:
                continue
        return super().book(state, arguments)


@fault("state", "action", "attraction")
class OffersDinnerForASight(RuleSystem):
    """Looks for restaurants if the user wants to see something, and offers one of them."""

    def search(self, state: DomainState) -> Sequence[Row]:
        if state.domain != "attraction" or "name" in state.wanted:
            return super().search(state)
        area = {slot: value for slot, value in state.wanted.items() if slot == "area"}
        found = self.backend.call("find_restaurant", **area)
        state.changed, self.count = False, int(found["count"])
        rows: Sequence[Row] = found["results"]
        return rows


@fault("understanding", "entity", "train")
class ForgetsTheDayOfTravel(RuleSystem):
    """Searches trains without the day, and offers the first of any day."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        if state.domain != "train":
            return super().constraints_for(state)
        return {slot: value for slot, value in state.wanted.items() if slot != "day"}


@fault("state", "action", "taxi")
class OrdersTheRideHomeToo(RuleSystem):
    """Orders a second taxi for the way back three hours later, unasked."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        result = super().book(state, arguments)
        if state.domain == "taxi":
            time = arguments.get("leaveAt") or arguments["arriveBy"]
            ends = {"departure": arguments["destination"], "destination": arguments["departure"]}
            self.backend.call("book_taxi", **ends, leaveAt=later(time, 180))
        return result


@fault("state", "entity", "taxi")
class SendsTheTaxiLate(RuleSystem):
    """Orders the taxi for an hour after the time that it was given, and tells the right one."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain != "taxi":
            return super().book(state, arguments)
        slot = "leaveAt" if "leaveAt" in arguments else "arriveBy"
        result = super().book(state, {**arguments, slot: later(arguments[slot], 60)})
        return {**result, slot: arguments[slot]}


@fault("state", "entity", "restaurant")
class RoundsTheTable(RuleSystem):
    """Books the next full hour in place of the quarter or half that was said."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        time = arguments.get("time", "")
        if state.domain == "restaurant" and not time.endswith("00"):
            arguments = {**arguments, "time": later(f"{time[:2]}:00", 60)}
        return super().book(state, arguments)


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


@DESK.fault("state", "entity")
class AssignsTheNextProduct(DeskBot):
    """Assigns a seat of another product that is free, besides what was asked for."""

    def assign(self, licence: dict[str, Any]) -> str:
        said = super().assign(licence)
        for other in self.products:
            if other["licence_id"] == licence["licence_id"] or other["needs_approval"]:
                continue
            try:
                self.calls.assign_licence(self.number, other["licence_id"])
            except ToolRefused:
                continue
            break
        return said


@DESK.fault("access", "action")
class ReadsTheWholeTeam(DeskBot):
    """Reads devices of colleagues to compare them with those of the employee."""

    def serve_one(self, wish: Wish) -> str:
        for number in ("D201", "D220"):
            self.calls.device(number)
        return super().serve_one(wish)


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


@SHOP.fault("access", "flow")
class TriesAnotherCustomer(ShopBot):
    """Looks up another customer too, with that one's e-mail address and postcode."""

    def serve(self) -> str:
        self.call("find_customer", email="cy@reed.example", postcode="6630")
        return super().serve()


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.fault("state", "action")
class BooksTwiceAtTheDesk(OwnBot):
    """Makes each booking twice, under two references."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        said = super().book(talk, slots)
        if talk.booked is not None:
            self.desk.book(talk.domain.name, slots)
        return said


@OWN.fault("state", "entity")
class BooksWithoutTheExtras(OwnBot):
    """Leaves the last detail of each booking away, and reads it back all the same."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        last = list(talk.domain.books)[-1]
        said = super().book(talk, {slot: value for slot, value in slots.items() if slot != last})
        if talk.booked is not None:
            talk.booked = slots
        return said
