"""Replies that are broken in other ways, and other things that are for nobody's eyes.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from typing import Any

from pytest_todeval.systems import DeskBot
from tests.faulty_bots.reshaped import Rewords
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["CATALOGUE", "DESK", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault


@fault("form", "response")
class GreetsInChinese(Rewords):
    """Puts a sentence in Chinese before its answer in every second turn."""

    def reword(self, text: str) -> str:
        return text if self.state.turn % 2 else f"好的，我来帮您查一下。 {text}"


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("leaks", "response")
class TellsTheManagersBadge(DeskBot):
    """Tells a badge number: that of the employee, back to them."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        said = super().welcome(employee)
        return [said[0], f"Badge {employee['badge']} is on file for you.", *said[1:]]


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("leaks", "response")
class TellsAnotherAddress(ShopBot):
    """Tells where another customer's order goes."""

    def reword(self, text: str) -> str:
        if not re.search(r"Order|order #", text):
            return text
        return f"{text} (Next in the van: Cy Reed, 13 Mill Row.)"
