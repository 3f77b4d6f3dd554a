"""Wrong moves in a dialogue: asks again, answers past the question, refuses, ends, loops."""

from collections.abc import Callable

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.reshaped import later
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE", "DESK"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault


@fault("order", "flow", "restaurant", "hotel")
class GoesAheadWithAnotherDate(RuleSystem):
    """If a booking is refused, makes another one that nobody has asked for, and says so."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) > before or state.domain not in ("restaurant", "hotel"):
            return said
        other = {"people": str(int(state.booking["people"]))}
        if state.domain == "restaurant":
            other["time"] = later(state.booking["time"], 60)
        else:
            other["stay"] = str(int(state.booking["stay"]) % 3 + 1)
        state.booking.update(other)
        taken = super().try_to_book(state)
        if len(state.booked) == before:
            return said
        return ["That one was gone, so I took the liberty of changing it for you.", *taken]


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("order", "intent")
class TakesAnythingForAYes(DeskBot):
    """Carries out what it has proposed in the same turn, as the wish sounded urgent to it."""

    def propose(self, what: str, carry_out: Callable[[], str]) -> str:
        try:
            done = carry_out()
        except ToolRefused as refused:
            return str(refused)
        return f"Since this sounded urgent, I didn't wait for your okay to {what}. {done}"
