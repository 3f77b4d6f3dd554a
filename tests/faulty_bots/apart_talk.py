"""Kept apart: faults of demo and MultiWOZ bots: values, denials."""

from collections.abc import Sequence

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault

# Values


@fault("values", "response", "restaurant", "hotel", "attraction")
class MiscountsWhatItFound(RuleSystem):
    """Tells a larger number of venues than it has found."""

    def search(self, state: DomainState) -> Sequence[Row]:
        rows = super().search(state)
        if self.count > 1:
            self.count += 7
        return rows


# Denials
