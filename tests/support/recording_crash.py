"""Kill a process that records at a random instant, and look at what it left."""

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.store import read_cassette, write_cassette

PROJECT = Path(__file__).resolve().parents[2]
CALLS = (2, 12, 400)
"""Calls of a recording: with few, kills come while it is put in place."""


def kill_at_random(cassette: Path, chance: random.Random, longest: float = 0.15) -> str:
    """What was found after a kill: `journal`, ...; AssertionError if a call is lost."""
    calls = chance.choice(CALLS)
    command = [sys.executable, "-m", "tests.support.recording_writer", str(cassette), str(calls)]
    process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    with process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(chance.uniform(0, longest))
        process.kill()
        said = first + process.stdout.read()
    return found_after(cassette, said.split("\n")[:-1], calls)


def found_after(cassette: Path, said: list[str], calls: int) -> str:
    """Check what is on the disk against what the process said it had done."""
    words, generation, count = said[-1].rsplit(" ", 2)
    journal = Journal.recover(cassette)
    kept = read_cassette(cassette) if cassette.exists() else None
    placed = [line for line in said if line.startswith("in place")]
    if placed:
        assert kept is not None, "a cassette that was in place is gone"
        assert kept.header.seed >= int(placed[-1].split()[2]), "an older cassette is back"
    if kept is not None:
        assert len(kept.calls) == calls
    finished = int(count) if words == "done" else 0
    in_journal = len(journal.calls) if journal else 0
    if words == "done" and not (kept and kept.header.seed >= int(generation)):
        assert in_journal >= finished, f"{finished} calls were finished, {in_journal} are there"
    return "journal and cassette" if journal and kept else "journal" if journal else "cassette"


def goes_on(cassette: Path) -> int:
    """How many calls the next run finds when it goes on from what was left."""
    from tests.support.recorded_calls import HEADER, chat

    left = Journal.recover(cassette)
    with closing(Journal(cassette, HEADER)) as journal:
        recorded = list(left.calls if left else ())
        recorded += [chat(f"more {n}") for n in range(3)]
        for call in recorded[-3:]:
            journal.append(call)
        write_cassette(cassette, journal.header, recorded)
        journal.discard()
    assert [call.key for call in read_cassette(cassette).calls] == [c.key for c in recorded]
    return len(recorded) - 3
