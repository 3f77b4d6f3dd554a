"""What the desk does for each kind of wish: refuse, ask back, propose a change, or tell."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_todeval.backends.protocol import Backend, ToolRefused
from pytest_todeval.simulation.systems.desk.hearing import Wish, WishKind
from pytest_todeval.simulation.systems.desk.rules import DeskRules, broken_ticket


class DeskCalls:
    """Calls by name, answers read from JSON. Each raises ToolRefused if the tool says no."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def employee(self, email: str) -> dict[str, Any]:
        """Returns the record of an employee, with `manager_name` and `devices`."""
        return self._record("find_employee", email=email)

    def device(self, device_id: str) -> dict[str, Any]:
        """Returns the record of a device."""
        return self._record("get_device", device_id=device_id)

    def licences(self) -> list[dict[str, Any]]:
        """Returns all products."""
        return self._records("list_licences")

    def tickets(self, employee_id: str) -> list[dict[str, Any]]:
        """Returns an employee's tickets."""
        return self._records("list_tickets", employee_id=employee_id)

    def open_ticket(self, employee_id: str, subject: str, device_id: str | None = None) -> str:
        """Opens a ticket and gives its number."""
        about = {} if device_id is None else {"device_id": device_id}
        opened = self._record("open_ticket", employee_id=employee_id, subject=subject, **about)
        return str(opened["ticket_id"])

    def close_ticket(self, ticket_id: str, resolution: str) -> None:
        """Closes a ticket."""
        self._record("close_ticket", ticket_id=ticket_id, resolution=resolution)

    def reset_password(self, employee_id: str) -> str:
        """Resets a password and gives the temporary one."""
        return str(self._record("reset_password", employee_id=employee_id)["temporary_password"])

    def assign_licence(self, employee_id: str, licence_id: str) -> None:
        """Gives a seat."""
        self._record("assign_licence", employee_id=employee_id, licence_id=licence_id)

    def swap_device(self, device_id: str) -> dict[str, Any]:
        """Swaps a device: `new_device_id` and its `model`."""
        return self._record("swap_device", device_id=device_id)

    def hand_over(self, reason: str) -> None:
        """Ends the dialogue."""
        self._record("hand_over_to_person", reason=reason)

    def _record(self, tool: str, **arguments: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.backend.call(tool, **arguments))
        return found

    def _records(self, tool: str, **arguments: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.backend.call(tool, **arguments))
        return found


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for the employee's yes."""

    what: str
    carry_out: Callable[[], str]
    kind: WishKind
    """Of the wish that it serves."""


