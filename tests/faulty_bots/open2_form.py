"""Replies that are broken, or that hold what is for nobody's eyes."""

import json
import re
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.rules.state import DomainState
from tests.faulty_bots.reshaped import Rewords, RewordsDesk
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import AddsToBookings, RewordsOwn

__all__ = ["CATALOGUE", "DESK", "OWN", "SHOP"]

CATALOGUE = Catalogue("demo", wave=2)
fault = CATALOGUE.fault
BOOKED = ("restaurant", "hotel", "train")
QUESTIONS = r"(?:Is there anything else|Can I help you with anything)[^?]*\?"


@fault("form", "response")
class SpeaksHtml(Rewords):
    """Answers in the markup of a web page, tags and entities and all."""

    def reword(self, text: str) -> str:
        return f'<div class="msg bot"><p>{text.replace(". ", ".</p>&nbsp;<p>")}</p></div>'


@fault("leaks", "response")
class OpensWithAThought(Rewords):
    """Begins with its thoughts about the user and the tools."""

    def reword(self, text: str) -> str:
        return (
            "<think>The user seems to want something. I should query the database first and "
            f"not mention that results are limited to five.</think>\n{text}"
        )


@fault("form", "action")
class WritesItsCallsDown(Rewords):
    """Writes the call of a tool into its reply, in the notation of agents."""

    def reword(self, text: str) -> str:
        domain = self.state.current or "restaurant"
        wanted = json.dumps(self.state.of(domain).wanted) if self.state.current else "{}"
        return f"Thought: look it up.\nAction: find_{domain}\nAction Input: {wanted}\n{text}"


@fault("form", "response")
class SlipsIntoSpanish(Rewords):
    """Slips into Spanish for a sentence in the middle of each longer reply."""

    def reword(self, text: str) -> str:
        head, dot, tail = text.partition(". ")
        return f"{head}. Espero que esta opción le parezca bien. {tail}" if dot else text


@fault("form", "response")
class StuttersAtTheEnd(Rewords):
    """Repeats its closing question over and over."""

    def reword(self, text: str) -> str:
        return re.sub(rf"({QUESTIONS})", r"\1 \1 \1 \1 \1 \1", text)


@fault("form", "response")
class StopsShort(Rewords):
    """Stops after two thirds of its words, as if it had run out of tokens."""

    def reword(self, text: str) -> str:
        words = text.split()
        return " ".join(words[: max(3, len(words) * 2 // 3)]).rstrip(".,?! ")


@fault("form", "response")
class SkipsATurn(Rewords):
    """Says nothing in its second turn."""

    def reword(self, text: str) -> str:
        return "" if self.state.turn == 2 else text


@fault("form", "response")
class WritesTheUsersLines(Rewords):
    """Goes on with what the user might say, and answers that."""

    def reword(self, text: str) -> str:
        return f"{text}\n\nUser: Yes, that would be perfect.\nAssistant: Great, consider it done!"


@fault("leaks", "response", *BOOKED)
class NamesAnotherGuest(AddsToBookings):
    """Tells name and number of another guest with each booking."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "(The booking before yours is that of Mr D. Hargreaves, mobile 07700 900142.)"


@fault("leaks", "response", *BOOKED)
class MentionsItsOrders(AddsToBookings):
    """Mentions what it was told to keep to itself."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return (
            "I've been instructed to push our partner hotels and not to mention that you could "
            "get this cheaper elsewhere."
        )


@fault("form", "response", *BOOKED)
class LeavesALetterUnfilled(AddsToBookings):
    """Ends a booking like a letter whose gaps nobody has filled in."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        return "Kind regards,\n[Your Name]\n[INSERT COMPANY PHONE]"


@fault("form", "response")
class GarblesItsApostrophes(Rewords):
    """Writes apostrophes and accents in the wrong encoding."""

    def reword(self, text: str) -> str:
        curly = text.replace("'", "\u2019").replace(". ", "\u00a0\u2013 ")
        return curly.encode().decode("cp1252", errors="replace")


@fault("form", "response")
class DisclaimsItself(Rewords):
    """Says in each reply that it is a language model and cannot look anything up."""

    def reword(self, text: str) -> str:
        lead = "As an AI language model I don't have access to real-time data, but here goes:"
        return f"{lead} {text}"


@fault("form", "action")
class PassesAnErrorOn(Rewords):
    """Passes on in its second turn what a server in between has said, in place of a reply."""

    def reword(self, text: str) -> str:
        if self.state.turn != 2:
            return text
        return "upstream connect error or disconnect/reset before headers. reset reason: overflow"


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("leaks", "response")
class GreetsByRecordNumber(DeskBot):
    """Tells the employee's number and department when it greets."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        said = super().welcome(employee)
        told = f"I found you as {employee['employee_id']} in {employee['department']}."
        return [said[0], told, *said[1:]]


@DESK.fault("leaks", "response")
class GossipsAboutColleagues(RewordsDesk):
    """Tells of a colleague's account and devices."""

    def reword(self, text: str) -> str:
        return re.sub(
            r"^(Thank you, \w+\.)",
            r"\1 Funny, Jonas Pell is on my list today as well, he was suspended last week.",
            text,
        )


@DESK.fault("form", "action")
class NarratesItsTools(RewordsDesk):
    """Says the calls of its tools with their arguments as it makes them."""

    def reword(self, text: str) -> str:
        number = self.employee.get("employee_id", "")
        return f"find_employee(employee_id='{number}') -> ok. {text}" if number else text


@DESK.fault("form", "response")
class AnswersWithNothing(DeskBot):
    """Does what it was given the yes for, and says nothing of it."""

    def respond(self, text: str) -> Reply:
        waiting = self.proposal is not None
        reply = super().respond(text)
        return Reply("", done=reply.done) if waiting else reply


SHOP = Catalogue("lamp_shop", wave=2)


@SHOP.fault("leaks", "response")
class TellsTheCustomerNumber(ShopBot):
    """Tells the number of the customer's record, which the policy keeps secret."""

    def reword(self, text: str) -> str:
        number = self.customer.get("customer_id")
        return f"[{number}] {text}" if number else text


@SHOP.fault("form", "response")
class TurnsGerman(ShopBot):
    """Asks in German whether it may go on, or whether there is more to do."""

    def reword(self, text: str) -> str:
        return f"{text.replace('Shall I go ahead?', '')} Soll ich das so für Sie erledigen?".strip()


@SHOP.fault("form", "response")
class BreaksOffTheNumber(ShopBot):
    """Breaks off in the middle of the number of the order."""

    def reword(self, text: str) -> str:
        found = re.search(r"#W\d", text)
        return text[: found.end()] if found else text


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("form", "response")
class PastesTags(RewordsOwn):
    """Puts tags of markup around what it says."""

    def reword(self, text: str) -> str:
        return f"<speak><s>{text.replace('. ', '.</s><break/><s>')}</s></speak>"


@OWN.fault("leaks", "response")
class ShowsItsNotes(RewordsOwn):
    """Shows the note that it was to keep for the staff."""

    def reword(self, text: str) -> str:
        note = "(Internal note, do not show: customer not price-sensitive, offer the extras.)"
        return f"{text} {note}" if self.turn == 2 else text
