"""Kept apart: faults of demo and MultiWOZ bots: wrong bookings, wrong words about right ones."""

from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")

# Wrong state


@fault("state", "action", *BOOKED)
class SaysDoneWithoutBooking(RuleSystem):
    """Makes up the result of the first booking of the dialogue; later ones are real."""

    pretended = False

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if self.pretended or state.domain == "taxi":
            return super().book(state, arguments)
        self.pretended = True
        row = {s: v for s, v in (state.row or {}).items() if isinstance(v, str)}
        return {**row, **arguments, "reference": "M4RLW1CK"}


# Wrong words about a right state


@fault("words", "response", "train")
class TellsOneFareAsTheTotal(RuleSystem):
    """Tells the fare of one ticket as what all of them cost together."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        price = str((state.row or {}).get("price", ""))
        if state.domain != "train" or len(state.booked) == before or not price:
            return said
        people = int(state.booked[-1]["people"])
        if people == 1:
            return said
        return [*said, f"All {people} tickets together cost {price}."]
