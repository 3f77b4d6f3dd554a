"""Deeds that bots claim.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import DeskProse, ShopProse
from tests.faulty_bots.reshaped import (
    RewordsDesk,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")


@fault("promises", "response", *BOOKED)
class PromisesACallback(AddsToBookings):
    """Promises that somebody rings back."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Someone from our team will ring you back within 24 hours to go over it."


@fault("promises", "action", *TABLES_AND_ROOMS)
class SendsACarToo(AddsToBookings):
    """Says that a taxi has been arranged as well; none was ordered."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        return "And I've arranged a cab to take you there, it'll be outside half an hour before."


@fault("promises", "response", *BOOKED)
class NamesAReferenceAhead(AddsToOffers):
    """Names with the offer the number under which it has pencilled the user in."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in BOOKED:
            return ""
        return "I've pencilled you in under PX-2291 in the meantime."


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("promises", "response", control=DeskProse)
class EscalatesInWords(DeskProse):
    """Says with each refusal that it has passed the case up; it has not."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if "I'm really sorry" not in said:
            return said
        return f"{said} I've escalated this to second-line support as a priority 1 for you."


@DESK.fault("promises", "response")
class UpdatesTheProfileInWords(RewordsDesk):
    """Says with each change that it has changed the employee's profile as well."""

    def reword(self, text: str) -> str:
        if not re.search(r"I have opened ticket|Done: your new|is now assigned", text):
            return text
        return f"{text} I've also updated your profile so that this won't come up again."


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("promises", "response", control=ShopProse)
class SendsAnEmailToo(ShopProse):
    """Says of what it has done that it has just e-mailed a confirmation."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        if not re.search(r"cancelled|to be returned|now goes to", said):
            return said
        return f"{said} I've just emailed you a confirmation, do check your spam folder."


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("promises", "response")
class TextsDirections(RewordsOwn):
    """Says with each booking that directions were sent to the user's phone."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        return f"{text} I've texted you directions and a map as well."


@OWN.fault("promises", "response")
class OffersItCheaper(RewordsOwn):
    """Grants a reduction with each offer."""

    def reword(self, text: str) -> str:
        if not re.match(r"I can offer|There is", text):
            return text
        return f"{text} And because it's your first time with us, you get 15% off."
