"""Wrong moves: denials untried, checks that nobody asked for, questions left open."""

from pytest_todeval.simulation.systems.desk.hearing import Wish
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault


@fault("denials", "response", "train")
class SaysNoTicketsLeft(RuleSystem):
    """Says of a train, before anything was tried, that it has sold out, and then books it."""

    said_so = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if self.said_so or state.domain != "train":
            return super().try_to_book(state)
        self.said_so = True
        self.state.booking_offered = "train"
        return ["Looks like there are no seats left on that service. Want me to double-check?"]


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("understanding", "intent")
class TakesASwapForATicket(DeskBot):
    """Proposes a ticket where the employee may have a swap."""

    def serve_swap(self, wish: Wish) -> str:
        device = self.own_device(wish)
        if isinstance(device, str):
            return device
        about = f"for {device['kind']} {device['device_id']}"
        return self.propose_ticket("broken_device", about, device["device_id"])


OWN = Catalogue("own_domains", wave=3)


@OWN.fault("service", "flow")
class GoesOffTopic(RewordsOwn):
    """Answers its second turn with a piece of trivia."""

    def reword(self, text: str) -> str:
        if self.turn != 2:
            return text
        return "Fun fact: the oldest known bakery in the region opened more than 300 years ago!"
