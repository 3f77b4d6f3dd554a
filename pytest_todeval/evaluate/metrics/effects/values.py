"""Compares values of records: which are the same, what a field is called, which record is meant."""

import math
from collections.abc import Mapping
from typing import Any

from pytest_todeval.core.records import Record, identities
from pytest_todeval.facts.calls.wishes import agrees, given
from pytest_todeval.nlu.text.plain import plain

STATE_FIELDS = frozenset({"status", "state"})
BOOKKEEPING = frozenset(
    {"updated", "updated at", "modified", "modified at", "last modified", "changed at", "version",
     "revision", "etag"}
)  # fmt: skip
"""Fields that a database keeps by itself."""
SHOWN = 80


def kind_in(kind: str, records: Mapping[str, object]) -> str:
    """Returns what the records call a kind: `appointments` for `appointment`."""
    if kind in records:
        return kind
    alike = kind.lower().rstrip("s")
    return next((each for each in records if each.lower().rstrip("s") == alike), kind)


def value_in(record: Record, slot: str) -> Any:
    """Returns a record's value of a slot, written `party_size` or `party size`; None if it has
    none.
    """
    if slot in record:
        return record[slot]
    return next((value for key, value in record.items() if words(key) == words(slot)), None)


def picks(kind: str, target: Mapping[str, str], record: Record) -> bool:
    """Says whether a record is the one that a step is about, by the slots that it has."""
    held = {slot: value_in(record, slot) for slot in target}
    if "id" in target and held["id"] is None:
        held["id"] = next((record[each] for each in identities(kind) if each in record), None)
    known = [slot for slot, value in held.items() if value is not None]
    return bool(known) and all(same_in(slot, target[slot], held[slot]) for slot in known)


def words(field: object) -> str:
    """Writes a name or state in plain words: `Party_Size` becomes `party size`."""
    return " ".join(str(field).replace("_", " ").replace("-", " ").lower().split())


def same_in(slot: str, wanted: object, found: object) -> bool:
    """Says whether a record holds the wanted value of a slot."""
    if not given(found):
        return not given(wanted)
    if plain(str(wanted)) == plain(str(found)):
        return True
    one, other = figure(wanted), figure(found)
    if one is not None and other is not None:
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)
    return agrees(words(slot), wanted, found)


def figure(value: object) -> float | None:
    """Reads a value as a number, with or without a currency sign; None if it is none."""
    try:
        found = float(str(value).strip().replace(",", "").lstrip("$£€"))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def shown(value: object) -> str:
    """Writes a value for a reason."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def shown_record(record: Record) -> str:
    """Writes a record for a reason."""
    told = ", ".join(f"{slot} {shown(value)}" for slot, value in record.items())
    return told if len(told) <= SHOWN else told[: SHOWN - 3] + "..."
