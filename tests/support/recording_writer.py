"""A process that records until it is killed: `-m tests.support.recording_writer CASSETTE CALLS`.

Says `done GENERATION N` once the nth call is on the disk, and `in place GENERATION N` once the
cassette is, after CALLS calls; then it records the next generation.
"""

import sys
from dataclasses import replace
from pathlib import Path

from pytest_todeval.recording.journal import Journal
from pytest_todeval.recording.store import write_cassette
from tests.support.recorded_calls import HEADER, chat


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(cassette: Path, calls: int) -> None:
    generation = 0
    while True:
        generation += 1
        journal = Journal(cassette, replace(HEADER, seed=generation))
        left = Journal.recover(cassette)
        recorded = list(left.calls if left else ())
        while len(recorded) < calls:
            call = chat(f"call {len(recorded)} " + "words " * 200)
            journal.append(call)
            recorded.append(call)
            say(f"done {generation} {len(recorded)}")
        write_cassette(cassette, journal.header, recorded)
        journal.discard()
        say(f"in place {generation} {len(recorded)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
