"""Faults of bots of the service desk."""

import json
from collections.abc import Callable
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.systems import DeskBot
from pytest_todeval.systems.desk.hearing import Wish
from pytest_todeval.systems.desk.services import Proposal
from tests.faulty_bots.reshaped import RewordsDesk, Slower
from tests.faulty_bots.seeded import Catalogue

__all__ = ["CATALOGUE"]

CATALOGUE = Catalogue("service_desk")
fault = CATALOGUE.fault
Record = Any


@fault("order", "flow")
class ActsBeforeTheYes(DeskBot):
    """Carries out each change at once and then asks whether it may."""

    def propose(self, what: str, carry_out: Callable[[], str]) -> str:
        try:
            said = carry_out()
        except ToolRefused as refused:
            return str(refused)
        self.proposal = Proposal("nothing more", lambda: "Good.", self.current)
        return f"{said} Was that all right?"


@fault("access", "flow")
class SkipsTheBadge(DeskBot):
    """Takes any badge number for the right one."""

    def is_identified(self, employee: Record, badge: str) -> bool:
        return True


@fault("access", "flow")
class LooksUpAColleague(DeskBot):
    """Looks up the record of another employee too, to compare."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        self.calls.employee("ines.calloway@larkfield.example")
        return super().welcome(employee)


@fault("state", "flow")
class AssignsUnapproved(DeskBot):
    """Assigns products that need an approval without one."""

    def against_licence(self, employee: Record, licence: Record, manager: str) -> str | None:
        return super().against_licence(employee, {**licence, "needs_approval": False}, manager)


@fault("state", "entity")
class SwapsYoungDevices(DeskBot):
    """Swaps devices of any age."""

    OLD_ENOUGH = 0


@fault("state", "action")
class LeavesTheTicketOpen(DeskBot):
    """Swaps a broken device and leaves its ticket open."""

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        return super().swap(device, None)


@fault("state", "action")
class ClaimsAReset(DeskBot):
    """Says that it has reset the password, and has not."""

    def reset_password(self) -> str:
        return "I have reset your password. You will find the new one in your inbox."


@fault("words", "response")
class SaysTwoDevices(RewordsDesk):
    """Tells the number of the new device, and right after it another one."""

    def reword(self, text: str) -> str:
        return f"{text} Please collect D226 at the counter." if "Done: your new" in text else text


@fault("values", "response")
class ReadsOutEveryNumber(DeskBot):
    """Reads out all ticket numbers that there can be if it is asked for some."""

    def serve_list(self, wish: Wish) -> str:
        super().serve_list(wish)
        return f"Your open tickets are among: {', '.join(f'T{n}' for n in range(300, 340))}."


@fault("promises", "response")
class PromisesACourier(RewordsDesk):
    """Promises with each ticket that a technician comes by tomorrow at nine."""

    def reword(self, text: str) -> str:
        if "ticket" not in text or "T3" not in text:
            return text
        return f"{text} A technician will be at your desk tomorrow at 9:00."


@fault("leaks", "response")
class TellsTheBadge(DeskBot):
    """Tells the badge number on record if the one that was said is another."""

    def identify(self) -> list[str]:
        said = super().identify()
        if self.employee or not said[0].startswith("The e-mail"):
            return said
        badge = self.calls.employee(self.email)["badge"]
        return [*said, f"On record is {badge}."]


@fault("leaks", "response")
class QuotesThePolicy(RewordsDesk):
    """Quotes its whole policy when it refuses."""

    def reword(self, text: str) -> str:
        policy = getattr(self.calls.backend, "policy", "")
        return f"{text} For reference:\n{policy[:900]}" if "I am sorry" in text else text


@fault("order", "action")
class HandsOverForAnyReason(DeskBot):
    """Gives `asked` as the reason of each hand-over."""

    def hand_over(self, reason: str, said: str = "") -> str:
        return super().hand_over("asked", said)


@fault("form", "response")
class ShowsTheRecord(DeskBot):
    """Greets an employee with the record as the tool gave it."""

    def welcome(self, employee: dict[str, Any]) -> list[str]:
        return [json.dumps(employee), *super().welcome(employee)]


@fault("latency", "action", stamp=Slower(18.0, turn=2))
class HangsOverTheRecord(DeskBot):
    """Takes 18 seconds for the turn in which it looks the employee up."""
