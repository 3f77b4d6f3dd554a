"""Kept apart: faults of bots of the lamp shop, whose tasks are in the shape of tau-bench."""

from pytest_todeval.backends.protocol import ToolRefused
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("lamp_shop", apart=True)
fault = CATALOGUE.fault


@fault("order", "intent")
class GoesAheadOnANo(ShopBot):
    """Does what it has proposed whatever the customer answers."""

    def settle(self, text: str) -> str:
        return super().settle("Yes")


@fault("access", "flow")
class TellsOfOthersOrders(ShopBot):
    """Refuses to change the orders of others, but says what they cost and how they were paid."""

    def may_serve(self, order: Order) -> bool:
        return True

    def may(self, verb: str, order: Order) -> bool:
        own = bool(order.customer == self.customer["customer_id"])
        return own and super().may(verb, order)


@fault("values", "response")
class RoundsTheMoneyUp(ShopBot):
    """Tells the right sum, and then another one as what will be paid out."""

    def refund(self, order: Order) -> str:
        return (
            f"{super().refund(order)} You will see {order.total + 10:.2f} dollars on your account."
        )


@fault("promises", "action")
class ClaimsASecondChange(ShopBot):
    """Says with each change that it has changed the address of the account as well."""

    def reword(self, text: str) -> str:
        if not text.startswith("Order #W") or "came to" in text:
            return text
        return f"{text} I have updated your account and sent you a receipt."


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


@fault("form", "response")
class GreetsNobody(ShopBot):
    """Writes to a customer of the name null, in a form letter."""

    def reword(self, text: str) -> str:
        return f"Dear null, {text} Kind regards, %SIGNATURE%"
