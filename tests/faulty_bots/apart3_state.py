"""Wrong bookings and records.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Callable
from typing import Any

from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import ShopProse
from tests.faulty_bots.reshaped import DAYS
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import TellsBookings
from tests.hearing.own_domains import OwnBot, Slots, Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault


@fault("state", "action", "restaurant")
class SplitsTheParty(RuleSystem):
    """Books two smaller tables in place of one for all, and tells one of the references."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        people = int(arguments.get("people", "1"))
        if state.domain != "restaurant" or people < 2:
            return super().book(state, arguments)
        super().book(state, {**arguments, "people": str(people // 2)})
        rest = super().book(state, {**arguments, "people": str(people - people // 2)})
        return {**rest, "people": str(people)}


@fault("state", "action", "hotel")
class BooksNightByNight(RuleSystem):
    """Books each night of a stay on its own, and tells the last reference as that of all."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        stay = int(arguments.get("stay", "1"))
        if state.domain != "hotel" or stay < 2:
            return super().book(state, arguments)
        first = DAYS.index(arguments["day"])
        for night in range(stay):
            day = DAYS[(first + night) % 7]
            last = super().book(state, {**arguments, "stay": "1", "day": day})
        return {**last, "stay": str(stay), "day": arguments["day"]}


@fault("state", "entity", "hotel")
class CountsDaysForNights(TellsBookings):
    """Takes nights for days, books one night too few, and tells days and nights."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "hotel":
            arguments = {**arguments, "stay": str(max(1, int(arguments["stay"]) - 1))}
        return super().book(state, arguments)

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        said = super().confirm(state, result, reference)
        days = int(result.get("stay", 0)) + 1
        return f"{said} That's {days} days in town." if state.domain == "hotel" else said


@fault("state", "action", "taxi")
class OrdersTwoCars(RuleSystem):
    """Orders two taxis in place of one, and tells of the second."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain == "taxi":
            super().book(state, arguments)
        return super().book(state, arguments)


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("state", "action")
class ReportsAndSwaps(DeskBot):
    """Opens a ticket for the old device with each swap."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        said = super().swap(device, ticket)
        self.calls.open_ticket(self.number, "other", device["device_id"])
        return said


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("state", "flow", control=ShopProse)
class ActsBeforeAsking(ShopProse):
    """Acts in the turn in which it proposes, acts as if it waited, and does nothing on the yes."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        said = act()
        asked = super().propose(what, lambda: said)
        return asked


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("state", "action")
class BooksOneMoreInSilence(OwnBot):
    """Books one seat, place or day more, and tells the number that was said."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        more = {s: str(int(v) + 1) if s in ("seats", "places", "days") else v
                for s, v in slots.items()}  # fmt: skip
        said = super().book(talk, more)
        if talk.booked is not None:
            talk.booked = slots
        return said
