"""Right bots that speak as models and as people do: each finding is a false alarm."""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.prose import ModelProse, amount_in
from tests.faulty_bots.reshaped import (
    DAYS,
    Rewords,
    RewordsDesk,
    reworded,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    TellsBookings,
)
from tests.hearing.own_domains import OwnBot

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=3)
variant = CATALOGUE.variant


@variant
class TalksLikeAChatModel(ModelProse):
    """The reference bot as a chat model words it: leads, bold labels, bullets."""


@variant
class SpeaksOfAStayAsASpan(TellsBookings):
    """Confirms a room by the day of arrival and the day of leaving, rightly."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        if state.domain != "hotel":
            return super().confirm(state, result, reference)
        last = DAYS[(DAYS.index(result["day"]) + int(result["stay"])) % 7]
        nights = "1 night" if result["stay"] == "1" else f"{result['stay']} nights"
        return (
            f"That's confirmed! {wording.title(result)}, check-in {result['day'].title()}, "
            f"check-out {last.title()} ({nights}), guests: {result['people']}. "
            f"Booking ref: {reference}."
        )


@variant
class TellsRatesOfRooms(AddsToOffers):
    """Tells the least rate of a hotel unasked, rightly, and the fee of a sight."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain == "hotel" and row.get("price"):
            least = min(int(price) for price in dict(row["price"]).values())
            return f"Rates start from £{least} per night."
        fee = str(row.get("entrance fee", "?"))
        if state.domain != "attraction" or fee == "?":
            return ""
        return "Entry is free." if fee == "free" else f"Entry is £{amount_in(fee):.2f}."


@variant
class NamesTheNextTrain(AddsToOffers):
    """Names the next train that fits as well, rightly."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "train":
            return ""
        way = {slot: str(row[slot]) for slot in ("departure", "destination", "day")}
        found = self.backend.call("find_train", **way)["results"]
        times = sorted(str(other["leaveAt"]) for other in found)
        after = [time for time in times if time > str(row["leaveAt"])]
        return f"There's another one at {after[0]} if you'd rather." if after else ""


@variant
class WishesWell(AddsToBookings):
    """Ends bookings with wishes that claim nothing."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Do keep that number safe. Hope you have a wonderful time!"


@variant
class UsesTitlesAndThanks(Rewords):
    """Is polite as people are in Chennai: thanks, please, respectfully."""

    TEMPLATES = (
        (r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for "
         r"you)\?", "Shall I go ahead and reserve the same for you, please?"),
        (r"The (phone number|address|postcode) of ([^.]+?) is (\w[^.]*)\.",
         r"Please find the \1 of \2 as requested: \3."),
        (r"(?:Is there anything else I can help you with|Can I help you with anything else)\?",
         "Anything else I may assist you with today, please?"),
        (r"I am sorry, the booking failed: ([^.]+)\.",
         r"Regret to inform you that the reservation could not go through: \1."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@variant
class SpeaksLikeAFriend(Rewords):
    """Is casual: contractions, lower case, no full stops to speak of."""

    TEMPLATES = (
        (r"(?:I would suggest|I recommend|I found) ([^.?]+)\.|How about ([^?]+)\?",
         r"ooh, you should try \1\2!"),
        (r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for "
         r"you)\?", "want me to sort it?"),
        (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
         r"yep, sorted: \1. here's your ref: \2."),
        (r"(?:Is there anything else I can help you with|Can I help you with anything else)\?",
         "anything else, mate?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@variant
class SumsUpBeforeTheEnd(Rewords):
    """Sums up what was booked when it is asked for anything else, rightly, as bullets."""

    told = 0

    def reword(self, text: str) -> str:
        booked = [b for b in self.booked_now if "day" in b]
        if not booked or len(booked) == self.told or self.state.booking_offered:
            return text
        self.told = len(booked)
        lines = [
            f"- {wording.title(b)}: {str(b['day']).title()}, ref. {b['reference']}" for b in booked
        ]
        return "\n".join([text, "", "**Your itinerary so far**", *lines])


@variant
class WritesTheCountryCode(Rewords):
    """Writes phone numbers with the code of the country, in groups."""

    def reword(self, text: str) -> str:
        return re.sub(r"\b0(1632)(\d{3})(\d{3})\b", r"+44 \1 \2 \3", text)


DESK = Catalogue("service_desk", wave=3)


@DESK.variant
class DeskIsFormal(RewordsDesk):
    """The desk in the tone of an office."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "For verification purposes, kindly provide your registered e-mail ID and badge number."),
        (r"I will (.+?)\. Shall I go ahead\?",
         r"With your permission, I shall \1. Kindly confirm so that I may proceed."),
        (r"^Thank you, (\w+)\.", r"Thank you for the details, \1."),
        (r"All right, I have changed nothing\.", "Noted. No changes have been made at my end."),
        (r"You are welcome\. Goodbye\.", "Most welcome. Have a pleasant day ahead."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@DESK.variant
class DeskLooksTwice(DeskBot):
    """Reads the employee's tickets once more after it has changed something."""

    def settle(self, text: str) -> list[str]:
        open_before = self.proposal is not None
        said = super().settle(text)
        if open_before and not self.done:
            self.calls.tickets(self.number)
        return said


SHOP = Catalogue("lamp_shop", wave=3)


@SHOP.variant
class ShopWritesDollarSigns(ShopBot):
    """Writes amounts with the sign in front and the code behind."""

    def reword(self, text: str) -> str:
        return re.sub(r"([\d.]+) dollars", r"$\1 USD", text)


@SHOP.variant
class ShopSaysWhatItCannot(ShopBot):
    """Adds to each refusal what it can do, and to each change that nothing else changed."""

    def reword(self, text: str) -> str:
        if "sorry" in text:
            return f"{text} If you like, I can look into another order of yours."
        if re.search(r"is cancelled|to be returned|now goes to", text):
            return f"{text} Nothing else on your account was changed."
        return text


OWN = Catalogue("own_domains", wave=3)


@OWN.variant
class OwnSpeaksAsACallCentre(OwnBot):
    """The bot in the words of somebody at a telephone, which reads back before it books."""

    wording_name = "call centre"
