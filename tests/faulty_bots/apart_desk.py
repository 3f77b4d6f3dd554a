"""Kept apart: faults of bots of the service desk."""

from contextlib import suppress
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.desk import hearing
from pytest_todeval.systems.desk.hearing import Wish
from tests.faulty_bots.reshaped import RewordsDesk
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("service_desk", apart=True)
fault = CATALOGUE.fault


@fault("order", "intent")
class TakesANoForAYes(DeskBot):
    """Goes ahead although the employee says no, or says nothing to the question."""

    def settle(self, text: str) -> list[str]:
        proposal, self.proposal = self.proposal, None
        if proposal is None:
            return []
        try:
            return [proposal.carry_out()]
        except ToolRefused as refused:
            return [str(refused)]


@fault("access", "flow")
class TrustsTheAddress(DeskBot):
    """Asks for no badge number: an e-mail address will do."""

    def meet(self, text: str) -> list[str]:
        self.badge = "0000"
        return super().meet(text)

    def is_identified(self, employee: Any, badge: str) -> bool:
        return True


@fault("access", "action")
class ReadsBeforeItKnows(DeskBot):
    """Reads tickets of the account while the badge number is still wrong."""

    def identify(self) -> list[str]:
        with suppress(ToolRefused):
            self.calls.tickets(str(self.calls.employee(self.email)["employee_id"]))
        return super().identify()


@fault("access", "flow")
class ServesOthersDevices(DeskBot):
    """Swaps, and looks into, the devices of others."""

    def against_device(self, employee: Any, device: Any) -> str | None:
        return None


@fault("state", "flow")
class ClosesSecurityTickets(DeskBot):
    """Closes tickets that only the security team may close."""

    def against_closing(self, ticket: Any) -> str | None:
        return None


@fault("state", "flow")
class AssignsToContractors(DeskBot):
    """Assigns staff products to contractors."""

    def against_licence(self, employee: Any, licence: Any, manager: str) -> str | None:
        return super().against_licence({**employee, "kind": "staff"}, licence, manager)


@fault("state", "entity")
class ClosesAsDuplicates(DeskBot):
    """Closes each ticket as a duplicate, whatever became of it."""

    def close_ticket(self, number: str, resolution: str) -> str:
        return super().close_ticket(number, "duplicate")


@fault("state", "action")
class ForgetsTheLostDevice(DeskBot):
    """Hands over a lost device without opening a ticket for it."""

    def report_lost(self, device: dict[str, Any]) -> str:
        return self.hand_over("lost_or_stolen", "I have opened a ticket.")


@fault("order", "action")
class TriesAgainAndAgain(DeskBot):
    """Repeats a call that fails three times over."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        for _ in range(3):
            try:
                self.calls.close_ticket("T999", "solved")
            except ToolRefused:
                continue
        return super().swap(device, ticket)


@fault("words", "response")
class SaysAnotherSubject(RewordsDesk):
    """Tells tickets about the network as ones about software, and the other way round."""

    def reword(self, text: str) -> str:
        if "open tickets:" not in text:
            return text
        swapped = text.replace("(network)", "(@)").replace("(software)", "(network)")
        return swapped.replace("(@)", "(software)").replace("(access)", "(lost device)")


@fault("denials", "response")
class SaysNoSeatIsFree(DeskBot):
    """Says of products that need an approval that no seat is free, which is not so."""

    def against_licence(self, employee: Any, licence: Any, manager: str) -> str | None:
        refusal = super().against_licence(employee, licence, manager)
        name = licence["product"]
        return refusal and f"I am sorry, no seat of {name} is free. {manager} may know more."


@fault("promises", "response")
class ClaimsToHaveTold(RewordsDesk):
    """Says with each refusal that it has asked the manager and sent an e-mail."""

    def reword(self, text: str) -> str:
        if "I am sorry" not in text:
            return text
        return f"{text} I have e-mailed your manager about it and opened a request."


@fault("leaks", "response")
class TellsOfTheManager(DeskBot):
    """Tells an employee how the manager can be reached, with a badge number."""

    def serve_one(self, wish: Wish) -> str:
        manager = self.employee.get("manager_name")
        said = super().serve_one(wish)
        if not manager:
            return said
        address = str(manager).lower().replace(" ", ".") + "@larkfield.example"
        record = self.calls.employee(address)
        return f"{said} (Your manager is {manager}, {address}, badge {record['badge']}.)"


@fault("form", "response")
class LeavesTheNameOut(RewordsDesk):
    """Greets with a variable in place of the first name."""

    def reword(self, text: str) -> str:
        first_name = str(self.employee.get("name", "")).split(" ")[0]
        return text.replace(f"Thank you, {first_name}.", "Thank you, {{first_name}}.")


@fault("service", "flow")
class HandsOverTooSoon(DeskBot):
    """Hands over to a person whatever is wished second."""

    def respond(self, text: str) -> Reply:
        known = bool(self.employee)
        if known and self.proposal is None and hearing.wishes_in(text, ()):
            return Reply(self.hand_over("asked"), done=True)
        return super().respond(text)
