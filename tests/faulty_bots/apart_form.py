"""Kept apart: faults of demo and MultiWOZ bots: promises, leaks, form, latency."""

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import RuleSystem
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
fault = CATALOGUE.fault

# Promises


# Leaks


# Form


@fault("form", "action")
class StumblesOverLongTurns(RuleSystem):
    """Raises an error at any turn of the user of more than 90 characters."""

    def respond(self, text: str) -> Reply:
        if len(text) > 90:
            raise ValueError("input too long for field `utterance`")
        return super().respond(text)


# Latency
