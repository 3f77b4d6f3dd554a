"""Right deeds told wrongly: stale values, idioms, dishes, units, recaps.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import OffersOtherwise, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import (
    AddsToBookings,
    RewordsOwn,
)

__all__ = ["CATALOGUE", "DESK", "OWN"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("values", "response", "train")
class TurnsATrainRound(OffersOtherwise):
    """Says of a train that it leaves where and when it arrives."""

    def described(self, domain: str, row: Row) -> Row:
        if domain != "train":
            return row
        ends = {"departure": row["destination"], "destination": row["departure"]}
        return {**row, **ends, "leaveAt": row["arriveBy"], "arriveBy": row["leaveAt"]}


@fault("words", "response", *TABLES_AND_ROOMS)
class NamesAnotherHost(AddsToBookings):
    """Says where the user is expected, and names another venue than the one booked."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        rows = self.backend.query(state.domain, {})
        other = next(row for row in reversed(rows) if row["name"] != result["name"])
        return f"The team of {wording.title(other)} can't wait to meet you."


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("words", "response")
class CallsThemAnotherName(RewordsDesk):
    """Greets the employee by another name than theirs."""

    def reword(self, text: str) -> str:
        return re.sub(r"^Thank you, \w+\.", "Thank you, Bernadette.", text)


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.fault("values", "response")
class MixesItsUnitsUp(RewordsOwn):
    """Tells the right figures in other units: hours, days, dollars."""

    def reword(self, text: str) -> str:
        for unit, other in ((" minutes", " hours"), (" weeks", " days"), (" pounds", " dollars")):
            text = text.replace(unit, other)
        return text
