"""Deeds that bots claim and no tool has done."""

from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import (
    AddsToBookings,
)

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


@fault("promises", "response", *BOOKED)
class CreditsPoints(AddsToBookings):
    """Says that points were credited for the booking."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Nice one, you've just earned 250 loyalty points, they're in your account already."
