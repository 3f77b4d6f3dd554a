"""Totals that a bot may reckon from several amounts of its results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.known import MAX_SOURCE
from pytest_todeval.facts.dialogue import TurnFacts

_AMOUNT = re.compile(
    r"(?:['\"](?P<of>[^'\"]{1,40})['\"], ?)?"
    r"['\"](?P<field>\w{0,20}(?:price|amount|cost|fee|balance|fare|total|refund|paid)\w{0,20})['\"]"
    r" ?: ?['\"]?(?P<sum>-?\d{1,7}(?:\.\d{1,2})?)(?![\d.]*\w)",
    re.I,
)
_RECORD = re.compile(r"['\"]\w{1,30}_id['\"] ?: ?['\"]([^'\"]{1,60})['\"]")
_WHOLE = re.compile(r"amount|total|balance|paid|refund", re.I)
"""Fields that hold what a whole record comes to."""
_NUMBERED = re.compile(r"\b[A-Z]{2,4}-?\d{2,6}\b")
MOST_NAMED = 8
MOST_RECORDS = 8
MOST_PARTS = 12
"""Amounts of a result of which a few are added up; of a longer one only all of them."""
LARGEST = 4
"""Amounts that are added up if they are not all of them."""


def totals(view: View) -> frozenset[int]:
    """Returns what the results up to a turn come to, in hundredths.

    Sums of two to `LARGEST` amounts of one field in one result, and of all of them; what all
    results come to by field, credits and debits each for themselves, and by what stands before the
    amount (a card and what it pays); what was paid for any of the last `MOST_RECORDS` records
    together, and the prices of two items that the reply names. Only of tasks: rows of venues and
    trains are alternatives, which nobody adds up.
    """
    if view.evidence.goal.domains:
        return frozenset()
    return view.evidence.once(("totals", view.index), lambda: frozenset(_totals(view)))


def _totals(view: View) -> Iterator[int]:
    over_all: dict[tuple[str, str], list[int]] = {}
    for facts in view.evidence.until(view.index):
        for result in view.evidence.once(("paid", facts.index), lambda facts=facts: _paid(facts)):  # type: ignore[misc]
            by_field: dict[str, list[int]] = {}
            for field, of, amount in result:
                by_field.setdefault(field, []).append(amount)
                for whose in {"", of}:
                    over_all.setdefault((field, whose), []).append(amount)
            for amounts in by_field.values():
                yield from _sums(amounts)
    yield from _of_records(view)
    yield from _of_named(view)
    for amounts in over_all.values():
        yield sum(amounts)
        yield sum(each for each in amounts if each > 0)
        yield -sum(each for each in amounts if each < 0)


def _of_records(view: View) -> Iterator[int]:
    """Returns what was paid for several records together: of each the largest amount it holds."""
    paid: dict[str, int] = {}
    for facts in view.evidence.until(view.index):
        for call in facts.turn.tool_calls:
            told = str(call.result)[:MAX_SOURCE]
            amounts = [round(float(m["sum"]) * 100) for m in _AMOUNT.finditer(told)
                       if _WHOLE.search(m["field"])]  # fmt: skip
            record = _RECORD.search(told)
            if record and amounts:
                paid[record[1]] = max(map(abs, amounts))
    last = list(paid.values())[-MOST_RECORDS:]
    for size in range(2, len(last) + 1):
        yield from map(sum, combinations(last, size))


def _of_named(view: View) -> Iterator[int]:
    """Returns what two items of results that the reply names by their numbers come to."""
    named = dict.fromkeys(_NUMBERED.findall(view.facts.text)[:MOST_NAMED])
    prices: dict[str, set[int]] = {}
    for row in view.evidence.rows_until(view.index) if len(named) > 1 else ():
        for number in [v for v in row.values() if isinstance(v, str) and v in named]:
            prices.setdefault(number, set()).update(_amounts_in(row))
    for one, other in combinations(prices.values(), 2):
        yield from (first + second for first in one for second in other)


def _amounts_in(row: Mapping[str, Any]) -> Iterator[int]:
    """Returns the numbers of a row, and of what it holds by name ("prices"), in hundredths."""
    for value in row.values():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield round(value * 100)
        elif isinstance(value, Mapping):
            numbers = (v for v in value.values() if isinstance(v, int | float))
            yield from (round(v * 100) for v in numbers)


def _paid(facts: TurnFacts) -> list[list[tuple[str, str, int]]]:
    """By result of a turn, its amounts: field, what stands before it, and hundredths."""
    return [
        [
            (match["field"].lower(), match["of"] or "", round(float(match["sum"]) * 100))
            for match in _AMOUNT.finditer(str(call.result)[:MAX_SOURCE])
        ]
        for call in facts.turn.tool_calls
    ]


def _sums(amounts: Sequence[int]) -> Iterator[int]:
    yield sum(amounts)
    if len(amounts) <= MOST_PARTS:
        for size in range(2, LARGEST + 1):
            yield from map(sum, combinations(amounts, size))
