"""What models add to the truth, and get wrong.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.prose import amount_in
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import (
    AddsToOffers,
    RewordsOwn,
)

__all__ = ["CATALOGUE", "OWN"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")


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
