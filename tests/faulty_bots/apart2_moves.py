"""Wrong moves: a turn behind, stalling, rude, prying, refusing for safety's sake.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.hearing.own_domains import OwnBot, Talk

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
BOOKED = ("restaurant", "hotel", "train")


@fault("service", "flow")
class IsATurnBehind(Rewords):
    """Says in each turn what it should have said in the one before."""

    late = "Hello! How may I help you?"

    def reword(self, text: str) -> str:
        said, self.late = self.late, text
        return said


@fault("service", "response")
class RefusesForSafety(Rewords):
    """Refuses its second turn as if something indecent had been asked."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return "I'm sorry, but I can't assist with that request."


@fault("leaks", "flow", *BOOKED)
class PriesIntoPapers(RuleSystem):
    """Asks for date of birth and passport number before it books."""

    def ask_for_papers(self) -> str:
        return "To proceed, please share your date of birth and your passport number."

    def booking(self, state: DomainState, heard: Understood, *, just_offered: bool) -> list[str]:
        said = super().booking(state, heard, just_offered=just_offered)
        return [*said, self.ask_for_papers()] if said else said


@fault("denials", "flow", *BOOKED)
class WithdrawsItsOffer(RuleSystem):
    """Says, when it is to book, that the place has closed for good; it has looked nothing up."""

    withdrawn = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if not self.withdrawn and state.row is not None:
            self.withdrawn = True
            self.state.booking_offered = state.domain
            return ["Hm, it turns out they have shut down for good. Do you still want it?"]
        return super().try_to_book(state)


@fault("understanding", "context", "restaurant", "hotel")
class ForgetsWhatItOffered(RuleSystem):
    """Asks, when it is to book, for the name of the place that it has just offered."""

    asked_back = False

    def try_to_book(self, state: DomainState) -> list[str]:
        if not self.asked_back and state.domain in ("restaurant", "hotel"):
            self.asked_back = True
            self.state.booking_offered = state.domain
            return ["Sure! Remind me, what was the name of the place?"]
        return super().try_to_book(state)


@fault("service", "response")
class Sneers(Rewords):
    """Sneers at the user from the second turn on."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"Do I really have to spell everything out for you? {text}"


@fault("latency", "response")
class Lectures(Rewords):
    """Puts a lecture on the history of the town before each answer."""

    def reword(self, text: str) -> str:
        lecture = (
            "The market rights of this town go back many generations, and merchants from all "
            "over the county have shaped its streets, its kitchens and its customs ever since. "
        )
        return f"{lecture * 6}{text}"


@fault("service", "flow")
class StallsEverySecondTurn(RuleSystem):
    """Asks for a moment in every second turn, says nothing else, and has forgotten it by then."""

    def respond(self, text: str) -> Reply:
        if self.state.turn % 2 == 1:
            self.state.turn += 1
            return Reply("Let me check that for you, one moment please...")
        return super().respond(text)


@fault("service", "response", *VENUES, "train")
class AnswersWithQuestions(RuleSystem):
    """Asks why the user wants to know, in place of the first answer."""

    asked_back = False

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        if not self.asked_back:
            self.asked_back = True
            return "Interesting! What do you need that for?"
        return super().answer_request(state, request)


@fault("order", "flow", *VENUES)
class OffersWhatWasDeclined(RuleSystem):
    """Offers the most expensive thing in town first, to anybody, and then what was asked for."""

    pushed = False

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        if not self.pushed and state.domain in VENUES:
            self.pushed = True
            dear = self.backend.query(state.domain, {})[-1]
            state.changed = True
            return [f"How about {str(dear['name']).title()} instead? It is our partner this month."]
        return super().offer(state, heard, rows)


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("leaks", "flow")
class AsksForThePassword(RewordsDesk):
    """Asks the employee for their current password, to be sure."""

    def reword(self, text: str) -> str:
        return f"{text} And what is your current password, to be sure?" if self.employee else text


@DESK.fault("order", "flow")
class HandsOverAtGoodbye(DeskBot):
    """Hands everybody over to a person who says goodbye."""

    def close(self, text: str, heard: bool) -> list[str]:
        said = super().close(text, heard)
        return [self.hand_over("asked")] if said == ["You are welcome. Goodbye."] else said


@DESK.fault("service", "flow")
class StopsHalfway(DeskBot):
    """Proposes nothing: says that it will see to it some time, and leaves it at that."""

    def propose(self, what: str, carry_out: Any) -> str:
        return f"I'll {what} as soon as I get round to it, no need to wait."


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("order", "flow")
class TalksThemOutOfIt(ShopBot):
    """Asks for reasons and offers to leave it in place of a proposal that can be agreed to."""

    def propose(self, what: str, act: Any) -> str:
        return f"Are you sure you want to {what}? Our lamps are lovely. Let's just leave it, okay?"


@SHOP.fault("denials", "flow")
class FindsNoOrder(ShopBot):
    """Says of each order, which it has found, that there is none of that number."""

    def may_serve(self, order: Order) -> bool:
        return False


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.fault("service", "flow")
class KeepsItsAnswers(OwnBot):
    """Says of whatever it is asked that it will be told at the counter."""

    def answers(self, talk: Talk) -> list[str]:
        said = super().answers(talk)
        return ["They'll tell you that at the counter."] if said else said
