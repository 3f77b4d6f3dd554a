"""Finds where the records of a backend differ from what the steps of a goal ask for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.records import (
    Record,
    RecordsSeen,
    changes_between,
    identities,
    name_of,
    same,
)
from pytest_todeval.evaluate.metrics.effects.expected import ExpectedRecord, Way, ways
from pytest_todeval.evaluate.metrics.effects.values import (
    BOOKKEEPING,
    STATE_FIELDS,
    figure,
    same_in,
    shown,
    shown_record,
    value_in,
    words,
)
from pytest_todeval.facts.calls.wishes import given

ENDED = ("cancelled", "canceled", "void", "inactive", "deleted")
"""States of a record that stands no more."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A difference between the records and what the goal asks for."""

    kind: str
    record: str
    """What it is called: `appointment A17`."""
    field: str
    """Empty for the record as a whole."""
    expected: str
    found: str
    wanted: bool = True
    """Whether a step asks for it; else it had to stay as it was."""

    def __str__(self) -> str:
        where = f"{self.record}: {self.field}" if self.field else self.record
        why = "" if self.wanted else ", as nothing in the goal touches it"
        return f"{where} is {self.found}, expected {self.expected}{why}"


def mismatches(goal: Goal, seen: RecordsSeen) -> list[Mismatch]:
    """Lists the differences from what the goal asks for, by the way to meet it that fits best.

    Raises OracleFault if a step is about a record that did not stand.
    """
    compared = _Comparison(seen)
    return min(map(compared.mismatches, ways(goal, seen)), key=len)


class _Comparison:
    """Compares the ways to take the steps with the records that stand."""

    def __init__(self, seen: RecordsSeen) -> None:
        changes = changes_between(seen.before, seen.after)
        self._changed = [(c.kind, c.before, c.after) for c in changes if c.before is not None]
        self._added = [(c.kind, c.after or {}) for c in changes if c.before is None]
        self._now = {id(was): now for _, was, now in self._changed}

    def mismatches(self, way: Way) -> list[Mismatch]:
        """Lists where the records differ from this way to take the steps."""
        left = list(self._added)
        found: list[Mismatch] = []
        for entry in way.entries:
            if entry.before is not None:
                found += self._of_old(entry, entry.before, left)
        for entry in way.entries:
            if entry.before is None and not (entry.may_go or entry.must_go):
                found += _of_new(entry, left)
        return [*found, *self._elsewhere(way, left)] if way.elsewhere_unchanged else found

    def _elsewhere(self, way: Way, left: Sequence[tuple[str, Record]]) -> Iterator[Mismatch]:
        """Lists records that changed although no step touches them."""
        touched = {id(entry.before) for entry in way.entries}
        for kind, was, now in self._changed:
            if id(was) not in touched:
                yield from _unasked(kind, was, now)
        amounts = list(way.amounts)
        for kind, record in left:
            if not _tells_amount(record, amounts):
                told = f"there ({shown_record(record)})"
                yield Mismatch(kind, name_of(kind, record), "", "not there", told, wanted=False)

    def _of_old(
        self, entry: ExpectedRecord, was: Record, left: list[tuple[str, Record]]
    ) -> list[Mismatch]:
        now = self._now.get(id(was), was)
        name = name_of(entry.kind, was)
        if entry.must_go or (entry.may_go and now is None):
            return [] if now is None else [Mismatch(entry.kind, name, "", "gone", "still there")]
        ended = now is None or (not entry.may_go and _ended(was, now))
        if ended and _made_anew(entry, left):
            return []
        if now is None:
            return [Mismatch(entry.kind, name, "", _wish(entry), "gone")]
        return list(_unmet(entry, name, was, now)) or list(_besides(entry, name, was, now))


def _unmet(entry: ExpectedRecord, name: str, was: Record, now: Record) -> Iterator[Mismatch]:
    """Lists what the steps ask of a record that it does not have."""
    right = True
    for slot, value in entry.fields.items():
        found = value_in(now, slot)
        if not given(found) or not same_in(slot, value, found):
            right = False
            yield Mismatch(entry.kind, name, slot, shown(value), shown(found))
    if right and entry.states and not _says(now, was, entry.states):
        slot = next((each for each in now if words(each) in STATE_FIELDS), "")
        told = shown(now[slot]) if slot else "as it was" if now is was else shown_record(now)
        yield Mismatch(entry.kind, name, slot, _wish(entry), told)
    elif right and entry.vague and now is was:
        yield Mismatch(entry.kind, name, "", "changed", "as it was")


def _wish(entry: ExpectedRecord) -> str:
    """Describes what is expected of a record."""
    told = [*(map(repr, entry.states[:1])), *(["gone"] if entry.may_go else ())]
    if told:
        return " or ".join(told)
    fields = (f"{slot} {shown(value)}" for slot, value in entry.fields.items())
    return ", ".join(fields) or "still there"


