"""Why dialogues failed: one cause for each, and the dialogues of one cause as a group."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.schema import DialogueEntry, Noun
from pytest_todeval.runs.reports.table import one_line

SHORTEST_VALUE = 3
"""Characters of a goal's value from which it is replaced in a reason."""
MOST = 200
"""Characters of a shape."""
GAP = "…"
LACKING = "; what is lacking:"
_QUOTED = re.compile(r"""(?<!\w)'[^']*(?:'(?=\w)[^']*)*'|"[^"]*"|‘[^’]*’|“[^”]*”""")
_REFERENCE = re.compile(r" \(reference [^)]*\)")
_NUMBERED = re.compile(r"\b[\w.:-]*\d[\w.:-]*\b")
_GAPS = re.compile(rf"{GAP}(?:[\s,.:-]*{GAP})+")


@dataclass(frozen=True, slots=True)
class CauseFinding:
    """What speaks against a dialogue: a failed verdict, a broken rule."""

    kind: str
    """`verdict`, `rule`, or `test`: what the test raised by itself."""
    name: str
    reason: str
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """What a dialogue failed of."""

    outcome: str
    finding: CauseFinding
    shape: str
    """The reason without what is of this dialogue alone: values, numbers, names."""
    calls: str
    """What the bot called in the decisive turn: no tool, a tool, or one that refused."""

    @property
    def turn(self) -> int | None:
        """Returns the decisive turn: the first that shows it."""
        return self.finding.turns[0] if self.finding.turns else None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.outcome, self.shape, self.calls


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """The dialogues of one cause."""

    cause: Cause
    """That of the first dialogue."""
    entries: tuple[DialogueEntry, ...]
    names: tuple[str, ...]
    """The verdicts and rules that say so, the most frequent first."""

    @property
    def title(self) -> str:
        """Returns what they failed of, and why, in a line."""
        return f"{', '.join(self.names)}: {self.cause.shape}" if self.names else self.cause.shape


def cause_of(entry: DialogueEntry) -> Cause | None:
    """Says why a dialogue did not pass; None if it did."""
    if entry["outcome"] == Outcome.PASSED:
        return None
    finding = _decisive(entry)
    turn = finding.turns[0] if finding.turns and finding.name else None
    return Cause(entry["outcome"], finding, shape_of(finding.reason, entry), _calls(entry, turn))


def groups_of(entries: Sequence[DialogueEntry]) -> list[FailureGroup]:
    """The dialogues that did not pass by their cause: the bot's failures first, largest first."""
    found: dict[tuple[str, str, str], list[tuple[Cause, DialogueEntry]]] = {}
    for entry in entries:
        if (cause := cause_of(entry)) is not None:
            found.setdefault(cause.key, []).append((cause, entry))
    groups = [_group(each) for each in found.values()]
    return sorted(groups, key=lambda g: (g.cause.outcome != Outcome.FAILED, -len(g.entries)))


def findings_of(entry: DialogueEntry) -> Iterator[CauseFinding]:
    """All that speaks against a dialogue: verdicts, the user's own last, then rules by turn."""
    failed = [
        (name, verdict)
        for name, verdict in entry["verdicts"].items()
        if verdict["passed"] is False and verdict["applicable"]
    ]
    for name, verdict in sorted(failed, key=lambda each: (each[0] == "satisfied", "/" in each[0])):
        yield CauseFinding("verdict", name, verdict["reason"], tuple(verdict["turns"]))
    for name, results in entry["rules"].items():
        broken = broken_in(results)
        if broken:
            turns = tuple(each["turn"] for each in broken if each.get("turn"))
            yield CauseFinding("rule", name, str(broken[0].get("reason", "")), turns)


def broken_in(results: object) -> list[Noun]:
    """The turns that break a rule; none of a rule evaluator of one's own in another shape."""
    rows = results if isinstance(results, list) else []
    return [each for each in rows if isinstance(each, dict) and each.get("value") == 0]


def shape_of(reason: str, entry: DialogueEntry) -> str:
    """Returns a reason without what is of this dialogue alone."""
    text = one_line(reason.partition(LACKING)[0], 4 * MOST)
    domain, colon, rest = text.partition(": ")
    if colon and domain in _domains(entry):
        text = rest
    text = _QUOTED.sub(GAP, _REFERENCE.sub("", text))
    for value in _values(entry):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", GAP, text, flags=re.IGNORECASE)
    return _GAPS.sub(GAP, _NUMBERED.sub(GAP, text))[:MOST]


def _group(members: Sequence[tuple[Cause, DialogueEntry]]) -> FailureGroup:
    named = [cause.finding.name for cause, _ in members if cause.finding.name]
    names = sorted(dict.fromkeys(named), key=lambda name: -named.count(name))
    return FailureGroup(members[0][0], tuple(entry for _, entry in members), tuple(names))


def _decisive(entry: DialogueEntry) -> CauseFinding:
    """Returns what the test asserted first; else what weighs most."""
    raised = entry.get("raised", "")
    if entry["outcome"] != Outcome.FAILED:
        told = raised or entry["detail"] or entry["stop_reason"]
        return CauseFinding("test", "", told, (len(entry["turns"]),) if entry["turns"] else ())
    found = list(findings_of(entry))
    named = [each for each in found if _is_named(each, raised)]
    if named or found:
        return (named or found)[0]
    last = (len(entry["turns"]),) if entry["turns"] else ()
    return CauseFinding("test", "", raised or entry["detail"] or entry["stop_reason"], last)


def _is_named(finding: CauseFinding, raised: str) -> bool:
    return f"<{finding.name} FAILED" in raised or f"rule {finding.name} BROKEN" in raised


def _calls(entry: DialogueEntry, turn: int | None) -> str:
    if turn is None or not 0 < turn <= len(entry["turns"]):
        return ""
    calls = entry["turns"][turn - 1].get("tool_calls") or ()
    if not calls:
        return "no tool called"
    return "a tool refused" if any(call.get("error") for call in calls) else "a tool called"


def _domains(entry: DialogueEntry) -> list[str]:
    parts = entry.get("goal_record", {}).get("domains", ())
    return sorted({str(part["domain"]) for part in parts})


def _values(entry: DialogueEntry) -> list[str]:
    """Returns what the goal wants and what is booked, the longest first: it differs by dialogue."""
    plain = cast("Mapping[str, Any]", entry)
    found: list[object] = [*_domains(entry)]
    found += [value for held in plain["bookings"] for value in held.get("slots", {}).values()]
    for part in entry.get("goal_record", {}).get("domains", ()):
        for name in ("inform", "fail_inform", "book", "fail_book"):
            found += (part.get(name) or {}).values()
    told = {str(value) for value in found if len(str(value)) >= SHORTEST_VALUE}
    return sorted(told, key=lambda value: (-len(value), value))
