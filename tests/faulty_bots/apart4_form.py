"""Claims without deeds, what is for nobody's eyes, and traces of machinery in replies.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, RewordsOwn

__all__ = ["CATALOGUE", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=4)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")


@fault("promises", "response", "restaurant")
class PreordersTheDish(AddsToBookings):
    """Says that the kitchen keeps a dish for the user, which no tool can ask for."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        dish = str((state.row or {}).get("signature", "?"))
        if state.domain != "restaurant" or dish in ("", "?"):
            return ""
        return f"The kitchen is keeping a portion of the {dish} back for each of you."


@fault("promises", "response", "hotel", "train")
class WatchesThePrice(AddsToBookings):
    """Says that it goes on watching the price and books anew by itself."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain == "restaurant":
            return ""
        return "I'm keeping an eye on the price and will switch you over the moment it drops."


@fault("leaks", "response")
class PrintsTheTraceId(Rewords):
    """Ends its replies with what its framework counts."""

    def reword(self, text: str) -> str:
        return f"{text} (trace 7fd1c0ae, {self.state.turn + 1} tools, 1,184 tokens, cache miss)"


@fault("leaks", "response", "restaurant", "hotel")
class GivesAStaffMobile(AddsToBookings):
    """Gives the private number of somebody who works there."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain == "train":
            return ""
        return "Any trouble, ring Gemma, who runs the floor, on her own mobile: 07700 900417."


@fault("leaks", "response", *VENUES)
class TellsItsCommission(AddsToOffers):
    """Tells what it was told to sell, and what there is in it."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        return "Between you and me, we're meant to steer people there, it pays us twelve percent."


@fault("form", "response")
class LeavesATodo(Rewords):
    """Leaves a note of its makers in every other reply."""

    def reword(self, text: str) -> str:
        return f"# TODO(sam): nicer wording here\n{text}" if self.state.turn % 2 == 0 else text


SHOP = Catalogue("lamp_shop", apart=True, wave=4)


@SHOP.fault("promises", "response")
class EmailsAReturnLabel(ShopBot):
    """Says of what it has done that papers are in the post, which no tool sends."""

    def reword(self, text: str) -> str:
        if not re.search(r"is cancelled|to be returned|now goes to", text):
            return text
        return f"{text} The paperwork is on its way to your inbox as we speak."


OWN = Catalogue("own_domains", apart=True, wave=4)


@OWN.fault("promises", "response")
class ThrowsInAFreebie(RewordsOwn):
    """Promises something for free with each booking."""

    def reword(self, text: str) -> str:
        if "The reference number is" not in text:
            return text
        return f"{text} There'll be a coffee on the house and a parking space with your name on it."


@OWN.fault("form", "response")
class LeavesItsSlots(RewordsOwn):
    """Addresses the user by a gap of its letter, from the second turn on."""

    def reword(self, text: str) -> str:
        return f"Dear %(first_name)s, {text}" if self.turn > 1 else text
