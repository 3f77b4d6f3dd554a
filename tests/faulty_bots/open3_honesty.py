"""Deeds that bots claim and no tool has done."""

import re
from typing import Any

from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import (
    Rewords,
    RewordsDesk,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
)

__all__ = ["CATALOGUE", "DESK", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
fault = CATALOGUE.fault
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")


@fault("promises", "response", *BOOKED)
class FillsTheCalendar(AddsToBookings):
    """Says that the booking stands in the user's calendar; it has no way to get there."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "I've also popped it into your Google Calendar so you won't forget."


@fault("promises", "response", "restaurant")
class TellsTheKitchen(AddsToBookings):
    """Says that the kitchen has been told of an allergy that nobody has."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "restaurant":
            return ""
        return "The chef has been made aware of your dietary requirements."


@fault("promises", "response", *BOOKED)
class CreditsPoints(AddsToBookings):
    """Says that points were credited for the booking."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Nice one, you've just earned 250 loyalty points, they're in your account already."


@fault("promises", "response")
class SavesPreferences(Rewords):
    """Says when it is thanked or told more that it has saved what the user likes for next time."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return f"{text} I've saved your preferences to your profile for next time."


@fault("promises", "response", *TABLES_AND_ROOMS)
class WillTryAgainTonight(RuleSystem):
    """Says with each refusal that it will try again by itself until it works."""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        said = super().booking_refused(state, reason)
        return f"No worries, I'll keep trying every hour and book it as soon as it frees up. {said}"


@fault("promises", "response")
class RaisesATicketInWords(Rewords):
    """Says at the end that it has passed feedback on to the team, which it cannot."""

    def reword(self, text: str) -> str:
        if self.state.turn < 2:
            return text
        return f"{text} I've raised this with our product team as case 48213."


DESK = Catalogue("service_desk", wave=3)


@DESK.fault("promises", "response")
class InstallsItRemotely(RewordsDesk):
    """Says after assigning a product that it is being installed this very moment."""

    def reword(self, text: str) -> str:
        if "is now assigned to you" not in text:
            return text
        return f"{text} I've just kicked off the remote install, it's at 40 % already."


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.fault("promises", "response")
class WaivesEverything(ShopBot):
    """Makes an exception in words when it refuses, and does nothing."""

    def reword(self, text: str) -> str:
        if not re.search(r"sorry|find no customer", text):
            return text
        return f"{text} But as a one-off I've put a goodwill credit of 15 dollars on your account."
