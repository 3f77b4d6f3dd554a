"""Where the cassette of a test lies: by the path of its file, whatever pytest takes as its root."""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pytest_todeval.recording.files import journal_path

FOLDER = "cassettes"
SUFFIX = ".todeval.jsonl"
LONGEST_NAME = 120
CONFIGURED = {
    "pytest.toml": "",
    ".pytest.toml": "",
    "pytest.ini": "",
    ".pytest.ini": "",
    "pyproject.toml": "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}
"""The files that may configure pytest, each with what it then holds."""
LARGEST_READ = 1 << 20


@lru_cache(maxsize=1024)
def anchor_of(file: Path) -> Path:
    """Returns the folder of a test's project: the nearest one above it that configures pytest.

    Without one, the nearest with a `pyproject.toml`; without that, the one with the `conftest.py`
    nearest to the test, or above it as far as each folder has one; else the test's own.
    """
    above = file.parents
    for found in above:
        if _configures(found):
            return found
    for found in above:
        if (found / "pyproject.toml").is_file():
            return found
    for found in above:
        if (found / "conftest.py").is_file():
            while (found.parent / "conftest.py").is_file() and found != found.parent:
                found = found.parent
            return found
    return file.parent


def _configures(folder: Path) -> bool:
    for name, mark in CONFIGURED.items():
        path = folder / name
        try:
            if path.is_file() and (not mark or mark in path.read_text("utf-8")[:LARGEST_READ]):
                return True
        except (OSError, UnicodeDecodeError):
            continue
    return False


def folder_of(file: Path, given: Path | None = None) -> Path:
    """Returns the folder of the cassettes of a test file: the `given` one, else the anchor's."""
    return anchor_of(file) / FOLDER if given is None else given


def cassette_of(file: Path, nodeid: str, *, root: Path, given: Path | None = None) -> Path:
    """The cassette of a test: what is there already, also at an earlier place; else the new one.

    `file` is the test's, `root` pytest's.
    """
    places = places_of(file, nodeid, root=root, given=given)
    there = (p for p in places if p.parent.is_dir() and (p.exists() or journal_path(p).exists()))
    return next(there, places[0])


def places_of(
    file: Path, nodeid: str, *, root: Path, given: Path | None = None
) -> tuple[Path, ...]:
    """Where the cassette of a test may lie: first where it is written, then where it was before."""
    named, _, test = nodeid.partition("::")
    homes = _homes(file, named, root, given)
    return tuple(dict.fromkeys(home / _name_of(path, test) for home, path in homes))


@lru_cache(maxsize=1024)
def _homes(file: Path, named: str, root: Path, given: Path | None) -> tuple[tuple[Path, str], ...]:
    """Returns the folders `FOLDER/FILE` of a test file, each with the file's path from there."""
    found = _files(file, named, root, given)
    return tuple((folder / path.with_suffix(""), path.as_posix()) for folder, path in found)


def _files(file: Path, named: str, root: Path, given: Path | None) -> Iterator[tuple[Path, Path]]:
    anchor = anchor_of(file)
    yield folder_of(file, given), file.relative_to(anchor)
    for above in file.parents:
        if above == anchor or root in (above, *above.parents):
            yield above / FOLDER, file.relative_to(above)
    yield root / FOLDER, Path(named)


def _name_of(file: str, test: str) -> str:
    """`TEST[GOAL].todeval.jsonl`.

    Whatever a file system may not hold becomes `-`; a name that lost something that way, or is too
    long, ends in a hash of the node id, so that no two tests share a cassette.
    """
    plain = re.sub(r"[^A-Za-z0-9_.,=#\[\]-]", "-", test)
    if plain != test.replace("/", "-") or len(plain) > LONGEST_NAME:
        digest = hashlib.sha256(f"{file}::{test}".encode()).hexdigest()[:8]
        plain = f"{plain[:LONGEST_NAME]}-{digest}"
    return f"{plain}{SUFFIX}"
