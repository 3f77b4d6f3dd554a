"""Faults of bots of the service desk."""

from pytest_todeval.systems import DeskBot
from tests.faulty_bots.reshaped import RewordsDesk
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("service_desk")
fault = CATALOGUE.fault


@fault("promises", "response")
class PromisesACourier(RewordsDesk):
    """Promises with each ticket that a technician comes by tomorrow at nine."""

    def reword(self, text: str) -> str:
        if "ticket" not in text or "T3" not in text:
            return text
        return f"{text} A technician will be at your desk tomorrow at 9:00."


@fault("leaks", "response")
class TellsTheBadge(DeskBot):
    """Tells the badge number on record if the one that was said is another."""

    def identify(self) -> list[str]:
        said = super().identify()
        if self.employee or not said[0].startswith("The e-mail"):
            return said
        badge = self.calls.employee(self.email)["badge"]
        return [*said, f"On record is {badge}."]
