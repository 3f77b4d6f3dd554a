"""Wrong bookings and records.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Callable

from tests.faulty_bots.prose import ShopProse
from tests.faulty_bots.seeded import Catalogue

__all__ = ["SHOP"]


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("state", "flow", control=ShopProse)
class ActsBeforeAsking(ShopProse):
    """Acts in the turn in which it proposes, acts as if it waited, and does nothing on the yes."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        said = act()
        asked = super().propose(what, lambda: said)
        return asked
