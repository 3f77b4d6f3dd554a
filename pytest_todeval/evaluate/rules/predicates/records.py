"""Predicates over records that tools return: what is told of one against what stands in it.

A record is known by an id ("#W101") that stands in a field ending in `_id`, or under which a table
keeps it. Fields that take few values (a state, a means of payment) are told by value alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_todeval.evaluate.rules.denied import is_denied
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.rows import rows_in
from pytest_todeval.facts.dialogue import MAX_TEXT, TurnFacts

Row = Mapping[str, Any]

_SENTENCE = re.compile(r"[^.!?;\n]+(?:\.(?=\d)[^.!?;\n]*)*[.!?;]?")
_OPEN = re.compile(
    r"\w.ll\b|\b(?:will|would|shall|can|could|may|might|if|only|unless|should|once|before|must|need|want"
    r"|like|either|instead|or|going|when|whether|propos\w*|suggest\w*)\b|\?\s*$",
    re.I,
)
"""What tells of what may be, or of how things are in general."""
_AMOUNT = re.compile(r"(?<![\w.:#-])\d{1,7}\.\d{1,2}(?![\w:-])")
FEW = 12
"""Values that a field takes at most if they are names of kinds."""
MOST_RECORDS = 5_000
SHORTEST = 4
"""Characters of a value that can be told from any other word."""
_NO_KINDS = re.compile(
    r"_id$|^id$|name|date|time|address|email|phone|zip|city|country|origin", re.I
)


@predicate
def misstates_record(view: View) -> Found:
    """The bot tells of a record what stands in another one: a state, a kind, an amount.

    Looked at are sentences about what is, of the one record that they name, else of the only one
    that the turn's calls return. What the record was before it was changed is no
    misstatement, nor is what the user has said.
    """
    rows = list(_records(view))
    if not rows:
        return unknown("no result holds a record")
    kinds = view.evidence.once("kinds", lambda: _kinds(view))
    now = {_id_of(row) for call in view.turn.tool_calls for row in rows_in(call.result)} - {None}
    only = next(iter(now)) if len(now) == 1 else None
    told: list[Found] = []
    for sentence in _SENTENCE.findall(view.facts.text):
        if not _OPEN.search(sentence):
            meant = _meant(sentence, rows, only)
            told += _kinds_told(view, sentence, meant, kinds)
            told += _amounts_told(sentence, meant, rows)
    wrong = next((found for found in told if found.holds), None)
    return wrong or next(iter(told), unknown("tells of no record"))


KEPT = no("what it tells of records stands in them")


def _kinds_told(
    view: View, sentence: str, meant: Sequence[Row], kinds: Mapping[str, frozenset[str]]
) -> Iterator[Found]:
    """What becomes of each state or kind that a sentence tells of the records it means."""
    user = view.turn.as_meant[:MAX_TEXT].lower()
    own = " ".join(str(value).lower() for row in meant for value in _leaves(row))
    for field in {str(name) for row in meant for name in row} & kinds.keys():
        for value in kinds[field]:
            if not _says(sentence, value) or is_denied(sentence, value):
                continue
            if _says(own, value) or value in user or _is_planned(view, meant, value):
                yield KEPT
            else:
                yield yes(f"tells the {field} {value!r}; it is {_last(meant, field)!r}")


def _amounts_told(sentence: str, meant: Sequence[Row], rows: Sequence[Row]) -> Iterator[Found]:
    """What becomes of each amount that it tells: it may be another record's."""
    for amount in _AMOUNT.findall(sentence):
        if is_denied(sentence, amount):
            continue
        others = [f for row in rows for f, v in row.items() if _is_amount(v, amount)]
        field = next((f for f in others if any(f in row for row in meant)), None)
        if field is None or _holds(meant, amount):
            yield KEPT
        else:
            real = _last(meant, field)
            yield yes(f"tells the {field} {amount}, which is another record's; it is {real}")


def _last(rows: Sequence[Row], field: str) -> str:
    return next(str(row[field]) for row in reversed(rows) if field in row)


def _is_planned(view: View, meant: Sequence[Row], value: str) -> bool:
    """Whether a call of this or a later turn gives the record that value: it is the plan."""
    ids = {_id_of(row) for row in meant}
    later = (facts for facts in view.evidence.turns if facts.index >= view.index)
    given = ([str(v) for v in c.arguments.values()] for f in later for c in f.turn.tool_calls)
    return any(ids & {*each} and value in map(_in_words, each) for each in given)


def _in_words(value: str) -> str:
    return value.lower().replace("_", " ")


def _records(view: View) -> Iterator[Row]:
    for facts in view.evidence.until(view.index):
        yield from view.evidence.once(("records", facts.index), lambda facts=facts: _shown(facts))  # type: ignore[misc]


def _shown(facts: TurnFacts) -> list[Row]:
    """The records in the results of a turn."""
    calls = (call for call in facts.turn.tool_calls if call.error is None)
    return [row for call in calls for row in rows_in(call.result) if _id_of(row) is not None]


def _id_of(row: Row) -> str | None:
    """The record's own id: the value of its first field that ends in `_id`."""
    found = (v for n, v in row.items() if str(n).endswith("_id") and isinstance(v, str))
    return next(found, None)


def _meant(sentence: str, rows: Sequence[Row], only: str | None) -> list[Row]:
    """The states of the record that a sentence speaks of; none if it names several."""
    ids = list(dict.fromkeys(str(_id_of(row)) for row in rows))
    named = [each for each in ids if _says(sentence, each.lower())]
    if len(named) > 1:
        return []
    wanted = named[0] if named else only
    return [row for row in rows if _id_of(row) == wanted]


def _says(sentence: str, value: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sentence.lower()))


def _leaves(value: object, depth: int = 4) -> Iterator[object]:
    if isinstance(value, Mapping) and depth:
        for inner in value.values():
            yield from _leaves(inner, depth - 1)
    elif isinstance(value, list | tuple) and depth:
        for inner in value:
            yield from _leaves(inner, depth - 1)
    else:
        yield value


def _is_amount(value: object, amount: str) -> bool:
    return isinstance(value, float | int) and abs(float(value) - float(amount)) < 0.005


def _holds(rows: Sequence[Row], amount: str) -> bool:
    return any(_is_amount(value, amount) for row in rows for value in _leaves(row))


def _kinds(view: View) -> dict[str, frozenset[str]]:
    """Fields that take few values, with these in small letters: of the tables, else of results."""
    tables = getattr(getattr(view.evidence.backend, "domain", None), "tables", None)
    records: list[Row] = []
    if isinstance(tables, Mapping):
        for table in tables.values():
            values = table.values() if isinstance(table, Mapping) else ()
            records += [row for row in list(values)[:MOST_RECORDS] if isinstance(row, Mapping)]
    records = records or view.evidence.rows_until(len(view.evidence.turns))
    found: dict[str, set[str]] = {}
    for row in records:
        for name, value in row.items():
            if (
                isinstance(value, str)
                and len(value) >= SHORTEST
                and not _NO_KINDS.search(str(name))
            ):
                found.setdefault(str(name), set()).add(value.lower().replace("_", " "))
    return {name: frozenset(values) for name, values in found.items() if 1 < len(values) <= FEW}
