"""`todeval cassettes accept`: recorded answers for the requests of now, with nothing paid."""

from collections.abc import Iterator
from pathlib import Path

from pytest_todeval.commands.cassette_difference import differences
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.recording.accepting import proposals
from pytest_todeval.recording.store import read_cassette


def accept(folder: Path, *, yes: bool) -> Iterator[str]:
    """Lines that say what a run in the mode `accept` would change; with `yes`, it is changed.

    Raises UsageError if there is nothing to accept, or a proposal is older than its cassette, and
    InvalidFile for one that is broken.
    """
    found = proposals(folder)
    if not found:
        raise UsageError(
            f"nothing to accept in {folder}: first play the stale tests offline, with "
            "`pytest TEST --todeval-record=accept`"
        )
    for cassette, proposal in found:
        yield from _shown(cassette, proposal)
        if yes:
            proposal.replace(cassette)
    done = "accepted" if yes else "to accept; --yes keeps the recorded answers for these requests"
    yield f"{len(found)} cassettes {done}"


def _shown(cassette: Path, proposal: Path) -> Iterator[str]:
    if not cassette.exists() or cassette.stat().st_mtime_ns > proposal.stat().st_mtime_ns:
        raise UsageError(
            f"{cassette} has changed since the proposal beside it was made; play the test with "
            f"--todeval-record=accept again, or delete {proposal}"
        )
    old, new = read_cassette(cassette), read_cassette(proposal)
    if old.header.test != new.header.test:
        raise InvalidFile(
            f"{proposal}:1: it was made for the test {new.header.test}, but the cassette is that "
            f"of {old.header.test}; delete the proposal"
        )
    yield f"{cassette}  {old.header.test}"
    yield from (f"  {line}" for line in differences(old.calls, new.calls))