def _besides(entry: ExpectedRecord, name: str, was: Record, now: Record) -> Iterator[Mismatch]:
    """Lists the fields that changed in a touched record although no step speaks of them."""
    asked = set(map(words, entry.fields))
    for slot in () if entry.vague else dict.fromkeys((*was, *now)):
        old, new = was.get(slot), now.get(slot)
        if same(old, new) or words(slot) in asked or not given(old):
            continue  # what held nothing may be filled in
        if not _goes_along(entry, slot, old, new):
            yield Mismatch(entry.kind, name, slot, shown(old), shown(new), wanted=False)


def _goes_along(entry: ExpectedRecord, slot: str, old: object, value: object) -> bool:
    """Says whether a field's new value only records what was done, or what was said with it."""
    if words(slot) in BOOKKEEPING or _named_after(slot, (*entry.states, *entry.may_say)):
        return True
    if words(slot) in STATE_FIELDS:
        return bool(entry.states) or _is_one_of(value, entry.may_say)
    flag = bool(entry.states) and _is_flag(old) and _is_flag(value)
    return flag or any(same_in(slot, detail, value) for detail in entry.details.values())


def _unasked(kind: str, was: Record, now: Record | None) -> Iterator[Mismatch]:
    name = name_of(kind, was)
    if now is None:
        yield Mismatch(kind, name, "", "still there", "gone", wanted=False)
        return
    for slot in dict.fromkeys((*was, *now)):
        if not same(was.get(slot), now.get(slot)) and words(slot) not in BOOKKEEPING:
            told = shown(was.get(slot)), shown(now.get(slot))
            yield Mismatch(kind, name, slot, *told, wanted=False)


def _of_new(entry: ExpectedRecord, left: list[tuple[str, Record]]) -> list[Mismatch]:
    """Lists what the record to be added lacks; of those added, the one that fits best counts."""
    ranked = [
        (list(_lacking(entry, record)), at)
        for at, (kind, record) in enumerate(left)
        if kind == entry.kind
    ]
    if not ranked:
        return [Mismatch(entry.kind, f"a new {entry.kind}", "", _wish(entry), "not there")]
    lacking, at = min(ranked, key=lambda each: len(each[0]))
    left.pop(at)
    return lacking


def _lacking(entry: ExpectedRecord, record: Record) -> Iterator[Mismatch]:
    held = {s: v for s, v in entry.details.items() if value_in(record, s) is not None}
    for slot, value in {**entry.fields, **held}.items():
        found = value_in(record, slot)
        if given(value) and not (given(found) and same_in(slot, value, found)):
            name = name_of(entry.kind, record)
            yield Mismatch(entry.kind, name, slot, shown(value), shown(found))


def _made_anew(entry: ExpectedRecord, left: list[tuple[str, Record]]) -> bool:
    """Says whether a record was changed by ending it and adding another, which is accepted."""
    own = {*identities(entry.kind), *STATE_FIELDS, *BOOKKEEPING}
    for at, (kind, record) in enumerate(left if entry.fields else ()):
        wish = {
            slot: value
            for slot, value in entry.now.items()
            if slot in entry.fields or (slot not in own and value_in(record, slot) is not None)
        }
        fits = all(same_in(slot, value, value_in(record, slot)) for slot, value in wish.items())
        if kind == entry.kind and fits:
            left.pop(at)
            return True
    return False


def _ended(was: Record, now: Record) -> bool:
    return now is not was and _says(now, was, ENDED)


def _says(record: Record, was: Record, states: Sequence[str]) -> bool:
    """Says whether a record is in one of these states.

    In one that has no field for it, a yes or no that was turned says so, if nothing else has
    changed: `active: false`.
    """
    for slot, value in record.items():
        if words(slot) in STATE_FIELDS and _is_one_of(value, states):
            return True
        if _named_after(slot, states) and given(value) and words(value) not in ("0", "false", "no"):
            return True
    if any(words(slot) in STATE_FIELDS for slot in record):
        return False
    turned = [
        s for s, v in record.items() if not same(was.get(s), v) and words(s) not in BOOKKEEPING
    ]
    return len(turned) == 1 and _is_flag(record[turned[0]]) and _is_flag(was.get(turned[0]))


def _is_one_of(value: object, states: Sequence[str]) -> bool:
    said = words(value)
    return any(said == state or said.startswith(f"{state} ") for state in states)


def _named_after(slot: str, states: Sequence[str]) -> bool:
    """Says whether a field is named after a state: `is_blocked`, `cancelled_at`."""
    return any(state in words(slot).split() for state in states)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, int) and value in (0, 1))


def _tells_amount(record: Record, amounts: list[float]) -> bool:
    """Says whether a record shows an amount that was paid or moved; each counts once."""
    figures = {abs(known) for known in map(figure, record.values()) if known is not None}
    found = next((each for each in amounts if abs(each) in figures), None)
    if found is None:
        return False
    amounts.remove(found)
    return True
