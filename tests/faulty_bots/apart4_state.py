"""Wrong bookings and records, and wishes that are lost on the way.

Held out: whoever writes rules reads neither this file nor what it catches, only totals.
"""

from typing import Any

from pytest_todeval.backends.protocol import Backend
from pytest_todeval.nlu.values.normalise import DONTCARE
from pytest_todeval.simulation.systems.desk.services import DeskCalls
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.simulation.systems.rules.understanding import Understood
from pytest_todeval.systems import DeskBot, RuleSystem
from tests.faulty_bots.reshaped import later
from tests.faulty_bots.seeded import Catalogue
from tests.faulty_bots.spoken import AddsToBookings, first_domain

__all__ = ["CATALOGUE", "DESK"]

CATALOGUE = Catalogue("demo", apart=True, wave=4)
fault = CATALOGUE.fault
ROUTE = ("departure", "destination", "day")


@fault("state", "entity", "taxi")
class SendsTheTaxiNextDoor(RuleSystem):
    """Sends the taxi to another address than it was given, and tells the one that it was given."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if state.domain != "taxi":
            return super().book(state, arguments)
        wished = arguments["destination"]
        names = (str(row["name"]) for row in self.backend.database.rows("restaurant"))
        other = next(n for n in names if n not in (wished, arguments["departure"]))
        return {**super().book(state, {**arguments, "destination": other}), "destination": wished}


@fault("state", "entity", "restaurant")
class BringsBigTablesForward(RuleSystem):
    """Books tables for four and more half an hour early, and tells the time that was said."""

    def book(self, state: DomainState, arguments: dict[str, str]) -> dict[str, Any]:
        if "time" not in arguments or int(arguments["people"]) < 4:
            return super().book(state, arguments)
        early = {**arguments, "time": later(arguments["time"], -30)}
        return {**super().book(state, early), "time": arguments["time"]}


@fault("understanding", "context")
class WidensTheSecondSearch(RuleSystem):
    """Looks for what comes second without the last thing that was wished of it."""

    def constraints_for(self, state: DomainState) -> dict[str, str]:
        wanted = super().constraints_for(state)
        if state.domain == first_domain(self) or len(wanted) < 2:
            return wanted
        return dict(list(wanted.items())[:-1])


def changed_slots(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """The wishes that have another value than before."""
    told = {slot: value for slot, value in before.items() if value != DONTCARE}
    return [s for s, v in told.items() if now.get(s, DONTCARE) not in (v, DONTCARE)]


@fault("understanding", "context")
class ForgetsTheRestOfAChange(RuleSystem):
    """When the user changes one wish, forgets the others."""

    def update(self, heard: Understood) -> None:
        before = {name: dict(state.constraints) for name, state in self.state.domains.items()}
        super().update(heard)
        for name, wishes in before.items():
            state = self.state.of(name)
            changed = changed_slots(wishes, state.constraints)
            if changed and name not in ("train", "taxi"):
                state.constraints = {slot: state.constraints[slot] for slot in changed}


@fault("service", "context")
class RestartsOnAChange(RuleSystem):
    """When the user changes a wish for the first time, begins anew and has forgotten all."""

    restarted = False
    restarting = False

    def update(self, heard: Understood) -> None:
        before = {name: dict(state.constraints) for name, state in self.state.domains.items()}
        super().update(heard)
        self.restarting = False
        for name, wishes in before.items():
            state = self.state.of(name)
            if changed_slots(wishes, state.constraints) and not self.restarted:
                self.restarted = self.restarting = True
                state.constraints, state.row, state.changed = {}, None, True

    def serve(self, domain: str, heard: Understood) -> list[str]:
        if self.restarting:
            return ["Okay, let's take it from the top then! What are you looking for today?"]
        return super().serve(domain, heard)


@fault("order", "action", "restaurant")
class BringsATaxiAlong(AddsToBookings):
    """Orders a taxi to each table that it books; nobody has asked for one."""

    def more(self, state: DomainState, result: dict[str, Any]) -> str:
        if state.domain != "restaurant":
            return ""
        at = later(str(result["time"]), -20)
        way = {"departure": "marlwick museum", "destination": str(result["name"])}
        self.backend.call("book_taxi", **way, leaveAt=at)
        return f"And so you won't be late, a cab is coming for you at {at} from the museum."


DESK = Catalogue("service_desk", apart=True, wave=4)


class Mislabelling(DeskCalls):
    """Calls with another subject than the one given."""

    def open_ticket(self, employee_id: str, subject: str, device_id: str | None = None) -> str:
        other = "access" if subject != "access" else "network"
        del device_id  # which these subjects do not take
        return super().open_ticket(employee_id, other)


@DESK.fault("state", "entity")
class PutsAnotherSubject(DeskBot):
    """Opens each ticket under a subject that it is not about."""

    def __init__(self, backend: Backend) -> None:
        super().__init__(backend)
        self.calls = Mislabelling(backend)


@DESK.fault("access", "action")
class ReadsTicketsOfAnother(DeskBot):
    """Reads the tickets of a colleague together with those of the employee, whatever is wished."""

    def serve(self) -> list[str]:
        if self.wishes:
            self.calls.tickets("E101" if self.number != "E101" else "E102")
        return super().serve()
