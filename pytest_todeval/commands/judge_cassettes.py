"""Cassettes of dialogues that are judged anew: one file per dialogue, in a folder."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.miss import CassetteMiss
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.reports.schema import DialogueEntry

SUFFIX = ".todeval.jsonl"
LONGEST_NAME = 120


def mode_of(folder: Path, record: str | None) -> Mode:
    """What happens to the judge's calls: replay if the folder holds cassettes, else missing.

    Raises UsageError if `record` is no mode.
    """
    if record is not None:
        return modes_from(record)[Lane.JUDGE]
    return Mode.REPLAY if any(folder.glob(f"*{SUFFIX}")) else Mode.MISSING


def place_names(entries: Sequence[DialogueEntry]) -> list[str]:
    """What each dialogue of a file is called in lanes: its goal and trial, never two the same."""
    seen: Counter[str] = Counter()
    names = []
    for entry in entries:
        name = f"{entry['goal']}#{entry['trial']}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


@contextmanager
def judging(
    entry: DialogueEntry, place: str, folder: Path | None, mode: Mode | None
) -> Iterator[None]:
    """Run the body in the judge's lane; with a folder, its calls are recorded or replayed.

    The cassette is put in place when the body has ended well; else what was recorded waits in the
    journal beside it, and the next recording goes on from there. Raises CassetteMiss and what else
    the tape refused, also if the body caught it.
    """
    with in_lane(place, Lane.JUDGE):
        if folder is None or mode is None:
            yield
            return
        path = folder / f"{_file_name(place)}{SUFFIX}"
        modes = {Lane.JUDGE: mode}
        with Tape(path, test=entry["test"], dialogue=place, modes=modes, seed=entry["trial"]) as t:
            yield
            if t.misses:
                raise CassetteMiss(t.misses[0])
            for error in t.refusals:
                raise error
            t.finish(keep=True)


def _file_name(place: str) -> str:
    """The place as a file name; a hash ends it if something was lost on the way."""
    plain = re.sub(r"[^A-Za-z0-9_.,=#-]", "-", place)
    if plain == place.replace("/", "-") and len(plain) <= LONGEST_NAME:
        return plain
    return f"{plain[:LONGEST_NAME]}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
