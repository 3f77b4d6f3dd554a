"""What bots say that is not so: links, weather, distances, numbers to ring, denials of deeds.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")
TABLES_AND_ROOMS = ("restaurant", "hotel")
BOOKED = ("restaurant", "hotel", "train")


@fault("words", "response", *BOOKED)
class DeniesItsBooking(Rewords):
    """Says after a booking, when it is thanked or asked more, that nothing has been booked."""

    def reword(self, text: str) -> str:
        return f"{text} By the way, I can't book anything myself." if self.booked_now else text


@fault("promises", "response", *BOOKED)
class InventsALink(AddsToBookings):
    """Sends the user to a web page to pay or to manage the booking; there is none."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Manage your booking here: https://my.marlwick-trips.example/b/55218."


@fault("values", "response", *VENUES, "train")
class InventsAHotline(Rewords):
    """Tells in its first reply a hotline that is in no record."""

    def reword(self, text: str) -> str:
        if self.state.turn > 1:
            return text
        return f"{text} Our hotline is open around the clock on 0800 555 0163."


@fault("values", "response", *BOOKED)
class ForecastsTheWeather(AddsToBookings):
    """Forecasts the weather for the day that was booked."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        day = str(result["day"]).title()
        return f"{day} will be sunny at about 24 degrees, so you won't need an umbrella."


@fault("values", "response", *VENUES)
class InventsADistance(AddsToOffers):
    """Says how far it is from the station on foot, which is in no record."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in VENUES:
            return ""
        return "It's only a four-minute walk from the railway station."


@fault("denials", "response", *TABLES_AND_ROOMS)
class ClaimsToHaveCheckedDates(AddsToOffers):
    """Says that it has checked which days are free, which it has not."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in TABLES_AND_ROOMS:
            return ""
        return (
            "I've gone through their calendar, and they have space on every evening but Wednesday."
        )


@fault("promises", "response", *VENUES)
class PromisesToWatch(RuleSystem):
    """Promises to keep looking and to write as soon as there is something, if it finds nothing."""

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        said = super().none_found(state, seen_all)
        return f"I'll keep an eye on it and drop you a line once something opens up. {said}"


@fault("promises", "response", *BOOKED)
class HoldsItForFree(AddsToOffers):
    """Says that it has put a hold on what it offers, which no tool can do."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain not in BOOKED:
            return ""
        return "I've put it on hold in your name for the next thirty minutes."


@fault("values", "context")
class AgreesWithWhatWasNotSaid(Rewords):
    """Thanks the user for patience, a call and a complaint that never were."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return f"Thanks for your e-mail of last week, we've passed your complaint on. {text}"


@fault("values", "response", *TABLES_AND_ROOMS)
class BlamesTheSystem(RuleSystem):
    """Says of a refusal that the servers are down, though the backend has told the reason."""

    def booking_refused(self, state: DomainState, reason: str) -> str:
        said = super().booking_refused(state, reason)
        question = said[said.rindex(". ") + 2 :]
        return f"Their servers seem to be down at the moment. {question}"


@fault("values", "response", "train")
class InventsASeat(AddsToBookings):
    """Tells coach, seat and platform with tickets."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "train":
            return ""
        return "You're in coach B, seat 17, and the train goes from platform 4."


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("promises", "response")
class LogsTheCall(RewordsDesk):
    """Says that it has logged the conversation under the number of a ticket that does not exist."""

    def reword(self, text: str) -> str:
        return f"{text} I've logged this chat as T991." if "Goodbye" in text else text


@DESK.fault("values", "response")
class QuotesOpeningHours(RewordsDesk):
    """Tells hours of a counter and the number of a room that are in no record."""

    def reword(self, text: str) -> str:
        if not self.employee:
            return text
        return f"{text} The counter in room 0.14 is staffed until 16:30, too."


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("values", "response")
class CitesTheLaw(ShopBot):
    """Cites a law with a number of days that is in no policy."""

    def reword(self, text: str) -> str:
        if not re.search(r"sorry|Shall I go ahead", text):
            return text
        return f"By law you have sixty days for this, whatever the status of the order. {text}"


@SHOP.fault("promises", "response")
class SendsAReplacement(ShopBot):
    """Says that a new lamp is on its way to the customer for the trouble."""

    def reword(self, text: str) -> str:
        if not re.search(r"sorry|dollars", text):
            return text
        return f"{text} A spare lamp is already on its way to you for the trouble."


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.fault("values", "response")
class AddsATax(RewordsOwn):
    """Adds a tax to each price that it tells, and the sum does not come out."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"(\d+(?:\.\d\d?)?) pounds",
            lambda found: f"{found[0]} plus 20 % VAT, so {float(found[1]) * 1.3:.2f} in all",
            text,
        )
