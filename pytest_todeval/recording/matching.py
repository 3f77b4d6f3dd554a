"""What a project says makes no call differ: lines of `todeval_mask` and `todeval_match`.

And what makes a request differ from one day, or one run, to the next.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.recording.json_path import NOWHERE, JsonPlace, root

KINDS = ("$.path", "query", "id")
UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
NAMED_IDS = {"uuid": UUID}


@dataclass(frozen=True, slots=True)
class Matching:
    """When two requests count as equal. For keys only, never for files."""

    masks: tuple[re.Pattern[str], ...] = ()
    """What these match in a string, or a number that they match whole, counts as equal."""
    ignored: JsonPlace = NOWHERE
    """Members of JSON bodies that do not count."""
    query: frozenset[str] = frozenset()
    """Parameters of queries that do not count."""
    ids: tuple[re.Pattern[str], ...] = ()
    """What these match counts by its place: the first of a request, the second, ..."""


EXACT = Matching()
"""Requests count as equal if they mean the same, no others."""


def matching_from(masks: Iterable[str], match: Iterable[str]) -> Matching:
    """Returns what lines of `todeval_mask` and `todeval_match` say.

    Of `match`: `$.metadata.trace` ignores a member of JSON bodies, `query: NAME` a parameter, and
    `id: REGEX` (or `id: uuid`) has what it matches count by its place. Raises UsageError naming the
    line.
    """
    paths, query, ids = [], [], []
    for line in match:
        kind, colon, what = (part.strip() for part in line.partition(":"))
        if line.startswith("$"):
            paths.append(line)
        elif kind == "query" and what:
            query.append(what)
        elif kind == "id" and what:
            ids.append(pattern_of("todeval_match", NAMED_IDS.get(what, what)))
        else:
            problem = (
                "nothing after the kind"
                if kind in KINDS and not colon
                else known_names(kind, KINDS)
            )
            raise UsageError(f"todeval_match: {line!r}: {problem}")
    found = tuple(pattern_of("todeval_mask", text) for text in masks)
    try:
        ignored = root(paths)
    except UsageError as error:
        raise UsageError(f"todeval_match: {error}") from None
    return Matching(found, ignored, frozenset(query), tuple(ids))


def pattern_of(option: str, text: str) -> re.Pattern[str]:
    """Returns what a line of an option says as a regular expression. Raises UsageError."""
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"{option}: {text!r} is not a regular expression: {error}") from None


def unstable_parts(
    body: bytes, today: date, known: Sequence[str] = (), matching: Matching = EXACT
) -> list[str]:
    """Today's date and UUIDs in a body, as they stand there.

    UUIDs in `known`, what a model answered earlier, come out of the cassette and don't change;
    what a mask covers does not count.
    """
    text = body.decode("utf-8", "replace")
    for mask in (*matching.masks, *matching.ids):
        text = mask.sub("", text)
    found = [form for form in _forms(today) if form in text]
    uuids = dict.fromkeys(re.findall(UUID, text))
    return found + [uuid for uuid in uuids if not any(uuid in each for each in known)]


def _forms(day: date) -> list[str]:
    month, short = f"{day:%B}", f"{day:%b}"
    return [
        day.isoformat(),
        f"{day:%d/%m/%Y}",
        f"{day:%m/%d/%Y}",
        f"{day:%d.%m.%Y}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        f"{short} {day.day}, {day.year}",
        f"{day.day} {short} {day.year}",
    ]
