"""The tools of the service desk as the bot calls them."""

import json
from typing import Any

from pytest_todeval.backends.protocol import Backend

__all__ = ["DeskCalls"]


class DeskCalls:
    """Calls by name, answers read from JSON. Each raises ToolRefused if the tool says no."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def employee(self, email: str) -> dict[str, Any]:
        """The record of an employee, with `manager_name` and `devices`."""
        return self._record("find_employee", email=email)

    def device(self, device_id: str) -> dict[str, Any]:
        """The record of a device."""
        return self._record("get_device", device_id=device_id)

    def licences(self) -> list[dict[str, Any]]:
        """All products."""
        return self._records("list_licences")

    def tickets(self, employee_id: str) -> list[dict[str, Any]]:
        """An employee's tickets."""
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
