"""Where else a call is recorded: in the cassette of a test that made it first, or was renamed."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.bodies import to_json
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.cassette_text import header_of
from pytest_todeval.recording.location import SUFFIX
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.meaning import ENDPOINT
from pytest_todeval.recording.process import PROCESS_FILE
from pytest_todeval.recording.store import read_cassette

MOST_FILES = 2000
"""So many cassettes are looked through for a call that is missing."""
MOST_READ = 20
"""So many of them are read."""


class Elsewhere(NamedTuple):
    """A cassette of another test that holds a call."""

    path: Path
    test: str
    same_goal: bool
    """Whether its user spoke for the same goal."""


def elsewhere(
    request: Request, key: str, *, folder: Path, own: Path, goal: str, matching: Matching = EXACT
) -> Elsewhere | None:
    """Returns the first cassette in a folder, other than a test's own, that holds a call.

    What models are asked is looked for in cassettes of the same goal alone; without a `goal`, not
    at all.
    """
    asks_model = ENDPOINT.fullmatch(request.path) is not None
    needle = f'"path":{to_json(request.path)}'.encode()
    read = 0
    for path, data in _files(folder, own):
        same_goal = bool(goal) and header_of(path).get("goal") == goal
        if (asks_model and not same_goal) or needle not in data:
            continue
        read += 1
        if read > MOST_READ:
            return None
        try:
            file = read_cassette(path, matching)
        except InvalidFile:
            continue
        if any(call.key == key for call in file.calls):
            return Elsewhere(path, file.header.test, same_goal)
    return None


def _files(folder: Path, own: Path) -> Iterator[tuple[Path, bytes]]:
    found = sorted(folder.rglob(f"*{SUFFIX}"))[:MOST_FILES]
    for path in found:
        if path in (own, folder / PROCESS_FILE):
            continue
        try:
            yield path, path.read_bytes()
        except OSError:
            continue
