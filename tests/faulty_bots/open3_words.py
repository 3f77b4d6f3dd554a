"""Right deeds told wrongly, in the prose of models: bullets, spans, clocks, references."""

from collections.abc import Callable

from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["SHOP"]


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("words", "response")
class SaysDoneBeforeItIs(ShopBot):
    """Says of what it is to propose that it has been done, and asks whether that is all right."""

    def propose(self, what: str, act: Callable[[], str]) -> str:
        super().propose(what, act)
        done = {"cancel": "cancelled", "return": "returned", "send": "redirected"}
        verb, _, rest = what.partition(" ")
        return f"I've just {done[verb]} {rest}. Is that OK with you?"
