"""The core's nouns as plain JSON: the fields are those of their classes, and stand nowhere else."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.example import Example
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.notation import notation
from pytest_todeval.core.protocol import Violation
from pytest_todeval.core.records import RecordChange
from pytest_todeval.core.score import Score
from pytest_todeval.core.steps import Condition, Expected, Step, Verb
from pytest_todeval.core.verdict import Sample, Verdict
from pytest_todeval.runs.reports.plain import plain, plain_text

if TYPE_CHECKING:
    from pytest_todeval.runs.reports.schema import DialogueEntry

NAMES = {
    "claims": "heard",
    "claims_by": "heard_by",
    "final_bookings": "bookings",
    "goal": "goal_record",
    "latency": "latency_s",
}
"""Fields that have another name in the file."""

LEFT_OUT = frozenset({"raw", "index", "judged", "records_seen"})
"""Fields that are not written: a goal's record as it stands in its data set, a turn's number, which
is its place, what models answered, which stands with scores, rules and verdicts, and a backend's
records, of which `changed` tells."""

IF_GIVEN = frozenset(
    {
        *("spans", "user_calls", "booked", "cancelled", "claims", "claims_by", "turn_state"),
        *("meant", "variation", "labels"),
        *(
            "last_calls",
            "notes",
            "opening",
            "hearing",
            "user",
            "samples",
            "doubt",
            "refused",
            "advises",
            "forms",
        ),
        *("failures", "conveyed", "changed"),
        *("steps", "given", "expect", "references"),
        *("model", "protocol", "violations", "refusal"),
    }
)
"""Fields that are written only if they differ from their default."""

OF_TEXT = frozenset({"slots", "inform", "fail_inform", "book", "fail_book", "user"})
"""Fields that map slots to what is said of them: their values are text, whatever came in."""

KINDS = (
    *(Dialogue, Turn, ToolCall, Booking, Usage, Goal, DomainGoal, Example),
    *(Verdict, Score, Sample, Violation, Step, Verb, Condition, Expected),
    RecordChange,
)


def noun(value: Any) -> dict[str, Any]:
    """A noun as plain JSON, with the nouns that it holds; whatever else it holds comes out plain.

    A claim is written in its notation, a part of a turn as `name` and `seconds`.
    """
    found = {}
    for each in _fields_of(value.__class__):
        held = getattr(value, each.name)
        if each.name not in IF_GIVEN or not _is_default(held, each):
            found[NAMES.get(each.name, each.name)] = _written(each.name, held)
    return found


def fill_in(entry: "DialogueEntry") -> None:
    """Gives the nouns of an entry that is read the fields that it may lack: they have a default."""
    for verdict in entry["verdicts"].values():
        _fill(verdict, Verdict, but=("value",))  # which stands under `metrics`
    for score in (each for found in entry["scores"].values() for each in found):
        _fill(score, Score)
    for turn in entry["turns"]:
        _fill(turn, Turn)
        for call in (*turn["tool_calls"], *turn.get("user_calls", ())):
            _fill(call, ToolCall)


def _fill(found: dict[str, Any], kind: type, but: tuple[str, ...] = ()) -> None:
    for each in _fields_of(kind):
        if each.name in but:
            continue
        name = NAMES.get(each.name, each.name)
        if name not in found and each.name not in IF_GIVEN and not _is_required(each):
            made = each.default if each.default_factory is MISSING else each.default_factory()
            found[name] = _written(each.name, made)


def _is_required(field: "Field[Any]") -> bool:
    return field.default is MISSING and field.default_factory is MISSING


@lru_cache(maxsize=64)
def _fields_of(kind: type) -> "tuple[Field[Any], ...]":
    return tuple(each for each in fields(kind) if each.name not in LEFT_OUT)


def _is_default(held: object, field: "Field[Any]") -> bool:
    if field.default is not MISSING:
        return held is field.default or (isinstance(held, str | tuple) and held == field.default)
    return isinstance(held, Mapping) and len(held) == 0


def _written(name: str, held: object) -> object:
    if type(held) is str:
        return plain_text(held)
    if isinstance(held, KINDS):
        return noun(held)
    if isinstance(held, DialogueAct):
        return _claim(held) if name == "claims" else plain_text(notation(held))
    if name == "spans":
        return [
            {"name": plain_text(str(part)), "seconds": _seconds(took)}
            for part, took in cast("tuple[tuple[str, float], ...]", held)
        ]
    if name == "latency":
        return _seconds(cast("float", held))
    if isinstance(held, Mapping) and name in OF_TEXT:
        return {plain_text(str(slot)): plain_text(str(value)) for slot, value in held.items()}
    if isinstance(held, tuple):
        return [_written(name, each) for each in held]
    return plain(held)


def _claim(claim: DialogueAct) -> dict[str, str]:
    told = {"claim": plain_text(notation(claim))}
    return {**told, "doubt": plain_text(claim.doubt)} if claim.doubt else told


def _seconds(took: float) -> float:
    return round(took, 6) if math.isfinite(took) else 0.0
