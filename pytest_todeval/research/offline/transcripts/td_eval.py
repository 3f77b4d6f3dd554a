"""TD-Eval's released files: dialogues with the database's results and a judge's replies.

`{"metadata": {"judge_model": ...}, "dialogues": {ID: [{"user", "response", "db", "scores"}]}}`. A
reply is kept as it was written, split at "Justification:"; it is read here as a judge's reply is.
The bot's calls stand in `db`: a list of them (MultiWOZ), or lists by the place of the message
(tau-bench). `metadata` and `scores` may be missing.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.documents import read_document
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.score import Score
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.score import ScoreReader
from pytest_todeval.research.offline.record import Record, data_or_text
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

DIMENSIONS = {
    "conv_consistency": "conversation_cohesion",
    "backend_consistency": "backend_consistency",
    "policy_completeness": "policy_compliance",
}
"""What the file calls them, and what the paper does."""
SPEAKERS = ("Customer:", "Agent:")


def read_td_eval(path: Path, goals: KnownGoals) -> Transcripts:
    """Reads the file. Raises InvalidFile: file, dialogue, key, what was expected and got."""
    file = Record.of(read_document(path).value, str(path))
    metadata = file.mapping("metadata") or {}
    judge = str(metadata.get("judge_model", "an unnamed model"))
    source = "multiwoz" if "multiwoz" in path.stem or "autotod" in path.stem else "td-eval"
    dialogues = file.record("dialogues")
    found = []
    for name in dialogues.value:
        id = name.removesuffix(".json")
        goal = goals.named(id, f"{path}: {name}")
        records = list(dialogues.records(name))
        turns = tuple(_turn(each, at) for at, each in enumerate(records, 1))
        known = Goal(id, source, ()) if goal is None else goal
        found.append(
            Transcript(
                id=known.name,
                dialogue=Dialogue(known, turns),
                scores=_scores(records, f"stored reply of {judge} to TD-Eval's prompt"),
                bot=str(metadata.get("filename", "")),
            )
        )
    return Transcripts("td-eval", tuple(found), tuple(_notes(found)))


def _notes(found: list[Transcript]) -> Iterator[str]:
    empty = sum(not each.dialogue.turns for each in found)
    if empty:
        yield f"{empty} of {len(found)} dialogues have no turn in the file"
    yield (
        "the scores of before are the judge's stored replies, read anew: it gave every turn a "
        "number for backend consistency, with a look-up or without"
    )


def _turn(record: Record, index: int) -> Turn:
    return Turn(
        index=index,
        user=_said(record.text("user")),
        system=_said(record.text("response")),
        tool_calls=tuple(_calls(record)),
    )


def _said(text: str) -> str:
    for speaker in SPEAKERS:
        text = text.removeprefix(speaker)
    return text.strip()


def _calls(record: Record) -> Iterator[ToolCall]:
    """The calls in their order; what else a step holds (thoughts, the reply) is left out."""
    held = record.value.get("db")
    groups = held.values() if isinstance(held, dict) else [held or []]
    for at, group in enumerate(groups):
        for step in Record({"db": group}, record.where, f"{record.path}db.{at}.").records("db"):
            if "api_name" in step.value:
                yield _call(step, "api_name", step.value.get("api_input"), "api_result")
            elif "name" in step.value:
                yield _call(step, "name", step.value.get("args"), "output")


def _call(step: Record, name: str, arguments: object, result: str) -> ToolCall:
    held = data_or_text(arguments)
    given: Mapping[str, Any] = held if isinstance(held, dict) else {"input": arguments}
    return ToolCall(step.text(name), given, data_or_text(step.value.get(result)))


def _scores(turns: list[Record], definition: str) -> dict[str, list[Score]]:
    judged = [
        (at, turn.record("scores")) for at, turn in enumerate(turns, 1) if "scores" in turn.value
    ]
    if not judged:
        return {}
    return {
        name: [_score(name, scores.record(key), at, definition) for at, scores in judged]
        for key, name in DIMENSIONS.items()
    }


def _score(name: str, reply: Record, turn: int, definition: str) -> Score:
    text = f"{reply.text('score')}\nJustification:{reply.text('justification')}"
    try:
        found = ScoreReader().read(text)
    except Unreadable as error:
        return Score(name, None, str(error), turn, unscored=str(error), definition=definition)
    return Score(name, found.value, found.reason, turn, definition=definition)
