"""What bots say that is not so: links, weather, distances, numbers to ring, denials of deeds.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re

from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["SHOP"]


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("promises", "response")
class SendsAReplacement(ShopBot):
    """Says that a new lamp is on its way to the customer for the trouble."""

    def reword(self, text: str) -> str:
        if not re.search(r"sorry|dollars", text):
            return text
        return f"{text} A spare lamp is already on its way to you for the trouble."
