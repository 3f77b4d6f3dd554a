"""Right bots of other kinds: each finding is a false alarm.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.requests import AskedValue
from pytest_todeval.systems.rules.state import DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.prose import DeskProse, ModelProse, ShopProse, amount_in, twelve_hours
from tests.faulty_bots.reshaped import (
    DAY_AFTER,
    RewordsDesk,
    reworded,
)
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import (
    AddsToBookings,
    AddsToOffers,
    RewordsOwn,
    TellsBookings,
)

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=3)
variant = CATALOGUE.variant
VENUES = ("restaurant", "hotel", "attraction")


@variant
class WritesCompactly(TellsBookings):
    """Confirms in one line with bars and abbreviations, rightly."""

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        at = f" {result['time']}" if state.domain == "restaurant" else ""
        stay = f" x {result['stay']} nights" if state.domain == "hotel" else ""
        return (
            f"Confirmed ✅ {wording.title(result)} | {str(result['day'])[:3].title()}{at}{stay} | "
            f"pax {result['people']} | ref {reference}."
        )


@variant
class NamesTheSignatureDish(AddsToOffers):
    """Names the signature dish of what it offers, rightly."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        if state.domain != "restaurant" or not row.get("signature"):
            return ""
        return f"They're known for their {row['signature']}."


@variant
class SharesTheFareOut(AddsToBookings):
    """Tells the total of tickets and what that is for each, rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "train":
            return ""
        fare = amount_in(str((state.row or {})["price"]))
        total = fare * int(result["people"])
        return f"That comes to £{total:.2f} in total, so £{fare:.2f} each."


@variant
class CorrectsItselfRightly(AddsToBookings):
    """Says a wrong day, notices it and says the right one."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        day = str(result["day"])
        return f"See you on {DAY_AFTER[day].title()}... my mistake, on {day.title()}, of course!"


@variant
class LooksUpWhatItTells(RuleSystem):
    """Looks a place up by its name before it answers a question about it."""

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        row = self.row_to_tell_from(state)
        if "name" in row and state.domain in VENUES:
            self.backend.call(f"find_{state.domain}", name=str(row["name"]))
        return super().answer_request(state, request)


@variant
class AnswersAsAList(ModelProse):
    """Answers questions with a numbered list under a lead."""

    def answer_requests(self, state: DomainState, heard: Understood) -> list[str]:
        said = super().answer_requests(state, heard)
        if len(said) < 2:
            return said
        lines = [f"{at}. {answer}" for at, answer in enumerate(said, 1)]
        return ["\n".join(["Here you go:", *lines, ""])]


DESK = Catalogue("service_desk", apart=True, wave=3)


@DESK.variant
class DeskTalksLikeAChatModel(DeskProse):
    """The desk as a chat model words it."""


@DESK.variant
class DeskListsAsBullets(RewordsDesk):
    """Lists tickets one by one, with how many there are."""

    def reword(self, text: str) -> str:
        if "Your open tickets" not in text:
            return text
        told = re.findall(r"(T\d+) \(([\w ]+)\)", text)
        lead = text.partition("Your open tickets")[0]
        lines = [f"{at}. **{number}** ({subject})" for at, (number, subject) in enumerate(told, 1)]
        return "\n".join([f"{lead}Open tickets on your account: {len(told)}", *lines])


@DESK.variant
class DeskExplainsItsSteps(RewordsDesk):
    """Says why it asks, and that it has done nothing yet."""

    def reword(self, text: str) -> str:
        text = text.replace(
            "Shall I go ahead?", "I haven't done anything so far. Do you want me to do it now?"
        )
        return text.replace(
            "Please tell me your e-mail",
            "I have to make sure it's really you. Please tell me your e-mail",
        )


SHOP = Catalogue("lamp_shop", apart=True, wave=3)


@SHOP.variant
class ShopTalksLikeAChatModel(ShopProse):
    """The shop as a chat model words it."""


@SHOP.variant
class ShopAsksAgainKindly(ShopBot):
    """Apologises, thanks and asks in more words than it must."""

    def reword(self, text: str) -> str:
        text = text.replace(
            "Shall I go ahead?",
            "Just say yes and I'll do it, or tell me if you'd rather not. Shall I go ahead?",
        )
        return f"Thanks for bearing with me! {text}" if self.customer else text


OWN = Catalogue("own_domains", apart=True, wave=3)


@OWN.variant
class OwnSpeaksInDialect(RewordsOwn):
    """Speaks as somebody behind a counter in the north of England."""

    TEMPLATES = (
        (r"I can offer you |There is ", "Right love, I've got "),
        (r"(?:I have booked|Your booking is made:) ", "Lovely, that's you booked in: "),
        (r"The reference number is (\w+)\.", r"Jot this down for us: \1, that's your reference."),
        (r"Shall I book it for you\?|Would you like me to book it\?", "Shall I pop you in for it?"),
        (r"Is there anything else I can do for you\?|Can I help with anything else\?",
         "Owt else I can do for you?"),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


@OWN.variant
class OwnWritesPoundSigns(RewordsOwn):
    """Writes amounts with the sign in front, and times by twelve hours."""

    def reword(self, text: str) -> str:
        text = re.sub(r"\b(\d+(?:\.\d\d?)?) pounds", r"£\1", text)
        return re.sub(r"\b\d\d:\d\d\b", lambda m: twelve_hours(m[0]).lower(), text)


@OWN.variant
class OwnThanksAndApologises(RewordsOwn):
    """Thanks and apologises where nobody would have to."""

    def reword(self, text: str) -> str:
        lead = ("Thanks so much for that!", "Sorry, just typing that in.", "Perfect, thank you!")
        return f"{lead[self.turn % 3]} {text}"
