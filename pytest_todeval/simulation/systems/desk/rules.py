"""The policy of the service desk as decisions: why not, in words for the employee, or None.

Each decision is one method, to be overridden in a subclass.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.simulation.systems.desk.hearing import Wish

Record = Mapping[str, Any]


class DeskRules:
    """What `backends/service_desk/policy.md` says, over the records that the tools gave."""

    OLD_ENOUGH = 4
    """Years from which on a device may be swapped without being broken."""

    def is_identified(self, employee: Record, badge: str) -> bool:
        """Says whether the badge number is the one on record."""
        return bool(employee["badge"] == badge)

    def against_another(self, wish: Wish) -> str | None:
        """Nobody is served for somebody else."""
        if wish.for_another:
            return "I am sorry, I can only do this for your own account and things, not for others."
        return None

    def against_licence(self, employee: Record, licence: Record, manager: str) -> str | None:
        """Staff only, and approval if it is needed; `manager` is who approves."""
        product = licence["product"]
        if licence["staff_only"] and employee["kind"] == "contractor":
            return f"I am sorry, {product} is for staff only, so I can't assign it to a contractor."
        if licence["needs_approval"] and licence["licence_id"] not in employee["approvals"]:
            return (
                f"I am sorry, {product} needs an approval and there is none on record. "
                f"Please ask {manager}, who can approve it."
            )
        return None

    def against_device(self, employee: Record, device: Record) -> str | None:
        """Returns only the employee's own devices."""
        if device["holder"] != employee["employee_id"]:
            return (
                f"I am sorry, {device['device_id']} is not yours: I can only act on your devices."
            )
        return None

    def against_swap(self, device: Record, tickets: Sequence[Record]) -> str | None:
        """Old enough, or with an open ticket that says it is broken."""
        if device["age_years"] >= self.OLD_ENOUGH or broken_ticket(device, tickets):
            return None
        return (
            f"I am sorry, your {device['kind']} {device['device_id']} is {device['age_years']} "
            f"years old: without an open ticket for a broken device I can only swap those of "
            f"{self.OLD_ENOUGH} years or more."
        )

    def against_closing(self, ticket: Record) -> str | None:
        """Security tickets belong to the security team."""
        if ticket["subject"] == "security":
            return f"I am sorry, {ticket['ticket_id']} can only be closed by the security team."
        return None


def broken_ticket(device: Record, tickets: Sequence[Record]) -> str | None:
    """Returns the number of the open ticket that says this device is broken."""
    for ticket in tickets:
        told = (ticket["device"], ticket["subject"], ticket["status"])
        if told == (device["device_id"], "broken_device", "open"):
            return str(ticket["ticket_id"])
    return None
