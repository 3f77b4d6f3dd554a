"""Claims of deeds that no tool call stands behind."""

import re
from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import AddsToBookings, TellsBookings

__all__ = ["CATALOGUE", "DESK"]

CATALOGUE = Catalogue("demo", wave=4)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


@fault("promises", "response", "taxi")
class TextsTheDriver(TellsBookings):
    """Says that the driver has got a message; it cannot write to anybody."""

    def confirm_taxi(self, result: dict[str, Any]) -> str:
        return (
            f"{super().confirm_taxi(result)} I've texted the driver so they know who to look for."
        )


@fault("promises", "context", *BOOKED)
class SaysItCancelledTheOldOne(AddsToBookings):
    """If a booking was refused before, says that it has cancelled that one, which never was."""

    refused_in = ""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        self.refused_in = state.domain
        return super().booking_refused(state, reason)

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if self.refused_in != state.domain:
            return ""
        return "The one you had before has been cancelled, so you won't be charged twice."


@fault("promises", "response", *BOOKED)
class SharesItWithTheGroup(AddsToBookings):
    """Says that all the others of the party have got the details too."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if result["people"] == "1":
            return ""
        return "Everyone else in your group has just had a message with the details."


DESK = Catalogue("service_desk", wave=4)


@DESK.fault("promises", "response")
class PromisesToRing(RewordsDesk):
    """Says with each refusal and each ticket that somebody will be on the phone in minutes."""

    def reword(self, text: str) -> str:
        if not re.search(r"I am sorry|I have opened ticket", text):
            return text
        return f"{text} Expect a call on your mobile in the next quarter of an hour."
