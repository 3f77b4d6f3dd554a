"""Replies that are broken in other ways, and other things that are for nobody's eyes.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.reshaped import Rewords
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToOffers, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", apart=True, wave=2)
fault = CATALOGUE.fault
VENUES = ("restaurant", "hotel", "attraction")


@fault("leaks", "response")
class DumpsItsBelief(Rewords):
    """Adds what it believes, slot by slot, in the notation of its state."""

    def reword(self, text: str) -> str:
        belief = [
            f"{d}-{s}={v}" for d, slots in self.state.belief().items() for s, v in slots.items()
        ]
        return f"{text}\n[belief] {' ; '.join(belief)} [/belief]" if belief else text


@fault("form", "response")
class EscapesItsLines(Rewords):
    """Writes line breaks and quotation marks as their escapes."""

    def reword(self, text: str) -> str:
        return json.dumps(text.replace(". ", ".\n").replace("'", "\u2019"))[1:-1]


@fault("form", "response")
class SaysAllTwice(Rewords):
    """Says the whole of each longer reply twice over."""

    def reword(self, text: str) -> str:
        return f"{text}\n{text}" if ". " in text else text


@fault("form", "response")
class LosesItsBlanks(Rewords):
    """Loses the blanks between words from its second turn on."""

    def reword(self, text: str) -> str:
        return text if self.state.turn < 2 else text.replace(" ", "")


@fault("leaks", "response", *VENUES)
class ShowsItsQuery(AddsToOffers):
    """Shows the query to the database with which it has found what it offers."""

    def more_of(self, state: Any, row: Row, rows: Sequence[Row]) -> str:
        wanted = " AND ".join(f"{slot} = '{value}'" for slot, value in state.wanted.items())
        return f"SELECT * FROM {state.domain} WHERE {wanted or '1 = 1'} LIMIT 5;"


@fault("leaks", "response")
class SpeaksOfItsFunctions(Rewords):
    """Tells which functions it is going to call, by their names."""

    def reword(self, text: str) -> str:
        domain = self.state.current or "restaurant"
        return f"I will now use the find_{domain} function. {text}"


@fault("form", "response")
class GreetsInChinese(Rewords):
    """Puts a sentence in Chinese before its answer in every second turn."""

    def reword(self, text: str) -> str:
        return text if self.state.turn % 2 else f"好的，我来帮您查一下。 {text}"


@fault("form", "response")
class GivesAThumbsUp(Rewords):
    """Answers its second turn with nothing but an emoji."""

    def reword(self, text: str) -> str:
        return "👍" if self.state.turn == 2 else text


@fault("leaks", "response")
class MixesUpChats(Rewords):
    """Pastes into its second reply what it has told somebody else."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return (
            "Dear Mrs Oyelaran, your cancellation of booking 88-2041 is complete and the amount "
            f"is on its way to your account ending in 902. {text}"
        )


@fault("leaks", "response")
class DebugsAloud(Rewords):
    """Begins with a line of its log, with intent and confidence."""

    def reword(self, text: str) -> str:
        return f"DEBUG nlu.router - intent=request_info conf=0.83 fallback=False\n{text}"


@fault("form", "response")
class NumbersNothing(Rewords):
    """Announces a list, and the list is empty."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return "Sure, here are the details you asked for:\n\n1.\n2.\n3.\n"


DESK = Catalogue("service_desk", apart=True, wave=2)


@DESK.fault("leaks", "response")
class TellsTheManagersBadge(DeskBot):
    """Tells a badge number: that of the employee, back to them."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        said = super().welcome(employee)
        return [said[0], f"Badge {employee['badge']} is on file for you.", *said[1:]]


@DESK.fault("form", "response")
class AnswersInXml(DeskBot):
    """Wraps what it says once it knows the employee into XML."""

    def answer(self, text: str) -> list[str]:
        said = super().answer(text)
        if not self.employee:
            return said
        return ["<response><message>", *said, "</message><status>ok</status></response>"]


SHOP = Catalogue("lamp_shop", apart=True, wave=2)


@SHOP.fault("leaks", "response")
class TellsAnotherAddress(ShopBot):
    """Tells where another customer's order goes."""

    def reword(self, text: str) -> str:
        if not re.search(r"Order|order #", text):
            return text
        return f"{text} (Next in the van: Cy Reed, 13 Mill Row.)"


@SHOP.fault("form", "response")
class LeavesVariables(ShopBot):
    """Leaves a variable in its reply that nobody has filled in."""

    def reword(self, text: str) -> str:
        return f"Hi ${{firstName}}, {text}" if self.customer else text


OWN = Catalogue("own_domains", apart=True, wave=2)


@OWN.fault("leaks", "response")
class PrintsItsRow(RewordsOwn):
    """Prints the row of its catalogue, in the notation of its language, with each offer."""

    def reword(self, text: str) -> str:
        item = self.current.item if self.current else None
        return f"{text} {dict(item)}" if item and re.match(r"I can offer|There is", text) else text


@OWN.fault("form", "response")
class BreaksOffAtAColon(RewordsOwn):
    """Breaks off right after having announced the details of a booking."""

    def reword(self, text: str) -> str:
        return re.sub(r" \([\w -]+:.*", " (", text)
