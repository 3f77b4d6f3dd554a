"""Faults of demo and MultiWOZ bots: promises, leaks, form, latency."""

from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots import mutants
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo")
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")

# Promises


# Leaks

fault("leaks", "response")(mutants.LeaksPrices)


# Form


fault("form", "response")(mutants.AnswersInOneWord)
fault("form", "flow")(mutants.Loops)
fault("form", "response")(mutants.FallsSilent)
fault("form", "action")(mutants.Crashes)

# Latency


@fault("latency", "flow", *BOOKED)
class ConfirmsThreeTimes(RuleSystem):
    """Asks three times whether it is to book before it does; the dialogue gets that much longer."""

    asked_back = 0

    def try_to_book(self, state: DomainState) -> list[str]:
        questions = ("Are you sure?", "Shall I really book it?", "Is that all correct?")
        self.asked_back += 1
        if self.asked_back % 4:
            self.state.booking_offered = state.domain
            return [questions[self.asked_back % 4 - 1]]
        return super().try_to_book(state)
