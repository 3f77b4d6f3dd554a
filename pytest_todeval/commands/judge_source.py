"""What `todeval judge` judges: the dialogues of a results file, or of a file of transcripts."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.metrics.state_tracking.belief import MOST_PAIRS, pairs_of
from pytest_todeval.evaluate.metrics.state_tracking.schema import Slots, StateSchema
from pytest_todeval.research.offline.transcripts import (
    KnownGoals,
    Transcript,
    format_of,
    holds_states,
    read_transcripts,
)
from pytest_todeval.runs.reports.results import dialogue_entry, environment, read_results
from pytest_todeval.runs.reports.schema import DialogueEntry, EnvironmentEntry
from pytest_todeval.runs.reports.stored import dialogue_of


@dataclass(frozen=True)
class SourceDialogue:
    """A dialogue of the file."""

    entry: DialogueEntry
    place: str
    """Its goal and trial."""
    dialogue: Dialogue
    labels: Sequence[Mapping[str, Any]] | None = None
    """What its belief states ought to be, if the file says."""
    slots: Slots | None = None
    """What its belief states are judged over; None: what its goal says."""
    transcript: bool = False
    """Whether it was played elsewhere, and only read here."""


@dataclass(frozen=True)
class Source:
    """The dialogues of a file."""

    dialogues: tuple[SourceDialogue, ...]
    environment: EnvironmentEntry
    notes: tuple[str, ...] = ()
    transcripts: bool = False
    """Whether nobody has given an outcome to its dialogues."""


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what tells how to read a file of transcripts."""
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help="of the file: transcripts, autotod, llm-user-agents, td-eval, tau-bench or dst "
        "(default: told by its first object; dst has to be named)",
    )
    add_goal_set_argument(parser)
    parser.add_argument("--split", help="of the goal sets (default: each one's own)")
    parser.add_argument("--data", help="MultiWOZ folder or zip (default: TODEVAL_DATA, the cache)")
    parser.add_argument(
        "--tau-home", type=Path, metavar="DIR", help="your checkout of tau-bench, for its goals"
    )


def add_goal_set_argument(parser: argparse.ArgumentParser) -> None:
    """Declare where the goals are that transcripts only name."""
    parser.add_argument(
        "--goal-set",
        action="append",
        metavar="SOURCE",
        help="where the goals are that transcripts name or tell in words: multiwoz, demo, ..., or "
        "a goal file; may be repeated",
    )


def known_goals(args: argparse.Namespace) -> KnownGoals:
    """Returns the goal sets that the options name."""
    settings = {"data": args.data, "tau-home": args.tau_home}
    return KnownGoals(args.goal_set or (), split=args.split, settings=settings)


def read_source(path: Path, args: argparse.Namespace) -> Source:
    """The dialogues of a file: of transcripts if its format is named or shows, else of results.

    Raises UsageError if there is none, InvalidFile for what is wrong in it.
    """
    if not path.is_file():
        raise UsageError(f"no file to judge at {path}")
    format = args.format or format_of(path)
    if format is None and path.suffix == ".jsonl":
        format = "transcripts"  # its first line is broken: told with its number
    if format is not None:
        return _transcripts(path, format, known_goals(args))
    if holds_states(path):
        raise UsageError(
            f"{path}: belief states by dialogue, expected the dialogues themselves; if they were "
            "predicted for MultiWOZ, add --format dst"
        )
    stored = read_results(path)
    named = zip(stored["dialogues"], _place_names(stored["dialogues"]), strict=True)
    dialogues = tuple(SourceDialogue(entry, place, dialogue_of(entry)) for entry, place in named)
    return Source(dialogues, stored["environment"])


def _place_names(entries: Sequence[DialogueEntry]) -> list[str]:
    """What each dialogue of a file is called in lanes: its goal and trial, never two the same."""
    seen: Counter[str] = Counter()
    names = []
    for entry in entries:
        name = f"{entry['goal']}#{entry['trial']}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def _transcripts(path: Path, format: str, goals: KnownGoals) -> Source:
    read = read_transcripts(path, format, goals)
    entries = [transcript_entry(each, path.name) for each in read.found]
    dialogues = tuple(
        SourceDialogue(entry, place, each.dialogue, each.labels, transcript=True)
        for each, entry, place in zip(read.found, entries, _place_names(entries), strict=True)
    )
    about = environment(
        goal_sets={each.name: each.fingerprint for each in goals.sets},
        settings={"format": format, "notes": list(read.notes)},
    )
    return Source(dialogues, about, read.notes, transcripts=True)


def with_slots(dialogues: Sequence[SourceDialogue]) -> tuple[SourceDialogue, ...]:
    """The same with one set of slots for all whose data set has none, so that they have a mean.

    It has the slots of all their goals, belief states and labels, 500 at most.
    """
    slots: dict[str, list[str]] = {}
    own = [each for each in dialogues if not each.dialogue.goal.published]
    keys = dict.fromkeys(key for each in own for key in _slot_keys(each))
    for key in list(keys)[:MOST_PAIRS]:
        domain, _, slot = key.partition("-")
        slots.setdefault(domain, []).append(slot)
    return tuple(
        each if each.dialogue.goal.published else replace(each, slots=slots) for each in dialogues
    )


def _slot_keys(one: SourceDialogue) -> Iterator[str]:
    yield from StateSchema.for_dialogue(one.dialogue).slots
    for label in one.labels or ():
        yield from pairs_of(label)


def transcript_entry(one: Transcript, file: str) -> DialogueEntry:
    """A transcript as the entry of a results file; its outcome is `passed` until somebody says no.

    Without a goal that is known it has no `goal_record`.
    """
    entry = dialogue_entry(
        one.dialogue,
        test=f"{file}[{one.id}]",
        outcome=Outcome.PASSED,
        scores=one.scores,
        bot=one.bot,
        user=one.user,
    )
    if not one.goal_known:
        entry.pop("goal_record", None)
    return entry
