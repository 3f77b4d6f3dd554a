"""Records of a backend, kind by kind: what stands, and what differs between two looks at them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.steps import Records

Record = Mapping[str, Any]
IDENTITIES = ("id", "reference", "ref", "key", "uuid", "code", "number")
"""Fields that may tell the records of a kind apart, besides `<kind>_id`; the first that does."""
SHOWN_FIELDS = 2
"""Fields that a record without an identity is called by."""
MOST_PAIRED = 200
"""Changed records of a kind without an identity that are held against each other."""


@dataclass(frozen=True, slots=True)
class RecordChange:
    """What happened to one record."""

    kind: str
    before: Record | None
    """None if it did not stand before."""
    after: Record | None
    """None if it does not stand any more."""

    @property
    def name(self) -> str:
        """Returns what the record is called: `appointment A17`."""
        return name_of(self.kind, self.before or self.after or {})

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            held = ", ".join(f"{f} {value!r}" for f, value in (self.after or {}).items())
            return f"{self.name} is {f'new ({held})' if self.before is None else 'gone'}"
        fields = dict.fromkeys((*self.before, *self.after))
        pairs = ((f, self.before.get(f), self.after.get(f)) for f in fields)
        told = (f"{f} {was!r} -> {now!r}" for f, was, now in pairs if not same(was, now))
        return f"{self.name}: {', '.join(told)}"


@dataclass(frozen=True, slots=True, eq=False)
class RecordsSeen:
    """What a backend showed of a dialogue."""

    before: Records
    after: Records


def name_of(kind: str, record: Record) -> str:
    """Returns what a record is called: by its identity, else by its first fields."""
    for field in identities(kind):
        if record.get(field) not in (None, ""):
            return f"{kind} {record[field]}"
    told = ", ".join(f"{field} {record[field]}" for field in list(record)[:SHOWN_FIELDS])
    return f"{kind} ({told})" if told else f"a {kind}"


def identities(kind: str) -> tuple[str, ...]:
    """Returns the fields that may name a record of this kind, the likeliest first."""
    return ("id", f"{kind}_id", *IDENTITIES[1:])


def changes_between(before: Records, after: Records) -> tuple[RecordChange, ...]:
    """Returns the records that differ, in the order of kinds and records."""
    return tuple(
        RecordChange(kind, was, now)
        for kind in dict.fromkeys((*before, *after))
        for was, now in paired(kind, before.get(kind, ()), after.get(kind, ()))
        if not same(was, now)
    )


def same(one: object, other: object) -> bool:
    """Whether two values are equal, however a database writes them: 5 is 5.0, and True is 1."""
    return _written(one) == _written(other)


def paired(
    kind: str, before: Sequence[Record], after: Sequence[Record]
) -> Iterator[tuple[Record | None, Record | None]]:
    """Returns each record as it was and as it is; None on the side on which it does not stand.

    Records are the same if their identity is. Those without one are if they are equal, else if
    most of their fields are.
    """
    field = next((f for f in identities(kind) if _tells(f, before) and _tells(f, after)), None)
    if field is None:
        yield from _by_likeness(before, after)
        return
    now = {str(record[field]): record for record in after}
    for record in before:
        yield record, now.pop(str(record[field]), None)
    for record in now.values():
        yield None, record


def _tells(field: str, records: Sequence[Record]) -> bool:
    values = [str(r[field]) for r in records if r.get(field) not in (None, "")]
    return len(values) == len(records) == len(set(values))


def _by_likeness(
    before: Sequence[Record], after: Sequence[Record]
) -> Iterator[tuple[Record | None, Record | None]]:
    lost, new = _without(before, after), _without(after, before)
    pairs = sorted(
        (
            (-_alike(was, now), here, there)
            for here, was in enumerate(lost[:MOST_PAIRED])
            for there, now in enumerate(new[:MOST_PAIRED])
            if 2 * _alike(was, now) >= max(len(was), len(now), 1)
        ),
    )
    found, taken = dict[int, int](), set[int]()
    for _, here, there in pairs:
        if here not in found and there not in taken:
            found[here] = there
            taken.add(there)
    for here, was in enumerate(lost):
        yield was, new[found[here]] if here in found else None
    for there, now in enumerate(new):
        if there not in taken:
            yield None, now


def _alike(one: Record, other: Record) -> int:
    return sum(field in other and same(value, other[field]) for field, value in one.items())


def _without(some: Sequence[Record], others: Sequence[Record]) -> list[Record]:
    """Those of some records that are not among others, as often as they stand there more."""
    left = Counter(map(_written, others))
    found = []
    for record in some:
        key = _written(record)
        if left[key]:
            left[key] -= 1
        else:
            found.append(record)
    return found


def _written(value: object) -> str:
    """Returns a value as text, which is equal for equal values."""
    if isinstance(value, Mapping):
        return repr(sorted((str(field), _written(each)) for field, each in value.items()))
    if isinstance(value, list | tuple):
        return repr([_written(each) for each in value])
    if isinstance(value, int | float):
        whole = isinstance(value, int) or value.is_integer()
        return repr(int(value) if whole else value)
    return repr(value)
