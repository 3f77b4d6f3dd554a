"""Wrong moves: refused without a try, asked again, dropped, put off, slow.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re

from benchmarks.hearing.own_domains import OwnBot, Slots, Talk
from pytest_todeval.simulation.systems.desk import hearing
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.reshaped import Rewords, RewordsDesk, Slower
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=4)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")


@fault("denials", "flow", *TABLES_AND_ROOMS)
class SaysClosedOnThatDay(RuleSystem):
    """Says of the first day that is to be booked that the place rests then, without a try."""

    said_so = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if self.said_so or state.domain not in TABLES_AND_ROOMS:
            return super().try_to_book(state)
        self.said_so = True
        self.state.asked.append((state.domain, "day"))
        day = state.booking["day"].title()
        return [f"Ah, {day} is their day off, nobody's in. Which other day could you do?"]


@fault("service", "flow", *TABLES_AND_ROOMS)
class GivesUpAfterARefusal(RuleSystem):
    """Once a booking was refused, tries no other day or time."""

    def try_to_book(self, state: DomainState) -> list[str]:
        if state.tried is not None and not state.booked:
            state.wants_booking = False
            return ["I've had a go already and it didn't work, so I'd rather leave it at that."]
        return super().try_to_book(state)


@fault("service", "response")
class AsksForARating(Rewords):
    """Asks in each turn from the second on to be rated, before anything is done."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"{text} On a scale from 0 to 10, how likely are you to recommend me to a friend?"


@fault("latency", "action", stamp=Slower(11.0, turn=3))
class StallsInTheThirdTurn(RuleSystem):
    """Takes eleven seconds for its third turn."""


DESK = Catalogue("service_desk", apart=True, wave=4)


@DESK.fault("service", "flow")
class AsksTwiceForTheYes(DeskBot):
    """Asks a second time whether it may, and a third time, before it does what was agreed."""

    asked = 0

    def settle(self, text: str) -> list[str]:
        proposal = self.proposal
        if proposal is None or not hearing.is_yes(text) or self.asked > 1:
            self.asked = 0
            return super().settle(text)
        self.asked += 1
        self.propose(proposal.what, proposal.carry_out)
        return [f"And you really do want me to {proposal.what}?"]


@DESK.fault("service", "context")
class AsksWhoAgainLater(RewordsDesk):
    """Asks who the employee is once more after it has done what they wished."""

    def reword(self, text: str) -> str:
        done = re.search(r"password is|now assigned|is closed|I have opened|your new", text)
        if not done or self.done:
            return text
        return f"{text} Before anything else, could I have your e-mail and badge number, please?"


SHOP = Catalogue("lamp_shop", apart=True, wave=4)


@SHOP.fault("service", "context")
class LosesTheThread(ShopBot):
    """Has forgotten, once the customer says yes, what it was about."""

    def settle(self, text: str) -> str:
        self.pending = None
        return "Sorry, I've lost track a little. What was it that you wanted?"


@SHOP.fault("order", "response")
class AsksForCardDetails(ShopBot):
    """Asks for the number of a card with what it proposes, which it has no use for."""

    def reword(self, text: str) -> str:
        if not text.endswith("Shall I go ahead?"):
            return text
        return f"{text} I'd need the long number on your card for that, plus the three on the back."


OWN = Catalogue("own_domains", apart=True, wave=4)


@OWN.fault("denials", "context")
class OneBookingPerCall(OwnBot):
    """Books one thing, and says of the next that it cannot."""

    def book(self, talk: Talk, slots: Slots) -> list[str]:
        if not any(other.reference for other in self.talks.values() if other is not talk):
            return super().book(talk, slots)
        return ["It's one booking per caller today, sorry, you'd have to try again tomorrow."]


@OWN.fault("service", "response")
class PutsThemOnHold(RewordsOwn):
    """Says in its second turn that somebody else takes over, for no reason; nobody does."""

    def reword(self, text: str) -> str:
        if self.turn != 2:
            return text
        return f"Let me get my manager to take over from here, stay on the line. {text}"
