"""The format of docs/transcripts.md: JSONL, one dialogue per line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.documents import read_json_lines
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.record import Record
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

DIALOGUE_KEYS = (
    "id", "goal", "trial", "turns", "last_words", "bot", "user_simulator", "variation",
)  # fmt: skip
TURN_KEYS = (
    "user", "system", "tool_calls", "state", "turn_state", "retrieved", "latency_s", "usage",
    "label",
)  # fmt: skip
CALL_KEYS = ("name", "arguments", "result", "error")
MOST_TURNS = 1000
SOURCE = "transcripts"
"""Of goals that stand in a file: the same for all files, so that two can be compared by goal."""


def read_own(path: Path, goals: KnownGoals) -> Transcripts:
    """Reads transcripts. Raises InvalidFile: file, line, key, what was expected and got."""
    found: list[Transcript] = []
    taken: dict[tuple[str, int], str] = {}
    for number, value in read_json_lines(path):
        line = _OwnLine(Record.of(value, f"{path}:{number}"), f"line-{number}")
        one = line.transcript(goals)
        key = one.id, one.dialogue.trial
        if key in taken:
            raise InvalidFile(
                f"{line.record.where}: id: got {one.id!r:.100}, trial {one.dialogue.trial}, which "
                f"is already at {taken[key]}; give each dialogue its own `id`, or its `trial`"
            )
        taken[key] = line.record.where
        found.append(one)
    if not found:
        raise InvalidFile(f"{path}: no dialogues; expected one JSON object per line")
    return Transcripts("transcripts", tuple(found))


@dataclass(frozen=True)
class _OwnLine:
    record: Record
    number: str
    """What a dialogue without an id is called."""

    def transcript(self, goals: KnownGoals) -> Transcript:
        record = self.record
        record.only(DIALOGUE_KEYS)
        goal = self.goal(goals)
        turns = list(record.records("turns"))
        if not 0 < len(turns) <= MOST_TURNS:
            record.fail("turns", f"a list of 1 to {MOST_TURNS} turns")
        labels = [turn.mapping("label") for turn in turns]
        if any(labels) and None in labels:
            turns[labels.index(None)].fail("label", "a belief state, as other turns have one")
        return Transcript(
            id=record.text("id", goal.name if "goal" in record.value else self.number),
            dialogue=Dialogue(
                goal=goal,
                turns=tuple(_turn(turn, at) for at, turn in enumerate(turns, 1)),
                last_words=record.text("last_words", ""),
                trial=record.whole("trial", 0),
                variation=record.text("variation", ""),
            ),
            labels=tuple(label or {} for label in labels) if any(labels) else None,
            bot=record.text("bot", ""),
            user=record.text("user_simulator", ""),
        )

    def goal(self, goals: KnownGoals) -> Goal:
        """Returns the goal; a name alone if nothing more is known."""
        given = self.record.value.get("goal")
        if isinstance(given, dict):
            from pytest_todeval.worlds.files.reading import goal_of

            return goal_of(given, SOURCE, self.record.where)
        if given is not None and not isinstance(given, str):
            self.record.fail("goal", "a goal's name, or the goal itself as an object")
        name = given or self.record.text("id", self.number)
        found = goals.named(name, self.record.where) if given else None
        if found is not None:
            return found
        source, _, id = name.rpartition("/")
        return Goal(id, source or SOURCE, ())


def _turn(record: Record, index: int) -> Turn:
    record.only(TURN_KEYS)
    return Turn(
        index=index,
        user=record.text("user", ""),
        system=record.text("system"),
        tool_calls=tuple(map(_call, record.records("tool_calls"))),
        state=record.mapping("state"),
        turn_state=record.mapping("turn_state"),
        retrieved=tuple(record.items("retrieved")),
        latency=record.number("latency_s", 0.0),
        usage=_usage(record),
    )


def _call(record: Record) -> ToolCall:
    record.only(CALL_KEYS)
    return ToolCall(
        name=record.text("name"),
        arguments=record.mapping("arguments") or {},
        result=record.value.get("result"),
        error=None if record.value.get("error") is None else record.text("error"),
    )


def _usage(record: Record) -> Usage | None:
    given = record.mapping("usage")
    if given is None:
        return None
    held = Record(given, record.where, f"{record.path}usage.")
    held.only([each.name for each in fields(Usage)])
    return Usage(**dict(_usage_values(held)))


def _usage_values(record: Record) -> Iterator[tuple[str, Any]]:
    taken: Mapping[type, Any] = {int: record.whole, float: record.number, str: record.text}
    for each in fields(Usage):
        yield each.name, taken[type(each.default)](each.name, each.default)
