"""Stored LLM dialogues in AutoTOD's format, scored anew from what the file holds.

One JSON object per line: the dialogue and its goal (`run_result`), and what a model read from it in
each domain (`eval_results`: venue, values told, reference number) with the booking found under that
number. The stored flags (`complete`, `eval_summary`) are never looked at.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.core.dialogue import Booking, Dialogue, Turn
from pytest_todeval.core.documents.document import read_utf8
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import InvalidFile
from pytest_todeval.goals.multiwoz import goal_from_record
from pytest_todeval.research.offline.autotod_metrics import (
    CORRECTED,
    PUBLISHED,
    Flag,
    StoredReading,
    Tables,
    find,
)
from pytest_todeval.research.offline.record import Record
from pytest_todeval.research.offline.stored import Scored

DOMAINS = ("restaurant", "hotel", "attraction", "train", "taxi")
METRICS = ("inform", "success", "booking")
PREFIXES = {CORRECTED: "", PUBLISHED: "autotod_"}
BASIS = "a model's reading of the dialogue, checked against the databases"
RECORD_KEYS = frozenset({"type", "id", "refer_number"})


def score_dialogues(path: Path, data: Path) -> Scored:
    """Scores a file of stored dialogues with the databases of a MultiWOZ folder or zip.

    Each metric comes twice: `inform` under the corrected definition, `autotod_inform` under the
    published one. Raises InvalidFile with the line of what is wrong, DataMissing without databases.
    """
    database = MultiwozDatabase.load(data)
    tables = {domain: database.rows(domain) for domain in DOMAINS}
    stored = list(_read(path))
    dialogues = tuple(one.dialogue(tables) for one in stored)
    return Scored(
        dialogues=dialogues,
        definitions={
            f"{prefix}{metric}": definition
            for definition, prefix in PREFIXES.items()
            for metric in METRICS
        },
        data={"multiwoz/db": database.fingerprint},
        notes=tuple(_notes(dialogues)),
    )


def stored_dialogues(path: Path) -> tuple[Dialogue, ...]:
    """The dialogues of a file as they were spoken, without any verdict, and without a database.

    The file holds no calls of tools. Raises InvalidFile with the line of what is wrong.
    """
    return tuple(one.spoken() for one in _read(path))


def _notes(dialogues: Sequence[Dialogue]) -> Iterator[str]:
    yield (
        "venues, values told and reference numbers are as a model read them when the file was "
        "made, and bookings as stored then: taken as they stand, not read anew; "
        "taxis have no records to check against"
    )
    faults = [dialogue for dialogue in dialogues if dialogue.fault]
    if faults:
        yield f"{len(faults)} dialogues lack what a flag is computed from, and count in no rate"


def _read(path: Path) -> "Iterator[_StoredLine]":
    seen: dict[str, int] = {}
    for number, line in enumerate(read_utf8(path).split("\n"), 1):
        if line.strip():
            one = _StoredLine(_parsed(line, f"{path}:{number}"))
            if one.id in seen:
                raise InvalidFile(f"{path}:{number}: {one.id} is already on line {seen[one.id]}")
            seen[one.id] = number
            yield one
    if not seen:
        raise InvalidFile(f"{path}: no dialogues; expected one JSON object per line")


def _parsed(line: str, where: str) -> Record:
    try:
        return Record.of(json.loads(line), where)  # a model's words may hold half a character
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"{where}: not JSON: {error}") from error


@dataclass(frozen=True)
class _StoredLine:
    """One line of the file."""

    record: Record

    @property
    def id(self) -> str:
        return self.record.text("dialog_id").removesuffix(".json")

    def spoken(self) -> Dialogue:
        """Returns what was said, and the goal."""
        run = self.record.record("run_result")
        record = {**run.record("goals").value, "message": run.value.get("goal_messages", ())}
        goal = goal_from_record(self.id, record, file=self.record.where)
        spoken = run.records("dialog_pred", required=True)
        return Dialogue(goal, tuple(_turn(turn.value, at) for at, turn in enumerate(spoken, 1)))

    def dialogue(self, tables: Tables) -> Dialogue:
        """Returns what was said, with what it is worth."""
        goals = self.record.record("run_result").record("goals")
        wanted = {d: goals.record(d).value for d in DOMAINS if goals.value.get(d)}
        spoken = self.spoken()
        readings = {domain: self.reading(domain) for domain in wanted}
        verdicts = {
            verdict.name: verdict
            for definition in PREFIXES
            for verdict in _verdicts(wanted, readings, tables, definition)
        }
        unknown = [v for v in verdicts.values() if v.reason.startswith("cannot be recomputed")]
        return replace(
            spoken,
            fault=Outcome.JUDGE_FAULT if unknown else None,
            detail=unknown[0].reason if unknown else "",
            final_bookings=tuple(_bookings(readings)),
            verdicts=verdicts,
        )

    def reading(self, domain: str) -> StoredReading:
        found = self.record.part("eval_results").part(domain)
        inform, success, book = (found.part(n).value for n in ("inform", "success", "book"))
        return StoredReading(
            venue=_text(inform.get("venue_name")),
            told=_texts(success.get("slot_values")),
            taken=_texts(inform.get("slot_values")),
            reference=_text(book.get("refer_number")),
            record=_record(book.get("book_record")),
        )


def _turn(turn: Mapping[str, Any], number: int) -> Turn:
    return Turn(number, str(turn.get("user", "")), str(turn.get("agent", "")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> dict[str, str] | None:
    """Slots and values; a value the model left out counts as its `none`."""
    if not isinstance(value, dict):
        return None
    return {slot: "none" if told is None else str(told) for slot, told in value.items()}


def _record(value: object) -> dict[str, str] | None:
    """Returns a booking; empty if the file says in words that there is none of that number."""
    return {} if isinstance(value, str) else _texts(value)


def _bookings(readings: Mapping[str, StoredReading]) -> Iterator[Booking]:
    for domain, reading in readings.items():
        if reading.record and reading.reference:
            slots = {s: v for s, v in reading.record.items() if s not in RECORD_KEYS}
            yield Booking(domain, reading.reference, slots)


def _verdicts(
    wanted: Mapping[str, Mapping[str, Any]],
    readings: Mapping[str, StoredReading],
    tables: Tables,
    definition: str,
) -> Iterator[Verdict]:
    found = {d: find(d, wanted[d], readings[d], tables, definition) for d in wanted}
    for metric in METRICS:
        name = PREFIXES[definition] + metric
        parts = {domain: findings[metric] for domain, findings in found.items()}
        yield _verdict(name, _together(parts), definition)
        for domain, part in parts.items():
            yield _verdict(f"{name}/{domain}", part, definition)


def _together(parts: Mapping[str, Flag]) -> Flag:
    """Returns all domains that ask for it; unknown if one is, and no other has failed."""
    asked = {domain: part for domain, part in parts.items() if part.passed is not None}
    failed = {domain: part for domain, part in asked.items() if not part.passed}
    unknown = [part for part in parts.values() if part.unknown]
    if unknown and not failed:
        return unknown[0]
    if not asked:
        return next(iter(parts.values()), Flag(None, "the goal has no domain"))
    reasons = "; ".join(f"{domain}: {part.reason}" for domain, part in (failed or asked).items())
    return Flag(not failed, reasons)


def _verdict(name: str, found: Flag, definition: str) -> Verdict:
    return Verdict(
        name,
        found.passed is not False,
        found.reason,
        basis=BASIS,
        applicable=found.passed is not None,
        version=definition,
    )
