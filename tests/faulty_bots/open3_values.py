"""What models add to the truth: rates, dishes, hours, neighbours, sums, tax."""

import re
from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.prose import ShopProse, amount_in
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import (
    AddsToBookings,
)

__all__ = ["CATALOGUE", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault


@fault("values", "response", "train")
class SplitsTheFare(AddsToBookings):
    """Takes the fare of one for that of all, and shares it out among them."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        people = int(result["people"])
        if state.domain != "train" or people < 2:
            return ""
        fare = amount_in(str((state.row or {})["price"]))
        return f"The total is £{fare:.2f}, which works out at £{fare / people:.2f} each."


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("values", "response", control=ShopProse)
class InventsAReturnWindow(ShopProse):
    """Gives a window of thirty days as the reason of what it proposes or refuses."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if not re.search(r"Unfortunately|I'm going to", said):
            return said
        return f"{said} Per our 30-day satisfaction guarantee, that's how it works."
