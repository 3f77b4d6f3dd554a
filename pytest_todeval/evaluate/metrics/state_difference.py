"""Finds the differences between two end states of the same tables, record by record, field by
field.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

Changes = Mapping[str, Mapping[str, object | None]]
"""Table -> id -> the record as changed; None if it was removed."""

MAX_SHOWN = 80


class _Absent:
    """Stands in if one side has no such record, field or item."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


def differences(
    expected: Changes, got: Changes, pristine: Mapping[str, Mapping[str, object]]
) -> Iterator[str]:
    """Lists where the changes `got` differ from those `expected`, ordered by table, id and field.

    One text for each field, with its path: `orders #W1, items[0].price: expected 5, got 6`.
    A record that one side left alone stands there as it does in the `pristine` tables. Values are
    equal if they are written equally, as the state hash has it: 5 is not 5.0, and the order of a
    list counts.
    """
    for table in sorted({*expected, *got}):
        untouched = pristine.get(table, {})
        here, there = expected.get(table, {}), got.get(table, {})
        for record in sorted({*here, *there}, key=str):
            before = untouched.get(record)
            wanted, found = here.get(record, before), there.get(record, before)
            for field, left, right in _unequal(_there(wanted), _there(found), ""):
                where = f"{table} {record}, {field}" if field else f"{table} {record}"
                yield f"{where}: expected {_text(left)}, got {_text(right)}"


def _there(record: object | None) -> object:
    return ABSENT if record is None else record


def _unequal(wanted: object, found: object, path: str) -> Iterator[tuple[str, object, object]]:
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for key in sorted({*wanted, *found}, key=str):
            field = f"{path}.{key}" if path else str(key)
            yield from _unequal(wanted.get(key, ABSENT), found.get(key, ABSENT), field)
    elif isinstance(wanted, list) and isinstance(found, list):
        for place, (left, right) in enumerate(zip_longest(wanted, found, fillvalue=ABSENT)):
            yield from _unequal(left, right, f"{path}[{place}]")
    elif repr(wanted) != repr(found):
        yield path, wanted, found


def _text(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."
