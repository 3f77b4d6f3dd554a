"""Right bots in voices that no earlier round has: each finding is a false alarm."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from pytest_todeval.backends.protocol import Row
from pytest_todeval.simulation.systems.rules import wording
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import DAYS, Rewords, RewordsDesk, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.faulty_bots.spoken import AddsToBookings, AddsToOffers, TellsBookings, number_words

__all__ = ["CATALOGUE", "DESK", "SHOP", "SpeaksAsAConcierge"]

CATALOGUE = Catalogue("demo", wave=4)
variant = CATALOGUE.variant


def counted(number: str, one: str) -> str:
    """`1 guest`, `4 guests`."""
    return f"{number} {one}" if number == "1" else f"{number} {one}s"


@variant
class SpeaksAsAConcierge(TellsBookings):
    """The reference bot as somebody behind the desk of a good house: whole sentences."""

    ANSWERS: ClassVar[dict[str, str]] = {
        "phone": "You can ring {of} on {value}.",
        "address": "{of} is at {value}.",
        "postcode": "For the sat nav, {of} has the postcode {value}.",
        "entrance fee": "Getting into {of} costs {value}.",
        "price": "One ticket on {of} comes to {value}.",
        "duration": "You'd be sitting on {of} for {value}.",
    }

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or said != [wording.offer(state.domain, row, self.count, self.state.turn)]:
            return said
        return [self.commend(state.domain, row)]

    def commend(self, domain: str, row: Row) -> str:
        """The offer."""
        if domain == "train":
            return (
                f"The {row['leaveAt']} out of {str(row['departure']).title()} would have you in "
                f"{str(row['destination']).title()} by {row['arriveBy']} that {row['day']}; it "
                f"runs as {row['trainID']}."
            )
        name, area = wording.title(row), f"in the {row['area']} of town"
        if domain == "restaurant":
            return (
                f"If I may, {name} {area} would be my choice: {row['food']} cooking, and "
                f"{row['pricerange']} prices."
            )
        if domain == "hotel":
            has = [slot for slot in ("internet", "parking") if row.get(slot) == "yes"]
            extras = f" You'd have {' and '.join(has)} there." if has else ""
            return (
                f"If I may, {name} {area} would be my choice: it's a {row['type']} with "
                f"{row['stars']} stars, and {row['pricerange']}.{extras}"
            )
        return f"If I may, {name} {area} would be my choice: it's a {row['type']}."

    def answer_request(self, state: DomainState, request: AskedValue) -> str:
        row = self.row_to_tell_from(state)
        value = self.value_to_tell(row, request.slot)
        if not value or request.slot not in self.ANSWERS or value == "free":
            return super().answer_request(state, request)
        told = self.answered(state, request.slot, value)
        return self.ANSWERS[request.slot].format(of=self.called(state, row), value=told)

    def called(self, state: DomainState, row: Row) -> str:
        """What the venue or train is called in an answer."""
        return wording.title(row)

    def answered(self, state: DomainState, slot: str, value: str) -> str:
        """The value as it is told in answer to a question."""
        return value

    def confirm(self, state: DomainState, result: dict[str, Any], reference: str) -> str:
        day = str(result["day"]).title()
        if state.domain == "train":
            seats = counted(result["people"], "seat")
            return (
                f"All arranged: {seats} on the {result['trainID']} this {day}. Your tickets are "
                f"under {reference}."
            )
        party, name = counted(result["people"], "guest"), wording.title(result)
        if state.domain == "restaurant":
            return (
                f"All arranged: {name} expects {party} on {day} at {result['time']}. Please "
                f"mention {reference} at the door."
            )
        nights = counted(result["stay"], "night")
        return (
            f"All arranged: {name} has {party} down for {nights} from {day}. Please mention "
            f"{reference} when you check in."
        )


@variant
class TellsTheOpeningHours(AddsToOffers):
    """Tells when a sight is open, as its row has it."""

    def more_of(self, state: DomainState, row: Row, rows: Sequence[Row]) -> str:
        hours = str(row.get("openhours", "?"))
        return f"For opening times I have this: {hours}." if hours not in ("", "?") else ""


@variant
class SaysItIsAProgram(Rewords):
    """Says at first what it is, and in the third turn that people can read along."""

    def reword(self, text: str) -> str:
        if self.state.turn == 1:
            return f"Hi, this is the automated booking assistant for Marlwick. {text}"
        return (
            f"{text} (You're chatting with a virtual assistant.)" if self.state.turn == 3 else text
        )


@variant
class SaysWhoComes(AddsToBookings):
    """Counts the user's company rightly."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        others = int(result["people"]) - 1
        if others < 1:
            return "Just you, then."
        return f"So that's you and {number_words(others)} other{'s' if others > 1 else ''}."


@variant
class NamesTheEndOfTheStay(AddsToBookings):
    """Says on which day a stay ends, rightly, and when a train is in."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain == "hotel":
            last = DAYS[(DAYS.index(result["day"]) + int(result["stay"])) % 7]
            return f"You'd be heading off again on the {last.title()}."
        if state.domain == "train" and state.row is not None:
            return f"You pull in at {state.row['arriveBy']}."
        return ""


@variant
class TypesWithItsThumbs(Rewords):
    """Writes as people write on the phone: no capitals to begin with, short forms."""

    TEMPLATES = (
        (r"(?:I would suggest|I recommend|I found) ([^.?]+)\. It is", r"what abt \1? it's"),
        (r"Would you like me to book it(?: for you)?\?|Shall I (?:make a booking|book tickets for "
         r"you)\?", "shall i book it 4 u?"),
        (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
         r"done! \1. ref no \2, pls keep it!"),
        (r"(?:Is there anything else I can help you with|Can I help you with anything else)\?",
         "anything else u need?"),
        (r"The (phone number|address|postcode) of ([^.]+?) is ", r"\2 \1: "),
        (r"I am sorry, the booking failed: ([^.]+)\.", r"ugh sorry, that didn't work, \1."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


DESK = Catalogue("service_desk", wave=4)


@DESK.variant
class DeskSaysWhatItLookedUp(RewordsDesk):
    """Says that it has the record open once it knows who is asking, and that it is at work."""

    def reword(self, text: str) -> str:
        text = re.sub(r"^(Thank you, \w+\.)", r"\1 I have your record open.", text)
        return re.sub(r"^(Your open tickets)", r"I've just checked the list. \1", text)


@DESK.variant
class DeskSpellsThePassword(RewordsDesk):
    """Spells a temporary password, rightly."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"(password is )(\w+)\.",
            lambda found: f"{found[0]} I'll spell it for you: {'-'.join(found[2])}.",
            text,
        )


SHOP = Catalogue("lamp_shop", wave=4)


@SHOP.variant
class ShopIsChatty(ShopBot):
    """Says what people say before and after without telling anything."""

    def reword(self, text: str) -> str:
        if text.endswith("Goodbye."):
            return "It was a pleasure chatting with you, and thanks for shopping with us. Goodbye!"
        return f"Okay, let's see what we can do here. {text}"


@SHOP.variant
class ShopReadsTheOrderBack(ShopBot):
    """Reads an order back, rightly, before it proposes anything."""

    order: Order | None = None

    def look_up(self, number: str) -> Order:
        self.order = super().look_up(number)
        return self.order

    def reword(self, text: str) -> str:
        order, self.order = self.order, None
        if order is None or "Shall I go ahead?" not in text:
            return text
        return (
            f"I've got {order.number} in front of me: it's {order.status}, {order.total:.2f} "
            f"dollars, paid by {order.paid}, going to {order.address}. {text}"
        )
