"""Kept apart: bots that differ from the reference bots and are as right."""

import re
from collections.abc import Sequence

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot, RuleSystem
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.rules import wording
from pytest_todeval.systems.rules.state import BOOKING_SLOTS, DomainState
from pytest_todeval.systems.rules.understanding import Understood
from tests.faulty_bots.reshaped import Rewords, SpeaksBy
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import Order, ShopBot
from tests.hearing.own_domains import OwnBot

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo", apart=True)
variant = CATALOGUE.variant
TERSE = (
    (r"What part of town would you like it in\?|Is there an area you prefer\?", "Area?"),
    (r"What price range do you have in mind\?|Which price range would suit you\?",
     "Price range?"),
    (r"What (?:kind|type) of food [^?]+\?", "Which food?"),
    (r"What type of (?:attraction are you interested in|place would you like)\?",
     "Which type of attraction?"),
    (r"Where (?:will you be leaving|would you like to depart) from\?", "From where?"),
    (r"Where would you like to go\?|What is your destination\?", "Where to?"),
    (r"What day [^?]+\?|On which day [^?]+\?", "Which day?"),
    (r"What time would you like the table\?|At what time\?", "Which time?"),
    (r"How many people [^?]+\?|For how many people\?", "How many people?"),
    (r"How many nights will you stay\?|For how many nights\?", "How many nights?"),
    (r"I have (\d+) (places to stay|restaurants|attractions)([^.]*)\.", r"\1 \2\3."),
    (r"(?:I would suggest|I recommend|I found) ([^.?]+)\.|How about ([^?]+)\?", r"\1\2 fits."),
    (r"It is an? (\w+) restaurant in the (\w+) of town that serves ([\w ]+) food\.",
     r"Restaurant, \3 food, \1, in the \2."),
    (r"Train (TR\d+) leaves ([^.]+?) at ([\d:]+) on (\w+) and arrives in ([^.]+?) at ([\d:]+)\.",
     r"Train \1, \4, departs \2 \3, arrives \5 \6."),
    (r"The (phone number|address|postcode|entrance fee) of ([^.]+?) is ((?:[^.]|\.(?=\d))+)\.",
     r"\2, \1: \3."),
    (r"Would you like me to book it(?: for you)?\?|"
     r"Shall I (?:book tickets for you|make a booking)\?",
     "Book it?"),
    (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
     r"Booked: \1. Reference: \2."),
    (r"I have booked your taxi", "Taxi booked"),
    (r"The car type is an? ([^.]+?) and the contact number is (\d+)\.",
     r"Car: \1. Phone: \2."),
    (r"I am sorry, the booking failed: ", "Booking failed: "),
    (r"Is there anything else I can help you with\?|Can I help you with anything else\?",
     "Anything else?"),
)  # fmt: skip


@variant
class SpeaksTersely(SpeaksBy):
    """All templates as short as they get."""

    templates = TERSE
    again = "Again:"


@variant
class ReadsBackFirst(RuleSystem):
    """Reads back what it is about to book, and books after a yes."""

    read_back: dict[str, str] | None = None

    def try_to_book(self, state: DomainState) -> list[str]:
        arguments = self.booking_arguments(state)
        if self.read_back == arguments:
            return super().try_to_book(state)
        self.read_back, self.state.booking_offered = arguments, state.domain
        what = wording.title(state.row or {})
        details = ", ".join(f"{wording.words(slot)} {state.booking[slot]}"
                            for slot in BOOKING_SLOTS[state.domain])  # fmt: skip
        return [f"So that is {what}: {details}. Shall I book it like that?"]


@variant
class OffersAtOnce(RuleSystem):
    """Offers without asking anything that it need not know."""

    def asks_for(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> str | None:
        return None


@variant
class TellsAllItKnows(RuleSystem):
    """Tells phone number, address and postcode with each offer."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        row = state.row
        if row is None or "name" not in row:
            return said
        values = {slot: self.value_to_tell(row, slot) for slot in ("phone", "address", "postcode")}
        of = wording.title(row)
        return [*said, *(wording.tell(slot, value, of) for slot, value in values.items() if value)]


@variant
class WritesMarkdown(Rewords):
    """Writes each sentence as a bullet, and references in bold."""

    def reword(self, text: str) -> str:
        text = re.sub(r"The reference number is (\w+)\.", r"The reference number is **\1**.", text)
        sentences = re.split(r"(?<=[.?!]) (?=[A-Z])", text)
        return "\n".join(f"- {sentence}" for sentence in sentences)


@variant
class NamesASecondChoice(RuleSystem):
    """Names another venue that fits, after the one that it offers."""

    def offer(self, state: DomainState, heard: Understood, rows: Sequence[Row]) -> list[str]:
        said = super().offer(state, heard, rows)
        others = [row for row in rows if row is not state.row and "name" in row]
        if state.row is None or not others or "name" in state.constraints:
            return said
        return [*said, f"{wording.title(others[0])} would fit as well."]


@variant
class SpellsNumbers(Rewords):
    """Writes small numbers of people, nights and tickets as words."""

    WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")

    def reword(self, text: str) -> str:
        return re.sub(
            r"\b([1-8]) (people|person|nights?|tickets?)\b",
            lambda found: f"{self.WORDS[int(found[1]) - 1]} {found[2]}",
            text,
        )


@variant
class SumsUp(Rewords):
    """Says once more at the end of each turn what stands booked, with its reference."""

    def reword(self, text: str) -> str:
        venues = [result for result in self.booked_now if "name" in result]
        if not venues or "The reference number" in text:
            return text
        told = [f"{wording.title(b)} on {b['day'].title()} ({b['reference']})" for b in venues]
        return f"So far you have booked {' and '.join(told)}. {text}"


DESK = Catalogue("service_desk", apart=True)


@DESK.variant
class DeskLooksUpMore(DeskBot):
    """Reads the employee's tickets before it serves any wish."""

    def serve_one(self, wish: Wish) -> str:
        self.calls.tickets(self.number)
        return super().serve_one(wish)


SHOP = Catalogue("lamp_shop", apart=True)


@SHOP.variant
class ShopReadsTheOrderOut(ShopBot):
    """Says, before it proposes, what the order came to and how it was paid."""

    def may_serve(self, order: Order) -> bool:
        self.lead = f"Order {order.number} came to {order.total:.2f} dollars, paid by {order.paid}."
        return super().may_serve(order)

    def reword(self, text: str) -> str:
        return f"{self.lead} {text}" if "I will" in text else text


OWN = Catalogue("own_domains", apart=True)


@OWN.variant
class SpeaksLikeACallCentre(OwnBot):
    """The bot of own domains in the words of a call centre, which reads back before it books."""

    wording_name = "call centre"
