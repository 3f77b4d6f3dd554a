"""Right deeds told wrongly: in bullets, in passing, by another name.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Callable
from typing import Any

from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import DeskProse, ModelProse, ShopProse, twelve_hours
from tests.faulty_bots.reshaped import (
    DAYS,
    later,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    RewordsOwn,
    TellsBookings,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")


@fault("words", "response", *BOOKED, control=ModelProse)
class BulletsAnotherDay(ModelProse):
    """Books the right day, and its bullet says the day before."""

    def confirmed(self, state: DomainState, result: dict[str, Any]) -> dict[str, Any]:
        return {**result, "day": DAYS[DAYS.index(result["day"]) - 1]}


@fault("words", "response", "restaurant", control=ModelProse)
class SaysMorningForEvening(ModelProse):
    """Books the right time, and tells it by twelve hours with the other half of the day."""

    def clock(self, time: str) -> str:
        return twelve_hours(later(time, 720))


@fault("words", "response", "hotel")
class SpansADayTooFew(TellsBookings):
    """Books the right nights, and tells them as a span that ends a day too soon."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain != "hotel":
            return super().confirm(state, result, reference)
        first = DAYS.index(result["day"])
        last = DAYS[(first + int(result["stay"]) - 1) % 7]
        return (
            f"That's confirmed! {wording.title(result)}, check-in {result['day'].title()}, "
            f"check-out {last.title()}, {result['people']} guests. Booking ref: {reference}."
        )


@fault("words", "response", "restaurant")
class SaysATableForTwo(TellsBookings):
    """Books for the party that was said, and speaks of a table for another number."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain != "restaurant":
            return super().confirm(state, result, reference)
        size = "two" if result["people"] != "2" else "six"
        return (
            f"Brilliant, I've got you a cosy table for {size} at {wording.title(result)}, "
            f"{result['day'].title()} at {result['time']}. Your reference is {reference}."
        )


@fault("words", "response", "train")
class SellsAReturn(AddsToBookings):
    """Books one way, and says that the tickets are valid for the way back as well."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "train":
            return ""
        return "These are return tickets, so you're covered for the journey home too."


@fault("words", "response", *BOOKED)
class MendsWhatIsRight(AddsToBookings):
    """Says the right number of people, and corrects it to a wrong one."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        people = int(result["people"])
        return f"Oops, correction: that's for {people + 1} people, not {people}."


@fault("words", "response", "hotel")
class SaysJustOneNight(AddsToBookings):
    """Books several nights, and speaks of the one night."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "hotel":
            return ""
        return (
            "I hope you enjoy your overnight stay, even if it's just the one night."
            if result["stay"] != "1"
            else "I hope the whole week treats you well."
        )


@fault("words", "response", *BOOKED)
class AbbreviatesAnotherDay(TellsBookings):
    """Books the right day, and abbreviates another one."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        day = DAYS[(DAYS.index(result["day"]) + 2) % 7][:3].title()
        at = f" {result['time']}" if state.domain == "restaurant" else ""
        return (
            f"Confirmed ✅ {wording.title(result)} | {day}{at} | pax {result['people']} | "
            f"ref {reference}."
        )


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.fault("words", "response", control=DeskProse)
class SaysItWillTakeAWhile(DeskProse):
    """Does what was agreed, and says that it is still waiting to be done."""

    def reword(self, text: str) -> str:
        said = super().reword(text)
        return re.sub(
            r"(.*) is now assigned to you\.|Ticket (T\d+) is closed as \w+\.",
            lambda m: f"I've queued the request for {m[1] or m[2]}; it hasn't gone through yet.",
            said,
        )


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.fault("words", "response", control=ShopProse)
class GreetsTheWrongCustomer(ShopProse):
    """Thanks the customer by the name of another."""

    def serve(self) -> str:
        name = "Ada" if not str(self.customer["name"]).startswith("Ada") else "Bo"
        return f"Thanks for verifying, {name}! {super().serve()}"


@SHOP.fault("words", "response")
class CallsItAGift(ShopBot):
    """Says what kind of payment was used, and another one in the same reply."""

    def undo(self, verb: str, order: Order) -> str:
        return f"{super().undo(verb, order)} (You'd paid by bank transfer, right?)"

    def propose(self, what: str, act: Callable[[], str]) -> str:
        return f"I see that you paid by bank transfer. {super().propose(what, act)}"


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.fault("words", "response")
class ReadsBackOneMore(RewordsOwn):
    """Books the right number of seats, places or days, and reads one more back."""

    def reword(self, text: str) -> str:
        if "reference number is" not in text:
            return text
        return re.sub(r"(seats|places|days): (\d+)", lambda m: f"{m[1]}: {int(m[2]) + 1}", text)


@OWN.fault("words", "response")
class MisreadsItsReference(RewordsOwn):
    """Tells a reference in which figures have turned into letters that look like them."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"(reference number is [A-Z]{2})(\w+)",
            lambda m: m[1] + m[2].replace("1", "I").replace("4", "A"),
            text,
        )


@OWN.fault("words", "context")
class WithdrawsTheBooking(RewordsOwn):
    """Books, and says a turn later that the booking could not be made."""

    booked_in = 0

    def reword(self, text: str) -> str:
        if "reference number is" in text:
            self.booked_in = self.turn
        if not self.booked_in or self.turn == self.booked_in:
            return text
        return f"{text} Ah, and the booking from before couldn't be completed in the end."
