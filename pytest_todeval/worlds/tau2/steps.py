"""tau2's tasks in the shape of tau-bench's, for a user without a model; nothing of it is run."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_todeval.errors import DataMissing, InvalidFile
from pytest_todeval.worlds.tau2.tasks import DOMAINS

SAID = ("airline", "retail")
"""Domains whose tasks can be said; in the others the user has tools of its own, or documents."""
TOLD = ("reason_for_call", "task_instructions", "known_info")


def task_said(raw: Mapping[str, Any], tables: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a task as tau-bench has it: `user_id`, `instruction`, `actions` and `outputs`."""
    scenario = raw.get("user_scenario") or {}
    told = scenario.get("instructions") or ""
    if isinstance(told, Mapping):
        told = " ".join(str(told[part]) for part in TOLD if told.get(part))
    criteria = raw.get("evaluation_criteria") or {}
    actions = [
        {"name": each["name"], "kwargs": each.get("arguments") or {}}
        for each in criteria.get("actions") or ()
    ]
    instruction = " ".join(str(told).split())
    return {
        "user_id": next(_users(instruction, actions, tables.get("users", {})), ""),
        "instruction": instruction,
        "actions": actions,
        "outputs": criteria.get("communicate_info") or [],
    }


def _users(
    instruction: str, actions: list[dict[str, Any]], users: Mapping[str, Any]
) -> Iterator[str]:
    """Whose task it is: by an action, by the id that is told, or by name and postcode."""
    for action in actions:
        told = action["kwargs"].get("user_id")
        if isinstance(told, str) and told in users:
            yield told
    words = {word.strip(".,;:()'\"") for word in instruction.split()}
    yield from (word for word in words if word in users)
    for id, user in users.items():
        name = user["name"]
        full = f"{name['first_name']} {name['last_name']}"
        if user["email"] in words or (full in instruction and user["address"]["zip"] in words):
            yield id


@lru_cache(maxsize=4)
def tables_of(home: Path, domain: str) -> Mapping[str, Any]:
    """Returns the tables of a domain, as they lie in a checkout.

    Raises DataMissing if they do not, InvalidFile if they are none.
    """
    path = home / DOMAINS / domain / "db.json"
    if not path.is_file():
        raise DataMissing(f"{path}: missing; the checkout of tau2-bench is not whole")
    try:
        tables = json.loads(path.read_bytes())
    except ValueError as error:
        raise InvalidFile(
            f"{path}: no JSON ({error}); a pointer of Git LFS? Run `git lfs pull`"
        ) from None
    if not isinstance(tables, dict):
        raise InvalidFile(f"{path}: found {type(tables).__name__}, expected an object of tables")
    return tables
