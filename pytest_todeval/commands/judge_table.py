"""What a judge found anew, as a table for a person: beside what stood in the file before."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from pytest_todeval.reports.schema import DialogueEntry, Noun
from pytest_todeval.reports.summary import definitions, score_summary
from pytest_todeval.reports.table import NONE, aligned, listed, number

COLUMNS = ("", "mean", "least", "scored", "not applicable", "unscored", "before")
LONGEST_REASON = 160
LONGEST_NAME = 60
"""Unit tests are named by their sentence."""
LISTED = 10


def judged_lines(
    before: Sequence[DialogueEntry],
    now: Sequence[DialogueEntry],
    names: Sequence[str],
    verdicts: Sequence[str],
) -> Iterator[str]:
    """Lines on the scores and verdicts of these names in the dialogues judged now.

    `before` holds the same dialogues as they stood in the file. A mean of before is marked if
    its definition is another, or not known: such means are not comparable.
    """
    if names:
        yield from aligned([COLUMNS, *(_row(name, before, now) for name in names)])
        yield from (line for name in names for line in _worst(name, now))
    for name in verdicts:
        yield _rate(name, before, now)
    yield from _broken(now)


def _row(name: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> list[str]:
    found = score_summary(_scores(name, now))
    numbers = [found["scored"], found["not_applicable"], found["unscored"]]
    return [
        one_line(name, LONGEST_NAME),
        number(found["mean"]),
        number(found["min"], ".3g"),
        *map(str, numbers),
        _before(name, before, now),
    ]


def _before(name: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> str:
    old, new = _scores(name, before), _scores(name, now)
    values = [score["value"] for score in old if score["value"] is not None]
    if not values:
        return NONE
    was = definitions(old)
    same = len(was) == 1 and was[0] != "" and was == definitions(new)
    return number(fmean(values)) + ("" if same else " (not comparable)")


def _worst(name: str, now: Sequence[DialogueEntry]) -> Iterator[str]:
    """The first of the lowest scores with its reason; nothing if all are the best."""
    scored = [
        (score["value"], entry, score)
        for entry in now
        for score in entry["scores"].get(name, ())
        if score["value"] is not None
    ]
    if not scored:
        return
    value, entry, score = min(scored, key=lambda each: each[0])
    if value == score["scale"][1]:
        return
    where = "" if score["turn"] is None else f" turn {score['turn']}"
    what = f"{one_line(name, LONGEST_NAME)}: least {value:.3g} in {entry['goal']}{where}"
    yield f"{what}: {one_line(score['reason'])}" if score["reason"] else what


def _rate(name: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> str:
    was, found = _told(name, before), _told(name, now)
    old = f" (before: {sum(was)} of {len(was)})" if was else ""
    return f"{name}: {sum(found)} of {len(found)} dialogues{old}"


def _told(name: str, entries: Sequence[DialogueEntry]) -> list[bool]:
    values = (entry["metrics"].get(name) for entry in entries)
    return [bool(value) for value in values if value is not None]


def _broken(now: Sequence[DialogueEntry]) -> Iterator[str]:
    """In how many dialogues the rules are kept, and the first turns that break one."""
    found = [list(_breaks(entry)) for entry in now if entry["rules"]]
    if not found:
        return
    yield f"rules: kept in {sum(not lines for lines in found)} of {len(found)} dialogues"
    lines = [line for each in found for line in each]
    yield from listed(lines, LISTED, "and {} more turns break a rule (--json has them)")


def _breaks(entry: DialogueEntry) -> Iterator[str]:
    for rule, results in entry["rules"].items():
        for each in results if isinstance(results, list) else ():
            if isinstance(each, dict) and each.get("value") == 0:
                where = f"{entry['goal']} turn {each['turn']}"
                yield f"rule {rule} broken in {where}: {one_line(each['reason'])}"


def one_line(text: object, longest: int = LONGEST_REASON) -> str:
    """A model's words, fit for a terminal: one line, no control characters, not too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line if len(line) <= longest else f"{line[:longest]} ..."


def _scores(name: str, entries: Sequence[DialogueEntry]) -> list[Noun]:
    return [score for entry in entries for score in entry["scores"].get(name, ())]
