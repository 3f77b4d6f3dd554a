"""Right bookings and deeds told wrongly, at once or later on.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from typing import Any

from pytest_todeval.simulation.systems.rules.state import DomainState
from tests.faulty_bots.apart4_variants import PadsItsReplies
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import AddsToBookings

__all__ = ["CATALOGUE", "DESK"]

CATALOGUE = Catalogue("demo", apart=True, wave=4)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


@fault("words", "response", "train", control=PadsItsReplies)
class ReadsTheWayBack(PadsItsReplies):
    """Books the way that was wished, and tells it the other way round."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        said = super().confirm(state, result, reference)
        if state.domain != "train" or state.row is None:
            return said
        ends = [str(state.row[slot]).title() for slot in ("destination", "departure")]
        return f"{said} Have a good trip from {ends[0]} to {ends[1]}."


@fault("words", "response", *BOOKED)
class SpeaksOfASecondChoice(AddsToBookings):
    """Says of what the user wished first that it is a makeshift, as that had gone."""

    refused = False

    def booking_refused(self, state: DomainState, reason: str) -> str:
        self.refused = True
        return super().booking_refused(state, reason)

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if self.refused:
            return ""
        return "Sorry I couldn't get you what you originally asked for, that had gone already."


@fault("words", "response", "hotel")
class UpgradesInPassing(AddsToBookings):
    """Wishes a nice stay under one star more than there are, or one fewer than five."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        stars = str((state.row or {}).get("stars", "?"))
        if state.domain != "hotel" or not stars.isdigit():
            return ""
        other = int(stars) + 1 if int(stars) < 5 else 4
        return f"Lucky you, {other}-star luxury awaits!"


@fault("words", "context", *BOOKED)
class ChangesTheReferenceLater(Rewords):
    """Tells the right reference, and a turn later one with two characters swapped."""

    waits = False
    reminded = False

    def reword(self, text: str) -> str:
        found = [str(b["reference"]) for b in self.booked_now if "reference" in b]
        if not found or self.reminded:
            return text
        if not self.waits:
            self.waits = True
            return text
        self.reminded = True
        code = found[0]
        at = next((n for n in range(1, len(code)) if code[n] != code[n - 1]), 1)
        swapped = f"{code[: at - 1]}{code[at]}{code[at - 1]}{code[at + 1 :]}"
        return f"{text} Oh, and don't lose {swapped}, you'll be asked for it."


DESK = Catalogue("service_desk", apart=True, wave=4)


@DESK.fault("words", "response")
class SaysAnotherPasswordToo(RewordsDesk):
    """Tells a temporary password, and a second one that opens nothing."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"(password is \w+\.)", r"\1 Should that one not take, lantern482 works as well.", text
        )


@DESK.fault("words", "response")
class PlacesThemElsewhere(RewordsDesk):
    """Greets the employee as one of another department."""

    def reword(self, text: str) -> str:
        team = "finance" if self.employee.get("department") != "finance" else "logistics"
        return re.sub(r"^(Thank you, \w+)\.", rf"\1, always nice to hear from {team}.", text)
