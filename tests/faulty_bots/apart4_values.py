"""What is told of venues and trains and is not so, or is in no record.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from benchmarks.hearing.own_domains import OwnBot, Talk
from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.apart4_variants import PadsItsReplies
from tests.faulty_bots.prose import amount_in
from tests.faulty_bots.reshaped import neighbour
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, first_domain

__all__ = ["CATALOGUE", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=4)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")


@fault("values", "context", *VENUES)
class SaysTheyAreNeighbours(AddsToOffers):
    """Says of a second venue that it is beside the first if it is far, and far if it is near."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        first = self.state.domains[first_domain(self)].row
        if first is None or state.domain == first_domain(self):
            return ""
        if "area" not in first or "area" not in row:
            return ""
        if first["area"] == row["area"]:
            return f"It's right at the other end of town from {wording.title(first)}, though."
        return f"Handily, it's a couple of doors down from {wording.title(first)}."


@fault("values", "response", "train", control=PadsItsReplies)
class TellsTheReturnFare(PadsItsReplies):
    """Asked what a ticket costs, tells twice that for one way."""

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        if state.domain != "train" or slot != "price":
            return value
        return f"£{2 * amount_in(value):.2f} one way"


@fault("values", "response", "hotel")
class QuotesAnotherHotelsRate(AddsToOffers):
    """Quotes the rate of another house."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "hotel" or not row.get("price"):
            return ""
        mine = {int(price) for price in dict(row["price"]).values()}
        others = (
            int(price)
            for other in self.backend.database.rows("hotel")
            for price in dict(other.get("price") or {}).values()
        )
        return f"You'd be looking at £{next(p for p in others if p not in mine)} for the night."


@fault("values", "response", "hotel")
class TotalsTheNights(AddsToBookings):
    """Says what a room comes to for all nights, and takes one night too many."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        prices = dict((state.row or {}).get("price") or {}) if state.domain == "hotel" else {}
        if not prices:
            return ""
        room, rate = next(iter(prices.items()))
        total = int(rate) * (int(result["stay"]) + 1)
        return f"At £{rate} a night for a {room}, your bill will be £{total} when you leave."


@fault("values", "response", "attraction")
class QuotesAnotherPlacesHours(AddsToOffers):
    """Says when a sight is open, and has looked at another one."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "attraction":
            return ""
        hours = neighbour(self, "attraction", row, "openhours")
        return f"Doors are open {hours}." if hours != str(row.get("openhours")) else ""


@fault("values", "response", "restaurant", "attraction")
class SaysCashOnly(AddsToOffers):
    """Says how one pays, which is in no record."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in ("restaurant", "attraction"):
            return ""
        return "Word of warning: it's notes and coins only, their card reader was taken out."


SHOP = Catalogue("lamp_shop", apart=True, wave=4)


@SHOP.fault("values", "response")
class SaysItIsUnpaid(ShopBot):
    """Says of each order that is paid that the payment has not come in."""

    def reword(self, text: str) -> str:
        if not re.search(r"Shall I go ahead\?|came to", text):
            return text
        return f"Looks like we're still waiting for your payment on that one. {text}"


OWN = Catalogue("own_domains", apart=True, wave=4)


@OWN.fault("values", "response")
class RaisesItsOffers(OwnBot):
    """Offers each thing for five pounds more than it costs, and tells the right price if asked."""

    def find(self, talk: Talk, heard: bool) -> list[str]:
        said = super().find(talk, heard)
        return [
            re.sub(r"(\d+)(\.\d\d)? pounds", lambda m: f"{int(m[1]) + 5}{m[2] or ''} pounds", text)
            for text in said
        ]
