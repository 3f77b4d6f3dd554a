"""A file of transcripts in any of its formats, told apart by what its first object holds."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.errors import InvalidFile, UsageError, known_names
from pytest_todeval.research.offline.autotod import stored_dialogues
from pytest_todeval.research.offline.transcripts.dst import STATES, read_dst
from pytest_todeval.research.offline.transcripts.exports import EXPORTS, export_of
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.llm_user_agents import read_llm_user_agents
from pytest_todeval.research.offline.transcripts.own import read_own
from pytest_todeval.research.offline.transcripts.tau_bench import read_tau_bench
from pytest_todeval.research.offline.transcripts.td_eval import read_td_eval
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

LONGEST_LINE = 50_000_000
"""Characters of a first line that is looked at."""


def read_autotod(path: Path, goals: KnownGoals) -> Transcripts:
    """Returns the dialogues of a file as DaDaMrX/AutoTOD stores them; their goals stand in it."""
    found = tuple(Transcript(each.goal.name, each) for each in stored_dialogues(path))
    return Transcripts(
        "autotod",
        found,
        (
            "the file holds no calls of tools and no results: nothing shows what the database "
            "said, so backend consistency is not applicable in any turn",
        ),
    )


FORMATS: Mapping[str, Callable[[Path, KnownGoals], Transcripts]] = {
    "transcripts": read_own,
    "autotod": read_autotod,
    "llm-user-agents": read_llm_user_agents,
    "td-eval": read_td_eval,
    "tau-bench": read_tau_bench,
    "dst": read_dst,
    **EXPORTS,
}
"""How each format is read."""

MARKS: Mapping[str, tuple[str, ...]] = {
    "transcripts": ("turns",),
    "autotod": ("dialog_id", "run_result"),
    "llm-user-agents": ("initial_message",),
    "td-eval": ("dialogues", "metadata"),
    "tau-bench": ("task_id", "traj"),
}
"""The keys that the first object of a file has, by format; `dst` has to be named, as any object of
dialogues by id may be one."""


def read_transcripts(
    path: Path, format: str | None = None, goals: KnownGoals | None = None
) -> Transcripts:
    """Reads a file of transcripts; without a format, in the one that its first object shows.

    Raises InvalidFile with file, line, key, what was expected and got; UsageError if the format is
    unknown, or cannot be told.
    """
    name = format or format_of(path)
    if name is None:
        told = "; ".join(f"{each}: {', '.join(keys)}" for each, keys in MARKS.items())
        raise UsageError(
            f"{path}: its format cannot be told: name it with --format. Of the first object, these "
            f"keys would tell it: {told}"
        )
    if name not in FORMATS:
        raise UsageError(f"format {name!r}: {known_names(name, FORMATS)}")
    return FORMATS[name](path, goals or KnownGoals())


def format_of(path: Path) -> str | None:
    """Returns the format that the keys of a file's first object show; None if they show none."""
    if path.suffix.lower() in (".csv", ".tsv"):
        return "chat"
    first = _first_object(path)
    known = (name for name, marks in MARKS.items() if first.keys() >= set(marks))
    return next(known, None) or export_of(first)


def holds_states(path: Path) -> bool:
    """Says whether a file looks like one of the format `dst`: objects with states, by dialogue."""
    turns = next(iter(_first_object(path).values()), None)
    first = turns[0] if isinstance(turns, list) and turns else None
    return isinstance(first, dict) and not first.keys().isdisjoint(STATES)


def _first_object(path: Path) -> dict[str, Any]:
    for value in _values(path):
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, dict):
            return first
    return {}


def _values(path: Path) -> Iterator[Any]:
    """Returns the first line as JSON, then the whole file; what is no JSON is left out."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read: {error.strerror or error}") from error
    line = text.lstrip().partition("\n")[0]
    for part in (line[:LONGEST_LINE], text):
        try:
            yield json.loads(part)
        except (ValueError, RecursionError):
            continue
