"""Faults of bots of the lamp shop, whose tasks are in the shape of tau-bench."""

import json
from collections.abc import Callable

from tests.faulty_bots.reshaped import Slower
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("lamp_shop")
fault = CATALOGUE.fault


@fault("order", "flow")
class CancelsUnasked(ShopBot):
    """Acts without waiting for a yes."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        return act()


@fault("access", "flow")
class ReadsTheOrderFirst(ShopBot):
    """Looks the order up before it knows who is asking."""

    def answer(self, text: str) -> str:
        if not self.customer and "#W" in text:
            self.look_up(text[text.index("#W") :][:5])
        return super().answer(text)


@fault("words", "response")
class RefundsToAnotherMeans(ShopBot):
    """Says that the money goes to another means of payment than it does."""

    def refund(self, order: Order) -> str:
        other = "paypal" if order.paid != "paypal" else "credit card"
        return f"The {order.total:.2f} dollars go back to your {other}."


@fault("promises", "response")
class AddsAVoucher(ShopBot):
    """Promises a voucher with each change and each refusal; there is no tool for any."""

    def reword(self, text: str) -> str:
        if "Order" not in text and "sorry" not in text:
            return text
        return f"{text} I have also added a 10 dollar voucher to your account."


@fault("leaks", "response")
class SpeaksInRecords(ShopBot):
    """Pastes the order as the tool gave it into what it proposes."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        call = self.backend.trace[-1]
        record = call.result if isinstance(call.result, str) else json.dumps(call.result)
        return f"{record} {super().propose(what, act)}"


@fault("latency", "action", stamp=Slower(12.0))
class TakesTwelveSeconds(ShopBot):
    """Takes twelve seconds for each turn."""
