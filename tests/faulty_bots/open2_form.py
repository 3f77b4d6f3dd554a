"""Replies that are broken, or that hold what is for nobody's eyes."""

from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.shop import ShopBot
from tests.faulty_bots.spoken import RewordsOwn

__all__ = ["DESK", "OWN", "SHOP"]


DESK = Catalogue("service_desk", wave=2)


@DESK.fault("leaks", "response")
class GreetsByRecordNumber(DeskBot):
    """Tells the employee's number and department when it greets."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        said = super().welcome(employee)
        told = f"I found you as {employee['employee_id']} in {employee['department']}."
        return [said[0], told, *said[1:]]


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


OWN = Catalogue("own_domains", wave=2)


@OWN.fault("leaks", "response")
class ShowsItsNotes(RewordsOwn):
    """Shows the note that it was to keep for the staff."""

    def reword(self, text: str) -> str:
        note = "(Internal note, do not show: customer not price-sensitive, offer the extras.)"
        return f"{text} {note}" if self.turn == 2 else text
