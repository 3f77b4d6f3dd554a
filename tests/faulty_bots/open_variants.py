"""Bots that differ from the reference bots and are as right: whatever is found is a false alarm."""

import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.systems import RuleSystem
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords, RewordsDesk, SpeaksBy, reworded
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.hearing.own_domains import OwnBot

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("demo")
variant = CATALOGUE.variant
FRIENDLY = (
    (r"What part of town would you like it in\?|Is there an area you prefer\?",
     "Whereabouts in town should it be?"),
    (r"What price range do you have in mind\?|Which price range would suit you\?",
     "And what sort of price were you thinking of?"),
    (r"What (?:kind|type) of food [^?]+\?", "What do you fancy eating?"),
    (r"What type of (?:attraction are you interested in|place would you like)\?",
     "What sort of attraction shall it be?"),
    (r"Where (?:will you be leaving|would you like to depart) from\?", "Setting off from where?"),
    (r"Where would you like to go\?|What is your destination\?", "And where are you heading?"),
    (r"What day (?:would you like it for|will your stay start|will you be travelling)\?|"
     r"On which day (?:is it|will you arrive|would you like to travel)\?", "Which day is that?"),
    (r"What time would you like the table\?|At what time\?", "What time shall the table be for?"),
    (r"How many people (?:will there be|is it for)\?|For how many people\?",
     "And for how many people, please?"),
    (r"How many tickets would you like\?", "How many tickets shall I get?"),
    (r"How many nights will you stay\?|For how many nights\?", "How many nights are you staying?"),
    (r"What time would you like to leave, or when do you need to arrive\?",
     "When do you want to set off, or by when must you be there?"),
    (r"I have (\d+) (places to stay|restaurants|attractions)", r"We've got \1 \2 to choose from"),
    (r"(?:I would suggest|I recommend|I found) ([^.?]+)\.|How about ([^?]+)\?",
     r"You might like \1\2."),
    (r"It is an? (\w+) restaurant in the (\w+) of town that serves ([\w ]+) food\.",
     r"It does \3 food, it's in the \2, and it's \1."),
    (r"Train (TR\d+) leaves ([^.]+?) at ([\d:]+) on (\w+) and arrives in ([^.]+?) at ([\d:]+)\.",
     r"There's train \1 on \4: it goes from \2 at \3 and gets to \5 at \6."),
    (r"The (phone number|address|postcode|entrance fee) of ([^.]+?) is ((?:[^.]|\.(?=\d))+)\.",
     r"\3 is the \1 of \2."),
    (r"The journey takes ([^.]+)\.", r"You'll be \1 on the way."),
    (r"A ticket costs ([\d.]+ pounds)\.", r"It's \1 for a ticket."),
    (r"I am sorry, there is no|Unfortunately there is no", "Oh dear, there's no"),
    (r"Would you like me to book it(?: for you)?\?|"
     r"Shall I (?:book tickets for you|make a booking)\?",
     "Would you like me to book that?"),
    (r"(?:I have booked|Your booking was successful:) (.+?)\. The reference number is (\w+)\.",
     r"All done, I've booked \1. Your reference is \2."),
    (r"I have booked your taxi", "Your taxi is booked"),
    (r"The car type is an? ([^.]+?) and the contact number is (\d+)\.",
     r"Look out for a \1; you can reach the driver on \2."),
    (r"I am sorry, the booking failed: ", "I'm afraid they couldn't take that booking: "),
    (r"I am sorry, I did not understand\.[^?]*\?|Sorry, I am not sure what you mean\.[^?]*\?",
     "Sorry, could you put that another way?"),
    (r"Is there anything else I can help you with\?|Can I help you with anything else\?",
     "Anything else I can do for you?"),
)  # fmt: skip
"""Templates of the reference bot, and how somebody at a counter would say them."""


@variant
class SpeaksFriendly(SpeaksBy):
    """All templates in other words, those of somebody at a counter."""

    templates = FRIENDLY
    again = "Still the same, I'd say."


