"""Predicates over how many there are: what the bot says against what its look-ups found."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.evidence.calls.reading import CallFact
from pytest_todeval.evidence.calls.rows import data_of, identity
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.quantities import NUMBER, number_of
from pytest_todeval.rules.registry import predicate

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
_ROUGH = re.compile(
    r"\b(?:over|more than|about|around|at least|nearly|almost|some|up to)\s*$", re.I
)
_REST = re.compile(r"\b(?:other|more|else|further|another|left|besides|remaining)\b", re.I)
BEHIND = 60
"""Characters behind a count in which it is told of what it is."""
SHORTEST = 2
"""Characters of a value beyond which it does not stand in a sentence by chance."""
MOST = 1_000
"""Rows that are counted by their values."""


@predicate
def miscounts(view: View) -> Found:
    """The bot says that there are more or fewer than its look-ups found.

    Right are the number of rows of a result, a count that it tells, the rows of all results
    together, and of those that share a value which the sentence names; with "other" or "more" one
    less too.
    """
    told = [match for match in _COUNTS.finditer(view.facts.text) if number_of(match["n"]) > 1]
    told = [m for m in told if not _ROUGH.search(view.facts.text[: m.start("n")])]
    if not told or not view.evidence.goal.domains:
        return unknown("counts nothing")
    known = view.evidence.once(("counts", view.index), lambda: frozenset(_known(view)))
    if not known:
        return unknown("nothing was looked up")
    for match in told:
        number = int(number_of(match["n"]))
        words = view.facts.text[match.start() : match.end() + BEHIND]
        right = number in known or (_REST.search(match[0]) and number + 1 in known)
        if not right and number not in _sharing(view, words):
            found = max(_last(view), default=0)
            return yes(f"says {match[0]!r}; the look-up found {found}")
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


def _sharing(view: View, words: str) -> Iterator[int]:
    """How many rows of a result share a value that some words name."""
    for facts in view.evidence.until(view.index):
        for call in facts.calls:
            values = Counter(str(v).lower() for row in single_rows(call) for v in row.values())
            named = (v for v in values if len(v) > SHORTEST and v in words.lower())
            yield from (values[value] for value in named)


def _last(view: View) -> Iterator[int]:
    for call in view.facts.calls[-1:]:
        yield len(single_rows(call))
        yield from _told_counts(call.call.result)


def single_rows(call: CallFact) -> list[Mapping[str, Any]]:
    """The rows of a result without those that hold others."""
    rows = call.rows[:MOST]
    return [row for row in rows if not any(isinstance(v, list | dict) for v in row.values())]


def _told_counts(result: object) -> Iterator[int]:
    """The numbers that stand at the top of a result: "count", "total"."""
    data = data_of(result)
    if isinstance(data, dict):
        yield from (v for v in data.values() if isinstance(v, int) and not isinstance(v, bool))
