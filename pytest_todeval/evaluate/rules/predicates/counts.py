"""Predicates over how many there are: what the bot says against what its look-ups found."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.quantities import NUMBER, number_of
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.facts.calls.reading import CallFact
from pytest_todeval.facts.calls.rows import data_of, identity

_COUNTS = re.compile(
    r"\b(?:there (?:are|were|is)|(?:i|we)(?:.ve| have)?(?: (?:currently|also|just))?"
    r" (?:have|found|find|see|got|list|know of|come across|came across|offer|located)|found|have"
    r"|got|come across|a total of|list of|among|choice of)"
    rf" (?:the |exactly |only |just |a total of )?(?P<n>{NUMBER})(?: \w+){{0,3}}? (?P<what>of them"
    r"|(?:that )?I (?:told|mentioned|found|showed|listed|offered|named|gave)"
    r"|places|options|choices|matches|results|venues|hotels|guest ?houses|restaurants|attractions"
    r"|museums|colleges|trains|entries|possibilities|alternatives)\b",
    re.I,
)
MOST = 1_000
"""Rows that are counted by their values."""


@predicate
def miscounts(view: View) -> Found:
    """The bot says that there are more or fewer than its look-ups found.

    Right are the number of rows of a result, a count that it tells, and the rows of all results
    together; of "others" one less, too.
    """
    told = [match for match in _COUNTS.finditer(view.facts.text) if number_of(match["n"]) > 1]
    if not told or not view.evidence.goal.domains:
        return unknown("counts nothing")
    known = view.evidence.once(("counts", view.index), lambda: frozenset(_known(view)))
    if not known:
        return unknown("nothing was looked up")
    for match in told:
        number = int(number_of(match["n"]))
        rest = not {"other", "others", "more", "further"}.isdisjoint(match[0].lower().split())
        if number not in known and not (rest and number + 1 in known):
            found = ", ".join(map(str, sorted(known)))
            return yes(f"says {match[0]!r}; the look-ups found {found}")
    return no("says how many were found")


def _known(view: View) -> Iterator[int]:
    names: set[str] = set()
    for facts in view.evidence.until(view.index):
        for call in facts.calls:
            if call.call.error is None:
                rows = single_rows(call)
                yield len(rows)
                yield from _told_counts(call.call.result)
                names.update({str(name) for row in rows if (name := identity(row))})
    if names:
        yield len(names)


def single_rows(call: CallFact) -> list[Mapping[str, Any]]:
    """The rows of a result without those that hold others."""
    rows = call.rows[:MOST]
    return [row for row in rows if not any(isinstance(v, list | dict) for v in row.values())]


def _told_counts(result: object) -> Iterator[int]:
    """The numbers that stand at the top of a result: "count", "total"."""
    data = data_of(result)
    if isinstance(data, dict):
        yield from (v for v in data.values() if isinstance(v, int) and not isinstance(v, bool))