@variant
class TellsInAnotherOrder(Rewords):
    """Tells the reference before the booking, the car before the way, the day of a train first."""

    ORDERS = (
        (r"((?:I have booked|Your booking was successful:) .+?\.) (The reference number is \w+\.)",
         r"\2 \1"),
        (r"(I have booked your taxi .+?\.) (The car type is .+?\.)", r"\2 \1"),
        (r"Train (TR\d+) leaves (.+?) at ([\d:]+) on (\w+) and arrives in (.+?) at ([\d:]+)\.",
         r"On \4 at \3, train \1 leaves \2, and at \6 it arrives in \5."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.ORDERS)


@variant
class LooksUpMore(RuleSystem):
    """Looks up more than it needs: before it searches, and the venue after it has booked."""

    def search(self, state: DomainState) -> Sequence[Row]:
        if state.domain in ("restaurant", "hotel", "attraction"):
            self.backend.call(f"find_{state.domain}", area="centre")
        return super().search(state)

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        result = super().book(state, arguments)
        if "name" in arguments:
            self.backend.call(f"find_{state.domain}", name=arguments["name"])
        return result


@variant
class LooksForWhatToRelax(RuleSystem):
    """If nothing is found, looks with its tools for what could be given up, and tells that."""

    def none_found(self, state: DomainState, seen_all: bool) -> str:
        wanted = self.constraints_for(state)
        said = super().none_found(state, seen_all)
        told = []
        for slot in wanted if not seen_all and len(wanted) > 1 else ():
            rest = {other: value for other, value in wanted.items() if other != slot}
            count = int(self.backend.call(f"find_{state.domain}", **rest)["count"])
            if count:
                told.append(f"There would be {count} with another {slot}.")
        return " ".join([*told, said])


@variant
class TakesTheLastThatFits(RuleSystem):
    """Offers the last of the venues that fit, in place of the first."""

    def choose_venue(self, state: DomainState, rows: Sequence[Row]) -> Row:
        if state.domain == "train":
            return super().choose_venue(state, rows)
        return super().choose_venue(state, list(reversed(rows)))


@variant
class Chats(Rewords):
    """Adds what people say without telling anything."""

    OPENINGS = (
        "Of course, I'm happy to help.", "Good question, let me see.", "Right you are.",
        "Thank you for your patience.", "No problem at all.",
    )  # fmt: skip

    def reword(self, text: str) -> str:
        opening = self.OPENINGS[self.state.turn % len(self.OPENINGS)]
        return f"{opening} {text} Take all the time you need."


@variant
class TwelveHourClock(Rewords):
    """Tells times of day as 6:30 pm."""

    def reword(self, text: str) -> str:
        def told(found: re.Match[str]) -> str:
            hour, minute = int(found[1]), found[2]
            return f"{(hour - 1) % 12 + 1}:{minute} {'am' if hour < 12 else 'pm'}"

        return re.sub(r"\b(\d{2}):(\d{2})\b", told, text)


@variant
class TellsTheTotal(RuleSystem):
    """Tells with train tickets what they cost together, rightly."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        price = str((state.row or {}).get("price", ""))
        if state.domain != "train" or len(state.booked) == before or not price:
            return said
        people = int(state.booked[-1]["people"])
        return [*said, f"The total fare is {float(price.split()[0]) * people:.2f} pounds."]


@variant
class LooksAgainIfRefused(RuleSystem):
    """If a booking is refused, looks the place up once more and says that it does."""

    def try_to_book(self, state: DomainState) -> list[str]:
        before = len(state.booked)
        said = super().try_to_book(state)
        if len(state.booked) > before or state.domain == "train":
            return said
        return ["Let me have another look.", *said]

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        try:
            return super().book(state, arguments)
        except ToolRefused as refused:
            self.backend.call(f"find_{state.domain}", name=arguments.get("name", ""))
            raise refused from None


DESK = Catalogue("service_desk")


@DESK.variant
class DeskSpeaksFriendly(RewordsDesk):
    """The desk's templates in other words."""

    TEMPLATES = (
        (r"Please tell me your e-mail address and your badge number first\.",
         "May I have your e-mail address and badge number, please?"),
        (r"I will (.+?)\. Shall I go ahead\?", r"I can \1 for you. Is that all right?"),
        (r"I am sorry, ", "Unfortunately "),
        (r"Done: your new (\w+) is (\w+), an? ([\w ]+)\.", r"I have given you \1 \2 (\3)."),
        (r"I have opened ticket (T\d+)\.", r"Your ticket is \1."),
        (r"Your temporary password is (\w+)\. Please change it at your next login\.",
         r"You can now log in with \1; you will be asked for a new one."),
    )  # fmt: skip

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


SHOP = Catalogue("lamp_shop")


@SHOP.variant
class ShopSpeaksFriendly(ShopBot):
    """The shop's templates in other words."""

    TEMPLATES = (
        (r"I will (.+?)\. Shall I go ahead\?", r"So you would like me to \1, right?"),
        (r"The ([\d.]+) dollars go back to your (.+?)\.", r"You get \1 dollars back by \2."),
        (r"I am sorry, ", "I'm afraid "),
        (r"Please give me your", "Could I have your"),
    )

    def reword(self, text: str) -> str:
        return reworded(text, self.TEMPLATES)


OWN = Catalogue("own_domains")


@OWN.variant
class SpeaksLikeAnAssistant(OwnBot):
    """The bot of own domains in the words of an assistant, which reads back before it books."""

    wording_name = "assistant"
