"""Kept apart: faults of bots of the lamp shop, whose tasks are in the shape of tau-bench."""

from pytest_todeval.backends.protocol import ToolRefused
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("lamp_shop", apart=True)
fault = CATALOGUE.fault


@fault("order", "action")
class KeepsTrying(ShopBot):
    """Calls the tool three times although it fails, and then refuses."""

    def may(self, verb: str, order: Order) -> bool:
        if super().may(verb, order):
            return True
        for _ in range(3):
            try:
                self.call(f"{verb}_order", order_id=order.number)
            except ToolRefused:
                continue
        return False
