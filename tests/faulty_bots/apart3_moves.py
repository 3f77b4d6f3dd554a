"""Wrong moves in a dialogue, and things taken for others.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from typing import ClassVar

from benchmarks.hearing.own_domains import OwnBot, Talk
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.reshaped import Slower
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot

__all__ = ["DESK", "OWN", "SHOP"]


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("order", "flow")
class AsksForTheYesTwice(DeskBot):
    """Asks once more for the yes that it has just been given, and does nothing until then."""

    asked_back = False

    def settle(self, text: str) -> list[str]:
        if self.proposal is not None and not self.asked_back:
            self.asked_back = True
            return [self.propose(self.proposal.what, self.proposal.carry_out)]
        return super().settle(text)


@DESK.fault("latency", "action", stamp=Slower(14.0, turn=-1))
class GoodbyesSlowly(DeskBot):
    """Takes 14 seconds for its last turn."""


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("denials", "response")
class CannotSeeOrders(ShopBot):
    """Says that it has no access to orders, though it has just read one."""

    def serve(self) -> str:
        super().serve()
        self.pending = None
        return "I don't have access to order information in this chat, sorry about that."


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("understanding", "entity")
class HearsAnotherDay(OwnBot):
    """Takes one day of the week for another that sounds like it, and tells what it has booked."""

    HEARD: ClassVar[dict[str, str]] = {
        "tuesday": "thursday", "thursday": "tuesday", "saturday": "sunday", "sunday": "saturday",
        "monday": "friday", "friday": "monday",
    }  # fmt: skip

    def listen(self, talk: Talk, text: str) -> bool:
        before = dict(talk.details)
        heard = super().listen(talk, text)
        for slot, value in talk.details.items():
            if before.get(slot) != value:
                talk.details[slot] = self.HEARD.get(value, value)
        return heard
