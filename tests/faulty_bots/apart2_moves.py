"""Wrong moves: a turn behind, stalling, rude, prying, refusing for safety's sake.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE", "DESK"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


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


@fault("service", "response")
class Sneers(Rewords):
    """Sneers at the user from the second turn on."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"Do I really have to spell everything out for you? {text}"


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("leaks", "flow")
class AsksForThePassword(RewordsDesk):
    """Asks the employee for their current password, to be sure."""

    def reword(self, text: str) -> str:
        return f"{text} And what is your current password, to be sure?" if self.employee else text
