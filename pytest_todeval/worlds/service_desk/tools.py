"""What the tools of the service desk do to its tables.

Each takes the tables and its arguments, and answers JSON text; it raises ToolRefused if it says
no, and then has changed nothing. There is no clock and no chance: numbers and passwords follow from
the tables. The tools enforce what a database would; the rest is the bot's to keep (`policy.md`).
"""

import json
from collections.abc import Mapping
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused

Data = Mapping[str, dict[str, dict[str, Any]]]
"""Table -> id -> record; records may be changed in place."""

SUBJECTS = ("broken_device", "lost_device", "network", "access", "software", "other")
ABOUT_DEVICES = SUBJECTS[:2]
RESOLUTIONS = ("solved", "withdrawn", "duplicate")
REASONS = ("security", "lost_or_stolen", "asked")
PASSWORD_WORDS = ("anchor", "bramble", "copper", "dapple", "ember", "fennel", "gravel", "hazel")


def find_employee(data: Data, email: str) -> str:
    """Returns the employee with this e-mail address, whatever its case."""
    wanted = email.strip().lower() if isinstance(email, str) else ""
    for number, record in data["employees"].items():
        if record["email"] == wanted:
            return json.dumps({"employee_id": number, **record, **_around(data, number, record)})
    raise ToolRefused("no employee has this e-mail address")


def get_device(data: Data, device_id: str) -> str:
    """Returns the record of a device."""
    return json.dumps({"device_id": device_id, **_record(data, "devices", device_id)})


def list_licences(data: Data) -> str:
    """Returns all products, with their free seats but without their holders."""
    return json.dumps(
        [
            {
                "licence_id": number,
                "product": record["product"],
                "seats": record["seats"],
                "free_seats": record["seats"] - len(record["holders"]),
                "needs_approval": record["needs_approval"],
                "staff_only": record["staff_only"],
            }
            for number, record in data["licences"].items()
        ]
    )


def list_tickets(data: Data, employee_id: str) -> str:
    """Returns all tickets of an employee."""
    _record(data, "employees", employee_id)
    return json.dumps(
        [
            {"ticket_id": number, **record}
            for number, record in data["tickets"].items()
            if record["employee"] == employee_id
        ]
    )


def open_ticket(data: Data, employee_id: str, subject: str, device_id: str | None = None) -> str:
    """Opens a ticket; those about a device need one, the others take none."""
    _record(data, "employees", employee_id)
    _one_of("subject", subject, SUBJECTS)
    if device_id is not None:
        _record(data, "devices", device_id)
    if (subject in ABOUT_DEVICES) != (device_id is not None):
        raise ToolRefused(f"give a device_id with {' and '.join(ABOUT_DEVICES)}, and only then")
    number = f"T{max(int(ticket[1:]) for ticket in data['tickets']) + 1}"
    record = {
        "employee": employee_id,
        "subject": subject,
        "device": device_id,
        "status": "open",
        "resolution": None,
    }
    data["tickets"][number] = record
    return json.dumps({"ticket_id": number, **record})


def close_ticket(data: Data, ticket_id: str, resolution: str) -> str:
    """Closes an open ticket."""
    ticket = _record(data, "tickets", ticket_id)
    _one_of("resolution", resolution, RESOLUTIONS)
    if ticket["status"] != "open":
        raise ToolRefused(f"ticket {ticket_id} is closed already")
    ticket["status"] = "closed"
    ticket["resolution"] = resolution
    return json.dumps({"ticket_id": ticket_id, **ticket})


def reset_password(data: Data, employee_id: str) -> str:
    """Sets a temporary password; a locked account becomes active, a suspended one stays so."""
    employee = _record(data, "employees", employee_id)
    if employee["account"] == "disabled":
        raise ToolRefused(f"the account of {employee_id} is disabled")
    count = employee["password_resets"] + 1
    employee["password_resets"] = count
    employee["must_change_password"] = True
    if employee["account"] == "locked":
        employee["account"] = "active"
    word = PASSWORD_WORDS[(int(employee_id[1:]) + count) % len(PASSWORD_WORDS)]
    # Letters and digits only: models write a hyphen as any of several characters.
    password = f"{word}{int(employee_id[1:]) * 7 + count}"
    return json.dumps({"employee_id": employee_id, "temporary_password": password})


def assign_licence(data: Data, employee_id: str, licence_id: str) -> str:
    """Gives an employee a seat, if one is free."""
    _record(data, "employees", employee_id)
    licence = _record(data, "licences", licence_id)
    if employee_id in licence["holders"]:
        raise ToolRefused(f"{employee_id} holds {licence['product']} already")
    if len(licence["holders"]) >= licence["seats"]:
        raise ToolRefused(f"no seat of {licence['product']} is free")
    licence["holders"].append(employee_id)
    return json.dumps({"employee_id": employee_id, "assigned": licence["product"]})


def swap_device(data: Data, device_id: str) -> str:
    """Retires a device in use, and give its holder the newest spare (then the lowest number)."""
    old = _record(data, "devices", device_id)
    if old["status"] != "in_use":
        raise ToolRefused(f"device {device_id} is not in use")
    spares = [
        (device["age_years"], number)
        for number, device in data["devices"].items()
        if device["status"] == "in_stock"
        and (device["kind"], device["site"]) == (old["kind"], old["site"])
    ]
    if not spares:
        raise ToolRefused(f"there is no spare {old['kind']} at {old['site']}")
    _, number = min(spares)
    new = data["devices"][number]
    new["holder"], new["status"] = old["holder"], "in_use"
    old["holder"], old["status"] = None, "retired"
    return json.dumps({"retired": device_id, "new_device_id": number, "model": new["model"]})


def hand_over_to_person(data: Data, reason: str) -> str:
    """Ends the dialogue; changes nothing."""
    del data
    _one_of("reason", reason, REASONS)
    return json.dumps({"handed_over": reason})


def _around(data: Data, number: str, employee: Mapping[str, Any]) -> dict[str, Any]:
    """What other records say of an employee: who the manager is, and which devices are held."""
    manager = data["employees"].get(employee["manager"], {})
    held = [device for device, record in data["devices"].items() if record["holder"] == number]
    return {"manager_name": manager.get("name"), "devices": held}


def _record(data: Data, table: str, number: object) -> dict[str, Any]:
    kind = table.removesuffix("s")
    if not isinstance(number, str) or number not in data[table]:
        raise ToolRefused(f"there is no {kind} {str(number)[:40]!r}")
    return data[table][number]


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ToolRefused(f"{name} is {str(value)[:40]!r}; expected one of {', '.join(known)}")
