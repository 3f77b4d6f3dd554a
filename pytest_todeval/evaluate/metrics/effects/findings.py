"""Judges whether what a goal wants done is done, and nothing else: by records, calls or words."""

from collections.abc import Iterator
from functools import partial

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.records import Record, RecordsSeen
from pytest_todeval.core.steps import Effect, Records
from pytest_todeval.errors import OracleFault
from pytest_todeval.evaluate.metrics.effects.compared import Mismatch, mismatches
from pytest_todeval.evaluate.metrics.inform import Finding, end_of
from pytest_todeval.facts.dialogue import Evidence

MOST_SHOWN = 5


def effects(evidence: Evidence) -> Iterator[Finding]:
    """Returns the findings on the effects of a goal's steps; empty if it has no steps."""
    goal = evidence.goal
    if not goal.steps and goal.expect is None:
        return
    wrong = _wrong(evidence)
    if wrong is None:
        from pytest_todeval.evaluate.metrics.effects.claimed import claimed

        yield from claimed(evidence)
    elif not wrong:
        turns = tuple(turn.index for turn in evidence.dialogue.turns if turn.changed)
        yield Finding(True, "every step stands done, and nothing else has changed", turns)
    else:
        yield from map(partial(_finding, evidence), wrong[:MOST_SHOWN])


def _wrong(evidence: Evidence) -> list[Mismatch] | None:
    """Returns the first difference from what the goal asks for; None if the records are not known.

    Raises OracleFault if a step is about a record that did not stand. A dialogue from a file does
    not tell of records that nobody changed.
    """
    dialogue = evidence.dialogue
    seen = records_seen(dialogue)
    try:
        return None if seen is None else mismatches(evidence.goal, seen)
    except OracleFault:
        if dialogue.records_seen is not None:
            raise
        return None


def has_effects(evidence: Evidence) -> bool:
    """Says whether the goal wants anything done, or says what is to stand."""
    steps = evidence.goal.steps
    wants = any(step.means.effect is not Effect.NONE for step in steps)
    return wants or evidence.goal.expect is not None


def _finding(evidence: Evidence, wrong: Mismatch) -> Finding:
    by = list(_changed_by(evidence.dialogue, wrong))
    if by:
        each = (f"turn {turn}" + (f", {call.name}" if call else "") for turn, call in by)
        return Finding(False, f"{wrong} (changed in {'; '.join(each)})", tuple(t for t, _ in by))
    how, turns = end_of(evidence)
    return Finding(False, f"{wrong} (nothing has changed it){how}", turns)


def _changed_by(dialogue: Dialogue, wrong: Mismatch) -> Iterator[tuple[int, ToolCall | None]]:
    """Returns the turns that changed a record, each with the call that seems to have done it."""
    for turn in dialogue.turns:
        for change in turn.changed or ():
            if change.kind == wrong.kind and change.name == wrong.record:
                made = [call for call in turn.tool_calls if call.error is None]
                id = change.name.removeprefix(change.kind).strip()
                naming = [call for call in made if id in map(str, call.arguments.values())]
                by = naming[-1] if naming else made[0] if len(made) == 1 else None
                yield turn.index, by
                break


def records_seen(dialogue: Dialogue) -> RecordsSeen | None:
    """Returns the records before and after; of a dialogue from a file, what is known of them."""
    if dialogue.records_seen is not None:
        return dialogue.records_seen
    if not any(turn.changed is not None for turn in dialogue.turns):
        return None
    before: dict[str, list[Record]] = {kind: list(r) for kind, r in dialogue.goal.given.items()}
    changes = [change for turn in dialogue.turns for change in turn.changed or ()]
    made: set[tuple[str, str]] = set()
    for change in changes:
        key = change.kind, change.name
        rows = before.setdefault(change.kind, [])
        if change.before is None:
            made.add(key)
        elif key not in made and change.before not in rows:
            rows.append(change.before)
    after = {kind: list(rows) for kind, rows in before.items()}
    for change in changes:
        rows = after[change.kind]
        if change.before in rows:
            rows.remove(change.before)
        if change.after is not None:
            rows.append(change.after)
    return RecordsSeen(_frozen(before), _frozen(after))


def _frozen(records: dict[str, list[Record]]) -> Records:
    return {kind: tuple(rows) for kind, rows in records.items()}
