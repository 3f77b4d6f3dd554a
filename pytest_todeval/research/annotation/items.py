"""What a judge scored in a results file, item by item: a turn, or a dialogue, and a question."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.runs.reports.schema import DialogueEntry


@dataclass(frozen=True, slots=True)
class RatedItem:
    """One score of a judge."""

    id: str
    """A hash of the question and of all that was said up to here: it tells nothing, and an answer
    to other words has another one."""
    dialogue: str
    """Test, goal and trial."""
    turn: int | None
    """1-based; None if the whole dialogue was scored."""
    question: str
    """The score's name."""
    scale: tuple[int, ...]
    judge: float | None
    """None if the judge gave no number."""


def items_of_all(
    entries: Sequence[DialogueEntry], questions: Sequence[str] = ()
) -> list[tuple[DialogueEntry, tuple[RatedItem, ...]]]:
    """Returns the dialogues with scores, and their items, in the order of the turns.

    Raises UsageError if there are none, or none of a question that is asked for, or no words.
    """
    known = {name for entry in entries for name in entry["scores"]}
    if not known:
        raise UsageError("the results file has no scores; have a judge score its turns first")
    if not any(entry["turns"] for entry in entries):
        raise UsageError("the results file holds no words, as a baseline does not; name the run's")
    for name in questions:
        if name not in known:
            raise UsageError(f"--ask: got {name!r}; {known_names(name, sorted(known))}")
    found = [(entry, tuple(items_of(entry, questions))) for entry in entries]
    return [(entry, items) for entry, items in found if items]


def items_of(entry: DialogueEntry, questions: Sequence[str] = ()) -> Iterator[RatedItem]:
    """Of one dialogue, those of these questions, or of all; whole dialogues last."""
    scores = [
        (name, score)
        for name, series in entry["scores"].items()
        if not questions or name in questions
        for score in series
    ]
    turns = entry["turns"]
    for name, score in sorted(scores, key=lambda each: each[1]["turn"] or len(turns) + 1):
        turn = score["turn"]
        low, high = score["scale"]
        if int(high) - int(low) > 10:
            continue
        yield RatedItem(
            _id(entry, turn, name),
            f"{entry['test']} {entry['goal']} #{entry['trial']}",
            turn,
            name,
            tuple(range(int(low), int(high) + 1)),
            score["value"],
        )


def sampled(
    dialogues: Sequence[tuple[DialogueEntry, tuple[RatedItem, ...]]], number: int | None, seed: int
) -> list[tuple[DialogueEntry, tuple[RatedItem, ...]]]:
    """At most `number` of the dialogues, in an order that hangs on the seed alone."""
    return sorted(dialogues, key=lambda each: _digest([seed, each[1][0].id]))[:number]


def _id(entry: DialogueEntry, turn: int | None, question: str) -> str:
    words = [(one["user"], one["system"]) for one in entry["turns"][:turn]]
    return _digest([entry["test"], entry["goal"], entry["trial"], words, turn, question])


def _digest(of: Any) -> str:
    text = json.dumps(of, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