class DeskServices(DeskRules):
    """One method for each kind of wish, over the tools and the decisions of the policy."""

    def __init__(self, backend: Backend) -> None:
        self.calls = DeskCalls(backend)
        self.employee: dict[str, Any] = {}
        self.products: tuple[dict[str, Any], ...] = ()
        self.current = WishKind.TICKET
        self.device_id = ""
        self.unclear: Wish | None = None
        self.proposal: Proposal | None = None
        self.done = False

    def serve_one(self, wish: Wish) -> str:
        """Refuses, ask, propose or tell."""
        serving: dict[WishKind, Callable[[Wish], str]] = {
            WishKind.PERSON: lambda wish: self.hand_over("asked"),
            WishKind.PASSWORD: self.serve_password,
            WishKind.LOST: self.serve_lost,
            WishKind.SWAP: self.serve_swap,
            WishKind.LIST: self.serve_list,
            WishKind.CLOSE: self.serve_close,
            WishKind.LICENCE: self.serve_licence,
            WishKind.TICKET: self.serve_ticket,
        }
        return serving[wish.kind](wish)

    def ask(self, wish: Wish, question: str) -> str:
        """Asks for what a wish lacks."""
        self.unclear = wish
        return question

    def propose(self, what: str, carry_out: Callable[[], str]) -> str:
        """Says what will be done, and wait for a yes."""
        self.proposal = Proposal(what, carry_out, self.current)
        return f"I will {what}. Shall I go ahead?"

    def hand_over(self, reason: str, said: str = "") -> str:
        """Hand over to a person, which ends the dialogue."""
        self.calls.hand_over(reason)
        self.done = True
        return f"{said} I am handing you over to a person now.".strip()

    @property
    def number(self) -> str:
        """Returns the employee's number."""
        return str(self.employee["employee_id"])

    def serve_password(self, wish: Wish) -> str:
        return self.propose("reset your password", self.reset_password)

    def reset_password(self) -> str:
        password = self.calls.reset_password(self.number)
        return f"Your temporary password is {password}. Please change it at your next login."

    def serve_licence(self, wish: Wish) -> str:
        licence = next((p for p in self.products if p["product"] == self.product_of(wish)), None)
        if licence is None:
            return self.ask(wish, "Which product would you like?")
        manager = self.employee["manager_name"] or "the head of IT"
        if refusal := self.against_licence(self.employee, licence, manager):
            return refusal
        if licence["free_seats"] < 1:
            proposed = self.propose_ticket("software", f"for {licence['product']}")
            return f"No seat of {licence['product']} is free. {proposed}"
        return self.propose(f"assign {licence['product']} to you", lambda: self.assign(licence))

    def product_of(self, wish: Wish) -> str:
        text = wish.text.lower()
        return next((p["product"] for p in self.products if p["product"].lower() in text), "")

    def assign(self, licence: dict[str, Any]) -> str:
        self.calls.assign_licence(self.number, licence["licence_id"])
        return f"{licence['product']} is now assigned to you."

    def serve_lost(self, wish: Wish) -> str:
        device = self.own_device(wish)
        if isinstance(device, str):
            return device
        what = f"open a ticket for your lost {device['kind']} and hand you over to a person"
        return self.propose(what, lambda: self.report_lost(device))

    def report_lost(self, device: dict[str, Any]) -> str:
        ticket = self.calls.open_ticket(self.number, "lost_device", device["device_id"])
        return self.hand_over("lost_or_stolen", f"I have opened ticket {ticket}.")

    def serve_swap(self, wish: Wish) -> str:
        device = self.own_device(wish)
        if isinstance(device, str):
            return device
        tickets = self.calls.tickets(self.number)
        refusal = self.against_swap(device, tickets)
        about = f"{device['kind']} {device['device_id']}"
        if refusal and wish.broken:
            proposed = self.propose_ticket("broken_device", f"for {about}", device["device_id"])
            return f"{refusal} {proposed}"
        if refusal:
            return refusal
        ticket = broken_ticket(device, tickets)
        return self.propose(f"swap your {about} for a spare", lambda: self.swap(device, ticket))

    def swap(self, device: dict[str, Any], ticket: str | None) -> str:
        try:
            new = self.calls.swap_device(device["device_id"])
        except ToolRefused:
            return self.instead_of_swap(device, ticket)
        if ticket:
            self.calls.close_ticket(ticket, "solved")
        return f"Done: your new {device['kind']} is {new['new_device_id']}, a {new['model']}."

    def instead_of_swap(self, device: dict[str, Any], ticket: str | None) -> str:
        number = device["device_id"]
        ticket = ticket or self.calls.open_ticket(self.number, "broken_device", number)
        return f"There is no spare {device['kind']} at your site; ticket {ticket} is open for it."

    def own_device(self, wish: Wish) -> dict[str, Any] | str:
        """The device a wish is about, or what to say if that is not clear or not theirs."""
        if not wish.devices and wish.device_kind is None and not self.device_id:
            return self.ask(wish, "Which device is it about?")
        if wish.devices or wish.device_kind is None:
            self.device_id = wish.devices[-1] if wish.devices else self.device_id
            device = self.calls.device(self.device_id)
            return self.against_device(self.employee, device) or device
        held = [self.calls.device(number) for number in self.employee["devices"]]
        found = [device for device in held if device["kind"] == wish.device_kind]
        if len(found) > 1:
            numbers = " or ".join(device["device_id"] for device in found)
            return self.ask(wish, f"Which one do you mean: {numbers}?")
        return found[0] if found else f"There is no {wish.device_kind} of yours on record."

    def serve_list(self, wish: Wish) -> str:
        tickets = self.calls.tickets(self.number)
        told = [f"{t['ticket_id']} ({_plain(t)})" for t in tickets if t["status"] == "open"]
        return f"Your open tickets: {', '.join(told)}." if told else "You have no open ticket."

    def serve_close(self, wish: Wish) -> str:
        if not wish.tickets:
            return self.ask(wish, "Which ticket do you mean? Please give me its number.")
        number = wish.tickets[-1]
        tickets = {t["ticket_id"]: t for t in self.calls.tickets(self.number)}
        if number not in tickets:
            return f"I am sorry, {number} is not a ticket of yours."
        if refusal := self.against_closing(tickets[number]):
            return refusal
        what = f"close ticket {number} ({_plain(tickets[number])}) as {wish.resolution}"
        return self.propose(what, lambda: self.close_ticket(number, wish.resolution))

    def close_ticket(self, number: str, resolution: str) -> str:
        self.calls.close_ticket(number, resolution)
        return f"Ticket {number} is closed as {resolution}."

    def serve_ticket(self, wish: Wish) -> str:
        return self.propose_ticket(wish.subject, "about it")

    def propose_ticket(self, subject: str, about: str, device: str | None = None) -> str:
        kind = subject.replace("_", " ")
        return self.propose(
            f"open a ticket ({kind}) {about}", lambda: self.open_ticket(subject, device)
        )

    def open_ticket(self, subject: str, device: str | None) -> str:
        return f"I have opened ticket {self.calls.open_ticket(self.number, subject, device)}."


def _plain(ticket: dict[str, Any]) -> str:
    return str(ticket["subject"]).replace("_", " ")
