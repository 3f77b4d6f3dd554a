"""Faults of bots of the lamp shop, whose tasks are in the shape of tau-bench."""

from tests.faulty_bots.reshaped import Slower
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("lamp_shop")
fault = CATALOGUE.fault


@fault("access", "flow")
class ReadsTheOrderFirst(ShopBot):
    """Looks the order up before it knows who is asking."""

    def answer(self, text: str) -> str:
        if not self.customer and "#W" in text:
            self.look_up(text[text.index("#W") :][:5])
        return super().answer(text)


@fault("latency", "action", stamp=Slower(12.0))
class TakesTwelveSeconds(ShopBot):
    """Takes twelve seconds for each turn."""
